// SPDX-License-Identifier: MIT
// The questions about what is under way and about shared memory: each answer is worked out here
// from the words of its question, step by step, lane by lane.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "layout/descriptor.hpp"
#include "panels/quiz/quiz.hpp"
#include "tests/viz/quiz_words.hpp"

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 5 asks about waits: counted out, one group after the other") {
  int landed = 0, largest = 0, stage = 0;
  for (const QuizQuestion& question : draw_quiz(5, 2, 160)) {
    CAPTURE(question.about);
    if (has(question.asks, "sectors")) continue;  // quiz_numbers_test.cpp
    if (has(question.about, "A thread commits")) {
      ++landed;
      const int groups = number_behind(question.about, "commits ");
      const int left = number_behind(question.about, "wait_group ");
      int there = 0;  // a group that has more than `left - 1` behind it is not among the last
      for (int group = 0; group < groups; ++group) there += groups - 1 - group >= left;
      CHECK(question.answers[0][0] == there);
    } else if (has(question.asks, "largest N")) {
      ++largest;
      const int stages = number_behind(question.about, "A pipeline of ");
      int committed = stages - 1;  // before the loop
      if (has(question.about, "first starts")) ++committed;
      // Step 0 waits for tile 0, the first group of those that are committed then.
      CHECK(question.answers[0][0] == committed - 1);
    } else {
      ++stage;
      const int stages = number_behind(question.about, "A pipeline of ");
      const int tile = number_behind(question.asks, "is tile ");
      std::vector<int> lies(static_cast<std::size_t>(stages), -1);
      for (int t = 0; t < tile; ++t) lies[static_cast<std::size_t>(t % stages)] = t;
      const auto& answer = question.answers[0];
      CHECK(lies[static_cast<std::size_t>(answer[0])] == answer[1]);
      for (const int other : lies) CHECK(other >= answer[1]);  // the oldest one goes
    }
  }
  CHECK(landed > 20);
  CHECK(largest > 20);
  CHECK(stage > 20);
}

TEST_CASE("lesson 10's bytes are those that a descriptor fetches") {
  std::set<layout::Swizzle> modes;
  int k_major = 0, mn_major = 0;
  for (const QuizQuestion& question : draw_quiz(10, 4, 120)) {
    if (!has(question.asks, "At which byte must")) continue;
    CAPTURE(question.about);
    layout::Descriptor descriptor;
    const std::size_t at = question.about.find("mode ") + 5;
    const auto mode =
        layout::swizzle_mode(question.about.substr(at, question.about.find(',', at) - at));
    REQUIRE(mode.has_value());
    modes.insert(*mode);
    descriptor.mode = *mode;
    const bool along_k = !has(question.about, "MN-major");
    (along_k ? k_major : mn_major) += 1;
    if (*mode == layout::Swizzle::none || !along_k)
      descriptor.lbo_bytes = static_cast<std::uint32_t>(number_behind(question.about, "LBO "));
    descriptor.sbo_bytes = static_cast<std::uint32_t>(number_behind(question.about, "SBO "));
    const int k = number_behind(question.asks, "k = "), n = number_behind(question.asks, "n = ");
    CHECK(question.answers[0][0] ==
          static_cast<int>(layout::fetched_byte(
              descriptor, along_k ? layout::Major::K : layout::Major::MN, 16, n, k)));
  }
  CHECK(modes.size() == 4);
  CHECK(k_major > 20);
  CHECK(mn_major > 20);
}

TEST_CASE("lesson 10's slices begin where the tile has their first element") {
  std::set<std::string> kinds;
  int slices = 0;
  for (const QuizQuestion& question : draw_quiz(10, 5, 150)) {
    if (!has(question.asks, "does the slice of k")) continue;
    ++slices;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const std::size_t at = question.about.find("mode ") + 5;
    const std::string mode = question.about.substr(at, question.about.find(',', at) - at);
    const bool along_k = !has(question.about, "MN-major");
    kinds.insert(mode + (along_k ? " K" : " MN"));
    const int start = number_behind(question.about, "from byte ");
    int K = 0, N = 0;
    REQUIRE(std::sscanf(question.about.c_str() + question.about.find(" on, "), " on, %d x %d", &K,
                        &N) == 2);
    layout::Tile tile = layout::packed(*layout::swizzle_mode(mode),
                                       along_k ? layout::Major::K : layout::Major::MN, 16, N, K);
    tile.sbo_bytes = static_cast<std::uint32_t>(number_behind(question.about, "SBO "));
    if (has(question.about, "LBO "))
      tile.lbo_bytes = static_cast<std::uint32_t>(number_behind(question.about, "LBO "));
    const int k = number_behind(question.asks, "of k = ");
    const int byte = start + static_cast<int>(layout::linear_offset(tile, 0, k));
    CHECK(question.answers[0] == std::vector<int>{byte, static_cast<int>(layout::encoded(
                                                            static_cast<std::uint32_t>(byte)))});
  }
  CHECK(slices > 30);
  CHECK(kinds == std::set<std::string>{"128B K", "128B MN", "64B MN", "none K", "none MN"});
}

