// SPDX-License-Identifier: MIT
// Exercise 15 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("15_sparsity");
  return one;
}

// A row of E for each row of A: nibble n, from the lowest bits on, says which two of columns 4 * n
// to 4 * n + 3 are kept.
constexpr std::uint64_t kE[16] = {
    0x9489e8e44884ed48, 0xcde98998899c99ec, 0xccee9dc9dc4cccd8, 0x48cd94eed8d884c4,
    0x49dd88dc9dec44c4, 0xe48c94c9cc9e8998, 0xdc894c4494e94ccc, 0xe9eecd8cd4c4d4cc,
    0x9cd9ed49cce944d4, 0xdc8984dcd9e4cc4d, 0x8498e9d49c9de899, 0xdec994989cde4ede,
    0x8e8cee844dc4dcdd, 0xced4eded8c99dddd, 0x998994ceddc9ee8d, 0xce4ee89e448dec48};
int nibble(int row, int four) { return static_cast<int>(kE[row] >> (4 * four)) & 15; }
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 15 in PTX: the metadata are what sparse matrices have") {
  for (int row = 0; row < 16; ++row)
    for (int four = 0; four < 16; ++four) CHECK((nibble(row, four) & 3) < nibble(row, four) >> 2);
}

TEST_CASE("exercise 15 in PTX: D is A * B, A with its zeros") {
  for (const Memories& m : exercise().solved()) {
    std::vector<double> A(16 * 64);
    for (int row = 0; row < 16; ++row)
      for (int four = 0; four < 16; ++four) {
        const double* kept = &m[0][row * 32 + four * 2];
        A[row * 64 + four * 4 + (nibble(row, four) & 3)] = kept[0];
        A[row * 64 + four * 4 + (nibble(row, four) >> 2)] = kept[1];
      }
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < 8; ++col) {
        double sum = 0;
        for (int k = 0; k < 64; ++k) sum += A[row * 64 + k] * m[1][col * 64 + k];
        CHECK(m[3][row * 8 + col] == sum);
      }
  }
}

// As the ISA's figures have it: of which row and which four is each nibble of a lane?
TEST_CASE("exercise 15 in PTX: what a lane hands in") {
  for (const Memories& m : exercise().solved())
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 8; ++i) {
        const int row = lane / 4 + i / 4 * 8, tile = lane % 4 / 2, half = lane % 2;
        const int four = tile * 8 + half * 4 + i % 4;
        CHECK((static_cast<std::uint64_t>(m[2][lane]) >> (4 * i) & 15) ==
              static_cast<std::uint64_t>(nibble(row, four)));
      }
}

TEST_CASE("exercise 15 in PTX: other right answers") {
  // groupID * 8 + threadID_in_group * 2 is 2 * lane.
  exercise().passes("by_lane", R"(
  mad.wide.u32 %x, %lane, 2, %E;
  ld.global.b16 %low, [%x];
  ld.global.b16 %high, [%x + 64];
  mov.b32 %e, {%low, %high};
)");
  // Whole rows of E, and of each the 16 bits that are wanted.
  exercise().passes("shifted", R"(
  mad.wide.u32 %x, %group, 8, %E;
  ld.global.b64 %E, [%x];
  ld.global.b64 %x, [%x + 64];
  mul.lo.u32 %t, %thread, 16;
  shr.u64 %E, %E, %t;
  shr.u64 %x, %x, %t;
  cvt.u16.u64 %low, %E;
  cvt.u16.u64 %high, %x;
  mov.b32 %e, {%low, %high};
)");
}

TEST_CASE("exercise 15 in PTX: wrong answers, and what is said of them") {
  exercise().fails("halves_exchanged", R"(
  mad.wide.u32 %x, %lane, 2, %E;
  ld.global.b16 %low, [%x];
  ld.global.b16 %high, [%x + 64];
  mov.b32 %e, {%high, %low};
)",
                   "elements are not what the task wants");
  // Row groupID + 1 instead of groupID + 8.
  exercise().fails("rows_beside_each_other", R"(
  mad.wide.u32 %x, %lane, 2, %E;
  ld.global.b16 %low, [%x];
  ld.global.b16 %high, [%x + 8];
  mov.b32 %e, {%low, %high};
)",
                   "elements are not what the task wants");
  // All of a tile's row: 32 bits.
  exercise().fails("one_row", R"(
  mad.wide.u32 %x, %lane, 4, %E;
  ld.global.b32 %e, [%x];
)",
                   "elements are not what the task wants");
  // Bits of one row, from an offset of half of what it should be.
  exercise().fails("row_of_a_lane", R"(
  mad.wide.u32 %x, %group, 8, %E;
  mul.lo.u32 %t, %thread, 4;
  cvt.u64.u32 %A, %t;
  add.u64 %x, %x, %A;
  ld.global.b32 %e, [%x];
)",
                   "elements are not what the task wants");
  exercise().fails("tile_0_for_both", R"(
  and.b32 %t, %thread, 1;
  mad.lo.u32 %t, %group, 4, %t;
  mad.wide.u32 %x, %t, 2, %E;
  ld.global.b16 %low, [%x];
  ld.global.b16 %high, [%x + 64];
  mov.b32 %e, {%low, %high};
)",
                   "elements are not what the task wants");
  // Lanes 4g and 4g + 2 for selector 0.
  exercise().fails("first_and_third", R"(
  and.b32 %t, %thread, 1;
  mul.lo.u32 %t, %t, 2;
  shr.u32 %thread, %thread, 1;
  add.u32 %t, %t, %thread;
  mad.lo.u32 %t, %group, 4, %t;
  mad.wide.u32 %x, %t, 2, %E;
  ld.global.b16 %low, [%x];
  ld.global.b16 %high, [%x + 64];
  mov.b32 %e, {%low, %high};
)",
                   "elements are not what the task wants");
  exercise().fails("row_0_alone", R"(
  mad.wide.u32 %x, %lane, 2, %E;
  ld.global.b16 %low, [%x];
  mov.b32 %e, {%low, %low};
)",
                   "elements are not what the task wants");
  // The fours of which the lane stores elements.
  exercise().fails("what_it_stores", R"(
  mad.wide.u32 %x, %group, 8, %E;
  ld.global.b64 %A, [%x];
  mul.lo.u32 %t, %thread, 4;
  shr.u64 %A, %A, %t;
  cvt.u32.u64 %e, %A;
  and.b32 %e, %e, 0x000f000f;
)",
                   "elements are not what the task wants");
}
