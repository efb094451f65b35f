// SPDX-License-Identifier: MIT
// The questions about numbers: what common/numeric rounds to, by its own way, is the answer; and
// the registers are those of __launch_bounds__, counted lane by lane.
#include "panels/quiz_numbers.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <string>

#include "numeric/format.hpp"

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 2 asks what is left of a number, and it is what numeric makes of it") {
  std::set<std::string> types;
  int ties = 0;
  for (const QuizQuestion& question : draw_quiz(2, 5, 300)) {
    int number = 0;
    if (std::sscanf(question.asks.c_str(), "Which number does %d become?", &number) != 1) continue;
    char name[16] = {};
    REQUIRE(std::sscanf(question.about.c_str(), "cvt.rn to %15[^,]", name) == 1);
    const numeric::Format* format = numeric::find_format(name);
    REQUIRE(format != nullptr);
    types.insert(name);
    const double left = numeric::decode(*format, numeric::encode(*format, number));
    CAPTURE(question.asks);
    CAPTURE(name);
    CHECK(question.answers == std::vector<std::vector<int>>{{static_cast<int>(left)}});
    CHECK(left != number);  // there is something to round
    CHECK(question.about.find(std::to_string(format->mantissa_bits)) != std::string::npos);
    ties += question.reveal.find("half-way") != std::string::npos;
  }
  CHECK(types.size() == 4);
  CHECK(ties > 5);
}

TEST_CASE("lesson 8 asks for how many registers there is room") {
  std::set<std::string> endings;
  for (const QuizQuestion& question : draw_quiz(8, 5, 300)) {
    int threads = 0, rows = 0, cols = 0;
    if (std::sscanf(question.about.c_str(),
                    "a kernel with __launch_bounds__(%d); a warp has %d x %d of D", &threads, &rows,
                    &cols) != 3)
      continue;
    REQUIRE(question.answers.size() == 1);
    const int registers = question.answers[0][0], sums = question.answers[0][1];
    CHECK(registers * threads <= 65536);
    CHECK((registers == 255 || (registers + 1) * threads > 65536));
    CHECK(sums * 32 == rows * cols);
    const bool spills = question.reveal.find("it spills") != std::string::npos;
    CHECK(spills == (sums >= registers));
    endings.insert(spills ? "spills" : "fits");
  }
  CHECK(endings.size() == 2);
}
