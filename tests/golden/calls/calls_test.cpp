// SPDX-License-Identifier: MIT
// What an H200 answered to calls at random, of the runtime or of the driver, against what the
// emulator answers: no answer may differ but those that the folder's exceptions.txt gives a reason
// for. LANESCOPE_CALLS_SEEDS=60 asks all.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/golden/unpack.hpp"
#include "tests/programs/run_process.hpp"

namespace {

constexpr const char* kFolder = LANESCOPE_CALLS_FOLDER "/";
constexpr const char* kCrash = "crash";
using Lines = std::vector<std::string>;

/// The card's answers, by seed, from 1 on.
std::vector<Lines> recorded() {
  std::istringstream text(lanescope::golden::unpacked(kFolder + std::string("h200.txt.zst")).bytes);
  std::vector<Lines> seeds(1);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("seed "))
      seeds.emplace_back();
    else
      seeds.back().push_back(line);
  }
  return seeds;
}

/// After it the card had to begin anew: a crash, or a synchronization that fails.
bool ends_context(const std::string& answer) {
  const std::size_t then = answer.find(" then ");
  return answer == kCrash || (then != answer.npos && answer.compare(then, 8, " then 0 ") != 0);
}

/// `CALL -> ANSWER` of the emulator, from a call on, until the card began anew or this process
/// ends; "" for a call that is not to be asked.
void ask(std::size_t seed, const Lines& card, Lines& ours) {
  std::size_t end = ours.size();
  while (end < card.size() && !ends_context(card[end])) ++end;
  const bool is_answered = end < card.size() && card[end] != kCrash;
  const auto finished = lanescope::tests::emulate(
      LANESCOPE_CALLS, {},
      {std::to_string(seed), std::to_string(ours.size()), std::to_string(end + is_answered)});
  std::istringstream text(finished.out);
  for (std::string line; std::getline(text, line);) ours.push_back(line);
  if (ours.size() < end)
    ours.push_back(fmt::format("? -> the program ended with {}", finished.exit_code));
  else if (ours.size() < card.size() && card[ours.size()] == kCrash)
    ours.emplace_back();
}

struct Exception {
  std::regex pattern;
  std::string text;
  int used = 0;
};

/// Where no difference is a mistake: a pattern of `CALL -> the card's ANSWER`, or `SEED:CALL`.
std::vector<Exception> exceptions() {
  std::vector<Exception> all;
  std::ifstream file(kFolder + std::string("exceptions.txt"));
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') all.push_back({std::regex(line), line});
  return all;
}

bool is_excepted(std::vector<Exception>& all, const std::string& call, const std::string& place) {
  for (Exception& one : all)
    if (std::regex_search(call, one.pattern) || std::regex_match(place, one.pattern))
      return ++one.used;
  return false;
}

}  // namespace

TEST_CASE("calls at random are answered as an H200 answers them") {
  // Where the emulator is sanitized: more memory than there is is asked for, and what nobody has
  // written is looked at, which is 0 on a card that has just begun.
  setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:max_malloc_fill_size=0", 0);
  const std::vector<Lines> card = recorded();
  REQUIRE(card.size() == 61);
  std::vector<Exception> excepted = exceptions();
  const char* asked = std::getenv("LANESCOPE_CALLS_SEEDS");
  const std::size_t seeds = asked ? std::strtoul(asked, nullptr, 10) : 5;
  REQUIRE(seeds < card.size());
  int same = 0, others = 0;
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    Lines ours;
    while (ours.size() < card[seed].size()) ask(seed, card[seed], ours);
    for (std::size_t k = 0; k < ours.size(); ++k) {
      if (ours[k].empty()) continue;
      const std::size_t arrow = ours[k].find(" -> ");
      const std::string call = ours[k].substr(0, arrow) + " -> " + card[seed][k];
      const bool is_same = call == ours[k];
      const std::string place = fmt::format("{}:{}", seed, k);
      (is_same ? same : others) += 1;
      if (!is_same && !is_excepted(excepted, call, place))
        FAIL_CHECK(place << " the card: " << call << ", the emulator: " << ours[k].substr(arrow));
    }
  }
  MESSAGE(same << " answers are the card's, " << others << " differ for a written reason");
  CHECK(same > 100 * others);
  if (seeds + 1 == card.size())
    for (const Exception& one : excepted) CHECK_MESSAGE(one.used > 0, one.text);
}
