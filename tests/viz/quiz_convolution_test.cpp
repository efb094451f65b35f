// SPDX-License-Identifier: MIT
// The questions of lesson 20, answered by another way: a tile of X is written down, place by place
// and byte by byte, and A is looked up in it.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 (ldmatrix: which lane names which row).
#include "panels/quiz/quiz_convolution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "tests/viz/quiz_words.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

/// Byte of the tile to what begins there: row, column and unit.
const std::map<int, std::vector<int>>& tile() {
  static const std::map<int, std::vector<int>> all = [] {
    std::map<int, std::vector<int>> bytes;
    int place = 0;
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 18; ++x, ++place)
        for (int unit = 0; unit < 8; ++unit)
          bytes[place * 128 + (unit ^ (place & 7)) * 16] = {y, x, unit};
    return bytes;
  }();
  return all;
}

}  // namespace

TEST_CASE("lesson 20 asks for a place and a byte, and the pixel that A wants is there") {
  int asked = 0;
  std::set<int> taps, halves;
  for (const QuizQuestion& question : draw_quiz(20, 5, 400)) {
    int r = 0, s = 0, from = 0, to = 0, lane = 0, warp = 0;
    if (std::sscanf(question.asks.c_str(),
                    "For tap %d,%d, channels %d to %d: which place and which byte of the tile does "
                    "lane %d of warp %d",
                    &r, &s, &from, &to, &lane, &warp) != 6)
      continue;
    CAPTURE(question.asks);
    const std::vector<int>& answer = question.answers.at(0);
    const int matrix = lane / 8, row = warp * 16 + matrix % 2 * 8 + lane % 8;
    const auto at = tile().find(answer[1]);
    REQUIRE(at != tile().end());
    // Pixel y,x of the block with its padding, which the tile begins with.
    CHECK(at->second == std::vector<int>{(row >> 4) + r, (row & 15) + s, from / 8 + matrix / 2});
    CHECK(answer[0] == answer[1] / 128);
    taps.insert(r * 3 + s), halves.insert(matrix / 2);
    ++asked;
  }
  CHECK(asked > 50);
  CHECK(taps.size() == 9);
  CHECK(halves.size() == 2);
}

TEST_CASE("lesson 20 asks which row a pixel is, and which element of a filter a k is") {
  int rows = 0, ks = 0, first_taps = 0;
  for (const QuizQuestion& question : draw_quiz(20, 6, 400)) {
    CAPTURE(question.asks);
    const std::vector<int>& answer = question.answers.at(0);
    int place = 0, y = 0, x = 0, r = 0, s = 0, k = 0;
    if (std::sscanf(question.asks.c_str(),
                    "Place %d of the tile, its row %d, column %d: which row of A is it for tap "
                    "%d,%d",
                    &place, &y, &x, &r, &s) == 5) {
      CHECK(place == y * 18 + x);
      std::vector<int> found;  // of all rows, those that lie there
      for (int row = 0; row < 64; ++row)
        if ((row >> 4) + r == y && (row & 15) + s == x) found.push_back(row);
      CHECK(found == answer);
      ++rows;
    } else if (std::sscanf(question.asks.c_str(), "Which tap, r and s, and which channel is k = %d",
                           &k) == 1) {
      const int channels = number_behind(question.about, "3 x 3 with ");
      int at = 0;  // counted out
      for (int tap_r = 0; tap_r < 3; ++tap_r)
        for (int tap_s = 0; tap_s < 3; ++tap_s)
          for (int c = 0; c < channels; ++c, ++at)
            if (at == k) CHECK(answer == std::vector<int>{tap_r, tap_s, c});
      CHECK(k < at);
      CHECK_FALSE(has(question.reveal, "the 1 taps"));
      CHECK_FALSE(has(question.reveal, "the 0 taps"));
      CHECK(has(question.reveal, "the one tap before it has ") ==
            (answer[0] == 0 && answer[1] == 1));
      first_taps += answer[0] == 0;
      ++ks;
    }
  }
  CHECK(rows > 50);
  CHECK(ks > 50);
  CHECK(first_taps > 10);
}

TEST_CASE("lesson 20 asks for passes, and it is how many units share four banks") {
  std::set<int> passes, widths;
  int asked = 0;
  for (const QuizQuestion& question : draw_quiz(20, 7, 400)) {
    if (!has(question.asks, "How many passes")) continue;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const int width = number_behind(question.about, "a block "),
              stride = number_behind(question.about, "stride "),
              apart = number_behind(question.about, "lie ");
    const int every = has(question.about, "p / 2 % 8") ? 2 : 1;
    const int orders = has(question.about, "% 4") ? 4 : 8;
    std::istringstream words(question.asks.substr(question.asks.find("places") + 6));
    std::map<int, int> wanted;  // by four banks: who begins there
    for (int i = 0; i < 8; ++i) {
      int place = 0;
      words >> place;
      if (i == 1) CHECK(place == number_behind(question.asks, "places ") + stride);
      if (i == width) CHECK(place == number_behind(question.asks, "places ") + stride * apart);
      ++wanted[place / every % orders];
    }
    int most = 0;
    for (const auto& [turn, lanes] : wanted) most = std::max(most, lanes);
    CHECK(question.answers == std::vector<std::vector<int>>{{most}});
    passes.insert(most), widths.insert(width);
    ++asked;
  }
  CHECK(asked > 50);
  CHECK(passes == std::set<int>{1, 2, 4});
  CHECK(widths == std::set<int>{4, 8});
}
