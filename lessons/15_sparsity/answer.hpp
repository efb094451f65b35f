// SPDX-License-Identifier: MIT
// What an answer to exercise 15 makes of a matrix, right or wrong: the registers of every lane, to
// the bit.
//
// Source of the right places: PTX ISA 9.2, 9.7.14.6.2.2 (A; metadata: figure 122); the check holds
// them against common/layout.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace exercise_15 {

constexpr int kRows = 16, kK = 64, kWords = 9;  // of a lane: a[0], a[1], e
/// Behind A the check puts rows of the same kind, and then some of zeros: who reads there is told
/// which factor leads there, not an address.
constexpr int kRowsNamed = 32, kRowsBehind = 64;

using Matrix = std::vector<std::uint16_t>;
using Words = std::vector<std::uint32_t>;

struct Pair {
  std::uint32_t first, second;
};
/// What the exercise's kept_of says of four neighbours.
inline Pair kept_of(const std::uint16_t* four) {
  std::uint32_t first = 0, second = 3;
  while (first < 2 && four[first] == 0) ++first;
  while (second > first + 1 && four[second] == 0) --second;
  return {first, second};
}

/// Four neighbours of a row, n from 0 to 15; row -1: none.
struct Four {
  int row, n;
};
inline const std::uint16_t* at(const Matrix& A, Four four) {
  return A.data() + four.row * kK + four.n * 4;
}

inline std::uint32_t pack(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

/// An answer: what is right in it, and what is not.
struct Answer {
  std::function<Four(int lane, int tile, int reg)> of_a = [](int lane, int tile, int reg) {
    return Four{lane / 4 + reg % 2 * 8, tile * 8 + reg / 2 * 4 + lane % 4};
  };
  std::function<std::uint32_t(const Matrix&, Four)> stored = [](const Matrix& A, Four four) {
    const Pair kept = kept_of(at(A, four));
    return pack(at(A, four)[kept.first], at(A, four)[kept.second]);
  };
  /// Which four the lane's pair number i is of.
  std::function<Four(int lane, int i)> of_e = [](int lane, int i) {
    return Four{lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4};
  };
  std::function<std::uint32_t(Pair, Four)> bits = [](Pair kept, Four) {
    return kept.first | kept.second << 2;
  };
  std::function<int(int i)> shift = [](int i) { return i * 4; };
  std::function<std::uint32_t(std::uint32_t bits, int shift)> shifted =
      [](std::uint32_t bits, int shift) { return bits << shift; };
};

/// The registers that it leaves.
inline Words registers_of(const Answer& answer, const Matrix& A) {
  Words words;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) words.push_back(answer.stored(A, answer.of_a(lane, i / 4, i % 4)));
    std::uint32_t e = 0;
    for (int i = 0; i < 8; ++i)
      if (const Four four = answer.of_e(lane, i); four.row >= 0)
        e |= answer.shifted(answer.bits(kept_of(at(A, four)), four), answer.shift(i));
    words.push_back(e);
  }
  return words;
}

}  // namespace exercise_15
