// SPDX-License-Identifier: MIT
// A kernel that faults, as the argument says: out-of-bounds, freed, misaligned, null, trap,
// breakpoint. The launch itself goes well; the next call finds out; the error stays for good.
#include <cstring>

#include "program.cuh"

__global__ void store(int* where, int index) { where[index] = 1; }

__global__ void load_wide(const char* where, float4* out) {
  *out = *reinterpret_cast<const float4*>(where);
}

__global__ void stop() { asm volatile("trap;"); }
__global__ void stop_here() { __brkpt(); }

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  char* memory = nullptr;
  CHECK(cudaMalloc(&memory, 400));
  int* integers = reinterpret_cast<int*>(memory);
  if (!std::strcmp(kind, "out-of-bounds")) {
    store<<<1, 1>>>(integers, 100);
  } else if (!std::strcmp(kind, "freed")) {
    CHECK(cudaFree(memory));
    store<<<1, 1>>>(integers, 0);
  } else if (!std::strcmp(kind, "null")) {
    store<<<1, 1>>>(nullptr, 0);
  } else if (!std::strcmp(kind, "misaligned")) {
    load_wide<<<1, 1>>>(memory + 4, reinterpret_cast<float4*>(memory));
  } else if (!std::strcmp(kind, "trap")) {
    stop<<<1, 1>>>();
  } else if (!std::strcmp(kind, "breakpoint")) {
    stop_here<<<1, 1>>>();
  } else {
    return 2;
  }
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("again: %s\n", cudaGetErrorName(cudaGetLastError()));
  void* more = nullptr;
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&more, 16)));
  return 1;
}
