// SPDX-License-Identifier: MIT
// Which mul and add become one fma? PTX leaves the rounding of a mul, add or sub without .rn open,
// and nvcc writes them so: ptxas decides. Each form below is a few lines of PTX over a, b, c, d;
// what comes out says whether a product was rounded by itself. Operands are such that it shows.
//
// PTX ISA 9.1, 9.7.3 (mul, add, sub without a rounding modifier). The answer is
// docs/experiments/contraction.md.
#include "../program.cuh"

constexpr int kTuples = 64;

// p, q: products; %0, %1: results; %2 to %5: a, b, c, d.
#define FORM(type, letter, name, text)                                              \
  __global__ void name(type* out, const type* in) {                                 \
    const type* row = in + 4 * threadIdx.x;                                         \
    type first = 0, second = 0;                                                     \
    asm volatile(text                                                               \
                 : "+" letter(first), "+" letter(second)                            \
                 : letter(row[0]), letter(row[1]), letter(row[2]), letter(row[3])); \
    out[2 * threadIdx.x] = first;                                                   \
    out[2 * threadIdx.x + 1] = second;                                              \
  }
#define SINGLE(name, text) FORM(float, "f", name, "{ .reg .f32 p, q, r; .reg .pred t; " text " }")
#define DOUBLE(name, text) FORM(double, "d", name, "{ .reg .f64 p, q, r; " text " }")
#define HALF(name, text) FORM(unsigned short, "h", name, "{ .reg .b16 p, q, r; " text " }")
#define PAIR(name, text) FORM(unsigned, "r", name, "{ .reg .b32 p, q, r; " text " }")

#define MUL_P "mul.f32 p, %2, %3; "
#define MUL_Q "mul.f32 q, %4, %5; "
// clang-format off
#define EVERY_SINGLE(_)                                                                       \
  _(difference, MUL_P "sub.f32 %0, p, %4;")                                                   \
  _(from_addend, MUL_P "sub.f32 %0, %4, p;")                                                  \
  _(sum, MUL_P "add.f32 %0, p, %4;")                                                          \
  _(sum_rn, MUL_P "add.rn.f32 %0, p, %4;")                                                    \
  _(product_rn, "mul.rn.f32 p, %2, %3; sub.f32 %0, p, %4;")                                   \
  _(two_products, MUL_P MUL_Q "sub.f32 %0, p, q;")                                            \
  _(two_in_other_order, MUL_Q MUL_P "sub.f32 %0, p, q;")                                      \
  _(sum_of_products, MUL_P MUL_Q "add.f32 %0, q, p;")                                         \
  _(second_is_rn, "mul.f32 p, %2, %3; mul.rn.f32 q, %4, %5; sub.f32 %0, q, p;")               \
  _(twice_itself, MUL_P "add.f32 %0, p, p;")                                                  \
  _(two_uses, MUL_P "sub.f32 %0, p, %4; sub.f32 %1, %5, p;")                                  \
  _(a_use_rounds, MUL_P "sub.f32 %0, p, %4; sub.rn.f32 %1, p, %5;")                           \
  _(product_is_kept, MUL_P "sub.f32 %0, p, %4; mov.f32 %1, p;")                               \
  _(second_is_kept, MUL_P MUL_Q "sub.f32 %0, p, q; mov.f32 %1, q;")                           \
  _(first_is_kept, MUL_P MUL_Q "sub.f32 %0, p, q; mov.f32 %1, p;")                            \
  _(mixed, MUL_P MUL_Q "sub.f32 %0, q, p; sub.f32 %1, p, %5;")                                \
  _(crossed, MUL_P MUL_Q "sub.f32 %0, q, p; sub.f32 %1, p, q;")                               \
  _(needed_later, MUL_P MUL_Q "sub.f32 %1, p, %5; sub.f32 %0, q, p;")                         \
  _(needed_before, MUL_P MUL_Q "sub.f32 %1, p, q; sub.f32 %0, q, %2;")                        \
  _(both_flush, "mul.ftz.f32 p, %2, %3; sub.ftz.f32 %0, p, %4;")                              \
  _(product_flushes, "mul.ftz.f32 p, %2, %3; sub.f32 %0, p, %4;")                             \
  _(sum_flushes, MUL_P "sub.ftz.f32 %0, p, %4;")                                              \
  _(sum_saturates, MUL_P "sub.sat.f32 %0, p, %4;")                                            \
  _(product_saturates, "mul.sat.f32 p, %2, %3; sub.f32 %0, p, %4;")                           \
  _(guarded_sum, MUL_P "setp.gt.f32 t, %2, %4; mov.f32 %0, %5; @t sub.f32 %0, p, %4;")        \
  _(guarded_product, "mov.f32 p, %5; setp.gt.f32 t, %2, %4; @t mul.f32 p, %2, %3; "           \
                     "sub.f32 %0, p, %4;")                                                    \
  _(behind_a_jump, MUL_P "setp.gt.f32 t, %2, %4; @t bra L; sub.f32 %0, p, %4; L:")            \
  _(behind_a_label, MUL_P "L: sub.f32 %0, p, %4;")                                            \
  _(behind_a_barrier, MUL_P "bar.sync 0; sub.f32 %0, p, %4;")                                 \
  _(same_register, "mul.f32 p, %2, %3; mul.f32 p, p, %4; sub.f32 p, p, %5; mov.f32 %0, p;")   \
  _(after_an_fma, "fma.rn.f32 p, %2, %3, %4; mul.f32 q, %2, %5; sub.f32 %0, p, q;")           \
  _(into_an_fma, MUL_P "fma.rn.f32 %0, %4, %5, p;")                                           \
  _(constant, MUL_P "sub.f32 %0, 0f3F800000, p;")                                             \
  _(chain, MUL_P MUL_Q "mul.f32 r, %2, %5; sub.f32 p, p, q; sub.f32 %0, p, r;")