TEST_CASE("lesson 13 asks what a block of a cluster waits for: who loads, who reads") {
  int clusters = 0;
  for (const QuizQuestion& question : draw_quiz(13, 3, 150)) {
    if (!has(question.about, "A cluster of ")) continue;
    ++clusters;
    CAPTURE(question.about);
    const int blocks = number_behind(question.about, "A cluster of ");
    const int row_bytes = number_behind(question.about, "rows of ");
    const int rows_a = number_behind(question.about, "a block has ");
    const int rows_b = number_behind(question.about, "its own, and ");
    const int consumers =
        has(question.about, "block's consumer") ? 1 : number_behind(question.about, "a block's ");
    CHECK(number_behind(question.about, "each loads 1 / ") == blocks);
    CHECK(rows_b % blocks == 0);
    int bytes = 0, arrivals = 0;
    for (int block = 0; block < blocks; ++block) {
      if (block == 0) bytes += rows_a * row_bytes;  // the others' rows of A do not come here
      bytes += rows_b / blocks * row_bytes;
      arrivals += consumers;
    }
    CHECK(question.answers[0] == std::vector<int>{bytes, arrivals});
  }
  CHECK(clusters > 20);
}

TEST_CASE("lesson 12's parities are those of a ring that is gone round") {
  int rings = 0;
  for (const QuizQuestion& question : draw_quiz(12, 6, 120)) {
    if (!has(question.asks, "with which parity")) continue;
    ++rings;
    CAPTURE(question.asks);
    const int stages = number_behind(question.about, "A ring of ");
    const int tile = number_behind(question.asks, "Tile ");
    // A new mbarrier is in phase 0. Each tile completes full once, then empty once.
    std::vector<int> completed(static_cast<std::size_t>(stages), 0);
    for (int t = 0; t < tile; ++t) ++completed[static_cast<std::size_t>(t % stages)];
    const auto& answer = question.answers[0];
    const int phase = completed[static_cast<std::size_t>(tile % stages)];
    CHECK(answer[0] == tile % stages);
    // Full: the phase that is going on. Empty: the one before it, -1 has parity 1.
    CHECK(answer[1] == (has(question.asks, "full") ? phase : phase + 1) % 2);
  }
  CHECK(rings > 20);
}

namespace {

/// One pass after the other: each bank hands out one of the words that are still wanted.
int passes_of(const std::vector<int>& bytes, int size) {
  std::array<std::set<int>, 32> wanted;
  for (const int byte : bytes)
    for (int word = byte / 4; word < (byte + size) / 4; ++word)
      wanted[static_cast<std::size_t>(word % 32)].insert(word);
  int passes = 0;
  for (bool waits = true; waits; passes += waits) {
    waits = false;
    for (std::set<int>& words : wanted) {
      if (words.empty()) continue;
      words.erase(words.begin());
      waits = true;
    }
  }
  return passes;
}

/// The r of "u ^ (r / 2 % 4)", worked out from left to right.
int order_of(const std::string& words, int row) {
  char first = ' ', second = ' ';
  int by = 1, then = 1;
  const int numbers = std::sscanf(words.c_str(), "r %c %d %c %d", &first, &by, &second, &then);
  REQUIRE(numbers >= 2);
  const int once = first == '/' ? row / by : row % by;
  return numbers < 4 ? once : second == '/' ? once / then : once % then;
}

}  // namespace

TEST_CASE("lesson 4 asks for passes: handed out one by one") {
  std::set<int> strided, rows, swizzled;
  for (const QuizQuestion& question : draw_quiz(4, 3, 400)) {
    if (!has(question.asks, "How many passes")) continue;
    CAPTURE(question.about);
    std::vector<int> bytes;
    int size = 16;
    if (has(question.about, "lane i word ")) {
      size = 4;
      const int stride = number_behind(question.about, "lane i word ");
      for (int lane = 0; lane < 32; ++lane) bytes.push_back(lane * stride * 4);
      strided.insert(passes_of(bytes, size));
    } else if (has(question.about, "u ^ (")) {
      const int length = number_behind(question.about, "rows of ");
      const int unit = number_behind(question.about, "wants unit ");
      const std::string order = question.about.substr(question.about.find("u ^ (") + 5);
      for (int row = 0; row < 8; ++row) {
        const int place = unit ^ order_of(order, row);
        CHECK(place * 16 < length);  // it does not leave its row
        bytes.push_back(row * length + place * 16);
      }
      swizzled.insert(passes_of(bytes, size));
    } else {
      const int apart = number_behind(question.about, "at address 0, ");
      for (int row = 0; row < 8; ++row) bytes.push_back(row * apart);
      rows.insert(passes_of(bytes, size));
    }
    CHECK(question.answers[0][0] == passes_of(bytes, size));
  }
  CHECK(strided == std::set<int>{1, 2, 4, 8, 16, 32});
  CHECK(rows == std::set<int>{1, 2, 4, 8});
  CHECK(swizzled == std::set<int>{1, 2, 4});
}

