// SPDX-License-Identifier: MIT
// What an answer to exercise 02 is, and how a mistake predicts every word of one.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.14.5.11).
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_02 {

using lanescope::layout::Element;
using lanescope::layout::Fragment;

inline constexpr const char* kInstruction = "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
constexpr int kWords = 128, kParts = 8;
constexpr int kGuard = 4096;  // bytes around the matrix
constexpr std::int8_t kOutside = 0x55;
constexpr std::uint32_t kNeverStored = 0xffffffff;  // DeviceArray poisons with it

struct Tile {
  const char* numbers;  // what they say about their place
  int (*number)(int row, int col);
  int stride, row, col;  // of the matrix, and where the tile begins in it
};

struct Answer {
  Tile tile;
  std::vector<std::int8_t> matrix;
  std::vector<std::uint32_t> words;  // by lane * 4 + register

  /// The number at a place counted from the tile's beginning; it may lie outside the tile.
  std::int8_t at(int row, int col, int stride) const {
    return matrix.at(
        static_cast<std::size_t>(kGuard + tile.row * tile.stride + tile.col + row * stride + col));
  }
};

inline const Fragment& fragment() {
  const lanescope::layout::Instruction* instruction = lanescope::layout::find(kInstruction);
  REQUIRE(instruction != nullptr);
  return instruction->A;
}
inline Element place(int lane, int reg, int part) {
  return fragment().element(lane, reg * kParts + part);
}

// ---- What mistake is it? ------------------------------------------------------------------------

using Word = std::function<std::uint32_t(const Answer&, int lane, int reg)>;

/// A mistake explains an answer when it predicts every word of it.
struct Mistake {
  const char* name;
  const char* advice;
  Word word;
};

using Where = std::function<Element(int lane, int reg, int part)>;

/// The word that comes of packing, as it should be, elements from the wrong places.
inline Word packed(const Where& where) {
  return [where](const Answer& answer, int lane, int reg) {
    std::uint32_t word = 0;
    for (int part = 0; part < kParts; ++part) {
      const Element e = where(lane, reg, part);
      word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) & 0xf)
              << (4 * part);
    }
    return word;
  };
}

/// "-8 becomes -7": the places are right, and each number always becomes the same one; "": no.
inline std::string numbers_changed(const std::vector<Answer>& answers) {
  std::array<int, 16> becomes;
  becomes.fill(-1);
  for (const Answer& answer : answers)
    for (int word = 0; word < kWords; ++word)
      for (int part = 0; part < kParts; ++part) {
        const Element e = place(word / 4, word % 4, part);
        int& is =
            becomes[static_cast<std::size_t>(answer.at(e.row, e.col, answer.tile.stride) & 15)];
        const int found =
            static_cast<int>(answer.words[static_cast<std::size_t>(word)] >> (4 * part) & 15);
        if (is >= 0 && is != found) return "";
        is = found;
      }
  std::string words;
  int said = 0;
  for (int i = 8; i < 24; ++i) {  // from -8 to 7
    const int is = becomes[static_cast<std::size_t>(i % 16)];
    if (is < 0 || is == i % 16) continue;
    constexpr int kMost = 3;
    const auto number = [](int bits) { return std::to_string(bits < 8 ? bits : bits - 16); };
    if (++said <= kMost)
      words += (words.empty() ? "" : ", ") + number(i % 16) + " becomes " + number(is);
    if (said == kMost + 1) words += " and so on";
  }
  return words;
}

/// Four bytes of a row as they are, from the column where `first_col` has a register begin.
inline Word copied(int (*first_col)(int lane, int reg)) {
  return [first_col](const Answer& answer, int lane, int reg) {
    std::uint32_t word = 0;
    for (int part = 0; part < 4; ++part)
      word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(answer.at(
                  lane / 4 + reg % 2 * 8, first_col(lane, reg) + part, answer.tile.stride)))
              << (8 * part);
    return word;
  };
}

/// The right numbers, `bits` bits from one to the next.
inline Word apart(int bits) {
  return [bits](const Answer& answer, int lane, int reg) {
    const std::uint32_t right = packed(place)(answer, lane, reg);
    std::uint32_t word = 0;
    for (int part = 0; part < kParts; ++part) word |= (right >> (4 * part) & 0xf) << (bits * part);
    return word;
  };
}

/// The sum of numbers that are not cut to four bits.
inline std::uint32_t sum_of_uncut(const Answer& answer, int lane, int reg) {
  std::uint32_t word = 0;
  for (int part = 0; part < kParts; ++part) {
    const Element e = place(lane, reg, part);
    word += static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) << (4 * part);
  }
  return word;
}

}  // namespace exercise_02
