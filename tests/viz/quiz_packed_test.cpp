// SPDX-License-Identifier: MIT
// The questions of lesson 19, answered by another way: lanes, words and nibbles tried one after the
// other by the ISA's formulas, written down here; numbers by common/numeric.
//
// Source: PTX ISA 9.2, 9.7.14.5.8 (B of m16n8k16).
#include "panels/quiz/quiz_packed.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <vector>

#include "numeric/format.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

/// The weight of a nibble: bit 0 the register, bit 1 the step, bit 2 the half.
std::vector<int> weight_of(int lane, int word, int nibble) {
  const int thread_in_group = lane & 3, group = lane >> 2, i = (nibble & 1) * 2 + (nibble >> 2);
  const int row = thread_in_group * 2 + (i & 1) + (i >> 1) * 8;  // the manual's, for b0 to b3
  return {(word * 2 + (nibble >> 1 & 1)) * 16 + row, group};
}

}  // namespace

TEST_CASE("lesson 19 asks where a weight is, and what a nibble is") {
  int places = 0, weights = 0;
  std::set<int> words, nibbles;
  for (const QuizQuestion& question : draw_quiz(19, 5, 600)) {
    CAPTURE(question.asks);
    REQUIRE(question.answers.size() == 1);
    const std::vector<int>& answer = question.answers[0];
    int k = 0, col = 0, nibble = 0, word = 0, lane = 0;
    if (std::sscanf(question.asks.c_str(), "Which lane has W[%d][%d]", &k, &col) == 2) {
      CHECK(weight_of(answer[0], answer[1], answer[2]) == std::vector<int>{k, col});
      words.insert(answer[1]), nibbles.insert(answer[2]);
      ++places;
    } else if (std::sscanf(question.asks.c_str(),
                           "Which weight, k and column, is nibble %d of word %d of lane %d",
                           &nibble, &word, &lane) == 3) {
      CHECK(weight_of(lane, word, nibble) == answer);
      ++weights;
    }
  }
  CHECK(places > 100);
  CHECK(weights > 100);
  CHECK(words.size() == 4);
  CHECK(nibbles.size() == 8);
}

TEST_CASE("lesson 19 asks what lop3 makes of a word, and it is what numeric reads") {
  std::set<unsigned> masks;
  for (const QuizQuestion& question : draw_quiz(19, 6, 400)) {
    unsigned word = 0, mask = 0;
    if (std::sscanf(question.asks.c_str(),
                    "The word is 0x%8x. Which numbers are the halves of (word & 0x%8x)", &word,
                    &mask) != 2)
      continue;
    CAPTURE(question.asks);
    const unsigned made = (word & mask) | 0x64006400u;
    const auto number = [](unsigned half) {
      return static_cast<int>(numeric::decode(numeric::kF16, half & 0xffff));
    };
    CHECK(question.answers == std::vector<std::vector<int>>{{number(made), number(made >> 16)}});
    masks.insert(mask);
  }
  CHECK(masks == std::set<unsigned>{0x000f000f, 0x00f000f0});
}
