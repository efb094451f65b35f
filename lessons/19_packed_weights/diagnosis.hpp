// SPDX-License-Identifier: MIT
// What the check of exercise 19 says of a wrong answer: the mistake that predicts it, or which
// factor is wrong, or what becomes of the numbers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "19_packed_weights/mistakes_of_b.hpp"
#include "19_packed_weights/mistakes_of_words.hpp"
#include "product_check.hpp"
#include "strides.hpp"

namespace exercise_19 {

inline constexpr const char* kTodo = ".\n  What to do: ";
constexpr int kDigits = 4;  // numbers of 4 bits that tell all numbers of W, and those behind, apart

/// A digit, 0 to 3, of every number's name: 1 + where it lies.
inline const Numbers& names(int digit) {
  static const std::vector<Numbers> all = [] {
    std::vector<Numbers> digits(kDigits);
    for (int at = 0; at < kNumbers; ++at)
      for (int i = 0; i < kDigits; ++i)
        digits[static_cast<std::size_t>(i)].push_back(
            static_cast<std::uint8_t>((at + 1) >> i * 4 & 15));
    return digits;
  }();
  return all[static_cast<std::size_t>(digit)];
}

struct Answer {
  Words words{};
  Registers b{};
  std::vector<float> D;
};
using AllWords = std::vector<Words>;  // one for each digit

/// Where the number lies that a nibble of a word is; -1: nowhere.
inline int found_at(const AllWords& words, int lane, int word, int bit) {
  int name = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    const std::uint32_t bits = words[digit][static_cast<std::size_t>(lane * kWords + word)];
    name |= static_cast<int>(bits >> bit & 15) << digit * 4;
  }
  return name - 1;
}

inline bool explains(const Packing& packing, const AllWords& words) {
  for (int digit = 0; digit < kDigits; ++digit)
    if (words_of(packing, names(digit)) != words[static_cast<std::size_t>(digit)]) return false;
  return true;
}

/// What q is packed as, where every nibble depends on the q alone that belongs there: then the
/// places are right, and the numbers changed. Empty: it is something else.
inline std::vector<std::optional<int>> packed_as(const AllWords& words) {
  std::vector<std::optional<int>> packed(16);
  for (int digit = 0; digit < kDigits; ++digit)
    for (int i = 0; i < 32 * 32; ++i) {
      const int lane = i / 32;
      const Half h{i % 32 / 4, i / 2 % 2, i % 2};
      const int at = Packing().in_memory(Packing().place(lane, h));
      const std::uint32_t word = words[static_cast<std::size_t>(digit)]
                                      [static_cast<std::size_t>(lane * kWords + Packing().word(h))];
      const int found = static_cast<int>(word >> Packing().bit(h) & 15);
      auto& known = packed[names(digit)[static_cast<std::size_t>(at)]];
      if (known && *known != found) return {};
      known = found;
    }
  return packed;
}

/// Which factor of k or column is not as it should be; "": it is something else.
inline std::string wrong_factor(const AllWords& words) {
  const auto nibble = [&words](const std::vector<int>& v) {
    return found_at(words, v[0] + v[1] * 4, v[2], v[3] * 4 + v[4] * 8 + v[5] * 16);
  };
  const strides::Maps maps{
      {{"lane % 4", 4},
       {"lane / 4", 8},
       {"the word", 4},
       {"nibble % 2", 2},
       {"nibble % 4 / 2", 2},
       {"nibble / 4", 2}},
      [](const std::vector<int>& v) {
        const Place at = Packing().place(v[0] + v[1] * 4, Half{v[2] * 2 + v[4], v[3], v[5]});
        return strides::Place{at.k, at.col};
      },
      [nibble](const std::vector<int>& v) -> std::optional<strides::Place> {
        const int at = nibble(v);
        if (at < 0) return std::nullopt;
        return strides::Place{at / kN, at % kN};
      },
      [nibble](const std::vector<int>& v, strides::Place at) {
        return nibble(v) == at.row * kN + at.col;
      },
      "k",
      "column"};
  const std::string steps = strides::wrong_steps(maps);
  return !steps.empty() ? steps : strides::wrong_where(maps);
}

/// `unpacked`: whether b is anything.
inline std::string diagnosis_of_words(const AllWords& words, bool unpacked) {
  bool any = false;
  for (const Words& some : words)
    for (const std::uint32_t word : some) any = any || word != 0;
  if (!any && !unpacked)
    return std::string("The gap is still empty") + kTodo +
           "lessons/19_packed_weights/exercise.cu, between the two `your code` lines.";
  if (!any)
    return std::string("The words are still 0: b is made, but not of them") + kTodo +
           "words[w] |= ... for the 32 numbers of this lane, 4 bits each; then b, of the words "
           "alone.";
  const std::vector<PackingMistake>& mistakes = packing_mistakes();
  for (const PackingMistake& mistake : mistakes) {
    Packing packing;
    mistake.make(packing);
    if (explains(packing, words))
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  }
  for (const PackingMistake& one : mistakes)
    for (const PackingMistake& other : mistakes) {
      Packing packing;
      one.make(packing), other.make(packing);
      if (explains(packing, words))
        return std::string("It looks as if ") + one.name + "; and " + other.name + kTodo +
               one.advice + "; and " + other.advice + ".";
    }
  if (!packed_as(words).empty())
    return std::string("The numbers are where they belong, and each has become another") + kTodo +
           "q is stored as it is, 0 to 15.";
  if (const std::string wrong = wrong_factor(words); !wrong.empty())
    return "It looks as if in the words " + wrong + kTodo +
           "look for that factor where you calculate k and column of a nibble.";
  return std::string("The words are wrong in a way that this check does not know") + kTodo +
         "take one line above: which step, register and half are these bits, and which k?";
}

