// SPDX-License-Identifier: MIT
// Names for what has none in the PTX. A `__shared__` variable keeps its name, a member of a struct
// in dynamic shared memory does not: its address is a sum. WATCH_SHARED copies the address into a
// register called watch_full, which nothing reads: ptxas drops it, but the emulator's steps have
// it, and the pipeline says full[2], not mbarrier 0x30010. (A comment would not do: nvcc drops
// those from the PTX that it puts into a program.)
//
//     if (threadIdx.x == 0) WATCH_SHARED("full", shared.full);   // an array, where it is set up
//
// Not for registers: RECORD (record.cuh) names those.
#pragma once

#define WATCH_SHARED(name, variable)                                   \
  asm volatile("{\n\t.reg .b32 watch_" name ";\n\tmov.b32 watch_" name \
               ", %0;\n\t}" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&(variable)))))
