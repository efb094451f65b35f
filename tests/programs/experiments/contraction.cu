// SPDX-License-Identifier: MIT
// Which mul and add become one fma? PTX leaves the rounding of a mul, add or sub without .rn open,
// and nvcc writes them so: ptxas decides. Each form below is a few lines of PTX over a, b, c, d;
// what comes out says whether a product was rounded by itself. Operands are such that it shows.
// Some have an mma.sync of fp8, which Hopper's machine code adds to C with an FADD, and whose A and
// B are such that -2 is added.
//
// PTX ISA 9.2, 9.7.3 (mul, add, sub without a rounding modifier). The answer is
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
#define NUM_P "mul.f32 p, %2, 0f3fa66666; "
// x and y: A and B; u, v, s: registers of D that nobody wants.
#define SUMS(name, text)                                                      \
  SINGLE(name,                                                                \
         "{ .reg .f32 s, u, v; .reg .b32 x, y, z, w; mov.b32 x, 0x38000000; " \
         "mov.b32 y, 0xa8000000; mov.b32 z, 0; " text " }")
#define MMA "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
#define AB ", {x, x, x, x}, {y, y}, "
#define SPARSE "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 "
#define SPARSE_AB ", {x, x, x, x}, {y, y, y, y}, "
#define K16 "mma.sync.aligned.m16n8k16.row.col.f32."
#define HALVES "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 "
#define A_AND_B ".reg .b32 x, y; mov.b32 x, 0x38000000; mov.b32 y, 0xa8000000; "
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
  _(chain, MUL_P MUL_Q "mul.f32 r, %2, %5; sub.f32 p, p, q; sub.f32 %0, p, r;")               \
  _(moved, MUL_P "mov.f32 q, p; sub.f32 %0, q, %4;")                                          \
  _(moved_as_bits, MUL_P "{ .reg .b32 s; mov.b32 s, p; mov.b32 q, s; } sub.f32 %0, q, %4;")   \
  _(moved_and_not, MUL_P "mov.f32 q, p; sub.f32 %0, q, %4; sub.f32 %1, %5, p;")               \
  _(negated, MUL_P "neg.f32 q, p; add.f32 %0, q, %4;")                                        \
  _(negated_first, MUL_P "neg.f32 q, p; sub.f32 %0, q, %4;")                                  \
  _(negated_second, MUL_P "neg.f32 q, p; sub.f32 %0, %4, q;")                                 \
  _(negated_twice, MUL_P "neg.f32 q, p; neg.f32 r, q; sub.f32 %0, r, %4;")                    \
  _(negated_is_kept, MUL_P "neg.f32 %1, p; sub.f32 %0, p, %4;")                               \
  _(negated_flushed, MUL_P "neg.ftz.f32 q, p; add.f32 %0, q, %4;")                            \
  _(all_flushed, "mul.ftz.f32 p, %2, %3; neg.ftz.f32 q, p; add.ftz.f32 %0, q, %4;")           \
  _(converted, MUL_P "cvt.f32.f32 q, p; sub.f32 %0, q, %4;")                                  \
  _(converted_saturated, MUL_P "cvt.sat.f32.f32 q, p; sub.f32 %0, q, %4;")                    \
  _(magnitude, MUL_P "abs.f32 q, p; sub.f32 %0, q, %4;")                                      \
  _(selected, MUL_P "setp.gt.f32 t, %2, %4; selp.f32 q, p, %5, t; sub.f32 %0, q, %4;")        \
  _(guarded_mov, MUL_P "setp.gt.f32 t, %2, %4; mov.f32 q, %5; @t mov.f32 q, p; "              \
                 "sub.f32 %0, q, %4;")                                                        \
  _(factor_overwritten, "mov.f32 r, %2; mul.f32 p, r, %3; add.f32 r, %4, %5; "                \
                        "sub.f32 %0, p, %4; mov.f32 %1, r;")                                  \
  _(dead_use, MUL_P "abs.f32 q, p; sub.f32 %0, p, %4;")                                       \
  _(several_sums_each, MUL_P MUL_Q "sub.f32 r, p, %5; sub.f32 %0, q, p; sub.f32 %1, q, %2; "  \
                       "add.rn.f32 %1, %1, r;")                                               \
  _(fewer_sums, MUL_P MUL_Q "add.f32 %0, p, q; sub.f32 r, p, %4; sub.f32 %1, p, %5; "         \
                "add.rn.f32 %1, %1, r; sub.f32 r, q, %5; add.rn.f32 %1, %1, r;")              \
  _(one_sum_first, MUL_P MUL_Q "sub.f32 %0, p, q; sub.f32 %1, p, %5;")                        \
  _(same_product_added, MUL_P "mul.f32 q, %3, %2; add.f32 %0, p, q;")                         \
  _(same_product_taken, MUL_P "mul.f32 q, %2, %3; sub.f32 %0, p, q;")                         \
  _(quotient, "div.approx.f32 p, %2, %3; sub.f32 %0, p, %4;")                                 \
  _(quotient_flushed, "div.approx.ftz.f32 p, %2, %3; sub.ftz.f32 %0, %4, p;")                 \
  _(quotient_full, "div.full.f32 p, %2, %3; add.f32 %0, p, %4;")                              \
  _(quotient_full_flushed, "div.full.ftz.f32 p, %2, %3; neg.f32 q, p; add.ftz.f32 %0, q, %4;")\
  _(quotient_of_large, "mul.rn.f32 p, %2, 0f7E800000; mul.rn.f32 q, %3, 0f7E800000; "         \
                       "div.full.f32 p, p, q; sub.f32 %0, p, %4;")                            \
  _(quotient_of_small, "mul.rn.f32 p, %2, 0f00000100; mul.rn.f32 q, %3, 0f00000100; "         \
                       "div.approx.f32 p, p, q; sub.f32 %0, p, %4;")                          \
  _(quotient_is_kept, "div.approx.f32 p, %2, %3; sub.f32 %0, p, %4; mov.f32 %1, p;")          \
  _(exact_quotient, "div.rn.f32 p, %2, %3; sub.f32 %0, p, %4;")                               \
  _(reciprocal, "rcp.approx.f32 p, %2; sub.f32 %0, p, %4;")                                   \
  _(root, "sqrt.approx.f32 p, %2; sub.f32 %0, p, %4;")                                        \
  _(exponential, "ex2.approx.f32 p, %2; sub.f32 %0, p, %4;")                                  \
  _(sum_then_negated, MUL_P "sub.f32 q, p, %4; neg.f32 %0, q;")                               \
  _(in_a_loop, "mov.f32 %0, %4; mov.f32 r, 0f00000000; L: mul.f32 p, %2, %3; "                \
               "sub.f32 %0, p, %0; add.f32 r, r, 0f3F800000; setp.lt.f32 t, r, 0f40400000; "  \
               "@t bra L;")                                                                   \
  _(number_and_quotient, NUM_P "div.rn.f32 %1, %5, %3; sub.f32 %0, p, %4;")                   \
  _(number_in_register, "mov.f32 q, 0f3fa66666; mul.f32 p, %2, q; "                           \
                        "div.rn.f32 %1, %5, %3; sub.f32 %0, p, %4;")                          \
  _(number_and_fence, NUM_P "membar.gl; sub.f32 %0, p, %4;")                                  \
  _(number_and_label, NUM_P "setp.gt.f32 t, %2, %4; @t bra L; "                               \
                      "membar.gl; L: sub.f32 %0, p, %4;")                                     \
  _(number_and_jump, NUM_P "setp.gt.f32 t, %2, %4; @t bra L; "                                \
                     "membar.gl; sub.f32 %0, p, %4; L:")                                      \
  _(number_of_two_sums, NUM_P "membar.gl; sub.f32 %0, p, %4; sub.f32 %1, %5, p;")             \
  _(number_is_kept, NUM_P "membar.gl; sub.f32 %0, p, %4; mov.f32 %1, p;")                     \
  _(number_negated, NUM_P "neg.f32 q, p; membar.gl; sub.f32 %0, q, %4;")                      \
  _(quotient_by_number, "div.full.f32 p, %2, 0f3fa66666; membar.gl; sub.f32 %0, p, %4;")      \
  _(square_and_fence, "mul.f32 p, %2, %2; membar.gl; sub.f32 %0, p, %4;")
