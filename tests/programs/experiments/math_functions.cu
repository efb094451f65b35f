// SPDX-License-Identifier: MIT
// Do CUDA's mathematical functions give the same bits? Their code is in libdevice, ordinary PTX on
// top of the approximate instructions (ex2.approx, rcp.approx, ...), so they do where those do. For
// each function a hash over the results of as many inputs as asked for: half of them any pattern,
// half of them numbers of everyday size.
//
//     nvcc ... tests/programs/experiments/math_functions.cu -o math_functions
//     ./math_functions [COUNT, 2^16 if not given]
//
// The answer is docs/experiments/approximate.md.
#include <cmath>
#include <cstdint>

#include "../program.cuh"

using Word = std::uint32_t;
using Long = unsigned long long;

__host__ __device__ inline Word mix(Word v) {  // a bijection of 32 bits
  v ^= v >> 16, v *= 0x7feb352du;
  v ^= v >> 15, v *= 0x846ca68bu;
  return v ^ v >> 16;
}

// Any pattern where i is even; else from +-2^-8 to +-2^8.
__device__ inline float single_input(Word i, Word salt) {
  const Word any = mix(2 * i + salt);
  const Word usual = (any & 0x807fffffu) | ((119 + (any >> 23) % 16) << 23);
  return __uint_as_float(i % 2 == 0 ? any : usual);
}
__device__ inline double double_input(Word i, Word salt) {
  const Long any = Long{mix(2 * i + salt)} << 32 | mix(2 * i + salt + 0x51ed270bu);
  const Long usual = (any & 0x800fffffffffffffull) | (1015 + (any >> 52) % 16) << 52;
  return __longlong_as_double(static_cast<long long>(i % 2 == 0 ? any : usual));
}
__device__ inline Long bits(float value) { return __float_as_uint(value); }
__device__ inline Long bits(double value) { return static_cast<Long>(__double_as_longlong(value)); }

// clang-format off
#define EVERY_SINGLE(_)                                                                          \
  _(exp, expf(a)) _(exp2, exp2f(a)) _(exp10, exp10f(a)) _(expm1, expm1f(a)) _(log, logf(a))      \
  _(log2, log2f(a)) _(log10, log10f(a)) _(log1p, log1pf(a)) _(pow, powf(a, b))                   \
  _(sin, sinf(a)) _(cos, cosf(a)) _(tan, tanf(a)) _(sinpi, sinpif(a)) _(asin, asinf(a))          \
  _(acos, acosf(a)) _(atan, atanf(a)) _(atan2, atan2f(a, b)) _(sinh, sinhf(a))                   \
  _(cosh, coshf(a)) _(tanh, tanhf(a)) _(asinh, asinhf(a)) _(acosh, acoshf(a))                    \
  _(atanh, atanhf(a)) _(erf, erff(a)) _(erfc, erfcf(a)) _(erfcx, erfcxf(a))                      \
  _(erfinv, erfinvf(a)) _(normcdf, normcdff(a)) _(normcdfinv, normcdfinvf(a))                    \
  _(tgamma, tgammaf(a)) _(lgamma, lgammaf(a)) _(j0, j0f(a)) _(y0, y0f(a)) _(cbrt, cbrtf(a))      \
  _(rcbrt, rcbrtf(a)) _(hypot, hypotf(a, b)) _(rhypot, rhypotf(a, b)) _(rsqrt, rsqrtf(a))        \
  _(sqrt, sqrtf(a)) _(divide, a / b) _(fmod, fmodf(a, b)) _(fast_exp, __expf(a))                 \
  _(fast_exp10, __exp10f(a)) _(fast_log, __logf(a)) _(fast_log2, __log2f(a))                     \
  _(fast_log10, __log10f(a)) _(fast_pow, __powf(a, b)) _(fast_sin, __sinf(a))                    \
  _(fast_cos, __cosf(a)) _(fast_tan, __tanf(a)) _(fast_divide, __fdividef(a, b))
#define EVERY_DOUBLE(_)                                                                          \
  _(exp, exp(a)) _(log, log(a)) _(log2, log2(a)) _(pow, pow(a, b)) _(sin, sin(a)) _(tan, tan(a)) \
  _(atan2, atan2(a, b)) _(tanh, tanh(a)) _(erf, erf(a)) _(erfc, erfc(a)) _(tgamma, tgamma(a))    \
  _(cbrt, cbrt(a)) _(rsqrt, rsqrt(a)) _(sqrt, sqrt(a)) _(divide, a / b) _(hypot, hypot(a, b))
// clang-format on

#define KERNEL(type, name, expression)                                                    \
  __global__ void type##_##name(Word count, Long* results) {                              \
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;                                 \
    if (i >= count) return;                                                               \
    [[maybe_unused]] const type a = type##_input(i, 1), b = type##_input(i, 0x2545f491u); \
    results[i] = bits(static_cast<type>(expression));                                     \
  }
#define float_input single_input
#define SINGLE(name, expression) KERNEL(float, name, expression)
#define DOUBLE(name, expression) KERNEL(double, name, expression)
EVERY_SINGLE(SINGLE)
EVERY_DOUBLE(DOUBLE)

template <class Kernel>
void ask(const char* name, Kernel kernel, Word count, Long* results) {
  kernel<<<(count + 255) / 256, 256>>>(count, results);
  CHECK(cudaGetLastError());
  Long hash = 0xcbf29ce484222325ull;  // FNV-1a over words
  for (const Long word : from_device(results, count)) hash = (hash ^ word) * 0x100000001b3ull;
  std::printf("%-12s %016llx\n", name, hash);
}

int main(int argc, char** argv) {
  const Word count = argc > 1 ? static_cast<Word>(std::strtoul(argv[1], nullptr, 0)) : 1u << 16;
  Long* results = nullptr;
  CHECK(cudaMalloc(&results, count * sizeof *results));
#define ASK_SINGLE(name, expression) ask(#name "f", float_##name, count, results);
#define ASK_DOUBLE(name, expression) ask(#name, double_##name, count, results);
  EVERY_SINGLE(ASK_SINGLE)
  EVERY_DOUBLE(ASK_DOUBLE)
  return 0;
}