#define EVERY_DOUBLE(_)                                                                       \
  _(difference_f64, "mul.f64 p, %2, %3; sub.f64 %0, p, %4;")                                  \
  _(from_addend_f64, "mul.f64 p, %2, %3; sub.f64 %0, %4, p;")                                 \
  _(two_products_f64, "mul.f64 p, %2, %3; mul.f64 q, %4, %5; sub.f64 %0, p, q;")              \
  _(rounded_f64, "mul.rn.f64 p, %2, %3; sub.f64 %0, p, %4;")
#define EVERY_HALF(_)                                                                         \
  _(difference_f16, "mul.f16 p, %2, %3; sub.f16 %0, p, %4;")                                  \
  _(rounded_f16, "mul.rn.f16 p, %2, %3; sub.rn.f16 %0, p, %4;")                               \
  _(from_addend_bf16, "mul.bf16 p, %2, %3; sub.bf16 %0, %4, p;")
#define EVERY_PAIR(_)                                                                         \
  _(sum_f16x2, "mul.f16x2 p, %2, %3; add.f16x2 %0, p, %4;")                                   \
  _(from_addend_f16x2, "mul.f16x2 p, %2, %3; sub.f16x2 %0, %4, p;")                           \
  _(difference_bf16x2, "mul.bf16x2 p, %2, %3; sub.bf16x2 %0, p, %4;")
// clang-format on
EVERY_SINGLE(SINGLE)
EVERY_DOUBLE(DOUBLE)
EVERY_HALF(HALF)
EVERY_PAIR(PAIR)

// c is near a * b, so that the difference is what the product's rounding left; d is near c.
float made(Numbers& numbers) { return 1.0f + static_cast<float>(numbers.next(1 << 22)) * 0x1p-23f; }
void draw(Numbers& numbers, float* row) {
  row[0] = made(numbers), row[1] = made(numbers);
  row[2] = row[0] * row[1] * (1.0f + 0x1p-20f), row[3] = row[2] * (1.0f - 0x1p-21f);
}
void draw(Numbers& numbers, double* row) {
  row[0] = made(numbers) * (1 + 0x1p-40), row[1] = made(numbers) * (1 - 0x1p-41);
  row[2] = row[0] * row[1] * (1 + 0x1p-49), row[3] = row[2] * (1 - 0x1p-50);
}
// Halves: [1, 2) of f16; bf16 takes them as other numbers, just as good.
void draw(Numbers& numbers, unsigned short* row) {
  for (int i = 0; i < 4; ++i)
    row[i] = static_cast<unsigned short>(0x3c00 + numbers.next(511) + 511);
}
void draw(Numbers& numbers, unsigned* row) {
  for (int i = 0; i < 4; ++i)
    row[i] = 0x3c003c00u + static_cast<unsigned>(numbers.next(511) + 511) * 0x10001u;
}

template <class T>
void ask(const char* name, void (*kernel)(T*, const T*)) {
  Numbers numbers;
  std::vector<T> in(4 * kTuples);
  for (int i = 0; i < kTuples; ++i) draw(numbers, &in[4 * i]);
  const T* device = to_device(in);
  T* out = to_device(std::vector<T>(2 * kTuples));
  kernel<<<1, kTuples>>>(out, device);
  CHECK(cudaGetLastError());
  std::printf("%-20s ", name);
  print_bits(from_device(out, 2 * kTuples));
}

int main() {
#define ASK(name, text) ask(#name, name);
  EVERY_SINGLE(ASK)
  EVERY_DOUBLE(ASK)
  EVERY_HALF(ASK)
  EVERY_PAIR(ASK)
  return 0;
}
