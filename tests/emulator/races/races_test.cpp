// SPDX-License-Identifier: MIT
// The checker against an account of PTX's rules that knows nothing of it (oracle.hpp), on random
// programs. LANESCOPE_RACES=FROM..END takes other seeds, and prints each difference, reduced.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/emulator/races/compare.hpp"

namespace lanescope::emulator::races {
namespace {

struct Seeds {
  std::uint64_t from = 0, end = 2500;
  bool is_hunt = false;
};

Seeds seeds() {
  Seeds made;
  if (const char* wanted = std::getenv("LANESCOPE_RACES"); wanted != nullptr) {
    char* dots = nullptr;
    made.from = std::strtoull(wanted, &dots, 10);
    made.end = dots[0] == '.' ? std::strtoull(dots + 2, nullptr, 10) : made.from + 1;
    made.is_hunt = true;
  }
  return made;
}

}  // namespace

TEST_CASE("the checker reports what PTX leaves unordered, and nothing else") {
  Comparison comparison;
  const Seeds wanted = seeds();
  std::size_t racy = 0, quiet = 0, differing = 0;
  std::array<int, kRules> needed{};
  for (std::uint64_t seed = wanted.from; seed < wanted.end; ++seed) {
    const Program program = make_program(seed);
    const std::string difference = comparison.differ(program);
    (comparison.races != 0 ? racy : quiet) += 1;
    for (int rule = 0; rule < kRules; ++rule)
      if (needed[static_cast<std::size_t>(rule)] == 0)
        needed[static_cast<std::size_t>(rule)] +=
            comparison.needs(program, static_cast<Rule>(rule)) ? 1 : 0;
    if (difference.empty()) continue;
    ++differing;
    if (!wanted.is_hunt) {
      FAIL_CHECK(seed << ":\n" << difference << describe(program));
      continue;
    }
    const Program small = comparison.reduced(program);
    std::printf("%s%s\n", describe(small).c_str(), comparison.differ(small).c_str());
    std::fflush(stdout);
  }
  if (wanted.is_hunt)
    std::printf("%zu programs with races, %zu without: %zu differ\n", racy, quiet, differing);
  CHECK(differing == 0);
  // What the oracle has beside PTX is what the checker has: without it they would not agree.
  for (int rule = 0; rule < kRules && !wanted.is_hunt; ++rule)
    CHECK_MESSAGE(needed[static_cast<std::size_t>(rule)] > 0, "nothing needs rule " << rule);
}

}  // namespace lanescope::emulator::races
