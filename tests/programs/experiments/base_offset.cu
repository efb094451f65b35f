// SPDX-License-Identifier: MIT
// Which bytes does wgmma fetch for a descriptor whose pattern does not begin where the hardware
// takes it for granted, and what does its base offset change? Shared memory is filled with the
// numbers of its 16-byte units; A is the identity, so D is B as it was fetched.
//
//     D[k][n] = sum over j of A[k][j] * B[j][n] = B[k][n]
//
// Prints, for every mode, major, start and base offset, the unit fetched for each row of 16 bytes:
// numbers only, so that a card's answer and the emulator's can be compared with diff.
// PTX ISA 9.2, 9.7.15.5.1.2. The answer is docs/experiments/base_offset.md.
#include <cuda_fp16.h>

#include "../program.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kUnits = 512;  // of 16 bytes, filled with their numbers

// m64n8k16, B K-major or MN-major. N = 8 is one row of 8 elements there: it takes 64 to see all
// of an atom, so N = 64 where B is MN-major.
template <int kN, int kTransB>
__device__ void multiply(float (&d)[kN / 2], std::uint64_t a, std::uint64_t b) {
  ptx::wgmma_fence_sync_aligned();
  if constexpr (kN == 8)
    ptx::wgmma_mma_async_sync_aligned_m64n8k16_f32_f16_f16<1, 1, 0, kTransB>(d, a, b, 0);
  else
    ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16<1, 1, 0, kTransB>(d, a, b, 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
}

template <int kN, int kTransB>
__global__ void fetch(int mode, int start_bytes, int base_offset, float* D) {
  __shared__ __align__(1024) __half memory[kUnits * 8];
  __shared__ __align__(1024) __half identity[64 * 16];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kUnits * 8; i += 128)
    memory[i] = __float2half(static_cast<float>(i / 8));
  // K-major without a swizzle: 8 x 8 blocks of 128 bytes, the two of a row of blocks side by side.
  for (int i = thread; i < 64 * 16; i += 128) {
    const int row = i / 16, col = i % 16;
    identity[row / 8 * 128 + col / 8 * 64 + row % 8 * 8 + col % 8] =
        __float2half(row == col ? 1.0f : 0.0f);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  const std::uint64_t a = ptx::matrix_descriptor(identity, 128, 256, 0);
  // MN-major: 8 columns of K are an atom's 8 rows; the next 8 lie SBO further. LBO 0: what is
  // beyond an atom along N is the atom again, and not printed.
  const int atom_bytes = 1024 >> (mode - 1);
  const std::uint64_t b =
      ptx::matrix_descriptor(reinterpret_cast<const char*>(memory) + start_bytes, 0, atom_bytes,
                             mode) |
      static_cast<std::uint64_t>(base_offset) << 49;
  float d[kN / 2];
  multiply<kN, kTransB>(d, a, b);
  if (thread >= 32) return;  // D's rows 0 to 15
  for (int i = 0; i < kN / 2; ++i) {
    const int row = thread / 4 + i / 2 % 2 * 8, col = i / 4 * 8 + thread % 4 * 2 + i % 2;
    D[row * kN + col] = d[i];
  }
}

template <int kN, int kTransB>
void show(int mode, const std::vector<int>& starts) {
  float* device = to_device(std::vector<float>(16 * kN));
  constexpr const char* kNames[] = {"none", "128B", "64B", "32B"};
  for (const int start : starts) {
    for (int base = 0; base < 8; ++base) {
      fetch<kN, kTransB><<<1, 128>>>(mode, start, base, device);
      CHECK(cudaDeviceSynchronize());
      const std::vector<float> D = from_device(device, 16 * kN);
      std::printf("%s %s-major start %4d base %d:", kNames[mode], kTransB ? "MN" : "K", start,
                  base);
      if (kTransB)
        for (int k = 0; k < 16; ++k)
          for (int n = 0; n < (64 >> (mode - 1)); n += 8)
            std::printf("%s%d", n == 0 ? "  " : " ", static_cast<int>(D[k * kN + n]));
      else
        for (int n = 0; n < 8; ++n)
          std::printf("  %d %d", static_cast<int>(D[n]), static_cast<int>(D[8 * kN + n]));
      std::printf("\n");
    }
  }
  CHECK(cudaFree(device));
}

int main() {
  for (const int mode : {1, 2, 3}) {
    show<8, 0>(mode, {0, 16, 32, 96, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1312});
    show<64, 1>(mode, {0, 32, 128, 256, 384, 512, 768, 896, 1152});
  }
}
