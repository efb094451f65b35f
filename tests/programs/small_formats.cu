// SPDX-License-Identifier: MIT
// What CUDA's headers make of small formats (cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h,
// cuda_fp4.h): conversions, arithmetic and functions of 65,536 patterns each, printed as a number
// of all bits. NaNs count as one.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
// nvcc 13.0's header names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <cuda_fp4.h>
#pragma GCC diagnostic pop
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "program.cuh"

using Half = __half;
using Brain = __nv_bfloat16;

// i names an operand: the half or bf16 of that pattern, or an f32 with it in its upper half.
__device__ Half h(unsigned i) { return __ushort_as_half(i & 0xffff); }
__device__ Brain b(unsigned i) { return __ushort_as_bfloat16(i & 0xffff); }
__device__ float f(unsigned i) { return __uint_as_float(i << 16 | (i * 40503u >> 16 & 0xffff)); }
__device__ float4 f4(unsigned i) { return make_float4(f(i), f(i + 1), f(i + 2), f(i + 3)); }
__device__ __half2 h2(unsigned i) { return __halves2half2(h(i * 3), h(i * 7)); }
__device__ __nv_bfloat162 b2(unsigned i) { return __halves2bfloat162(b(i * 3), b(i * 7)); }
__device__ unsigned u(Half x) { return __hisnan(x) ? 0x7fff : __half_as_ushort(x); }
__device__ unsigned u(Brain x) { return __hisnan(x) ? 0x7fff : __bfloat16_as_ushort(x); }
__device__ unsigned u(__half2 x) { return u(__low2half(x)) | u(__high2half(x)) << 16; }
__device__ unsigned u(__nv_bfloat162 x) {
  return u(__low2bfloat16(x)) | u(__high2bfloat16(x)) << 16;
}
__device__ unsigned u(float x) { return x != x ? 0x7fffffff : __float_as_uint(x); }
template <class T>
__device__ T of(unsigned i) {
  T value;
  value.__x = i;
  return value;
}

