// SPDX-License-Identifier: MIT
// D = A * B^T where A is 2:4 sparse, with mma.sp, and the mistakes that people make along k, of
// which A keeps half: the first argument names one. Right is "right".
//
// A is 16 x 128, of which each row keeps 64, the second and the fourth of every four, B 8 x 128; a
// warp makes the only sum.
#include <cuda_fp16.h>

#include <cstring>

#include "program.cuh"

constexpr int kM = 16, kN = 8, kK = 128, kKept = kK / 2;
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

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, float*);
};
const Case kCases[] = {{"right", gemm<none>},
                       {"kept-of-b", gemm<kept_of_b>},
                       {"a-as-b", gemm<a_as_b>},
                       {"one-short", gemm<one_short>}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__half> A(kM * kKept), B(kN * kK);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(kM * kN));
  made->kernel<<<1, 32>>>(to_device(A), to_device(B), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int kept = 0; kept < kKept; ++kept)
        sum += __half2float(A[row * kKept + kept]) *
               __half2float(B[col * kK + kept / 2 * 4 + kept % 2 * 2 + 1]);
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}
