// SPDX-License-Identifier: MIT
// What an answer to exercise 19 makes of W, right or wrong: the words of every lane, and of these
// the registers of B, to the bit.
//
// Source of the right places: PTX ISA 9.2, 9.7.14.5.8 (B); the check holds them against
// common/layout.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace exercise_19 {

constexpr int kK = 128, kN = 8, kSteps = kK / 16, kWords = 4;
/// Behind W the check puts more numbers: who reads there is told which factor leads there, not an
/// address.
constexpr int kNumbers = kK * kK;

using Numbers = std::vector<std::uint8_t>;  // q, as they lie in memory
using Words = std::array<std::uint32_t, 32 * kWords>;
using Registers = std::array<std::uint32_t, 32 * kSteps * 2>;

/// A half of a register of B.
struct Half {
  int step, reg, half;
};

struct Place {
  int k, col;
};

/// How words are made: which number is wanted for a half, where its bits go.
struct Packing {
  std::function<Place(int lane, Half)> place = [](int lane, Half h) {
    return Place{h.step * 16 + h.reg * 8 + lane % 4 * 2 + h.half, lane / 4};
  };
  std::function<int(Place)> in_memory = [](Place at) { return at.k * kN + at.col; };
  std::function<int(Half)> word = [](Half h) { return h.step / 2; };
  std::function<int(Half)> bit = [](Half h) { return h.half * 16 + h.step % 2 * 8 + h.reg * 4; };
  std::function<std::uint32_t(int q)> number = [](int q) { return static_cast<std::uint32_t>(q); };
  bool last_alone = false;  // = in the place of |=
};

/// Nibble after nibble, word after word, as a loop over them comes by; bits beyond a word are lost.
inline Words words_of(const Packing& packing, const Numbers& W) {
  Words words{};
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 32; ++i) {
      const Half h{i / 8 * 2 + i % 4 / 2, i % 2, i % 8 / 4};
      const int at = packing.in_memory(packing.place(lane, h)), bit = packing.bit(h);
      const int word = packing.word(h);
      if (at < 0 || at >= kNumbers || bit < 0 || bit > 31 || word < 0) continue;
      std::uint32_t& to = words[static_cast<std::size_t>(lane * kWords + word)];
      const std::uint32_t bits = packing.number(W[static_cast<std::size_t>(at)]) << bit;
      to = packing.last_alone ? bits : to | bits;
    }
  return words;
}

/// f16 to the nearest, ties to even; below 65520 in size.
inline std::uint16_t f16(double number) {
  const std::uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (size == 0) return sign;
  const int exponent = std::max(std::ilogb(size), -14);  // below: subnormal, as far apart
  const double units = std::nearbyint(std::ldexp(size, 10 - exponent));  // 1024 to 2048
  const int bits = static_cast<int>(units) + (exponent + 14) * 1024;
  return static_cast<std::uint16_t>(sign | bits);
}
inline double value_of(std::uint16_t bits) {
  const int field = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (field == 31) return mantissa == 0 ? HUGE_VAL : std::nan("");
  const double size =
      field == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, field - 25);
  return bits & 0x8000 ? -size : size;
}

/// How registers are made of words: which bits, and what becomes of them.
struct Unpacking {
  std::function<int(Half)> word = [](Half h) { return h.step / 2; };
  std::function<int(Half)> bit = [](Half h) { return h.half * 16 + h.step % 2 * 8 + h.reg * 4; };
  std::function<std::uint16_t(int q, Half)> half = [](int q, Half) { return f16(q - 8); };
  /// Where a half depends on the other one: the two q of a register to its 32 bits.
  std::function<std::uint32_t(int low, int high, int reg)> both;
};
inline Registers registers_of(const Unpacking& unpacking, const Words& words) {
  Registers registers{};
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < kSteps * 2; ++i) {
      int q[2];
      std::uint32_t pair = 0;
      for (int half = 0; half < 2; ++half) {
        const Half h{i / 2, i % 2, half};
        const int word = unpacking.word(h), bit = unpacking.bit(h);
        const std::uint32_t bits = words[static_cast<std::size_t>(lane * kWords + word)];
        q[half] = bit < 0 || bit > 31 ? 0 : static_cast<int>(bits >> bit & 15);
        pair |= static_cast<std::uint32_t>(unpacking.half(q[half], h)) << half * 16;
      }
      registers[static_cast<std::size_t>(lane * kSteps * 2 + i)] =
          unpacking.both ? unpacking.both(q[0], q[1], i % 2) : pair;
    }
  return registers;
}

}  // namespace exercise_19