// clang-format off
#define EVERY(_)                                                                        \
  _(to_e4m3, __nv_fp8_e4m3(f(i)).__x)                                                   \
  _(to_e5m2, __nv_fp8_e5m2(f(i)).__x)                                                   \
  _(to_e4m3_nosat, __nv_cvt_float_to_fp8(f(i), __NV_NOSAT, __NV_E4M3))                  \
  _(to_e5m2_nosat, __nv_cvt_float_to_fp8(f(i), __NV_NOSAT, __NV_E5M2))                  \
  _(to_e8m0, __nv_fp8_e8m0(f(i)).__x)                                                   \
  _(to_e2m3, __nv_fp6_e2m3(f(i)).__x)                                                   \
  _(to_e3m2, __nv_fp6_e3m2(f(i)).__x)                                                   \
  _(to_e2m1, __nv_fp4_e2m1(f(i)).__x)                                                   \
  _(half_to_e4m3, __nv_fp8_e4m3(h(i)).__x)                                              \
  _(bf16_to_e5m2, __nv_fp8_e5m2(b(i)).__x)                                              \
  _(half_to_e2m1, __nv_fp4_e2m1(h(i)).__x)                                              \
  _(bf16_to_e3m2, __nv_fp6_e3m2(b(i)).__x)                                              \
  _(four_to_e4m3, __nv_fp8x4_e4m3(f4(i)).__x)                                           \
  _(four_to_e2m1, __nv_fp4x4_e2m1(f4(i)).__x)                                           \
  _(from_e4m3, u(float(of<__nv_fp8_e4m3>(i))))                                          \
  _(from_e5m2, u(float(of<__nv_fp8_e5m2>(i))))                                          \
  _(from_e8m0, u(float(of<__nv_fp8_e8m0>(i))))                                          \
  _(from_e2m3, u(Half(__nv_cvt_fp6_to_halfraw(i & 63, __NV_E2M3))))                     \
  _(from_e2m1, u(Half(__nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1))))                     \
  _(half_sum, u(h(i) * h(i * 31) + h(i * 7)))                                           \
  _(half_difference, u(h(i) * h(i * 31) - h(i * 7)))                                    \
  _(half_quotient, u(h(i) / h(i * 31)))                                                 \
  _(half_sqrt, u(hsqrt(h(i))))                                                          \
  _(half_exp, u(hexp(h(i))))                                                            \
  _(half_log, u(hlog(h(i))))                                                            \
  _(half_sin, u(hsin(h(i))))                                                            \
  _(half_cos, u(hcos(h(i))))                                                            \
  _(half_rcp, u(hrcp(h(i))))                                                            \
  _(half_rsqrt, u(hrsqrt(h(i))))                                                        \
  _(half_exp2, u(hexp2(h(i))))                                                          \
  _(half_log2, u(hlog2(h(i))))                                                          \
  _(half_exp10, u(hexp10(h(i))))                                                        \
  _(half_log10, u(hlog10(h(i))))                                                        \
  _(half_tanh, u(htanh(h(i))))                                                          \
  _(half_tanh_approx, u(htanh_approx(h(i))))                                            \
  _(half_rint, u(hrint(h(i))))                                                          \
  _(half_floor, u(hfloor(h(i))))                                                        \
  _(half_trunc, u(htrunc(h(i))))                                                        \
  _(half_max, u(__hmax(h(i), h(i * 5))))                                                \
  _(half_min_nan, u(__hmin_nan(h(i), h(i * 5))))                                        \
  _(half_fma_relu, u(__hfma_relu(h(i), h(i * 3), h(i * 5))))                            \
  _(half_fma_sat, u(__hfma_sat(h(i), h(i * 3), h(i * 5))))                              \
  _(half_to_int, __half2int_rn(h(i)))                                                   \
  _(half_to_unsigned, __half2uint_rz(h(i)))                                             \
  _(half_to_short, __half2short_rd(h(i)))                                               \
  _(half_from_int, u(__int2half_rn(static_cast<int>(i * 3) - 70000)))                   \
  _(half_rz, u(__float2half_rz(f(i))))                                                  \
  _(half_ru, u(__float2half_ru(f(i))))                                                  \
  _(half_from_double, u(__double2half(static_cast<double>(f(i)))))                      \
  _(half_compared, __heq(h(i), h(i ^ 0x8000)) + 2 * __hltu(h(i), h(i * 3)))             \
  _(bf16_rn, u(__float2bfloat16_rn(f(i))))                                              \
  _(bf16_rd, u(__float2bfloat16_rd(f(i))))                                              \
  _(bf16_sum, u(b(i) * b(i * 31) + b(i * 7)))                                           \
  _(bf16_difference, u(b(i) * b(i * 31) - b(i * 7)))                                    \
  _(bf16_quotient, u(b(i) / b(i * 31)))                                                 \
  _(bf16_exp, u(hexp(b(i))))                                                            \
  _(bf16_log, u(hlog(b(i))))                                                            \
  _(bf16_sqrt, u(hsqrt(b(i))))                                                          \
  _(bf16_tanh, u(htanh(b(i))))                                                          \
  _(bf16_sin, u(hsin(b(i))))                                                            \
  _(bf16_cos, u(hcos(b(i))))                                                            \
  _(bf16_rcp, u(hrcp(b(i))))                                                            \
  _(bf16_to_int, __bfloat162int_rn(b(i)))                                               \
  _(bf16_max, u(__hmax(b(i), b(i * 5))))                                                \
  _(bf16_fma, u(__hfma(b(i), b(i * 3), b(i * 5))))                                      \
  _(pair_sum, u(__hadd2(__hmul2(h2(i), h2(i * 5)), h2(i * 11))))                        \
  _(pair_difference, u(__hsub2(h2(i), __hmul2(h2(i * 5), h2(i * 11)))))                 \
  _(pair_bf16, u(__hsub2(__hmul2(b2(i), b2(i * 5)), b2(i * 11))))                       \
  _(pair_mask, __hgt2_mask(h2(i), h2(i * 5)))                                           \
  _(pair_quotient, u(__hmul2(__h2div(h2(i), h2(i * 5)), h2(i * 11))))
// clang-format on

#define FORM(name, value)                                     \
  __global__ void name(unsigned* out) {                       \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
    out[i] = value;                                           \
  }
EVERY(FORM)

void ask(const char* name, void (*kernel)(unsigned*)) {
  constexpr int kPatterns = 65536;
  unsigned* out = to_device(std::vector<unsigned>(kPatterns));
  kernel<<<kPatterns / 256, 256>>>(out);
  CHECK(cudaGetLastError());
  std::printf("%-18s", name);
  print_bits(from_device(out, kPatterns));
  CHECK(cudaFree(out));
}

int main() {
#define ASK(name, value) ask(#name, name);
  EVERY(ASK)
  return 0;
}
