// SPDX-License-Identifier: MIT
// Lines that are found by numbers in memory, laid one behind the other in the order of these.
#include "panels/way/gathered.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace lanescope::viz {
namespace {

using Elements = std::vector<std::optional<FoundBy>>;

// Four elements of 2 bytes in a line.
void add_line(Elements& all, std::uint64_t begin, const Numbers& numbers) {
  for (std::uint64_t k = 0; k < 4; ++k) all.push_back(FoundBy{begin + 2 * k, numbers});
}

}  // namespace

TEST_CASE("numbers that all have found nothing of their own") {
  const std::vector<Numbers> own = without_common({{1, 5}, {}, {1, 7}, {1, 5}});
  CHECK(own == std::vector<Numbers>{{5}, {}, {7}, {5}});
  Elements all;
  add_line(all, 4096, {1});
  add_line(all, 9000, {1});
  CHECK(!laid_anew(all, 2, true));
  Elements none;
  add_line(none, 4096, {});
  add_line(none, 9000, {});
  CHECK(!laid_anew(none, 2, true));
}

TEST_CASE("lines are laid in the order of their numbers, and a number left out is a line") {
  Elements all;
  add_line(all, 90000, {100});
  add_line(all, 5000, {104});
  add_line(all, 70000, {112});
  const auto gaps = laid_anew(all, 2, true);
  REQUIRE(gaps);
  CHECK(gaps->groups == 3);
  CHECK(gaps->first == 100);
  CHECK(gaps->last == 112);
  CHECK(gaps->one_by_one);
  const std::uint64_t apart = gaps->at[4] - gaps->at[0];
  CHECK(gaps->at[3] - gaps->at[0] == 6);
  CHECK(gaps->at[8] - gaps->at[0] == 3 * apart);
  const auto close = laid_anew(all, 2, false);
  REQUIRE(close);
  CHECK(close->at[8] - close->at[0] == 2 * (close->at[4] - close->at[0]));
}

TEST_CASE("the lines of a page stay as far apart, and pages follow each other") {
  Elements all;  // two pages of two lines, 32 bytes apart
  add_line(all, 8000, {100});
  add_line(all, 8032, {100});
  all.resize(all.size() + 4);  // filled with zeros: nowhere
  add_line(all, 640, {104});
  add_line(all, 672, {104});
  const auto anew = laid_anew(all, 2, true);
  REQUIRE(anew);
  CHECK(anew->apart == 32);
  CHECK(!anew->one_by_one);
  CHECK(anew->at[4] - anew->at[0] == 32);
  CHECK(anew->at[12] - anew->at[0] == 64);
  CHECK(anew->at[16] - anew->at[0] == 96);
}

}  // namespace lanescope::viz
