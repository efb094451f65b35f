// SPDX-License-Identifier: MIT
// Products of matrices that lie in memory as f32, rounded to f16 on their way into mma.sync and
// wgmma: in registers, in front of shared memory, and for "exchanged" with the two halves of each
// of A's registers the wrong way round. Whole numbers up to 8: exact.
#include <cuda_fp16.h>

#include <cstring>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kK = 16, kN = 8, kLineA = 48,
              kLineB = 40;  // floats from row to row, column to column

// A through registers, B through shared memory and ldmatrix.
template <bool kExchanged>
__global__ void by_mma(const float* a, const float* b, float* d) {
  __shared__ alignas(16) __half tile[kN][24];
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  for (int i = lane; i < kN * kK; i += 32)
    tile[i / kK][i % kK] = __float2half(b[i / kK * kLineB + i % kK]);
  __syncthreads();
  std::uint32_t held[4], fragment[4];
  for (int r = 0; r < 4; ++r) {
    const float* from = a + (group + r % 2 * 8) * kLineA + pair + r / 2 * 8;
    const __half2 both =
        kExchanged ? __floats2half2_rn(from[1], from[0]) : __floats2half2_rn(from[0], from[1]);
    held[r] = *reinterpret_cast<const std::uint32_t*>(&both);
  }
  load(fragment, &tile[lane % 8][lane / 8 % 2 * 8]);
  float sums[4] = {};
  multiply(sums, held, fragment[0], fragment[1]);
  for (int r = 0; r < 4; ++r) d[(group + r / 2 * 8) * kN + pair + r % 2] = sums[r];
}

// Core matrices of 8 x 16 bytes, two along k, then the next eight rows.
__device__ int in_core_matrices(int row, int k) {
  return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8;
}
__device__ std::uint64_t descriptor_of(const __half* tile) {
  const std::uint64_t address = __cvta_generic_to_shared(tile) >> 4;
  return (address & 0x3fff) | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

__global__ void by_wgmma(const float* a, const float* b, float* d) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  __shared__ alignas(128) __half tile_a[64 * kK], tile_b[kN * kK];
  const int thread = threadIdx.x;
  for (int i = thread; i < 64 * kK; i += 128)
    tile_a[in_core_matrices(i / kK, i % kK)] = __float2half(a[i / kK * kLineA + i % kK]);
  for (int i = thread; i < kN * kK; i += 128)
    tile_b[in_core_matrices(i / kK, i % kK)] = __float2half(b[i / kK * kLineB + i % kK]);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float sums[4];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
      : "l"(descriptor_of(tile_a)), "l"(descriptor_of(tile_b)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])::"memory");
  const int lane = thread % 32, row = thread / 32 * 16 + lane / 4, pair = lane % 4 * 2;
  for (int r = 0; r < 4; ++r) d[(row + r / 2 * 8) * kN + pair + r % 2] = sums[r];
#endif
}

int main(int count, char** words) {
  const bool by_warpgroup = count > 1 && std::strcmp(words[1], "wgmma") == 0;
  const bool exchanged = count > 1 && std::strcmp(words[1], "exchanged") == 0;
  const int rows = by_warpgroup ? 64 : 16;
  Numbers numbers;
  std::vector<float> a(64 * kLineA), b(kN * kLineB);
  for (float& one : a) one = numbers.next(8);
  for (float& one : b) one = numbers.next(8);
  float *from_a = to_device(a), *from_b = to_device(b), *d = to_device(std::vector<float>(64 * kN));
  if (by_warpgroup)
    by_wgmma<<<1, 128>>>(from_a, from_b, d);
  else if (exchanged)
    by_mma<true><<<1, 32>>>(from_a, from_b, d);
  else
    by_mma<false><<<1, 32>>>(from_a, from_b, d);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> found = from_device(d, rows * kN);
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += a[row * kLineA + k] * b[col * kLineB + k];
      wrong += found[row * kN + col] != sum;
    }
  std::printf("rounded: %d wrong\n", wrong);
  return 0;
}