#define EVERY_SUM_OF_C(_)                                                                     \
  _(first_of_c, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")                              \
  _(second_of_c, MUL_P MMA "{u, %0, v, s}" AB "{%4, p, %4, %4};")                             \
  _(third_of_c, MUL_P MMA "{u, v, %0, s}" AB "{%4, %4, p, %4};")                              \
  _(fourth_of_c, MUL_P MMA "{u, v, s, %0}" AB "{%4, %4, %4, p};")                             \
  _(two_of_c, MUL_P MMA "{%0, %1, u, v}" AB "{p, p, %4, %4};")                                \
  _(c_and_product_rn, "mul.rn.f32 p, %2, %3; " MMA "{%0, %1, u, v}" AB "{p, %4, %4, %4};")    \
  _(c_and_flushed, "mul.ftz.f32 p, %2, %3; " MMA "{%0, %1, u, v}" AB "{p, %4, %4, %4};")      \
  _(c_is_kept, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; mov.f32 %1, p;")                \
  _(c_in_place, MUL_P MUL_Q MMA "{p, q, u, v}" AB "{p, q, %4, %4}; mov.f32 %0, p; "           \
                "mov.f32 %1, q;")                                                             \
  _(c_and_a_sum, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; sub.f32 %1, p, %4;")          \
  _(c_and_a_sum_rn, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; sub.rn.f32 %1, p, %4;")    \
  _(c_of_two, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; "                                \
              MMA "{%1, u, v, s}" AB "{p, %4, %4, %4};")                                      \
  _(c_negated, MUL_P "neg.f32 q, p; " MMA "{%0, u, v, s}, {x, x, x, x}, {x, x}, "             \
               "{q, %4, %4, %4};")                                                            \
  _(c_moved, MUL_P "mov.b32 w, p; " MMA "{%0, u, v, s}" AB "{w, %4, %4, %4};")                \
  _(c_is_a_magnitude, MUL_P "abs.f32 q, p; " MMA "{%0, u, v, s}" AB "{q, %4, %4, %4};")       \
  _(c_and_a_too, MUL_P MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; "                             \
                 MMA "{%1, u, v, s}, {p, x, x, x}, {y, y}, {%4, %4, %4, %4};")                \
  _(c_guarded, MUL_P "mov.f32 %0, %4; setp.gt.f32 t, %2, 0f00000000; "                        \
               "@t " MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")                               \
  _(c_by_number_guarded, NUM_P "mov.f32 %0, %4; setp.gt.f32 t, %2, 0f00000000; "              \
                         "@t " MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")                     \
  _(c_behind_a_fence, MUL_P "membar.gl; " MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")          \
  _(c_by_number, NUM_P "membar.gl; " MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")               \
  _(c_of_numbers, "mul.f32 p, 0f3fa66666, 0f3fa66667; " MMA "{%0, u, v, s}" AB                \
                  "{p, %4, %4, %4};")                                                         \
  _(c_is_a_quotient, "div.full.f32 p, %2, %3; " MMA "{%0, u, v, s}" AB "{p, %4, %4, %4};")    \
  _(c_and_its_factor, "mov.f32 r, %2; mul.f32 p, r, %3; " MMA "{r, %0, v, s}" AB              \
                      "{%4, p, %4, %4}; mov.f32 %1, r;")                                      \
  _(d_becomes_c, MUL_P MMA "{r, u, v, s}" AB "{p, %4, %4, %4}; mul.f32 r, r, %3; "            \
                 MMA "{%0, u, v, s}" AB "{r, u, v, s};")                                      \
  _(d_is_not_read, MUL_P MUL_Q "sub.f32 r, q, %2; " MMA "{u, %0, v, s}" AB                    \
                   "{p, %4, %4, %4}; add.f32 %1, q, p; add.rn.f32 %1, %1, r;")                \
  _(c_in_a_loop, "mov.f32 %0, %4; mov.f32 r, 0f00000000; L: mul.f32 p, %0, %3; "              \
                 MMA "{%0, u, v, s}" AB "{p, %4, %4, %4}; add.f32 r, r, 0f3F800000; "         \
                 "setp.lt.f32 t, r, 0f40400000; @t bra L;")                                   \
  _(k16_of_e5m2, "mov.b32 x, 0x3c000000; mov.b32 y, 0xb8000000; " MUL_P K16                   \
                 "e5m2.e5m2.f32 {%0, u, v, s}, {x, x}, {y}, {p, %4, %4, %4};")                \
  _(k16_of_both, "mov.b32 x, 0x3c000000; " MUL_P K16                                          \
                 "e5m2.e4m3.f32 {%0, u, v, s}, {x, x}, {y}, {p, %4, %4, %4};")                \
  _(k16_of_f16, "mov.b32 x, 0x3c000000; mov.b32 y, 0xb8000000; " MUL_P K16                    \
                "f16.f16.f32 {%0, u, v, s}, {x, x, x, x}, {y, y}, {p, %4, %4, %4};")          \
  _(c_of_sparse, MUL_P SPARSE "{%0, u, v, s}" SPARSE_AB "{p, %4, %4, %4}, z, 0;")             \
  _(number_of_sparse, NUM_P SPARSE "{%0, u, v, s}" SPARSE_AB "{p, %4, %4, %4}, z, 0;")   \
  _(mma_between, MUL_P MMA "{%1, u, v, s}" AB "{%4, %4, %4, %4}; sub.f32 %0, p, %4;")         \
  _(guarded_mma_between, MUL_P "setp.gt.f32 t, %2, 0f00000000; @t " MMA "{%1, u, v, s}" AB    \
                         "{%4, %4, %4, %4}; sub.f32 %0, p, %4;")                              \
  _(sparse_between, MUL_P SPARSE "{%1, u, v, s}" SPARSE_AB "{%4, %4, %4, %4}, z, 0; "         \
                    "sub.f32 %0, p, %4;")                                                     \
  _(unread_sparse, MUL_P SPARSE "{u, v, s, r}" SPARSE_AB "{%4, %4, %4, %4}, z, 0; "   \
                           "sub.f32 %0, p, %4;")                                              \
  _(s4_between, MUL_P "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%1, w}, {x}, {y}, "    \
                "{z, z}; sub.f32 %0, p, %4;")                                                 \
  _(s8_between, MUL_P "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%1, w}, {x}, {y}, "    \
                "{z, z}; sub.f32 %0, p, %4;")                                                 \
  _(xor_between, MUL_P "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%1, w}, "   \
                 "{x}, {y}, {z, z}; sub.f32 %0, p, %4;")                                      \
  _(and_between, MUL_P "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%1, w}, "   \
                 "{x}, {y}, {z, z}; sub.f32 %0, p, %4;")                                      \
  _(guarded_store, MUL_P "{ .shared .b32 cell; setp.gt.f32 t, %2, 0f00000000; "                \
                   "@t st.shared.f32 [cell], %5; } sub.f32 %0, p, %4;")                       \
  _(guarded_load, MUL_P "{ .shared .b32 cell; st.shared.f32 [cell], 0f00000000; "             \
                  "mov.f32 %1, %5; setp.gt.f32 t, %2, 0f00000000; "                           \
                  "@t ld.shared.f32 %1, [cell]; } sub.f32 %0, p, %4;")                        \
  _(guarded_shuffle, MUL_P "mov.b32 %1, %5; setp.gt.f32 t, %2, 0f00000000; "                  \
                     "@t shfl.sync.bfly.b32 %1, %5, 1, 31, -1; sub.f32 %0, p, %4;")           \
  _(guarded_atomic, MUL_P "{ .shared .b32 cell; setp.gt.f32 t, %2, 0f00000000; "              \
                    "@t red.shared.add.u32 [cell], 1; } sub.f32 %0, p, %4;")                  \
  _(guarded_barrier, MUL_P "setp.gt.f32 t, %2, 0f00000000; @t bar.warp.sync -1; "             \
                     "sub.f32 %0, p, %4;")                                                    \
  _(guarded_bits, MUL_P "mov.b32 %1, %5; setp.gt.f32 t, %2, 0f00000000; "                     \
                  "@t lop3.b32 %1, %5, %4, %3, 0x96; sub.f32 %0, p, %4;")                     \
  _(guarded_fma, MUL_P "mov.b32 %1, %5; setp.gt.f32 t, %2, 0f00000000; "                      \
                 "@t fma.rn.f32 %1, %5, %4, %3; sub.f32 %0, p, %4;")                          \
  _(number_and_guarded, NUM_P "{ .shared .b32 cell; setp.gt.f32 t, %2, 0f00000000; "          \
                        "@t st.shared.f32 [cell], %5; } sub.f32 %0, p, %4;")                  \
  _(m8n8k4_between, MUL_P "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%1, w, w, w}, "   \
                    "{x, x}, {x, x}, {z, z, z, z}; sub.f32 %0, p, %4;")
