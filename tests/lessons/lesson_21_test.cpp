// SPDX-License-Identifier: MIT
// Lesson 21 on the emulator: the shares counted anew, step by step; every product exact, the last
// block's sum the same whatever is asked; the trace's sum is that of its four parts; a wrong kernel
// is noticed, and a missing fence by the checker.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_21 {
namespace {

const std::string kLesson = "21_split_k";
constexpr int kSteps = 64, kSms = 132;

/// Steps dealt out one after the other: to the next block as soon as the one before has its share,
/// which is all / blocks of the row, up to its end rounded down.
struct Dealt {
  int most_steps = 0, most_parts = 0;
  Dealt(int tiles, int blocks) {
    const long long all = static_cast<long long>(tiles) * kSteps;
    std::vector<std::set<int>> blocks_of(static_cast<std::size_t>(tiles));
    int block = 0, its = 0;
    for (long long step = 0; step < all; ++step) {
      while ((step + 1) * blocks > all * (block + 1)) ++block, its = 0;
      most_steps = std::max(most_steps, ++its);
      blocks_of[static_cast<std::size_t>(step / kSteps)].insert(block);
    }
    for (const auto& blocks : blocks_of)
      most_parts = std::max(most_parts, static_cast<int>(blocks.size()));
  }
};
/// Blocks of `steps` each, taken by whichever SM is free: when is the last one done?
int time_of(int blocks, int steps) {
  std::vector<int> busy(kSms, 0);
  for (int block = 0; block < blocks; ++block) *std::min_element(busy.begin(), busy.end()) += steps;
  return *std::max_element(busy.begin(), busy.end());
}

std::string row_of_rounds(int tiles) {
  std::string row = fmt::format("   {:5} ", tiles);
  const auto add = [&](int time) {
    row += fmt::format("{:9} {:4.0f} %", time, 100.0 * tiles * kSteps / kSms / time);
  };
  for (const int split : {1, 4, 16}) add(time_of(tiles * split, kSteps / split));
  const Dealt dealt(tiles, kSms);
  add(dealt.most_steps);
  return row + fmt::format("{:8}\n", dealt.most_parts);
}

/// What the checker says of the lesson without the fence that a comment is behind.
Ran checked_without(const char* name, const std::string& comment, const std::string& options) {
  return run(broken_kernels(kLesson, name, {{"__threadfence();  // " + comment, "// " + comment}}) +
             lanescope_command() + " run " + options + " -- " +
             shell_word(tests::build_folder() / "lessons" / kLesson / kLesson));
}

}  // namespace

TEST_CASE("lesson 21 deals out steps as they are dealt out here, and its products are exact") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (const int tiles : {8, 33, 132, 143, 297}) {
      CAPTURE(row_of_rounds(tiles));
      CHECK(says(ran, row_of_rounds(tiles)));
    }
    const auto product = [&ran](const char* name, int blocks, int mma_of_block_0) {
      const Dealt dealt(8, blocks);
      return says(ran, fmt::format("   {:<24} {:8} {:12} {:17}   4096 of 4096{:16}\n", name, blocks,
                                   dealt.most_steps, dealt.most_parts, mma_of_block_0));
    };
    CHECK(product("one block a tile", 8, 4 * 64));
    CHECK(product("split by 4, atomics", 32, 4 * 16));
    CHECK(product("split by 4, last block", 32, 4 * 16));
    CHECK(product("stream-K, last block", 6, 4 * (8 * 64 / 6)));
  }
}

