// SPDX-License-Identifier: MIT
// What the test programs share: a check after every CUDA call, repeatable numbers, the verdict. The
// programs are otherwise what anybody might write: plain CUDA, nothing of Lanescope in them (but in
// tensor_scale.cu and tensor_sparse.cu, which no lesson does for ptx/tcgen05.cuh: the functions of
// block scaling, and of a sparse A).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

/// Numbers from -limit to limit, the same in every run (the constants are Knuth's MMIX generator).
struct Numbers {
  std::uint64_t state = 2024;
  int next(int limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state >> 33) % (2 * limit + 1)) - limit;
  }
};

template <class T>
T* to_device(const std::vector<T>& values) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
std::vector<T> from_device(const T* device, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// "bits: " and a number of all bits of the result (FNV-1a), to compare runs on different machines.
template <class T>
void print_bits(const std::vector<T>& values) {
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values.data());
  std::uint64_t hash = 14695981039346656037ull;
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
    hash = (hash ^ bytes[i]) * 1099511628211ull;
  std::printf("bits: %016llx\n", static_cast<unsigned long long>(hash));
}

/// Prints what a call gave, and what cudaGetLastError() says after it where that is another.
inline void say(const char* what, cudaError_t error) {
  std::printf("%s: %s", what, cudaGetErrorName(error));
  const cudaError_t last = cudaGetLastError();
  if (last != error) std::printf(", then %s", cudaGetErrorName(last));
  std::printf("\n");
}
#define SAY(call) say(#call, call)

/// Prints "NAME: ok" or "NAME: 3 of 128 wrong" and gives the exit code.
inline int verdict(const char* name, int wrong, int of) {
  if (wrong == 0)
    std::printf("%s: ok\n", name);
  else
    std::printf("%s: %d of %d wrong\n", name, wrong, of);
  return wrong != 0;
}
