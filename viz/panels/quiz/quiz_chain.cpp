// SPDX-License-Identifier: MIT
// See quiz_chain.hpp.
//
// Sources: PTX ISA 9.2, 9.7.14.5.8 (A and D of m16n8k16); Milakov and Gimelshein, Online normalizer
// calculation for softmax.
#include "panels/quiz/quiz_chain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {

QuizQuestion ask_next_a(const Below& below) {
  const int lane = below(32), right = below(2), sum = below(4);
  const int row = lane / 4 + sum / 2 * 8, col = right * 8 + lane % 4 * 2 + sum % 2;
  const char* name = right == 0 ? "D" : "D n=8";
  QuizQuestion q;
  q.about = "D and D n=8 of mma.sync.m16n8k16, f32, side by side become the A of the next one, f16";
  q.asks = fmt::format("Which register of A does lane {} put r{} of {} into, and which half of it?",
                       lane, sum, name);
  q.expects = "register half, such as r1 hi";
  q.parts = {"register", "half"};
  q.limits = {4, 2};
  const int reg = right * 2 + sum / 2, half = sum % 2;
  q.answers = {{reg, half}};
  q.reveal = fmt::format(
      "A.r{}.{}\nr{} of {} is row {}, column {}{}\n"
      "of A, lane {} has row {} in r{} and r{}, columns from 8 on in r2 and r3; odd ones are hi",
      reg, half == 0 ? "lo" : "hi", sum, name, row,
      right == 0 ? "" : fmt::format("8 + {} = ", col - 8), col, lane, row, sum / 2, sum / 2 + 2);
  return q;
}

QuizQuestion ask_rescaling(const Below& below) {
  const int before = 3 + below(20), here = std::max(0, before - 4 + below(14));
  const int grown = std::max(0, here - before);
  QuizQuestion q;
  q.about = "softmax with powers of 2 and a running maximum: a weight is 2^(score - maximum)";
  q.asks = fmt::format(
      "A row's maximum so far is {}, the largest of its next 16 scores {}. What was added up "
      "before "
      "is multiplied by 2 to the power of minus what?",
      before, here);
  q.expects = "a number, such as 3; 0: it stays as it is";
  q.parts = {"number"};
  q.limits = {32};
  q.answers = {{grown}};
  q.reveal =
      grown > 0
          ? fmt::format(
                "{0}\nthe maximum grows from {1} to {2}; weights were 2^(score - {1}), and are to "
                "be 2^(score - {2}): O and the sum of weights times 2^({1} - {2}) = 2^-{0}",
                grown, before, here)
          : fmt::format(
                "0\n{} is not larger than {}: the maximum stays, and all that was added up with it",
                here, before);
  return q;
}

}  // namespace lanescope::viz
