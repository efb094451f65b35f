// SPDX-License-Identifier: MIT
// The checker against an account of PTX's rules that knows nothing of it (oracle.hpp), on random
// programs. LANESCOPE_RACES=FROM..END takes other seeds, and prints each difference, reduced.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/emulator/races/compare.hpp"
#include "tests/sample.hpp"

namespace lanescope::emulator::races {
namespace {

struct Seeds {
  std::uint64_t from = 0, end = 3000, each = static_cast<std::uint64_t>(tests::one_in(2));
  bool is_hunt = false;

  std::uint64_t count() const { return (end - from + each - 1) / each; }
};

Seeds seeds() {
  Seeds made;
  if (const char* wanted = std::getenv("LANESCOPE_RACES"); wanted != nullptr) {
    char* dots = nullptr;
    made.from = std::strtoull(wanted, &dots, 10);
    made.end = dots[0] == '.' ? std::strtoull(dots + 2, nullptr, 10) : made.from + 1;
    made.is_hunt = true;
    made.each = 1;
  }
  return made;
}

bool arrives(Op op) {
  return op == Op::arrive || op == Op::bulk_load || op == Op::bulk_send || op == Op::async_store ||
         op == Op::copy_arrive;
}

// A step is left out, and perhaps a later one comes beside the renewal of its mbarrier, or renews
// one beside a use. An arrival that comes so early that it completes the phase before is in order
// with the renewal in that run, and nothing is to be seen. `of`: barrier, for the rounds of one of
// threads; renew.
std::string without(const Program& program, std::size_t left_out, Op of, Comparison& comparison) {
  Program less = program;
  less.steps.clear();
  Oracle oracle(less);
  for (std::size_t n = 0; n < program.steps.size(); ++n) {
    if (n == left_out) continue;
    const bool is_settled = oracle.is_settled();
    less.steps.push_back(program.steps[n]);
    if (oracle.add(program.steps[n])) continue;
    if (oracle.beside().empty() || !is_settled) return "";
    if ((program.steps[n].op == Op::barrier) != (of == Op::barrier)) return "";
    const std::string missed = comparison.misses(less, oracle.beside());
    if (!missed.empty() && arrives(program.steps[n].op)) return "early";
    return missed.empty() ? "reported" : missed + describe(less);
  }
  return "";
}

}  // namespace

TEST_CASE("who comes to a barrier of some threads beside its round before is reported") {
  Comparison comparison;
  const Seeds wanted = seeds();
  int reported = 0;
  for (std::uint64_t seed = wanted.from; seed < wanted.end; seed += wanted.each) {
    const Program program = make_program(seed);
    const auto is_named = [](const Step& step) {
      return step.op == Op::barrier && step.object > 0;
    };
    if (program.has_free_locks ||
        std::count_if(program.steps.begin(), program.steps.end(), is_named) < 2)
      continue;
    for (std::size_t n = 0; n < program.steps.size(); ++n) {
      const std::string said = without(program, n, Op::barrier, comparison);
      reported += said == "reported" ? 1 : 0;
      if (said != "reported") CHECK_MESSAGE(said == "", seed << ": " << said);
    }
  }
  MESSAGE(reported << " come beside the round before");
  CHECK(reported > static_cast<int>(wanted.count()) / 100);
}

TEST_CASE("an mbarrier that is renewed beside a use of it is reported, whichever comes first") {
  Comparison comparison;
  const Seeds wanted = seeds();
  int reported = 0, early = 0;
  for (std::uint64_t seed = wanted.from; seed < wanted.end; seed += wanted.each) {
    const Program program = make_program(seed);
    const auto renews = [](const Step& step) { return step.op == Op::renew; };
    if (program.has_free_locks || std::none_of(program.steps.begin(), program.steps.end(), renews))
      continue;
    for (std::size_t n = 0; n < program.steps.size(); ++n) {
      const std::string said = without(program, n, Op::renew, comparison);
      reported += said == "reported" ? 1 : 0;
      early += said == "early" ? 1 : 0;
      if (said != "reported" && said != "early") CHECK_MESSAGE(said == "", seed << ": " << said);
    }
  }
  MESSAGE(reported << " renewals beside a use, " << early << " arrivals came too early");
  CHECK(early * 50 <= reported);
  CHECK(reported > static_cast<int>(wanted.count()) / 100);
}

TEST_CASE("--strict reports what PTX leaves unordered and programs rely on, and nothing else") {
  const Seeds wanted = seeds();
  Comparison comparison(true);
  std::size_t judged = 0;
  for (std::uint64_t seed = wanted.from; seed < wanted.end; seed += wanted.each) {
    const Program program = make_program(seed);
    const std::string difference = comparison.differ(program);
    judged += comparison.is_judged ? 1 : 0;
    if (difference.empty()) continue;
    const Program small = comparison.reduced(program);
    FAIL_CHECK(seed << ":\n" << comparison.differ(small) << describe(small));
  }
  MESSAGE(judged << " programs judged");
  CHECK(judged > wanted.count() / 10 * 9);
}

TEST_CASE("the checker reports what PTX leaves unordered, and nothing else") {
  Comparison comparison;
  const Seeds wanted = seeds();
  std::size_t racy = 0, quiet = 0, differing = 0, reordered = 0, judged = 0, outliving = 0;
  std::array<int, kRules> needed{};
  for (std::uint64_t seed = wanted.from; seed < wanted.end; seed += wanted.each) {
    const Program program = make_program(seed);
    const std::string difference = comparison.differ(program);
    (comparison.races != 0 ? racy : quiet) += 1;
    reordered += comparison.is_reordered ? 1 : 0;
    outliving += comparison.outliving;
    judged += comparison.is_judged || !difference.empty() ? 1 : 0;
    for (int rule = 0; rule < kRules; ++rule)
      if (needed[static_cast<std::size_t>(rule)] == 0)
        needed[static_cast<std::size_t>(rule)] += comparison.needs(static_cast<Rule>(rule)) ? 1 : 0;
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
  const std::size_t unjudged = wanted.count() - judged;
  MESSAGE(unjudged << " runs that locks have given no order");
  CHECK(unjudged * 1000 <= wanted.count());
  MESSAGE(reordered << " programs whose locks went in another order than their steps");
  CHECK((reordered > 0 || wanted.is_hunt));
  MESSAGE(outliving << " copies need not be over when a CTA ends");
  CHECK((outliving > wanted.count() / 20 || wanted.is_hunt));
  // What the oracle has beside PTX is what the checker has: without it they would not agree. A
  // sample does not need them all.
  for (int rule = 0; rule < kRules && !wanted.is_hunt && wanted.each == 1; ++rule)
    CHECK_MESSAGE(needed[static_cast<std::size_t>(rule)] > 0, "nothing needs rule " << rule);
}

}  // namespace lanescope::emulator::races
