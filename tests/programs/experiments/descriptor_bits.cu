// SPDX-License-Identifier: MIT
// Which of the 64 bits of a wgmma descriptor does the card read? All shared memory that a CTA can
// have holds the numbers of its 16-byte units. The other operand is the identity, so that D is what
// was fetched. Every bit of a good descriptor is turned, one after the other.
//
//     63 62 | 61 .. 52 | 51 49 | 48 46 | 45 .. 32 | 31 30 | 29 .. 16 | 15 14 | 13 .. 0
//     mode    -          base    -       SBO        -       LBO        -       address
//
// Prints, for each, whether D changes, and the units fetched for the first rows where it does.
// PTX ISA 9.2, 9.7.15.5.1.2. The answer is docs/experiments/descriptor_bits.md.
#include <cuda_fp16.h>

#include "one_by_one.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kIdentity = 8192;                        // bytes: the identity as A or as B, and room
constexpr int kUnits = (227 * 1024 - kIdentity) / 16;  // filled with their numbers
constexpr int kShared = kUnits * 16 + kIdentity;
constexpr const char* kModes[] = {"none", "128B", "64B", "32B"};

/// K-major, D of 64 x 64; `part`: 7 bits of the units' numbers, which f16 holds exactly.
__global__ void fetch(bool is_A, std::uint64_t bits, int part, float* D) {
  extern __shared__ __align__(1024) unsigned char memory[];
  const int thread = static_cast<int>(threadIdx.x);
  for (int unit = thread; unit < kUnits; unit += 128) {
    const __half2 number = __float2half2_rn(static_cast<float>(unit >> 7 * part & 127));
    const unsigned word = *reinterpret_cast<const unsigned*>(&number);
    reinterpret_cast<uint4*>(memory)[unit] = make_uint4(word, word, word, word);
  }
  __half* identity = reinterpret_cast<__half*>(memory + kUnits * 16);
  for (int i = thread; i < 64 * 16; i += 128) {
    const int row = i / 16, col = i % 16;
    identity[row / 8 * 128 + col / 8 * 64 + row % 8 * 8 + col % 8] =
        __float2half(row == col ? 1.0f : 0.0f);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  const std::uint64_t one = ptx::matrix_descriptor(identity, 128, 256, 0);
  const std::uint64_t other = ptx::matrix_descriptor(memory + 4096, 256, 1024, 0) ^ bits;
  float d[32];
  ptx::wgmma_fence_sync_aligned();
  ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16<1, 1, 0, 0>(d, is_A ? other : one,
                                                                      is_A ? one : other, 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  for (int i = 0; i < 32; ++i) {
    const int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8,
              col = i / 4 * 8 + thread % 4 * 2 + i % 2;
    D[row * 64 + col] = d[i];
  }
}

/// The unit fetched for each row's two halves of K; of an operand of 64 rows.
static std::vector<int> units(bool is_A, std::uint64_t bits, float* device, cudaError_t& error) {
  std::vector<int> all(128);
  for (int part = 0; part < 2; ++part) {
    fetch<<<1, 128, kShared>>>(is_A, bits, part, device);
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) return all;
    const std::vector<float> D = from_device(device, 64 * 64);
    for (int row = 0; row < 64; ++row)
      for (int half = 0; half < 2; ++half)
        all[row * 2 + half] |=
            static_cast<int>(is_A ? D[row * 64 + half * 8] : D[half * 8 * 64 + row]) << 7 * part;
  }
  return all;
}

int main(int argc, char** argv) {
  return ask_one_by_one(argc, argv, 4 * 2 * 65, [](int k) {
    const int mode = k / 130, bit = k % 65 - 1;
    const bool is_A = k / 65 % 2 == 0;
    CHECK(cudaFuncSetAttribute(fetch, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
    static float* device = to_device(std::vector<float>(64 * 64));
    const std::uint64_t good = static_cast<std::uint64_t>(mode) << 62;
    std::printf("%s %c", kModes[mode], is_A ? 'A' : 'B');
    if (bit >= 0) std::printf(" bit %d", bit);
    std::printf(":");
    cudaError_t error;
    static std::vector<int> before;
    if (bit < 0 || before.empty()) before = units(is_A, good, device, error);
    const std::vector<int> now = bit < 0 ? before : units(is_A, good ^ 1ull << bit, device, error);
    if (error != cudaSuccess) {
      std::printf(" %s\n", cudaGetErrorString(error));
      return false;
    }
    if (bit >= 0 && now == before) {
      std::printf(" nothing changes\n");
      return true;
    }
    for (int row = 0; row < 10; ++row)
      std::printf("  %d %d", now[static_cast<std::size_t>(row * 2)],
                  now[static_cast<std::size_t>(row * 2 + 1)]);
    unsigned hash = 0;
    for (const int unit : now) hash = hash * 31 + static_cast<unsigned>(unit);
    std::printf("  %08x\n", hash);
    return true;
  });
}
