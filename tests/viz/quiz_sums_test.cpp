// SPDX-License-Identifier: MIT
// The questions of lesson 16, answered by another way: numbers one after the other as a tensor core
// has them, and a loop that counts.
#include "panels/quiz/quiz_sums.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <string>

using namespace lanescope;
using namespace lanescope::viz;

namespace {

/// What is left above the last of `bits` places behind 2^exponent's point.
double cut(double number, int exponent, int bits) {
  return std::ldexp(std::trunc(std::ldexp(number, bits - exponent)), exponent - bits);
}

}  // namespace

TEST_CASE("lesson 16 asks by how much a sum grows, and the answer is that of docs/arithmetic.md") {
  std::set<std::string> units;
  std::set<int> seen;
  int lost = 0;
  for (const QuizQuestion& question : draw_quiz(16, 5, 400)) {
    int exponent = 0, count = 0;
    if (std::sscanf(question.asks.c_str(), "D is 2^%d. %d of the products", &exponent, &count) != 2)
      continue;
    int product = 0;
    const std::string word = count == 1 ? " is " : " are ";
    const std::string asks = question.asks.substr(question.asks.find("products"));
    REQUIRE(std::sscanf(asks.c_str() + asks.find(word) + word.size(), "%d", &product) == 1);
    const bool fp8 = question.about.find("e4m3") != std::string::npos;
    const int places = fp8 ? 13 : question.about.find("sm_80") != std::string::npos ? 24 : 25;
    units.insert(question.about.substr(0, question.about.find(':')));
    double sum = std::ldexp(1.0, exponent);
    for (int i = 0; i < count; ++i) sum += cut(product, exponent, places);
    const double grown = cut(sum, exponent, fp8 ? 13 : 23) - std::ldexp(1.0, exponent);
    CAPTURE(question.asks);
    CAPTURE(question.about);
    CHECK(question.answers == std::vector<std::vector<int>>{{static_cast<int>(grown)}});
    lost += grown < count * product;
    seen.insert(static_cast<int>(grown));
  }
  CHECK(units.size() == 3);
  CHECK(seen.size() > 20);
  CHECK(lost > 50);
}

TEST_CASE("lesson 16 asks how often sums move out, and for scale-d, as a loop has them") {
  std::set<int> scales;
  int shorter = 0;
  for (const QuizQuestion& question : draw_quiz(16, 5, 400)) {
    int K = 0, every = 0, step = 0;
    if (std::sscanf(question.asks.c_str(),
                    "K = %d, and every %d of it the sums move out of the tensor core: how many "
                    "times, and what is scale-d of step %d",
                    &K, &every, &step) != 3)
      continue;
    int times = 0, scale_d = 0, anew = 0;
    for (int k = 0; k < K; k += 32) {
      if (k == step * 32) scale_d = k != anew;
      if (k + 32 == K || k + 32 - anew == every) ++times, anew = k + 32;
    }
    CAPTURE(question.asks);
    CHECK(question.answers == std::vector<std::vector<int>>{{times, scale_d}});
    CHECK(step * 32 < K);
    const std::string groups = times == 1 ? " 1 group" : " groups";
    CHECK(question.reveal.find(groups + (K % every == 0 ? "\n"
                                         : times == 1   ? ", which is shorter\n"
                                                        : ", the last one shorter\n")) !=
          std::string::npos);
    scales.insert(scale_d);
    shorter += K % every != 0;
  }
  CHECK(scales.size() == 2);
  CHECK(shorter > 20);
}
