// SPDX-License-Identifier: MIT
// The questions of lesson 14: the atlas knows where a sum of D is, and which slot of A is its
// place; weights that are rescaled are those of the new maximum.
#include "panels/quiz/quiz_chain.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <string>

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 14 asks for the register of A that has the place of a sum of D, and its lane") {
  const layout::Instruction* mma =
      layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(mma != nullptr);
  std::set<std::vector<int>> seen;
  int asked = 0;
  for (const QuizQuestion& question : draw_quiz(14, 5, 300)) {
    int lane = 0, sum = 0;
    char last[8] = {};
    if (std::sscanf(question.asks.c_str(),
                    "Which register of A does lane %d put r%d of D%7[^i]into", &lane, &sum,
                    last) != 3)
      continue;
    const bool right = std::string(last).find("n=8") != std::string::npos;
    REQUIRE(question.answers.size() == 1);
    const std::vector<int>& answer = question.answers[0];
    const layout::Element d = mma->D.element(lane, sum);
    const layout::Element a = mma->A.element(lane, answer[0] * 2 + answer[1]);
    CAPTURE(question.asks);
    CHECK(a.row == d.row);
    CHECK(a.col == d.col + (right ? 8 : 0));
    const std::string before = right ? "8 + " + std::to_string(a.col - 8) + " = " : "";
    CHECK(question.reveal.find(", column " + before + std::to_string(a.col) + "\n") !=
          std::string::npos);
    seen.insert(answer);
    ++asked;
  }
  CHECK(asked > 100);
  CHECK(seen.size() == 8);
}

TEST_CASE("lesson 14 asks what a larger maximum does to what was added up") {
  int asked = 0, stays = 0;
  for (const QuizQuestion& question : draw_quiz(14, 5, 300)) {
    int before = 0, here = 0;
    if (std::sscanf(question.asks.c_str(),
                    "A row's maximum so far is %d, the largest of its next 16 scores %d.", &before,
                    &here) != 2)
      continue;
    REQUIRE(question.answers.size() == 1);
    const double factor = std::exp2(-question.answers[0][0]);
    // Any score's weight, by the maximum before and by that of both.
    const double old = std::exp2(2 - before), now = std::exp2(2 - std::fmax(before, here));
    CHECK(old * factor == now);
    stays += factor == 1;
    ++asked;
  }
  CHECK(asked > 100);
  CHECK(stays > 10);
  CHECK(stays < asked / 2);
}
