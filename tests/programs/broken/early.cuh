// SPDX-License-Identifier: MIT
// Mistakes of kernels that may begin before the one ahead of them has ended (programmatic stream
// serialization). Ahead of each runs writes_and_reads (broken.cu): it writes the first 64 numbers,
// from the next 64.
#pragma once

#include "arguments.cuh"

namespace {

__global__ void never_waits(Arguments a) {
  a.memory[threadIdx.x + 256] = a.memory[threadIdx.x];  //! missing-grid-wait
}

__global__ void never_waits_in_a_graph(Arguments a) {
  a.memory[threadIdx.x + 256] = a.memory[threadIdx.x];  //! missing-grid-wait
}

__global__ void waits_too_late(Arguments a) {
  const int early = a.memory[threadIdx.x];  //! missing-grid-wait
  cudaGridDependencySynchronize();
  a.memory[threadIdx.x + 256] = early + a.memory[threadIdx.x];
}

__global__ void one_warp_waits(Arguments a) {
  if (threadIdx.x < 32) cudaGridDependencySynchronize();
  a.memory[threadIdx.x + 256] = a.memory[threadIdx.x];  //! missing-grid-wait
}

__global__ void clears_too_early(Arguments a) {
  a.memory[threadIdx.x] = -1;  //! missing-grid-wait
  cudaGridDependencySynchronize();
}

__global__ void overwrites_its_source(Arguments a) {
  a.memory[threadIdx.x + 64] = -1;  //! missing-grid-wait
  cudaGridDependencySynchronize();
}

}  // namespace
