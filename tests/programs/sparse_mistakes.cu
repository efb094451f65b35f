// SPDX-License-Identifier: MIT
// D = A * B^T where A is 2:4 sparse, with mma.sp and wgmma, and the mistakes that people make along
// k, of which A keeps half: the first argument names one. Right are "right" and "wgmma".
//
// A is 16 x 128, or 64 x 128 for wgmma, of which each row keeps 64, the second and the fourth of
// every four, B 8 x 128; a warp, or a warpgroup, makes the only sum.
#include <cuda_fp16.h>

#include <cstring>

#include "program.cuh"

constexpr int kN = 8, kK = 128, kKept = kK / 2;
constexpr std::uint32_t kSecondAndFourth = 0xdddddddd;  // 1 and 3 in two bits each

enum Mistake { none, kept_of_b, a_as_b, one_short };

template <Mistake kMade>
__global__ void __launch_bounds__(32) gemm(const __half* A, const __half* B, float* D) {
  const int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  float d[4] = {};
#pragma unroll 1
  for (int step = 0; step < kK / 32 - (kMade == one_short); ++step) {
    const int of_a = (kMade == a_as_b ? step * 32 % kKept : step * 16) + quad * 2;
    const int of_b = step * (kMade == kept_of_b ? 16 : 32) + quad * 2;
    std::uint32_t a[4], b[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = *reinterpret_cast<const std::uint32_t*>(
          &A[(group + i % 2 * 8) * kKept + of_a + i / 2 * 8]);
      b[i] = *reinterpret_cast<const std::uint32_t*>(&B[group * kK + of_b + i * 8]);
    }
    asm volatile(
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
          "r"(kSecondAndFourth));
  }
  for (int i = 0; i < 4; ++i) D[(group + i / 2 * 8) * kN + quad * 2 + i % 2] = d[i];
}

// Of 8 x 8 numbers side by side: as far apart along k, and along M or N.
__device__ std::uint64_t descriptor(const void* tile, unsigned lbo, unsigned sbo) {
  const auto at = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
  return (at & 0x3ffff) >> 4 | std::uint64_t{lbo >> 4} << 16 | std::uint64_t{sbo >> 4} << 32;
}

// Two stages of 64 of k, which are 32 of A.
template <Mistake kMade>
__global__ void __launch_bounds__(128) of_warpgroup(const __half* A, const __half* B, float* D) {
  __shared__ alignas(128) __half a[8][4][8][8], b[8][8][8];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  float d[4] = {};
  for (int stage = 0; stage < kK / 64; ++stage) {
    const int of_b = stage * (kMade == kept_of_b ? 32 : 64);
    for (int i = thread; i < 64 * 4; i += 128)
      *reinterpret_cast<uint4*>(a[i / 32][i % 4][i / 4 % 8]) =
          *reinterpret_cast<const uint4*>(&A[i / 4 * kKept + stage * 32 + i % 4 * 8]);
    if (thread < 64)
      *reinterpret_cast<uint4*>(b[thread % 8][thread / 8]) =
          *reinterpret_cast<const uint4*>(&B[thread / 8 * kK + of_b + thread % 8 * 8]);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int half = 0; half < 2; ++half)
      asm volatile(
          "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, %6, 0, 1, "
          "1, 1, 0, 0;"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "l"(descriptor(a[0][half * 2], 128, 512)), "l"(descriptor(b[half * 4], 128, 1024)),
            "r"(kSecondAndFourth));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    D[(warp * 16 + lane / 4 + i / 2 * 8) * kN + lane % 4 * 2 + i % 2] = d[i];
}

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, float*);
  int rows = 16;
};
const Case kCases[] = {
    {"right", gemm<none>},          {"wgmma", of_warpgroup<none>, 64},
    {"kept-of-b", gemm<kept_of_b>}, {"wgmma-kept-of-b", of_warpgroup<kept_of_b>, 64},
    {"a-as-b", gemm<a_as_b>},       {"one-short", gemm<one_short>}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  const int rows = made->rows;
  std::vector<__half> A(rows * kKept), B(kN * kK);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(rows * kN));
  made->kernel<<<1, rows * 2>>>(to_device(A), to_device(B), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, rows * kN);
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int kept = 0; kept < kKept; ++kept)
        sum += __half2float(A[row * kKept + kept]) *
               __half2float(B[col * kK + kept / 2 * 4 + kept % 2 * 2 + 1]);
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, rows * kN);
  return 0;
}
