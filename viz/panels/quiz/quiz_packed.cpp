// SPDX-License-Identifier: MIT
// See quiz_packed.hpp.
//
// Source: the atlas's map of m16n8k16's B (common/layout); the order within a word is lesson 19's.
#include "panels/quiz/quiz_packed.hpp"

#include <fmt/format.h>

#include "layout/instruction.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kAbout =
    "W, 128 x 8, in fragment order for m16n8k16: word w has steps 2w and 2w + 1; b[0] is under "
    "0x000f000f, b[1] under 0x00f000f0, the odd step 8 bits up";

struct Nibble {
  int lane, word, number;  // 0 to 7, from the low bits
};
struct Weight {
  int k, col;
};

const layout::Fragment& map() {
  return layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")->B;
}

Nibble nibble_of(Weight weight) {
  const layout::Holder held = layout::holders(map(), {weight.k % 16, weight.col}).front();
  const int step = weight.k / 16;
  return {held.thread, step / 2, step % 2 * 2 + held.register_index + held.bit / 16 * 4};
}

std::string why(Weight weight, const Nibble& nibble) {
  const int step = weight.k / 16;
  return fmt::format(
      "k = {} is of step {}, row {} of B: lane {}, b[{}], {} half (lesson 01's map)\n"
      "step {} is the {} one of word {}; its b[{}] is nibble {}, a high half four further up",
      weight.k, step, weight.k % 16, nibble.lane, nibble.number % 2,
      nibble.number / 4 == 0 ? "low" : "high", step, step % 2 == 0 ? "even" : "odd", nibble.word,
      nibble.number % 2, nibble.number % 4);
}

}  // namespace

QuizQuestion ask_packed_place(const Below& below) {
  const Weight weight{below(128), below(8)};
  const Nibble nibble = nibble_of(weight);
  QuizQuestion q;
  q.about = kAbout;
  q.asks = fmt::format("Which lane has W[{}][{}], in which word, in which nibble, 0 to 7?",
                       weight.k, weight.col);
  q.expects = "lane word nibble, such as 6 0 5";
  q.parts = {"lane", "word", "nibble"};
  q.limits = {32, 4, 8};
  q.answers = {{nibble.lane, nibble.word, nibble.number}};
  q.reveal =
      fmt::format("{} {} {}\n{}", nibble.lane, nibble.word, nibble.number, why(weight, nibble));
  return q;
}

QuizQuestion ask_packed_weight(const Below& below) {
  const Weight weight{below(128), below(8)};
  const Nibble nibble = nibble_of(weight);
  QuizQuestion q;
  q.about = kAbout;
  q.asks = fmt::format("Which weight, k and column, is nibble {} of word {} of lane {}?",
                       nibble.number, nibble.word, nibble.lane);
  q.expects = "k column, such as 13 1";
  q.parts = {"k", "column"};
  q.limits = {128, 8};
  q.answers = {{weight.k, weight.col}};
  q.reveal = fmt::format("W[{}][{}]\n{}", weight.k, weight.col, why(weight, nibble));
  return q;
}

QuizQuestion ask_between_1024(const Below& below) {
  const auto word = static_cast<unsigned>(below(65536)) << 16 | static_cast<unsigned>(below(65536));
  const int second = below(2), unit = second == 0 ? 1 : 16;
  const int low = static_cast<int>(word >> second * 4 & 15),
            high = static_cast<int>(word >> (16 + second * 4) & 15);
  QuizQuestion q;
  q.about = "lop3 puts nibbles between the bits of f16 1024, 0x6400";
  q.asks = fmt::format(
      "The word is 0x{:08x}. Which numbers are the halves of (word & 0x{:08x}) | 0x64006400, as "
      "f16?",
      word, 0x000f000fu << second * 4);
  q.expects = "two numbers, low half first, such as 1029 1024";
  q.parts = {"low half", "high half"};
  q.limits = {2048, 2048};
  q.answers = {{1024 + unit * low, 1024 + unit * high}};
  q.reveal = fmt::format(
      "{} and {}\nfrom 1024 to 2048 the numbers of f16 are 1 apart, so bit 0 is worth 1 and bit 4 "
      "is worth 16\nthe nibbles are {} and {}: 1024 + {}{} and 1024 + {}{}",
      1024 + unit * low, 1024 + unit * high, low, high, second == 0 ? "" : "16 * ", low,
      second == 0 ? "" : "16 * ", high);
  return q;
}

}  // namespace lanescope::viz
