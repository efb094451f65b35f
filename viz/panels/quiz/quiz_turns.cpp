// SPDX-License-Identifier: MIT
// See quiz_turns.hpp.
//
// Source: PTX ISA 9.2, 9.7.15.7.3 (wgmma.wait_group); lesson 22.
#include "panels/quiz/quiz_turns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {

//   products   |0 0 0|1 1 1|0 0 0|1 1 1|          whoever has less to do waits for the other
//   softmax          |0 0  |1 1  |0 0  |1 1  |
QuizQuestion ask_turns(const Below& below) {
  const int products = 100 * (4 + below(9)), softmax = 100 * (2 + below(14)), blocks = 2 + below(7);
  const int alone = blocks * (products + softmax);
  const int round = std::max(2 * products, products + softmax);
  const int turns = (blocks - 1) * round + 2 * products + softmax;
  QuizQuestion q;
  q.about = fmt::format(
      "a block of keys is {} clocks of products, then {} of softmax; two warpgroups have {} blocks "
      "each, and the tensor cores make one group's products at a time",
      products, softmax, blocks);
  q.asks =
      "How many clocks until both are done, if group 1 begins when group 0 has ended, and if "
      "one multiplies while the other makes its softmax?";
  q.expects = "two numbers, such as 9000 5700";
  q.parts = {"one after the other", "in turns"};
  q.limits = {100000, 100000};
  q.answers = {{2 * alone, turns}};
  q.reveal = fmt::format(
      "{} {}\n2 * {} * ({} + {}) = {}\nin turns a round takes the longer of 2 * {} and {} + {}: "
      "{}; {} of them, then both groups' last products and group 1's softmax: {}",
      2 * alone, turns, blocks, products, softmax, 2 * alone, products, products, softmax, round,
      blocks - 1, turns);
  return q;
}

}  // namespace lanescope::viz