TEST_CASE("lesson 9 asks what a wait for wgmma allows: tried from the largest wait down") {
  int reads = 0, overwrites = 0, unlike = 0;
  for (const QuizQuestion& question : draw_quiz(9, 2, 300)) {
    if (!has(question.asks, "wgmma.wait_group N")) continue;
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const bool one = has(question.about, "the same d");
    const int sums = one ? 1 : std::stoi(question.about);
    const int newest = number_behind(question.about, "Steps 0 to ");
    const bool read = has(question.asks, "is read");
    (read ? reads : overwrites) += 1;
    const int which = !read || one ? 0 : number_behind(question.asks, "d[");
    const int tile = read ? -1 : number_behind(question.asks, "N, step ");
    // N groups, the last ones, may be under way; what they use must not be touched.
    int largest = -1;
    for (int n = newest + 1; n >= 0 && largest < 0; --n) {
      bool used = false;
      for (int step = std::max(0, newest + 1 - n); step <= newest; ++step)
        used = used || (read ? step % sums == which : step == tile);
      if (!used) largest = n;
    }
    CHECK(question.answers[0][0] == largest);
    unlike += !read && one && largest > 0;  // the tiles are free before the sum is there
  }
  CHECK(reads > 40);
  CHECK(overwrites > 40);
  CHECK(unlike > 5);
}

TEST_CASE("lesson 12 asks what a phase waits for: arrivals and bytes, counted down") {
  int missing = 0, announced = 0, counts = 0, over_the_edge = 0;
  std::set<int> bytes_missing, fulls, empties;
  for (const QuizQuestion& question : draw_quiz(12, 9, 400)) {
    CAPTURE(question.about);
    const auto& answer = question.answers[0];
    int numbers[6] = {};
    if (has(question.asks, "still wait for")) {
      ++missing;
      int arrivals = number_behind(question.about, "init ");
      int bytes = 0;
      bytes += number_behind(question.about, "expect_tx of "), --arrivals;
      if (has(question.about, "one other has arrived;")) --arrivals;
      if (std::sscanf(question.about.c_str() + question.about.find("bytes, "), "bytes, %d others",
                      numbers) == 1)
        arrivals -= numbers[0];
      bytes -= number_behind(question.about, "of the bytes ");
      CHECK(answer == std::vector<int>{arrivals, bytes});
      CHECK(arrivals + bytes > 0);  // or it would be over, and another one begun
      bytes_missing.insert(bytes > 0);
    } else if (has(question.asks, "announce")) {
      ++announced;
      REQUIRE(std::sscanf(question.about.c_str(),
                          "TMA copies a box of %d x %d f16 from row %d, column %d of a tensor of "
                          "%d x %d",
                          numbers, numbers + 1, numbers + 2, numbers + 3, numbers + 4,
                          numbers + 5) == 6);
      CHECK(answer[0] == numbers[0] * numbers[1] * 2);
      int inside = 0;
      for (int row = 0; row < numbers[0]; ++row)
        for (int col = 0; col < numbers[1]; ++col)
          inside += numbers[2] + row < numbers[4] && numbers[3] + col < numbers[5];
      const bool whole = inside == numbers[0] * numbers[1];
      CHECK(has(question.reveal,
                whole ? "all of it lies inside" : ": " + std::to_string(inside) + " of its "));
      over_the_edge += !whole;
    } else if (has(question.asks, "counts")) {
      ++counts;
      const int warpgroups = number_behind(question.about, "a stage; ");
      const int announcers = has(question.about, "one producer thread")
                                 ? 1
                                 : number_behind(question.about, "one thread of each of ");
      int arrive = 0;
      for (int thread = 0; thread < warpgroups * 128; ++thread)
        arrive += has(question.about, "every consumer thread")  ? 1
                  : has(question.about, "one lane of every")    ? thread % 32 == 0
                  : has(question.about, "one thread of every ") ? thread % 128 == 0
                                                                : 0;
      CHECK(answer == std::vector<int>{announcers, arrive});
      fulls.insert(announcers);
      empties.insert(arrive);
    }
  }
  CHECK(missing > 30);
  CHECK(announced > 30);
  CHECK(counts > 30);
  CHECK(over_the_edge > 10);
  CHECK(bytes_missing.size() == 2);
  CHECK(fulls.size() == 3);
  CHECK(empties.size() == 9);
}
