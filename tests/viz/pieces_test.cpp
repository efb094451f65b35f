// SPDX-License-Identifier: MIT
// Lines that come in pieces, and whether those of two matrices end alike.
#include "panels/way/pieces.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace lanescope::viz {
namespace {

// Pixels of 64 bytes; -1: none.
Addresses pixels(const std::vector<int>& numbers, std::uint64_t bytes = 64) {
  Addresses begins;
  for (const int number : numbers)
    begins.push_back(number < 0 ? std::nullopt
                                : std::optional(4096 + static_cast<std::uint64_t>(number) * bytes));
  return begins;
}

// Four of 16 in a row of the image.
const std::vector<int> kFours{0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35};

}  // namespace

TEST_CASE("lines begin where their first elements are, if all of these are equally far apart") {
  Addresses all{100, 102, 104, 200, 202, 204};
  CHECK(line_begins(all, 2, 3, true) == Addresses{100, 200});
  CHECK(line_begins(all, 2, 3, false) == Addresses{100, 102, 104});
  all[4] = 206;
  CHECK(line_begins(all, 2, 3, true).empty());
  const Addresses half{std::nullopt, std::nullopt, std::nullopt, 200, 202, 204};
  CHECK(line_begins(half, 2, 3, true) == Addresses{std::nullopt, 200});
  CHECK(line_begins(half, 2, 3, false).empty());
}

TEST_CASE("lines come in pieces where the others are farther apart than most") {
  CHECK(apart_in_pieces(pixels(kFours)) == 64);
  CHECK(apart_in_pieces(pixels({-1, 1, 2, 3, -1, 17, 18, 19})) == 64);
  CHECK(apart_in_pieces(pixels({0, 1, 2, 3, 4, 5})) == 0);         // in one
  CHECK(apart_in_pieces(pixels({0, 1, 3, 3, 4, 5})) == 0);         // one is its neighbour
  CHECK(apart_in_pieces(pixels({0, 2, 4, 5, 8, 10})) == 0);        // the same with a stride of 2
  CHECK(apart_in_pieces(pixels({16, 17, 18, 19, 0, 1, 2})) == 0);  // the rows exchanged
  CHECK(apart_in_pieces(pixels({0, 2, 4, 5, 7, 9, 11})) == 128);  // two odd images, each second one
  CHECK(apart_in_pieces(pixels({6, 7, 8, 9, 8, 9, 10, 11})) ==
        64);  // padded as widely as its filter
  CHECK(apart_in_pieces(pixels({-1, 5, -1, -1, -1, 30, -1})) == 0);  // no two neighbours
  CHECK(pieces_text(pixels(kFours), "row") == "in pieces, cut before rows 4, 8");
}

TEST_CASE("pieces of two matrices end alike, however far they jump") {
  const Addresses fours = pixels(kFours);
  CHECK(cut_alike(fours, pixels({0, 1, 2, 3, 20, 21, 22, 23, 40, 41, 42, 43}, 32)));
  CHECK(cut_alike(pixels({-1, 1, 2, 3, -1, 17, 18, 19, -1, 33, 34, 35}), fours));
  const Addresses eight = pixels({0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19});
  CHECK(!cut_alike(fours, eight));
  CHECK(!cut_alike(eight, fours));
  CHECK(!cut_alike(fours, pixels({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
  CHECK(lie_alike(fours, pixels({7, 8, 9, 10, 23, 24, 25, 26, 39, 40, 41, 42})));
  CHECK(!lie_alike(fours, pixels({0, 1, 2, 3, 17, 18, 19, 20, 33, 34, 35, 36})));
  const auto jumps = jumps_of(fours, pixels({0, 1, 2, 3, 20, 21, 22, 23, 40, 41, 42, 43}, 32));
  CHECK(jumps.at(12 * 64) == std::set<std::int64_t>{16 * 32});
}

TEST_CASE("lines that are not there would begin where another tap has them") {
  Addresses some = pixels({-1, 5, 6, -1, -1, 9});
  fill_in(some, pixels({104, 105, 106, 117, -1, 109}));
  CHECK(some == pixels({4, 5, 6, 17, -1, 9}));
  Addresses none(2);
  fill_in(none, pixels({1, 2}));
  CHECK(none == pixels({1, 2}));
  Addresses apart = pixels({1, -1});
  fill_in(apart, pixels({-1, 2}));
  CHECK(apart == pixels({1, -1}));
}

TEST_CASE("lines in one are all equally far apart, those that are there") {
  CHECK(apart_in_one(pixels({0, 2, -1, 6})) == 128);
  CHECK(apart_in_one(pixels({0, 2, 3})) == 0);
  CHECK(apart_in_one(pixels({2, -1, -1})) == 0);
  CHECK(apart_in_one(those_of_both(pixels({0, 1, 2, 2}), pixels({5, 6, 7, -1}))) == 64);
}

}  // namespace lanescope::viz