#define EVERY_DOUBLE(_)                                                                       \
  _(difference_f64, "mul.f64 p, %2, %3; sub.f64 %0, p, %4;")                                  \
  _(from_addend_f64, "mul.f64 p, %2, %3; sub.f64 %0, %4, p;")                                 \
  _(two_products_f64, "mul.f64 p, %2, %3; mul.f64 q, %4, %5; sub.f64 %0, p, q;")              \
  _(rounded_f64, "mul.rn.f64 p, %2, %3; sub.f64 %0, p, %4;")                                  \
  _(negated_f64, "mul.f64 p, %2, %3; neg.f64 q, p; sub.f64 %0, q, %4;")                       \
  _(converted_f64, "mul.f64 p, %2, %3; cvt.f64.f64 q, p; sub.f64 %0, %4, q;")                 \
  _(number_and_fence_f64, "mul.f64 p, %2, 0d3ff4cccccccccccd; membar.gl; sub.f64 %0, p, %4;")
#define EVERY_HALF(_)                                                                         \
  _(difference_f16, "mul.f16 p, %2, %3; sub.f16 %0, p, %4;")                                  \
  _(rounded_f16, "mul.rn.f16 p, %2, %3; sub.rn.f16 %0, p, %4;")                               \
  _(from_addend_bf16, "mul.bf16 p, %2, %3; sub.bf16 %0, %4, p;")                              \
  _(negated_f16, "mul.f16 p, %2, %3; neg.f16 q, p; sub.f16 %0, q, %4;")                       \
  _(negated_flushed_f16, "mul.ftz.f16 p, %2, %3; neg.ftz.f16 q, p; add.ftz.f16 %0, q, %4;")   \
  _(saturated_f16, "mul.f16 p, %2, %3; sub.sat.f16 %0, p, %4;")                               \
  _(two_products_f16, "mul.f16 p, %2, %3; mul.f16 q, %4, %5; sub.f16 %0, p, q;")              \
  _(negated_bf16, "mul.bf16 p, %2, %3; neg.bf16 q, p; add.bf16 %0, q, %4;")                   \
  _(number_and_fence_f16, "mov.b16 q, 0x3d33; mul.f16 p, %2, q; membar.gl; sub.f16 %0, p, %4;")
