// SPDX-License-Identifier: MIT
// What becomes of approximate functions of numbers that ptxas knows when it compiles? Each form is
// a few lines of PTX over x, y, or a function of CUDA with a number for an argument; its bits say
// whether the number, or the reciprocal of a divisor, is the nearest one or the unit's.
//
// The answer is docs/experiments/approximate.md, "Numbers that ptxas knows".
#include <cstring>

#include "../program.cuh"

constexpr int kTuples = 64;

#define KERNEL(name, statements)                                      \
  __global__ void known_##name(float* out, const float* in) {         \
    const float x = in[2 * threadIdx.x], y = in[2 * threadIdx.x + 1]; \
    float made = y;                                                   \
    statements;                                                       \
    out[threadIdx.x] = made;                                          \
  }
// %0: the result; %1, %2: x, y; n, m: numbers
#define PTX(name, text)                                                                  \
  KERNEL(name, asm volatile("{ .reg .f32 n, m, q; .reg .b32 i; .reg .pred t; " text " }" \
                            : "+f"(made)                                                 \
                            : "f"(x), "f"(y)))

#define EVERY_PTX(_)                                                                         \
  _(rcp, "rcp.approx.f32 %0, 0f40E66666;")                                                   \
  _(rcp_ftz, "rcp.approx.ftz.f32 %0, 0f40E66666;")                                           \
  _(rcp_large, "rcp.approx.f32 %0, 0f7F123456;")                                             \
  _(rsqrt, "rsqrt.approx.f32 %0, 0f40E66666;")                                               \
  _(rsqrt_tiny, "rsqrt.approx.f32 %0, 0f00123456;")                                          \
  _(rsqrt_negative, "rsqrt.approx.f32 %0, 0fC0E66666;")                                      \
  _(sqrt, "sqrt.approx.f32 %0, 0f40E66666;")                                                 \
  _(ex2, "ex2.approx.f32 %0, 0f3FD9999A;")                                                   \
  _(ex2_tiny, "ex2.approx.f32 %0, 0fC3011111;")                                              \
  _(lg2, "lg2.approx.f32 %0, 0f3FC00000;")                                                   \
  _(lg2_zero, "lg2.approx.f32 %0, 0f00000000;")                                              \
  _(sin, "sin.approx.f32 %0, 0f40E80000;")                                                   \
  _(cos, "cos.approx.f32 %0, 0f40E80000;")                                                   \
  _(sin_large, "sin.approx.f32 %0, 0f4E6E6B28;")                                             \
  _(tanh, "tanh.approx.f32 %0, 0f3FC00000;")                                                 \
  _(moved, "mov.f32 n, 0f3FC00000; lg2.approx.f32 %0, n;")                                   \
  _(moved_bits, "mov.b32 n, 0x3FC00000; lg2.approx.f32 %0, n;")                              \
  _(moved_twice,                                                                             \
    "setp.gt.f32 t, %1, %2; mov.f32 n, 0f3FC00000; @t mov.f32 n, 0f3FC00000; "               \
    "lg2.approx.f32 %0, n;")                                                                 \
  _(other_value,                                                                             \
    "setp.gt.f32 t, %1, %2; mov.f32 n, 0f3FC00000; @t mov.f32 n, 0f3FD00000; "               \
    "lg2.approx.f32 %0, n;")                                                                 \
  _(guarded, "setp.gt.f32 t, %1, %2; @t lg2.approx.f32 %0, 0f3FC00000;")                     \
  _(of_sum, "add.f32 n, 0f3E99999A, 0f3FD9999A; lg2.approx.f32 %0, n;")                      \
  _(of_difference, "mov.f32 n, 0f3E99999A; sub.f32 m, n, 0f3FD9999A; ex2.approx.f32 %0, m;") \
  _(of_negative, "mov.f32 n, 0f3E99999A; neg.f32 m, n; ex2.approx.f32 %0, m;")               \
  _(of_size, "mov.f32 n, 0fBE99999A; abs.f32 m, n; lg2.approx.f32 %0, m;")                   \
  _(of_fma,                                                                                  \
    "mov.f32 n, 0f3E99999A; fma.rn.f32 m, n, 0f3FD9999A, 0f3FC00000; lg2.approx.f32 %0, "    \
    "m;")                                                                                    \
  _(of_quotient, "div.full.f32 n, 0f3E99999A, 0f40E66666; lg2.approx.f32 %0, n;")            \
  _(of_rounded, "mul.rz.f32 n, 0f3E99999A, 0f3FD9999A; lg2.approx.f32 %0, n;")               \
  _(of_sine, "sin.approx.f32 n, 0f3FC00000; lg2.approx.f32 %0, n;")                          \
  _(by_number, "div.approx.f32 %0, %1, 0f40E66666;")                                         \
  _(by_number_ftz, "div.approx.ftz.f32 %0, %1, 0f40E66666;")                                 \
  _(by_number_full, "div.full.f32 %0, %1, 0f40E66666;")                                      \
  _(by_large, "div.full.f32 %0, %1, 0f7EE66666;")                                            \
  _(by_large_approx, "div.approx.f32 %0, %1, 0f7EE66666;")                                   \
  _(by_tiny, "div.approx.f32 %0, %1, 0f00366666;")                                           \
  _(by_sine, "sin.approx.f32 n, 0f40E80000; div.approx.f32 %0, %1, n;")                      \
  _(of_number, "div.full.f32 %0, 0f40E66666, %1;")                                           \
  _(quotient_in_sum, "div.full.f32 q, %1, 0f40E66666; sub.f32 %0, q, %2;")                   \
  _(product_of_numbers,                                                                      \
    "rcp.approx.ftz.f32 n, 0f40100000; mul.f32 m, n, 0f3F19999A; "                           \
    "sub.f32 %0, m, %2;")                                                                    \
  _(product_with_number, "rcp.approx.ftz.f32 n, 0f40100000; mul.f32 m, n, %1; sub.f32 %0, m, %2;")

#define EVERY_FUNCTION(_)                               \
  _(powf_of_number, powf(2.5f, x))                      \
  _(fast_power, __powf(0.3f, x) * y)                    \
  _(fast_quotient, __fdividef(x, 7.2f))                 \
  _(quotient_by_sine, __fdividef(x, __sinf(7.25f)) - y) \
  _(inverse_error, erfcinvf(1e-3f) * x)                 \
  _(cube_root, rcbrtf(100.0f) * x - y)                  \
  _(bessel, j0f(9.5f) + x)                              \
  _(gamma_of_number, lgammaf(0.3f) * x)

EVERY_PTX(PTX)
#define CALL(name, expression) KERNEL(name, made = expression)
EVERY_FUNCTION(CALL)

void ask(const char* name, void (*kernel)(float*, const float*)) {
  Numbers numbers;
  std::vector<float> in(2 * kTuples);
  for (float& number : in) number = 1 + static_cast<float>(numbers.next(1 << 20)) / (1 << 20);
  const float* device = to_device(in);
  float* out = to_device(std::vector<float>(kTuples));
  kernel<<<1, kTuples>>>(out, device);
  CHECK(cudaGetLastError());
  const std::vector<float> found = from_device(out, kTuples);
  unsigned first;
  std::memcpy(&first, found.data(), sizeof first);
  std::printf("%-20s %08x ", name, first);
  print_bits(found);
}

int main() {
#define ASK(name, what) ask(#name, known_##name);
  EVERY_PTX(ASK)
  EVERY_FUNCTION(ASK)
  return 0;
}
