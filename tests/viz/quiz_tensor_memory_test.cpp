// SPDX-License-Identifier: MIT
// The questions of lesson 17, answered by another way: rows counted out lane by lane as the ISA's
// figures have them, addresses put together by a loop, the descriptor by layout's own words.
//
// Source: PTX ISA 9.2, 9.7.16.10.5, layouts D and F.
#include "panels/quiz/quiz_tensor_memory.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <string>

#include "layout/tcgen05.hpp"

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 17 asks where a row of D lies, and who fetches it") {
  std::set<int> sizes, warps;
  for (const QuizQuestion& question : draw_quiz(17, 5, 400)) {
    int row = 0, M = 0;
    if (std::sscanf(question.asks.c_str(), "In which lane of tensor memory is row %d", &row) != 1)
      continue;
    REQUIRE(std::sscanf(question.about.c_str(), "tcgen05.mma.cta_group::1, M = %d", &M) == 1);
    // Counted: with M = 64 each warp's upper 16 lanes are left out.
    int lane = 0;
    for (int counted = 0;; ++lane) {
      if (M == 64 && lane % 32 >= 16) continue;
      if (counted++ == row) break;
    }
    CAPTURE(question.asks);
    CHECK(question.answers == std::vector<std::vector<int>>{{lane, lane / 32}});
    sizes.insert(M);
    warps.insert(lane / 32);
  }
  CHECK(sizes == std::set<int>{64, 128});
  CHECK(warps.size() == 4);
}

TEST_CASE("lesson 17 asks for the address of tcgen05.ld") {
  std::set<int> seen;
  for (const QuizQuestion& question : draw_quiz(17, 5, 400)) {
    unsigned answered = 0;
    int warp = 0, col = 0;
    if (std::sscanf(question.asks.c_str(), "Warp %d wants its rows' columns %d", &warp, &col) != 2)
      continue;
    REQUIRE(std::sscanf(question.about.c_str(), "alloc answered 0x%x", &answered) == 1);
    CAPTURE(question.asks);
    CHECK(answered < 512);
    const int column = static_cast<int>(answered) + col;
    CHECK(column + 16 <= 512);
    int lane = 0;
    for (int before = 0; before < warp; ++before) lane += 32;
    CHECK(question.answers == std::vector<std::vector<int>>{{lane, column}});
    seen.insert(column);
  }
  CHECK(seen.size() > 10);
}

TEST_CASE("lesson 17 asks for the fields of an instruction descriptor, as layout sets them") {
  std::set<int> sizes;
  for (const QuizQuestion& question : draw_quiz(17, 5, 400)) {
    int M = 0, N = 0;
    if (std::sscanf(question.asks.c_str(), "M = %d, N = %d:", &M, &N) != 2) continue;
    std::uint32_t bits = layout::usual_instruction(layout::Tcgen05Kind::f16);
    CAPTURE(question.asks);
    CHECK(layout::set_instruction_fields(
              layout::Tcgen05Kind::f16,
              "m=" + std::to_string(M) + " n=" + std::to_string(N) + " d=f32 a=f16 b=f16",
              bits) == "");
    std::vector<int> fields(2, -1);
    for (const layout::DescriptorField& field :
         layout::instruction_fields(layout::Tcgen05Kind::f16, bits)) {
      CHECK(field.good);
      if (field.name == "n") fields[0] = static_cast<int>(field.bits);
      if (field.name == "m") fields[1] = static_cast<int>(field.bits);
    }
    CHECK(question.answers == std::vector<std::vector<int>>{fields});
    char shown[16];
    std::snprintf(shown, sizeof shown, "0x%08x", bits);
    CHECK(question.reveal.find(shown) != std::string::npos);
    sizes.insert(N);
  }
  CHECK(sizes.size() > 15);
}