#define EVERY_PAIR(_)                                                                         \
  _(sum_f16x2, "mul.f16x2 p, %2, %3; add.f16x2 %0, p, %4;")                                   \
  _(from_addend_f16x2, "mul.f16x2 p, %2, %3; sub.f16x2 %0, %4, p;")                           \
  _(difference_bf16x2, "mul.bf16x2 p, %2, %3; sub.bf16x2 %0, p, %4;")                         \
  _(moved_f16x2, "mul.f16x2 p, %2, %3; mov.b32 q, p; sub.f16x2 %0, q, %4;")                   \
  _(negated_f16x2, "mul.f16x2 p, %2, %3; neg.f16x2 q, p; sub.f16x2 %0, q, %4;")               \
  _(flushed_f16x2, "mul.f16x2 p, %2, %3; sub.ftz.f16x2 %0, p, %4;")                           \
  _(two_products_bf16x2, "mul.bf16x2 p, %2, %3; mul.bf16x2 q, %4, %5; sub.bf16x2 %0, p, q;")  \
  _(number_and_fence_f16x2, "mov.b32 q, 0x3d333d33; mul.f16x2 p, %2, q; "                     \
                            "membar.gl; sub.f16x2 %0, p, %4;")                                \
  _(c_of_halves, A_AND_B "mul.f16x2 p, %2, %3; " HALVES "{%0, %1}" AB "{p, %4};")             \
  _(second_c_of_halves, A_AND_B "mul.f16x2 p, %2, %3; " HALVES "{%0, %1}" AB "{%4, p};")      \
  _(c_rn_of_halves, A_AND_B "mul.rn.f16x2 p, %2, %3; " HALVES "{%0, %1}" AB "{p, %4};")       \
  _(c_negated_of_halves, A_AND_B "mul.f16x2 q, %2, %3; neg.f16x2 p, q; "                      \
                         HALVES "{%0, %1}, {x, x, x, x}, {x, x}, {p, %4};")                   \
  _(c_of_bfloats, A_AND_B "mul.bf16x2 p, %2, %3; " HALVES "{%0, %1}" AB "{p, %4};")
// clang-format on
EVERY_SINGLE(SINGLE)
EVERY_SUM_OF_C(SUMS)
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
  EVERY_SUM_OF_C(ASK)
  EVERY_DOUBLE(ASK)
  EVERY_HALF(ASK)
  EVERY_PAIR(ASK)
  return 0;
}
