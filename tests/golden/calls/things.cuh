// SPDX-License-Identifier: MIT
// What the calls are given: a few of everything, right and wrong, each drawn by a number and said
// in the line of its call.
#pragma once

#include <cuda_runtime.h>

#include "handles.cuh"

// Outside of a namespace: the recording has their names.
__device__ int symbol[64];
__constant__ int constant_symbol[16];
__managed__ int managed_symbol;
extern __shared__ int dynamic_memory[];

__global__ void nothing() {}
__global__ void with_shared(int* to) {
  __shared__ int memory[256];
  memory[threadIdx.x & 255] = 1;
  if (to) *to = memory[0];
}
__global__ void with_dynamic(int* to) {
  if (to) *to = dynamic_memory[0];
}
__global__ void __launch_bounds__(128) bounded(int* to) {
  if (to) *to = 1;
}
__global__ void __cluster_dims__(2, 1, 1) clustered(int* to) {
  if (to) *to = 1;
}

namespace calls {

struct Call {
  const char* name;
  cudaError_t (*run)();
};

inline void nothing_to_do(void*) {}
inline void called_back(cudaStream_t, cudaError_t, void*) {}

// Made by make_things() (calls.cu).
inline constexpr size_t kBytes = 1 << 20;
inline char *dev, *dev2, *pinned, *mapped, *man, *host, *freed;
inline cudaArray_t array1, array2, array3, layered, surface_array;
inline cudaMipmappedArray_t mip;

inline char* pointer() {
  struct Named {
    const char* name;
    char* pointer;
  };
  const Named all[] = {{"dev", dev},
                       {"dev", dev},
                       {"dev2", dev2},
                       {"dev+16", dev + 16},
                       {"dev+1", dev + 1},
                       {"dev+1M", dev + kBytes},
                       {"dev+1M-4", dev + kBytes - 4},
                       {"null", nullptr},
                       {"host", host},
                       {"host", host},
                       {"pinned", pinned},
                       {"pinned", pinned},
                       {"mapped", mapped},
                       {"man", man},
                       {"man+8", man + 8},
                       {"pinned+8", pinned + 8}};
  const Named& one = all[below(sizeof all / sizeof *all)];
  return named(one.name, one.pointer);
}
inline size_t bytes() {
  const size_t all[] = {0,
                        1,
                        4,
                        16,
                        64,
                        100,
                        256,
                        4096,
                        kBytes,
                        kBytes + 1,
                        kBytes - 4,
                        size_t(-1),
                        size_t(1) << 50,
                        512,
                        48,
                        64};
  return say_value(all[below(16)]);
}
inline cudaMemcpyKind kind() {
  const int all[] = {0, 1, 2, 3, 4, 4, 4, 5, -1, 1, 2, 3};
  return cudaMemcpyKind(say_value(all[below(12)]));
}
inline cudaArray_t an_array() {
  switch (below(7)) {
    case 0:
      return named("null", cudaArray_t{});
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
inline const void* function() {
  switch (below(9)) {
    case 0:
      return named("null", nullptr);
    case 1:
      return named("host", host);
    case 2:
      return named("with_shared", (const void*)with_shared);
    case 3:
      return named("with_dynamic", (const void*)with_dynamic);
    case 4:
      return named("bounded", (const void*)bounded);
    case 5:
      return named("clustered", (const void*)clustered);
    default:
      return named("nothing", (const void*)nothing);
  }
}
inline const void* a_symbol() {
  switch (below(6)) {
    case 0:
      return named("null", nullptr);
    case 1:
      return named("host", host);
    case 2:
      return named("constant", (const void*)constant_symbol);
    case 3:
      return named("managed", (const void*)&managed_symbol);
    default:
      return named("symbol", (const void*)symbol);
  }
}

}  // namespace calls
