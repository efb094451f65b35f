// SPDX-License-Identifier: MIT
// The questions of lesson 23, answered by another way: the layout is read from the question letter
// by letter, its parentheses dropped, and numbers are counted digit by digit.
//
// Source: CUTLASS, media/docs/cpp/cute/01_layout.md.
#include "panels/quiz/quiz_layouts.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

using namespace lanescope;
using namespace lanescope::viz;

namespace {

struct Digits {
  std::vector<int> shape, stride;
  int threads = 1;
};

/// Of the first "((...),(...)):(...)" from `from` on.
Digits digits_of(const std::string& text, std::size_t from = 0) {
  Digits digits;
  std::vector<int>* numbers = &digits.shape;
  int depth = 0;
  bool in_threads = true;
  for (std::size_t at = text.find("(", from); at < text.size(); ++at) {
    const char letter = text[at];
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ',' && depth == 1) in_threads = false;
    if (letter >= '0' && letter <= '9') {
      std::size_t used = 0;
      numbers->push_back(std::stoi(text.substr(at), &used));
      if (numbers == &digits.shape && in_threads) digits.threads *= numbers->back();
      at += used - 1;
    }
    if (depth > 0 || letter != ')') continue;
    if (numbers == &digits.stride) break;
    numbers = &digits.stride;
  }
  REQUIRE(digits.shape.size() == digits.stride.size());
  return digits;
}

int number_of(const Digits& digits, int at) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.shape.size(); ++i) {
    sum += at % digits.shape[i] * digits.stride[i];
    at /= digits.shape[i];
  }
  return sum;
}

}  // namespace

TEST_CASE("lesson 23 asks what a layout makes of a thread's value, and whose a number is") {
  int numbers = 0, owners = 0, many = 0;
  std::set<std::string> abouts;
  for (const QuizQuestion& question : draw_quiz(23, 7, 400)) {
    CAPTURE(question.about);
    CAPTURE(question.asks);
    REQUIRE(!question.answers.empty());
    int value = 0, thread = 0, number = 0;
    if (std::sscanf(question.asks.c_str(),
                    "Which number has the element that is value %d of %*s %d", &value,
                    &thread) == 2) {
      const Digits map = digits_of(question.about, question.about.find(": "));
      CHECK(question.answers ==
            std::vector<std::vector<int>>{{number_of(map, thread + map.threads * value)}});
      abouts.insert(question.about);
      ++numbers;
    } else if (std::sscanf(question.asks.c_str(), "Which %*s has number %d", &number) == 1) {
      const Digits map = digits_of(question.about, question.about.find(": "));
      std::set<std::vector<int>> who;
      int all = 1;
      for (const int count : map.shape) all *= count;
      for (int at = 0; at < all; ++at)
        if (number_of(map, at) == number) who.insert({at % map.threads, at / map.threads});
      CHECK(std::set<std::vector<int>>(question.answers.begin(), question.answers.end()) == who);
      many += who.size() > 1;
      ++owners;
    }
  }
  CHECK(numbers > 60);
  CHECK(owners > 60);
  CHECK(many > 5);             // of the tile: B is the same for two of four warps
  CHECK(abouts.size() == 12);  // A, B and D of four instructions
}

TEST_CASE("lesson 23 asks where a lane finds its value in memory") {
  std::set<std::string> memories;
  for (const QuizQuestion& question : draw_quiz(23, 8, 400)) {
    int lane = 0, value = 0;
    if (std::sscanf(question.asks.c_str(),
                    "At which offset, in elements, does lane %d find its value %d", &lane,
                    &value) != 2)
      continue;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const std::size_t lies = question.about.find("lies ");
    REQUIRE(lies != std::string::npos);
    const Digits fragment = digits_of(question.about), memory = digits_of(question.about, lies);
    const int offset = number_of(memory, number_of(fragment, lane + 32 * value));
    CHECK(question.answers == std::vector<std::vector<int>>{{offset}});
    memories.insert(question.about.substr(lies));
  }
  CHECK(memories.size() == 4);
}

TEST_CASE("lesson 23 asks for strides that fill memory without a gap, in the order it says") {
  int asked = 0;
  for (const QuizQuestion& question : draw_quiz(23, 9, 400)) {
    int order[3], shape[3];
    if (std::sscanf(question.asks.c_str(),
                    "Neighbours in memory differ in digit %d, then in digit %d, then in digit %d",
                    &order[0], &order[1], &order[2]) != 3)
      continue;
    REQUIRE(std::sscanf(question.about.c_str(), "a layout of shape (%d,%d,%d)", &shape[0],
                        &shape[1], &shape[2]) == 3);
    const std::vector<int>& stride = question.answers.at(0);
    std::set<int> offsets;
    for (int at = 0; at < shape[0] * shape[1] * shape[2]; ++at)
      offsets.insert(at % shape[0] * stride[0] + at / shape[0] % shape[1] * stride[1] +
                     at / shape[0] / shape[1] * stride[2]);
    CHECK(static_cast<int>(offsets.size()) == shape[0] * shape[1] * shape[2]);
    CHECK(*offsets.rbegin() == static_cast<int>(offsets.size()) - 1);
    const auto worth = [&](int which) { return stride[static_cast<std::size_t>(order[which])]; };
    CHECK(worth(0) == 1);
    CHECK(worth(1) < worth(2));
    ++asked;
  }
  CHECK(asked > 60);
}
