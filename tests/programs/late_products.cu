// SPDX-License-Identifier: MIT
// Kernels that multiply late, where somebody looks for products: the first launch only fills
// memory, the second could multiply and never does, of the third only the block 2,1,0 multiplies,
// in a function that it calls.
#include <cuda_fp16.h>

#include "ampere.cuh"
#include "program.cuh"

__global__ void fill(std::uint32_t* words, std::uint32_t value) { words[threadIdx.x] = value; }

// D of 1 * 1, summed over k: 16 in each element.
__device__ __noinline__ float product_of(const std::uint32_t* ones) {
  const std::uint32_t pair = ones[threadIdx.x];
  const std::uint32_t a[4] = {pair, pair, pair, pair};
  float d[4] = {};
  multiply(d, a, pair, pair);
  return d[0] + d[1] + d[2] + d[3];
}

__global__ void maybe(const std::uint32_t* ones, float* sums, int x, int y) {
  if (static_cast<int>(blockIdx.x) == x && static_cast<int>(blockIdx.y) == y)
    sums[threadIdx.x] = product_of(ones);
}

int main() {
  std::uint32_t* ones = to_device(std::vector<std::uint32_t>(32));
  float* sums = to_device(std::vector<float>(32));
  fill<<<1, 32>>>(ones, 0x3c003c00u);  // f16 1, twice
  maybe<<<dim3(4, 2), 32>>>(ones, sums, -1, 0);
  maybe<<<dim3(4, 2), 32>>>(ones, sums, 2, 1);
  CHECK(cudaDeviceSynchronize());
  for (const float sum : from_device(sums, 32))
    if (sum != 64) return std::printf("late_products: %g, not 64\n", sum), 1;
  std::printf("late_products: ok\n");
  return 0;
}
