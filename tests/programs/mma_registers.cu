// SPDX-License-Identifier: MIT
// mma.sync with fragments loaded by hand from global memory: f16 and bf16 (m16n8k16), e4m3
// (m16n8k32), f32 sums. The operands are whole numbers so small that every sum fits into 13 bits:
// exact on every generation. The last case has fractions, within the bound that is written there.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>

#include "program.cuh"

constexpr int kM = 16, kN = 8;

// A is M x K row-major, B is N x K (the columns of B one after another), C and D are M x N.
template <class T>
__global__ void multiply(const T* A, const T* B, const float* C, float* D) {
  constexpr int per_register = 4 / sizeof(T);
  constexpr int K = 8 * per_register;
  const int group = threadIdx.x >> 2, in_group = threadIdx.x & 3;
  const int col = in_group * per_register;
  std::uint32_t a[4], b[2];
  for (int half = 0; half < 2; ++half) {
    const T* row = A + (group + 8 * half) * K;
    a[half] = *reinterpret_cast<const std::uint32_t*>(row + col);
    a[half + 2] = *reinterpret_cast<const std::uint32_t*>(row + col + K / 2);
    b[half] = *reinterpret_cast<const std::uint32_t*>(B + group * K + col + half * K / 2);
  }
  float d[4];
  const float* c = C + group * kN + in_group * 2;
  if constexpr (sizeof(T) == 1) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[8 * kN]), "f"(c[8 * kN + 1]));
#else
    d[0] = d[1] = d[2] = d[3] = -1.0f;
#endif
  } else if constexpr (std::is_same<T, __half>::value) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[8 * kN]), "f"(c[8 * kN + 1]));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[8 * kN]), "f"(c[8 * kN + 1]));
  }
  float* out = D + group * kN + in_group * 2;
  out[0] = d[0];
  out[1] = d[1];
  out[8 * kN] = d[2];
  out[8 * kN + 1] = d[3];
}

template <class T>
int run(const char* name, int limit, float scale) {
  constexpr int K = 8 * (4 / sizeof(T));
  Numbers numbers;
  std::vector<T> A(kM * K), B(kN * K);
  std::vector<float> C(kM * kN);
  for (T& value : A) value = T(numbers.next(limit) * scale);
  for (T& value : B) value = T(numbers.next(limit) * scale);
  for (float& value : C) value = static_cast<float>(numbers.next(100)) * scale;
  float* device_D = to_device(std::vector<float>(kM * kN, NAN));
  multiply<<<1, 32>>>(to_device(A), to_device(B), to_device(C), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      double sum = C[row * kN + col];
      double largest = std::fabs(sum), total = largest;
      for (int k = 0; k < K; ++k) {
        const double product = double(float(A[row * K + k])) * double(float(B[col * K + k]));
        sum += product;
        largest = std::max(largest, std::fabs(product));
        total += std::fabs(product);
      }
      // Two sums of eight products and what came before, each of 18 terms cut off below 2^-24 of
      // the largest (which may be the first sum), and two results cut off at 24 bits.
      const double bound =
          scale == 1 ? 0
                     : 18 * std::ldexp(std::max(largest, total), -24) + 2 * std::ldexp(total, -23);
      wrong += !(std::fabs(D[row * kN + col] - sum) <= bound);
    }
  return verdict(name, wrong, kM * kN);
}

int main() {
  int failed = run<__half>("f16", 16, 1) + run<__nv_bfloat16>("bf16", 16, 1) +
               run<__half>("f16 fractions", 1000, 0.001f) +
               run<__nv_bfloat16>("bf16 fractions", 100, 0.01f);
  int major = 0, minor = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  if (major * 10 + minor >= 89)
    failed += run<__nv_fp8_e4m3>("e4m3", 8, 1);
  else
    std::printf("e4m3: not on sm_%d%d\n", major, minor);
  return failed != 0;
}
