// SPDX-License-Identifier: MIT
// The questions of lesson 18, answered by another way: lanes and bytes tried one after the other by
// the ISA's figures, written down here.
//
// Source: PTX ISA 9.2, 9.7.14.3, figures 43 to 45.
#include "panels/quiz/quiz_scales.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <string>

using namespace lanescope;
using namespace lanescope::viz;

namespace {

struct About {
  int vectors, K;
  bool of_a;
  int byte_id, thread_id;
};
bool read_about(const std::string& text, About& about) {
  char side = 0;
  if (std::sscanf(text.c_str(),
                  "%*[A-Z0-9], m16n8k%d, scale_vec::%dX: SF%c, {byte-id %d, thread-id %d}",
                  &about.K, &about.vectors, &side, &about.byte_id, &about.thread_id) != 5)
    return false;
  about.of_a = side == 'A';
  return true;
}

/// What a byte of a lane scales: row or column, first k; -1: nothing.
struct Scaled {
  int line = -1, k = -1;
};
Scaled scaled_by(const About& about, int lane, int byte) {
  const int group = lane >> 2, member = lane & 3, chunk = byte - about.byte_id;
  if (chunk < 0 || chunk >= about.vectors) return {};
  if (about.of_a && member >> 1 != about.thread_id) return {};
  if (!about.of_a && member != about.thread_id) return {};
  return {about.of_a ? group + 8 * (member & 1) : group, chunk * about.K / about.vectors};
}

}  // namespace

TEST_CASE("lesson 18 asks who hands in a scale, and what a byte scales") {
  std::set<int> sizes, threads;
  int holders = 0, places = 0;
  for (const QuizQuestion& question : draw_quiz(18, 5, 400)) {
    About about{};
    if (!read_about(question.about, about)) continue;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    char what[8] = "";
    int line = 0, k = 0, byte = 0, lane = 0;
    if (std::sscanf(question.asks.c_str(),
                    "Which lane's which byte, 0 to 3, scales %7[a-z] %d, k = %d", what, &line,
                    &k) == 3) {
      int found = 0;
      for (lane = 0; lane < 32; ++lane)
        for (byte = 0; byte < 4; ++byte) {
          const Scaled scaled = scaled_by(about, lane, byte);
          if (scaled.line != line || k < scaled.k || k >= scaled.k + about.K / about.vectors)
            continue;
          CHECK(question.answers == std::vector<std::vector<int>>{{lane, byte}});
          ++found;
        }
      CHECK(found == 1);
      CHECK((std::string(what) == "row") == about.of_a);
      ++holders;
    } else {
      REQUIRE(std::sscanf(question.asks.c_str(),
                          about.of_a ? "Which row of A does byte %d of lane %d"
                                     : "Which column of B does byte %d of lane %d",
                          &byte, &lane) == 2);
      const Scaled scaled = scaled_by(about, lane, byte);
      CHECK(question.answers == std::vector<std::vector<int>>{{scaled.line, scaled.k}});
      ++places;
    }
    sizes.insert(about.vectors);
    threads.insert(about.thread_id);
  }
  CHECK(holders > 50);
  CHECK(places > 50);
  CHECK(sizes == std::set<int>{1, 2, 4});
  CHECK(threads == std::set<int>{0, 1, 2, 3});
}

TEST_CASE("lesson 18 asks for the byte of a scale") {
  std::set<int> seen;
  for (const QuizQuestion& question : draw_quiz(18, 5, 400)) {
    double largest = 0;
    if (std::sscanf(question.asks.c_str(), "The largest of 32 numbers is %lf.", &largest) != 1)
      continue;
    CAPTURE(question.asks);
    REQUIRE(question.answers.size() == 1);
    const int byte = question.answers[0][0];
    CHECK(6 * std::ldexp(1.0, byte - 127) == doctest::Approx(largest).epsilon(1e-5));
    seen.insert(byte);
  }
  CHECK(seen.size() > 10);
}
