// SPDX-License-Identifier: MIT
// Registers to vectors whose lanes are rows, and back. A vector holds all 16 rows of a panel, or
// (AVX2) one half of them; within it they are in an order that four shuffles make, the same for A,
// C and D, so that it never has to be undone:
//
//     16 lanes: rows 0 4 8 12  1 5 9 13  2 6 10 14  3 7 11 15
//      8 lanes: rows 0 2 4 6   1 3 5 7, and 8 more in the other half
#pragma once

#include "emulator/tensor/lanes.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

inline constexpr int kHalves = 16 / kWidth;

inline int row_of(int lane, int half) { return 8 * half + lane / 4 + kWidth / 4 * (lane % 4); }

/// Words 0 to 3 of the rows; `upper` is the register of rows 0 to 7, `lower` of rows 8 to 15.
inline void load_columns(const std::uint32_t* upper, const std::uint32_t* lower, int half,
                         Word* words) {
  const std::uint32_t* first = half == 0 ? upper : lower;
  const std::uint32_t* second = kHalves == 1 ? lower : first + 2 * kWidth;
  words[0] = load(first);
  words[1] = load(first + kWidth);
  words[2] = load(second);
  words[3] = load(second + kWidth);
  turn(words);
}

/// Spoils `words`.
inline void store_columns(Word* words, std::uint32_t* upper, std::uint32_t* lower, int half) {
  std::uint32_t* first = half == 0 ? upper : lower;
  std::uint32_t* second = kHalves == 1 ? lower : first + 2 * kWidth;
  turn(words);
  store(first, words[0]);
  store(first + kWidth, words[1]);
  store(second, words[2]);
  store(second + kWidth, words[3]);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