TEST_CASE("lesson 21: the last block adds in the order of k, another order has other bits") {
  for (const char* arch : {"sm_80", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    std::set<std::string> sums;
    const auto rest_of = [&](const std::string& line) {
      const std::size_t at = ran.output.find("   " + line);
      REQUIRE_MESSAGE(at != std::string::npos, line);
      return ran.output.substr(at + 3 + line.size(),
                               ran.output.find('\n', at) - at - 3 - line.size());
    };
    const auto words_of = [&](const std::string& line) {
      std::vector<std::string> words;
      std::string rest = rest_of(line);
      for (std::size_t at = rest.find_first_not_of(' '); at != std::string::npos;
           at = rest.find_first_not_of(' ')) {
        rest.erase(0, at);
        words.push_back(rest.substr(0, rest.find(' ')));
        rest.erase(0, words.back().size());
      }
      return words;
    };
    const auto straight = words_of("in the order 0, 1, 2, 3"),
               back = words_of("in the order 3, 2, 1, 0"),
               mixed = words_of("in the order 1, 3, 0, 2"), last = words_of("by the last block"),
               whole = words_of("one block a tile          -");
    CHECK(straight[0] == last[0]);
    CHECK(last[1] == "0");
    CHECK(straight[0] != back[0]);
    CHECK(straight[0] != mixed[0]);
    CHECK(back[0] != mixed[0]);
    CHECK(std::stoi(back[1]) > 1000);
    CHECK(std::stod(whole[4]) > 3 * std::stod(straight[4]));
    CHECK(says(ran, "   10: 1 D\n"));
    CHECK(count(ran, "10: 1 D\n") == 2);
  }
}

TEST_CASE("the checker has nothing to report of lesson 21") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "26 launches checked, nothing to report"));
}

TEST_CASE("lesson 21 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

TEST_CASE("lesson 21 records a sum that is that of the four parts in its workspace") {
  const auto path = scratch() / "lesson_21.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::vector<const trace::Memory*> parts;
  std::vector<const trace::Fragment*> sums;
  std::string operands;
  for (const trace::Event& event : result.trace.events) {
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) {
      operands += fragment->operand;
      if (fragment->operand == "D") sums.push_back(fragment);
    }
    if (const auto* tile = std::get_if<trace::Memory>(&event)) parts.push_back(tile);
  }
  CHECK(operands == "ABDD");
  REQUIRE(parts.size() == 4);
  REQUIRE(sums.size() == 2);
  std::set<float> numbers;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t reg = 0; reg < 4; ++reg) {
      const auto of = [&](std::size_t part) {
        float number;
        std::memcpy(&number, parts[part]->bytes.data() + lane * 16 + reg * 4, sizeof number);
        return number;
      };
      const auto held = [&](std::size_t i) {
        float number;
        const auto bits = static_cast<std::uint32_t>(sums[i]->registers[reg][lane]);
        std::memcpy(&number, &bits, sizeof number);
        return number;
      };
      CHECK(held(0) == of(3));
      CHECK(held(1) == of(0) + of(1) + of(2) + of(3));
      numbers.insert(held(1));
    }
  CHECK(numbers.size() > 60);
}

TEST_CASE("lesson 21 notices a count that stays, places that meet and a step that is nobody's" *
          doctest::test_suite("compiled")) {
  const auto noticed = [](const char* name, const char* from, const char* to) {
    const Ran ran = run_broken_kernel(kLesson, name, from, to);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "Something above is not as it should be."));
  };
  noticed("count", "if (last) *came = 0;", "");
  noticed("places", "return block + tile;", "return block;");
  noticed("shares", "const int end = row.first_step(block + 1);",
          "const int end = row.first_step(block + 1) - 1;");
}

TEST_CASE("a fence less in lesson 21 is the checker's to find" * doctest::test_suite("compiled")) {
  const char *first = "what this thread stored", *second = "now I know";
  const auto report = [](const Ran& ran, const std::string& words) {
    CAPTURE(ran.output);
    CHECK(count(ran, "4096 of 4096") == 4);  // D is right all the same
    CHECK(says(ran, words));
    CHECK(ran.status == (says(ran, "nothing to report") ? 0 : 1));
  };
  report(checked_without("fence_1", first, "--check"), "check: race-read-after-write: ");
  report(checked_without("fence_2", second, "--check"), "checked, nothing to report");
  report(checked_without("fence_3", second, "--check --strict"), "check: missing-acquire: ");
}

}  // namespace lesson_21
