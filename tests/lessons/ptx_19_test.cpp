// SPDX-License-Identifier: MIT
// Exercise 19 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {

const PtxExercise& exercise() {
  static const PtxExercise one("19_packed_weights");
  return one;
}

// W[k][col], out of the words of the lanes: a lane has column lane / 4, and of each 8 of k two.
int weight(const std::vector<double>& words, int k, int col) {
  const auto word =
      static_cast<std::uint32_t>(static_cast<std::int64_t>(words[col * 4 + k % 8 / 2]));
  const int nibble = static_cast<int>(word >> (k % 2 * 16 + k / 8 * 4) & 15);
  return nibble < 8 ? nibble : nibble - 16;
}

}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 19 in PTX: D is A * W, with signed weights") {
  for (const Memories& m : exercise().solved())
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < 8; ++col) {
        double sum = 0;
        for (int k = 0; k < 32; ++k) sum += m[0][row * 32 + k] * weight(m[1], k, col);
        CHECK(m[2][row * 8 + col] == sum);
      }
}

TEST_CASE("exercise 19 in PTX: other right answers") {
  // All eight bits are flipped at once; then it is the lesson's lop3.
  exercise().passes("flip_first", R"(
  xor.b32 %word, %word, 0x88888888;
  lop3.b32 %b0, %word, 0x000f000f, 0x64006400, 0xea;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x00f000f0, 0x64006400, 0xea;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64006400, 0xea;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x00f000f0, 0x64006400, 0xea;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)");
  // Another order of the operands has another truth table: 0xf0 ^ (0xcc & 0xaa).
  exercise().passes("bits_first", R"(
  lop3.b32 %b0, 0x64086408, %word, 0x000f000f, 0x78;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, 0x64806480, %word, 0x00f000f0, 0x78;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, 0x64086408, %word, 0x000f000f, 0x78;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, 0x64806480, %word, 0x00f000f0, 0x78;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)");
  // One mask, and three shifts where one would do.
  exercise().passes("shift_by_four", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b0, %b0, %k1032;
  shr.u32 %word, %word, 4;
  lop3.b32 %b1, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b1, %b1, %k1032;
  shr.u32 %word, %word, 4;
  lop3.b32 %b2, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b2, %b2, %k1032;
  shr.u32 %word, %word, 4;
  lop3.b32 %b3, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b3, %b3, %k1032;
)");
}

TEST_CASE("exercise 19 in PTX: truth tables and patterns that are wrong") {
  // The bit that should be flipped is always 1.
  exercise().fails("or_instead_of_xor", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64086408, 0xea;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x00f000f0, 0x64806480, 0xea;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64086408, 0xea;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x00f000f0, 0x64806480, 0xea;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // The lesson's weights: q - 8, and no bit is flipped.
  exercise().fails("unsigned", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64006400, 0xea;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x00f000f0, 0x64006400, 0xea;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64006400, 0xea;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x00f000f0, 0x64006400, 0xea;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // 0xf0 ^ 0xcc ^ 0xaa: the mask is not a mask any more.
  exercise().fails("xor_of_three", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64086408, 0x96;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x00f000f0, 0x64806480, 0x96;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64086408, 0x96;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x00f000f0, 0x64806480, 0x96;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // (a & b) | (~a & c): the word chooses.
  exercise().fails("select", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64086408, 0xca;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x00f000f0, 0x64806480, 0xca;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64086408, 0xca;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x00f000f0, 0x64806480, 0xca;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // The bit to flip is four places further up under the second mask.
  exercise().fails("one_pattern",
                   {{"lop3.b32 %b1, %word, 0x00f000f0, 0x64806480, 0x6a;",
                     "lop3.b32 %b1, %word, 0x00f000f0, 0x64086408, 0x6a;"},
                    {"lop3.b32 %b3, %word, 0x00f000f0, 0x64806480, 0x6a;",
                     "lop3.b32 %b3, %word, 0x00f000f0, 0x64086408, 0x6a;"}},
                   "elements are not what the task wants");
}

TEST_CASE("exercise 19 in PTX: masks, halves and sums that are wrong") {
  exercise().fails("no_shift", {{"shr.u32 %word, %word, 8;", ""}},
                   "elements are not what the task wants");
  exercise().fails("shift_by_a_nibble", {{"shr.u32 %word, %word, 8;", "shr.u32 %word, %word, 4;"}},
                   "elements are not what the task wants");
  // Both registers of a step out of the same nibbles.
  exercise().fails("one_mask", R"(
  lop3.b32 %b0, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b1, %b1, %k1032;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b3, %b3, %k1032;
)",
                   "B[0][0] and B[8][0] are both made of bits 0 to 3 of byte 0 behind parameter 1");
  exercise().fails("registers_exchanged", R"(
  lop3.b32 %b1, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b1, %b1, %k1032;
  lop3.b32 %b0, %word, 0x00f000f0, 0x64806480, 0x6a;
  fma.rn.f16x2 %b0, %b0, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b3, %word, 0x000f000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b3, %b3, %k1032;
  lop3.b32 %b2, %word, 0x00f000f0, 0x64806480, 0x6a;
  fma.rn.f16x2 %b2, %b2, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // The high halves get no nibble.
  exercise().fails("neighbours_as_halves", R"(
  lop3.b32 %b0, %word, 0x0000000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b0, %b0, %k1032;
  lop3.b32 %b1, %word, 0x000000f0, 0x64806480, 0x6a;
  fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;
  shr.u32 %word, %word, 8;
  lop3.b32 %b2, %word, 0x0000000f, 0x64086408, 0x6a;
  sub.rn.f16x2 %b2, %b2, %k1032;
  lop3.b32 %b3, %word, 0x000000f0, 0x64806480, 0x6a;
  fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;
)",
                   "elements are not what the task wants");
  // What lies four bits higher is worth 16 times as much.
  exercise().fails(
      "no_sixteenth",
      {{"fma.rn.f16x2 %b1, %b1, %sixteenth, %minus72;", "sub.rn.f16x2 %b1, %b1, %k1032;"},
       {"fma.rn.f16x2 %b3, %b3, %sixteenth, %minus72;", "sub.rn.f16x2 %b3, %b3, %k1032;"}},
      "elements are not what the task wants");
}
