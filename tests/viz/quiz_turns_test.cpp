// SPDX-License-Identifier: MIT
// The question of lesson 22, answered by another way: clock after clock, with tensor cores that
// make one group's products at a time.
#include "panels/quiz/quiz_turns.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>

#include "tests/viz/quiz_words.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

struct Group {
  int blocks = 0;                 // yet to be begun
  int products = 0, softmax = 0;  // clocks left of this block's
  bool is_done() const { return blocks == 0 && products == 0 && softmax == 0; }
};

/// In hundreds of clocks. `whose`: who has the tensor cores.
int clocks_in_turns(int products, int softmax, int blocks) {
  Group groups[2] = {{blocks}, {blocks}};
  int clock = 0, whose = 0;
  for (; !groups[0].is_done() || !groups[1].is_done(); ++clock) {
    const bool busy = groups[whose].products > 0;
    if (!busy) {
      // The other one's turn, if that one is ready; else mine, if I am.
      for (const int group : {1 - whose, whose}) {
        Group& next = groups[group];
        if (next.blocks == 0 || next.softmax > 0 || next.products > 0) continue;
        if (clock == 0 && group == 1) continue;  // group 0 begins
        next.products = products, next.softmax = softmax, --next.blocks, whose = group;
        break;
      }
    }
    for (Group& group : groups)
      if (group.products > 0)
        --group.products;
      else if (group.softmax > 0)
        --group.softmax;
  }
  return clock;
}

}  // namespace

TEST_CASE("lesson 22 asks how long two warpgroups take, in turns and one after the other") {
  int asked = 0, products_rule = 0, softmax_rules = 0;
  for (const QuizQuestion& question : draw_quiz(22, 3, 300)) {
    int products = 0, softmax = 0, blocks = 0;
    if (std::sscanf(question.about.c_str(),
                    "a block of keys is %d clocks of products, then %d of softmax; two warpgroups "
                    "have %d blocks",
                    &products, &softmax, &blocks) != 3)
      continue;
    CAPTURE(question.about);
    CHECK(question.answers.at(0)[0] == 2 * blocks * (products + softmax));
    CHECK(question.answers.at(0)[1] ==
          100 * clocks_in_turns(products / 100, softmax / 100, blocks));
    ++(softmax > products ? softmax_rules : products_rule);
    ++asked;
  }
  CHECK(asked > 60);
  CHECK(products_rule > 15);
  CHECK(softmax_rules > 15);
}
