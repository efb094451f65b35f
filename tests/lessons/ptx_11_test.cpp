// SPDX-License-Identifier: MIT
// Exercise 11 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("11_wgmma_types");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 11 in PTX: D is C - A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 64; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double left = m[2][row * 8 + col];
        for (std::size_t k = 0; k < 32; ++k) left -= m[0][row * 32 + k] * m[1][col * 32 + k];
        CHECK(m[3][row * 8 + col] == left);
      }
}

TEST_CASE("exercise 11 in PTX: other right answers") {
  // -B instead of -A.
  exercise().passes("minus_b", {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                                 "{%d0, %d1, %d2, %d3}, %descA, %descB, 1, 1, -1;"}});
  exercise().passes("unrolled", R"(
  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;
  add.u64 %descA, %descA, 2;
  add.u64 %descB, %descB, 2;
  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;
  add.u64 %descA, %descA, 2;
  add.u64 %descB, %descB, 2;
  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;
  add.u64 %descA, %descA, 2;
  add.u64 %descB, %descB, 2;
  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;
)");
  // The last k first.
  exercise().passes("from_the_end",
                    {{"NEXT:", "add.u64 %descA, %descA, 6;\nadd.u64 %descB, %descB, 6;\nNEXT:"},
                     {"add.u64 %descA, %descA, 2;\nadd.u64 %descB, %descB, 2;",
                      "add.u64 %descA, %descA, -2;\nadd.u64 %descB, %descB, -2;"}});
}

TEST_CASE("exercise 11 in PTX: along k") {
  exercise().fails("only_a", {{"add.u64 %descB, %descB, 2;", ""}},
                   "B of product 1: from one wgmma to the next the descriptor goes on by 0 bytes, "
                   "it should go on by 32");
  exercise().fails("stays", {{"add.u64 %descA, %descA, 2;\nadd.u64 %descB, %descB, 2;", ""}},
                   "A of product 1: from one wgmma to the next the descriptor goes on by 0 bytes, "
                   "it should go on by 32");
  exercise().fails("one_unit",
                   {{"add.u64 %descA, %descA, 2;\nadd.u64 %descB, %descB, 2;",
                     "add.u64 %descA, %descA, 1;\nadd.u64 %descB, %descB, 1;"}},
                   "A of product 1: from one wgmma to the next the descriptor goes on by 16 bytes, "
                   "it should go on by 32");
  // 8 of k, but the start counts units.
  exercise().fails("counts_elements",
                   {{"add.u64 %descA, %descA, 2;\nadd.u64 %descB, %descB, 2;",
                     "add.u64 %descA, %descA, 8;\nadd.u64 %descB, %descB, 8;"}},
                   "the matrix descriptor leads to shared address 0x2c00");
  // As many turns as f16 would want.
  exercise().fails("sixteen_of_k",
                   {{"setp.lt.u32 %more, %turn, 4;", "setp.lt.u32 %more, %turn, 2;"}},
                   "elements are not what the task wants");
  // 16 of k a turn.
  exercise().fails("every_second_8",
                   {{"add.u64 %descA, %descA, 2;\nadd.u64 %descB, %descB, 2;",
                     "add.u64 %descA, %descA, 4;\nadd.u64 %descB, %descB, 4;"},
                    {"setp.lt.u32 %more, %turn, 4;", "setp.lt.u32 %more, %turn, 2;"}},
                   "elements are not what the task wants");
  // The K of f16 tiles, 64.
  exercise().fails("eight_turns",
                   {{"setp.lt.u32 %more, %turn, 4;", "setp.lt.u32 %more, %turn, 8;"}},
                   "the matrix descriptor leads to shared address 0x2c00");
}

TEST_CASE("exercise 11 in PTX: the operands behind the descriptors") {
  exercise().fails("forgets",
                   {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, 0, -1, 1;"}},
                   "D of product 1: the wgmma before it has written to the same registers, and "
                   "this one begins anew: its scale-d is 0");
  // As if D began with nothing.
  exercise().fails("forgets_c",
                   {{"NEXT:", "NEXT:\nsetp.ne.u32 %more, %turn, 0;"},
                    {"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, %more, -1, 1;"}},
                   "elements are not what the task wants");
  exercise().fails("plus",
                   {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, 1, 1, 1;"}},
                   "elements are not what the task wants");
  exercise().fails("both_negated",
                   {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, -1;"}},
                   "elements are not what the task wants");
  // scale-d is a predicate: -1 is true.
  exercise().fails("sign_in_scale_d",
                   {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, -1, 1, 1;"}},
                   "operand 3, scale-d, must be 0 or 1");
  exercise().fails(
      "product_minus_c",
      {{"NEXT:",
        "neg.f32 %d0, %d0;\nneg.f32 %d1, %d1;\nneg.f32 %d2, %d2;\nneg.f32 %d3, %d3;\nNEXT:"},
       {"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
        "{%d0, %d1, %d2, %d3}, %descA, %descB, 1, 1, 1;"}},
      "elements are not what the task wants");
  exercise().fails("transposed",
                   {{"{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;",
                     "{%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1, 0, 0;"}},
                   "8 operands where 6 should be");
}

TEST_CASE("exercise 11 in PTX: another type's instruction") {
  exercise().fails("k16", R"(
NEXT:
  wgmma.mma_async.sync.aligned.m64n8k16.f32.tf32.tf32
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1;
  add.u64 %descA, %descA, 4;
  add.u64 %descB, %descB, 4;
  add.u32 %turn, %turn, 1;
  setp.lt.u32 %more, %turn, 2;
  @%more bra NEXT;
)",
                   "m64n8k16.f32.tf32.tf32 is not a wgmma");
  exercise().fails("f16", R"(
NEXT:
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA, %descB, 1, -1, 1, 0, 0;
  add.u64 %descA, %descA, 2;
  add.u64 %descB, %descB, 2;
  add.u32 %turn, %turn, 1;
  setp.lt.u32 %more, %turn, 4;
  @%more bra NEXT;
)",
                   "elements are not what the task wants");
}
