// SPDX-License-Identifier: MIT
// The mistakes in unpacking that the check of exercise 19 knows: each predicts the registers of
// every lane, from the words that it has.
#pragma once

#include <string>
#include <vector>

#include "19_packed_weights/answer.hpp"

namespace exercise_19 {

struct UnpackingMistake {
  std::string name, advice;
  std::function<void(Unpacking&)> make;
  int reg = -1;  // the one that it is about; -1: both
};

/// What becomes of a number q in a register, 0 or 1; under 1's mask it is worth 16 * q.
struct WrongNumber {
  const char *name, *advice;
  std::function<std::uint16_t(int q, int reg)> half;
  bool of_second = false;  // it takes the second register's mask to make it
};
inline const std::vector<WrongNumber>& wrong_numbers() {
  static const char* const kZero = "the weight is q - 8: 1024 + 8 = 1032 goes, 0x6408";
  static const char* const kMagic =
      "0x6400 is f16 1024, whose lowest bit is worth 1: with q in it, 1024 + q";
  static const char* const kSixteen =
      "0x6400 is 1024; there 1024 + 16 * q, and 0x2c00 is 1 / 16: 64 + q";
  const auto with = [](std::uint16_t base) {  // in the place of 0x6400
    return [base](int q, int reg) {
      const double number = value_of(static_cast<std::uint16_t>(base | q << reg * 4));
      return reg == 0 ? f16(number - 1032) : f16(number / 16 - 72);
    };
  };
  const auto in_second = [](auto rule) {
    return [rule](int q, int reg) { return reg == 0 ? f16(q - 8) : f16(rule(q)); };
  };
  static const std::vector<WrongNumber> all{
      {"has q, not q - 8: the zero point is forgotten", kZero, [](int q, int) { return f16(q); }},
      {"has q - 7", kZero, [](int q, int) { return f16(q - 7); }},
      {"has q - 16", kZero, [](int q, int) { return f16(q - 16); }},
      {"has 8 - q", "sub_f16x2(a, b) is a - b, and what is added in fma_f16x2 is -72",
       [](int q, int) { return f16(8 - q); }},
      {"takes the nibble for a two's complement", "q is from 0 to 15, and the weight q - 8",
       [](int q, int) { return f16(q < 8 ? q : q - 16); }},
      {"has q as whole numbers of 16 bits, not as f16", kMagic,
       [](int q, int) { return static_cast<std::uint16_t>(q); }},
      {"has what the mask has left, not f16", kMagic,
       [](int q, int reg) { return static_cast<std::uint16_t>(q << reg * 4); }},
      {"is left as lop3 made it", "1024 has to go again, and 8 with it: sub_f16x2, fma_f16x2",
       [](int q, int reg) { return static_cast<std::uint16_t>(0x6400 | q << reg * 4); }},
      {"is made without 0x6400", kMagic, with(0)},
      // In the second register two slips come to the same.
      {"is made with 0x6800, which is 2048, or divided by 8, not by 16", kSixteen, with(0x6800),
       true},
      {"is made with 0x6000, which is 512, or divided by 32, not by 16", kSixteen, with(0x6000),
       true},
      {"is made with 0x4300, which is 128 in bf16", "b is f16: 0x6400", with(0x4300)},
      {"is made with 0x6800, which is 2048", kMagic, with(0x6800)},
      {"is made with 0x6000, which is 512", kMagic, with(0x6000)},
      {"is made with 0x5400, which is 64", kMagic, with(0x5400)},
      {"has 16 * q - 8", "there the nibble begins at bit 4: 1024 + 16 * q, so divide by 16 first",
       in_second([](int q) { return 16 * q - 8; }), true},
      {"has 16 * (q - 8)", "there the nibble begins at bit 4: divide by 16, in the same fma",
       in_second([](int q) { return 16 * (q - 8); }), true},
      {"has q + 56: 8 is taken off, but not what 1024 has become", "1024 / 16 = 64: 72 goes",
       in_second([](int q) { return q + 56; }), true},
      {"has q + 64: nothing is taken off", "1024 / 16 = 64, and 8: 72 goes",
       in_second([](int q) { return q + 64; }), true},
      {"has q - 968: 1032 is taken off after the division", "1024 / 16 = 64, and 8: 72 goes",
       in_second([](int q) { return q - 968; }), true},
      {"has q - 0.5: 1032 is taken off before the division", "1024 / 16 = 64, and 8: 72 goes",
       in_second([](int q) { return q - 0.5; }), true},
      {"has q / 16 - 8: divided by 16, but the nibble was at bit 0",
       "the mask 0x00f000f0 leaves 16 * q; who shifts the word by 4 has q, and subtracts 1032",
       in_second([](int q) { return q / 16.0 - 8; }), true},
  };
  return all;
}

inline std::vector<UnpackingMistake> unpacking_mistakes() {
  static const char* const kBits =
      "b[2 * w][0] is under 0x000f000f, b[2 * w][1] under 0x00f000f0, step 2 * w + 1 eight bits "
      "further up";
  std::vector<UnpackingMistake> all;
  for (const int only : {0, 1, -1})  // what is about one alone goes first with others
    for (const WrongNumber& wrong : wrong_numbers()) {
      if (wrong.of_second && only != 1) continue;
      const std::string where = only < 0 ? "b " : "b[.][" + std::to_string(only) + "] ";
      const auto make = [only, half = wrong.half](Unpacking& u) {
        u.half = [only, half, before = u.half](int q, Half h) {
          return only < 0 || only == h.reg ? half(q, h.reg) : before(q, h);
        };
      };
      all.push_back({where + wrong.name, wrong.advice, make, only});
    }
  const auto bit = [&all](const char* name, auto rule) {
    all.push_back({name, kBits, [rule](Unpacking& u) { u.bit = rule; }});
  };
  bit("both steps of a word are made of its step 2 * w: a shift is missing",
      [](Half h) { return h.half * 16 + h.reg * 4; });
  bit("in step 2 * w + 1 the word is shifted by 4, not by 8",
      [](Half h) { return h.half * 16 + h.step % 2 * 4 + h.reg * 4; });
  bit("in step 2 * w + 1 the word is shifted by 16, not by 8",
      [](Half h) { return h.half * 16 + h.step % 2 * 16 + h.reg * 4; });
  bit("the two steps of a word are exchanged in b",
      [](Half h) { return h.half * 16 + (1 - h.step % 2) * 8 + h.reg * 4; });
  bit("the two registers of a step are exchanged in b",
      [](Half h) { return h.half * 16 + h.step % 2 * 8 + (1 - h.reg) * 4; });
  bit("b[.][1] is made of the nibbles of b[.][0]",
      [](Half h) { return h.half * 16 + h.step % 2 * 8; });
  bit("b[.][0] is made of the nibbles of b[.][1]",
      [](Half h) { return h.half * 16 + h.step % 2 * 8 + 4; });
  bit("in step 2 * w + 1 the word is shifted to the left, not to the right",
      [](Half h) { return h.half * 16 - h.step % 2 * 8 + h.reg * 4; });
  bit("the two halves of a register are exchanged in b",
      [](Half h) { return (1 - h.half) * 16 + h.step % 2 * 8 + h.reg * 4; });
  bit("both halves of a register are made of the low one's nibble",
      [](Half h) { return h.step % 2 * 8 + h.reg * 4; });
  bit("b is made as if a word had its nibbles in the order of k",
      [](Half h) { return (h.step % 2 * 4 + h.reg * 2 + h.half) * 4; });
  bit("the high halves are made of nothing: the mask has the low one alone",
      [](Half h) { return h.half == 1 ? -1 : h.step % 2 * 8 + h.reg * 4; });
  const auto word = [&all](const char* name, auto rule) {
    all.push_back({name, "words[w] has steps 2 * w and 2 * w + 1: words[step / 2]",
                   [rule](Unpacking& u) { u.word = rule; }});
  };
  all.push_back({"32-bit whole numbers are subtracted in b[.][0], not f16",
                 "what and_or leaves are two f16 numbers: sub_f16x2", [](Unpacking& u) {
                   u.both = [](int low, int high, int reg) {
                     const auto pair = static_cast<std::uint32_t>(high << 16 | low);
                     return reg == 0 ? pair - 0x00080008u : f16(low - 8) | f16(high - 8) << 16;
                   };
                 }});
  const auto unset = [&all](const char* name, auto rule) {
    all.push_back(
        {name, "eight steps, 0 to 7: b[step][0] and b[step][1] of each", [rule](Unpacking& u) {
           u.half = [rule](int q, Half h) { return rule(h) ? std::uint16_t{0xffff} : f16(q - 8); };
         }});
  };
  unset("b of the odd steps is not set", [](Half h) { return h.step % 2 == 1; });
  unset("b of the even steps is not set", [](Half h) { return h.step % 2 == 0; });
  unset("b of steps 4 to 7 is not set", [](Half h) { return h.step >= 4; });
  word("b is made of words[step % 4]", [](Half h) { return h.step % 4; });
  word("b is made of words[step / 4]", [](Half h) { return h.step / 4; });
  word("b is made of words[step % 2]", [](Half h) { return h.step % 2; });
  word("b is made of words[0] alone", [](Half) { return 0; });
  word("b is made of the words in reverse order", [](Half h) { return 3 - h.step / 2; });
  return all;
}

}  // namespace exercise_19
