// SPDX-License-Identifier: MIT
// The zero-column mask descriptor of tcgen05.mma.ws: which columns of B count as zeros, whatever
// lies in shared memory, and with which column of B the product begins.
//
//   62 | 61 .. 56 | 55 48 | 47 40 | 39  | 38 36 | 35 .. 32    | 31 .. 24 .. 0
//   0  | shift    | uses  | zeros | any |   0   | first span  | start counts 3, 2, 1, 0
//
// N columns are in 1, 2 or 4 parts (M 128, 64, 32), as D's are; in each zeros + 1 columns that
// are 0 and uses + 1 that are B's take turns. Its first span says which come first (1: zeros), its
// start count how many columns of the pattern are left out before the part begins:
//
//   zeros 2, uses 3, first span 1, start count 1      column  0 1 2 3 4 5 6 7 8 ...
//                                                             0 0 b b b b 0 0 0 b ...
//
// Source: PTX ISA 9.2, 9.7.16.4.3. Its table has the words for the two spans the wrong way round;
// its examples and their names are as here (docs/errata.md). No card has been asked.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lanescope::layout {

struct ZeroColumns {
  std::array<int, 4> start{};  // of each part
  std::array<bool, 4> begins_as_zeros{};
  bool any = false;  // else no column is 0
  int zeros = 1, uses = 1;
  int shift = 0;  // the column of B that D's first is made of
};
ZeroColumns decode_zero_columns(std::uint64_t bits);

/// What is wrong with it for this M, in a line, or "".
std::string zero_columns_problem(std::uint64_t bits, int M);

/// Whether this of N columns counts as zeros.
bool is_zero(const ZeroColumns& mask, int M, int N, int column);

}  // namespace lanescope::layout
