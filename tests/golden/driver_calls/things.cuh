// SPDX-License-Identifier: MIT
// What the driver's functions are given: a few of everything, right and wrong, each drawn by a
// number and said in the line of its call.
#pragma once

#include <cuda.h>
#include <cudaProfiler.h>

#include "../calls/handles.cuh"
#include "texts.cuh"

namespace calls {

struct Call {
  const char* name;
  int (*run)();
};

inline void nothing_to_do(void*) {}
inline void called_back(CUstream, CUresult, void*) {}
inline size_t shared_of(int threads) { return size_t(threads) * 64; }

// Made by make_things() (calls.cu).
inline constexpr size_t kBytes = 1 << 20;
inline constexpr size_t kHostBytes = size_t(1) << 36;  // or a copy of many rows ruins the heap
inline CUcontext primary;
inline CUdeviceptr dev, dev2, man, freed;
inline char *pinned, *mapped, *host;
inline CUmodule module;
inline CUlibrary library;
inline CUarray array1, array2, array3, layered, surface_array;
inline CUmipmappedArray mip;

inline CUdeviceptr address_of(const void* pointer) { return CUdeviceptr(uintptr_t(pointer)); }
inline void* at(CUdeviceptr address) { return (void*)uintptr_t(address); }

/// Once in so many.
inline bool rarely(unsigned many = 12) { return below(many) == 0; }

template <class T, size_t kCount>
T one_of(const T (&all)[kCount]) {
  return say_value(all[below(kCount)]);
}

inline CUdeviceptr address() {
  switch (below(16)) {
    case 0:
      return named("dev+16", dev + 16);
    case 1:
      return named("dev+1", dev + 1);
    case 2:
      return named("dev+1M", dev + kBytes);
    case 3:
      return named("dev+1M-4", dev + kBytes - 4);
    case 4:
      return named("null", CUdeviceptr{});
    case 5:
      return named("host", address_of(host));
    case 6:
      return named("pinned", address_of(pinned));
    case 7:
      return named("pinned+8", address_of(pinned) + 8);
    case 8:
      return named("mapped", address_of(mapped));
    case 9:
      return named("man", man);
    case 10:
      return named("man+8", man + 8);
    case 11:
    case 12:
      return named("dev2", dev2);
    default:
      return named("dev", dev);
  }
}
/// Mostly of the host.
inline void* pointer() {
  switch (below(8)) {
    case 0:
      return at(address());
    case 1:
    case 2:
      return named<void*>("pinned", pinned);
    case 3:
      return named<void*>("mapped", mapped);
    case 4:
      return named("man", at(man));
    default:
      return named<void*>("host", host);
  }
}
inline size_t bytes() {
  if (rarely(40)) return say_value(size_t(-1));
  const size_t all[] = {0,      1,          4,          16,  64, 100, 256,
                        kBytes, kBytes + 1, kBytes - 4, 512, 48, 64,  size_t(1) << 50};
  return one_of(all);
}
inline int device() { return rarely(6) ? small(-1, 1) : named("0", 0); }
inline CUcontext a_context() {
  return rarely(4) ? named("null", CUcontext{}) : named("primary", primary);
}
inline CUarray an_array() {
  switch (below(7)) {
    case 0:
      return named("null", CUarray{});
    case 1:
      return named("array1", array1);
    case 2:
      return named("array3", array3);
    case 3:
      return named("layered", layered);
    case 4:
      return named("surface", surface_array);
    default:
      return named("array2", array2);
  }
}
inline const char* a_name() {
  const char* const all[] = {
      "nothing", "writes", "with_shared", "with_dynamic", "bounded", "clustered", "exact", "many",
      "g",       "c",      "m",           "no such name", "",        "k"};
  const char* one = all[below(14)];
  return named(one, one);
}
inline const char* const kKernelNames[] = {"nothing", "writes",    "with_shared", "with_dynamic",
                                           "bounded", "clustered", "exact",       "many"};
inline CUfunction functions[8];
inline CUkernel kernels[8];
inline CUfunction function() {
  if (rarely(16)) return named("null", CUfunction{});
  const unsigned which = below(8);
  return named(kKernelNames[which], functions[which]);
}
inline CUkernel kernel() {
  if (rarely(16)) return named("null", CUkernel{});
  const unsigned which = below(8);
  return named(kKernelNames[which], kernels[which]);
}
/// But those for files of what went wrong.
inline unsigned context_flags() {
  return unsigned(below(3) ? small(0, 8) : small(0, 300) & ~(32 | 64));
}
inline CUmodule a_module() {
  return rarely(8) ? named("null", CUmodule{}) : named("module", module);
}
inline CUlibrary a_library() {
  return rarely(8) ? named("null", CUlibrary{}) : named("library", library);
}
inline CUgraphExec an_exec() { return rarely(6) ? named("null", CUgraphExec{}) : exec; }

}  // namespace calls