/// Whether a mistake explains both registers of all steps, or (0, 1) that one.
inline bool explains(const UnpackingMistake& mistake, const Answer& answer, int only) {
  Unpacking unpacking;
  mistake.make(unpacking);
  const Registers predicted = registers_of(unpacking, answer.words);
  for (std::size_t i = 0; i < predicted.size(); ++i)
    if (predicted[i] != answer.b[i] && (only < 0 || static_cast<int>(i % 2) == only)) return false;
  return true;
}

inline std::uint16_t half_of(const Registers& b, int lane, Half h) {
  const std::uint32_t both = b[static_cast<std::size_t>((lane * kSteps + h.step) * 2 + h.reg)];
  return static_cast<std::uint16_t>(both >> h.half * 16);
}
inline std::string text_of(std::uint16_t half) {
  return product_check::text_of(static_cast<float>(value_of(half)));
}

/// "q = 0 becomes 3, not -8, and q = 15 becomes 18, not 7": where a register, or its low (0) or
/// high (1) half, depends on its q alone.
inline std::string what_becomes(const Answer& answer, const Numbers& W, int reg, int only = -1) {
  std::optional<std::uint16_t> becomes[16];
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < kSteps * 2; ++i) {
      const Half h{i / 2, reg, i % 2};
      if (only >= 0 && h.half != only) continue;
      const Place at = Packing().place(lane, h);
      auto& half = becomes[W[static_cast<std::size_t>(Packing().in_memory(at))]];
      const std::uint16_t found = half_of(answer.b, lane, h);
      if (half && *half != found) return "";
      half = found;
    }
  std::string all;
  for (int number = 0; number < 16; ++number) {
    const auto& half = becomes[number];
    if (!half || *half == f16(number - 8) || (number != 0 && number != 15)) continue;
    all += (all.empty() ? "q = " : ", and q = ") + std::to_string(number) + " becomes " +
           text_of(*half) + ", not " + std::to_string(number - 8);
  }
  return all;
}

inline std::string diagnosis_of_b(const Answer& answer, const Numbers& W) {
  bool right[2] = {true, true}, missing[2] = {true, true};
  const Registers wanted = registers_of(Unpacking(), answer.words);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    right[i % 2] = right[i % 2] && answer.b[i] == wanted[i];
    missing[i % 2] = missing[i % 2] && answer.b[i] == 0xffffffff;
  }
  if (missing[0] || missing[1])
    return std::string(missing[0] && missing[1] ? "b"
                       : missing[0]             ? "b[.][0]"
                                                : "b[.][1]") +
           " is not set" + kTodo + "two registers for each of the eight steps, made of the words.";
  const std::vector<UnpackingMistake> mistakes = unpacking_mistakes();
  for (const UnpackingMistake& mistake : mistakes)
    if (explains(mistake, answer, -1))
      return "It looks as if " + mistake.name + kTodo + mistake.advice + ".";
  for (const UnpackingMistake& one : mistakes)
    for (const UnpackingMistake& other : mistakes)
      if (explains({"", "", [&](Unpacking& u) { one.make(u), other.make(u); }}, answer, -1))
        return "It looks as if " + one.name + "; and " + other.name + kTodo + one.advice +
               "; and " + other.advice + ".";
  for (const int only : {0, 1})
    for (const UnpackingMistake& mistake : mistakes)
      if (!right[only] && mistake.reg == only && explains(mistake, answer, only))
        return "It looks as if " + mistake.name + "; and b[.][" + std::to_string(1 - only) +
               "] is wrong as well" + kTodo + mistake.advice + ".";
  for (const int reg : {0, 1})
    if (const std::string becomes = what_becomes(answer, W, reg); !becomes.empty())
      return "In b[.][" + std::to_string(reg) + "] " + becomes + kTodo +
             "go through your instructions with these two numbers.";
  for (const int reg : {0, 1})
    for (const int half : {0, 1})
      if (const std::string becomes = what_becomes(answer, W, reg, half); !becomes.empty())
        return std::string("In the ") + (half == 0 ? "low" : "high") + " halves of b[.][" +
               std::to_string(reg) + "] " + becomes + kTodo +
               "go through your instructions with these two numbers: a constant is for both "
               "halves, 0x64006400 and the like.";
  return std::string(right[0]   ? "b[.][0] is right; b[.][1] is wrong"
                     : right[1] ? "b[.][1] is right; b[.][0] is wrong"
                                : "b is wrong") +
         " in a way that this check does not know" + kTodo +
         "take one line above: which bits of which word is it made of, and how?";
}

}  // namespace exercise_19
