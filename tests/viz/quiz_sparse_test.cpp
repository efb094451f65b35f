// SPDX-License-Identifier: MIT
// The questions of lesson 15: the atlas knows whose metadata are about which element of A.
#include "panels/quiz/quiz_sparse.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 15 asks for the lane and the nibble that the atlas has for a four") {
  const layout::Instruction* mma =
      layout::find("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  REQUIRE(mma != nullptr);
  std::set<std::vector<int>> seen;
  for (const QuizQuestion& question : draw_quiz(15, 5, 400)) {
    int selector = 0, row = 0, four = 0;
    if (std::sscanf(question.asks.c_str(),
                    "Selector %d: which lane's metadata say what is kept of row %d, four %d",
                    &selector, &row, &four) != 3)
      continue;
    REQUIRE(question.answers.size() == 1);
    const std::vector<int>& answer = question.answers[0];
    CAPTURE(question.asks);
    bool found = false;
    for (const layout::Held& held :
         layout::elements(mma->E.at(static_cast<std::size_t>(selector)), answer[0], 0))
      found = found || (held.holder.bit == answer[1] * 4 &&
                        held.element == layout::Element{row, four * 2, 0});
    CHECK(found);
    seen.insert(answer);
  }
  CHECK(seen.size() > 100);  // of 32 lanes with 8 nibbles each
}

TEST_CASE("lesson 15 asks for the nibble of two columns, and all six pairs come up") {
  std::set<int> seen;
  for (const QuizQuestion& question : draw_quiz(15, 5, 200)) {
    int left = 0, right = 0;
    if (std::sscanf(question.asks.c_str(), "Columns %d and %d of a row are kept.", &left, &right) !=
        2)
      continue;
    CHECK(left / 4 == right / 4);
    REQUIRE(question.answers.size() == 1);
    const int nibble = question.answers[0][0];
    CHECK((nibble & 3) == left % 4);
    CHECK((nibble >> 2) == right % 4);
    CHECK((nibble & 3) < (nibble >> 2));
    seen.insert(nibble);
  }
  CHECK(seen == std::set<int>{4, 8, 9, 12, 13, 14});
}
