// SPDX-License-Identifier: MIT
// See quiz_sparse.hpp.
//
// Source: PTX ISA 9.2, 9.7.14.6.1, and 9.7.14.6.2.2 (m16n8k32; metadata in figure 122).
#include "panels/quiz/quiz_sparse.hpp"

#include <fmt/format.h>

namespace lanescope::viz {

QuizQuestion ask_metadata(const Below& below) {
  const int selector = below(2), row = below(16), four = below(8);
  const int lane = row % 8 * 4 + selector * 2 + four / 4, nibble = row / 8 * 4 + four % 4;
  QuizQuestion q;
  q.about = "mma.sp.m16n8k32, f16: of every four columns of A two are kept; eight fours a row";
  q.asks = fmt::format(
      "Selector {}: which lane's metadata say what is kept of row {}, four {}, and which nibble "
      "of them, 0 to 7 from the low bits?",
      selector, row, four);
  q.expects = "lane nibble, such as 6 3";
  q.parts = {"lane", "nibble"};
  q.limits = {32, 8};
  q.answers = {{lane, nibble}};
  q.reveal = fmt::format(
      "lane {}, nibble {}\nrow {} is of lanes {} to {}, of which selector {} has {} and {} read: "
      "fours 0 to 3 in the "
      "first, 4 to 7 in the second\nnibbles 0 to 3 are of row {}, 4 to 7 of row {}",
      lane, nibble, row, row % 8 * 4, row % 8 * 4 + 3, selector, row % 8 * 4 + selector * 2,
      row % 8 * 4 + selector * 2 + 1, row % 8, row % 8 + 8);
  return q;
}

QuizQuestion ask_nibble(const Below& below) {
  const int four = below(8), first = below(3),
            second = first + 1 + below(static_cast<std::size_t>(3 - first));
  const int nibble = first | second << 2;
  QuizQuestion q;
  q.about = "2:4 metadata: two indices of two bits for every four columns, the first one lowest";
  q.asks = fmt::format("Columns {} and {} of a row are kept. Which nibble says so, as a number?",
                       four * 4 + first, four * 4 + second);
  q.expects = "a number from 0 to 15, such as 4";
  q.parts = {"number"};
  q.limits = {16};
  q.answers = {{nibble}};
  q.reveal =
      fmt::format("{}\nof columns {} to {} these are {} and {}: {} + 4*{} = {}, in bits {:04b}",
                  nibble, four * 4, four * 4 + 3, first, second, first, second, nibble, nibble);
  return q;
}

}  // namespace lanescope::viz
