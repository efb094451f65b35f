// SPDX-License-Identifier: MIT
// The questions of lesson 21, answered by another way: steps are dealt out one after the other, and
// blocks go to whichever SM is free.
#include "panels/quiz/quiz_split.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

#include "tests/viz/quiz_words.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

/// The block of every step of the row: the one whose end lies behind it, counted in parts of a
/// step.
std::vector<int> dealt(int tiles, int steps, int blocks) {
  std::vector<int> block_of;
  int block = 0;
  for (int step = 0; step < tiles * steps; ++step) {
    while (step + 1 > (block + 1) * tiles * steps / blocks) ++block;
    block_of.push_back(block);
  }
  return block_of;
}

}  // namespace

TEST_CASE("lesson 21 asks where a share begins, and in how many parts a tile is") {
  int begins = 0, parts = 0, middles = 0;
  for (const QuizQuestion& question : draw_quiz(21, 4, 300)) {
    int tiles = 0, steps = 0, blocks = 0, which = 0;
    if (std::sscanf(question.about.c_str(), "%d tiles of %d steps make one row; block x of %d",
                    &tiles, &steps, &blocks) != 3)
      continue;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const std::vector<int> block_of = dealt(tiles, steps, blocks);
    const std::vector<int>& answer = question.answers.at(0);
    if (std::sscanf(question.asks.c_str(), "With which tile does block %d begin", &which) == 1) {
      const auto first = std::find(block_of.begin(), block_of.end(), which) - block_of.begin();
      CHECK(answer[0] * steps + answer[1] == first);
      CHECK(answer[1] < steps);
      middles += answer[1] != 0;
      ++begins;
    } else if (std::sscanf(question.asks.c_str(), "Which is the first block with a part of tile %d",
                           &which) == 1) {
      const auto begin = block_of.begin() + which * steps;
      const std::set<int> of_tile(begin, begin + steps);
      CHECK(answer == std::vector<int>{*of_tile.begin(), static_cast<int>(of_tile.size())});
      const std::string last = "block " + std::to_string(*of_tile.rbegin()) + " has ";
      CHECK(question.reveal.find(last) != std::string::npos);
      CHECK(question.reveal.find(last) == question.reveal.rfind(last));
      ++parts;
    }
  }
  CHECK(begins > 80);
  CHECK(parts > 80);
  CHECK(middles > 60);
}

TEST_CASE(
    "lesson 21 asks how long the longest SM is busy: block after block to the next free one") {
  int asked = 0, alike = 0;
  std::set<int> splits;
  for (const QuizQuestion& question : draw_quiz(21, 7, 300)) {
    int tiles = 0, steps = 0, split = 1;
    if (!has(question.about, " on 132 SMs")) continue;
    std::sscanf(question.about.c_str(), "%d tiles of %d steps", &tiles, &steps);
    CAPTURE(question.asks);
    if (has(question.asks, "split by ")) split = number_behind(question.asks, "split by ");
    std::vector<int> busy(132, 0);
    for (int block = 0; block < tiles * split; ++block)
      *std::min_element(busy.begin(), busy.end()) += steps / split;
    std::vector<int> shares(132, 0);
    for (int step = 0; step < tiles * steps; ++step) ++shares[static_cast<std::size_t>(step % 132)];
    CHECK(question.answers.at(0) ==
          std::vector<int>{*std::max_element(busy.begin(), busy.end()), shares[0]});
    const std::string of_all = ": " + std::to_string(shares[0]) + " for each SM";
    CHECK(has(question.reveal, of_all) == (shares[131] == shares[0]));
    alike += shares[131] == shares[0];
    splits.insert(split);
    ++asked;
  }
  CHECK(asked > 80);
  CHECK(alike > 0);
  CHECK(splits == std::set<int>{1, 2, 4, 8});
}
