// SPDX-License-Identifier: MIT
// Random programs have one result: in whatever order warps have their turns, whatever the host has
// for instructions, watched by the checker or not. And the checker, which knows races, has nothing
// to say about programs that have none.
#include <doctest/doctest.h>

#include "emulator/tensor/host.hpp"
#include "recording.hpp"
#include "replay.hpp"
#include "tests/sample.hpp"

namespace lanescope::golden::random {
namespace {

constexpr std::uint64_t kPrograms = 400;

const Forms& forms() {
  static const Forms kForms = sort_forms(form_lines());
  return kForms;
}

}  // namespace

TEST_CASE("random programs give the same in every order, and the checker is silent") {
  Replay replay;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const Program program = make_program(forms(), seed);
    const Outcome usual = replay.run(program);
    REQUIRE_MESSAGE(usual.problem.empty(), seed << ": " << usual.problem);
    CHECK_MESSAGE(replay.run(program, {}, false, seed + 1).hash == usual.hash,
                  "program " << seed << " in another order");
    const Outcome checked = replay.run(program, {}, true);
    CHECK_MESSAGE(checked.hash == usual.hash, "program " << seed << " checked");
    for (const std::string& finding : checked.findings) FAIL_CHECK(seed << ": " << finding);
  }
}

TEST_CASE("random programs give the same with every host's instructions") {
  const std::uint64_t each = 2 * static_cast<std::uint64_t>(tests::one_in(4));
  Replay best;
  for (const emulator::Host host : emulator::hosts()) {
    if (host == emulator::best_host()) continue;
    Replay other({.host = host});
    for (std::uint64_t seed = 0; seed < kPrograms; seed += each) {
      const Program program = make_program(forms(), seed);
      CHECK_MESSAGE(other.run(program).hash == best.run(program).hash,
                    "program " << seed << " with " << emulator::name(host));
    }
  }
}

TEST_CASE("a program without some of its statements is a program") {
  Replay replay;
  for (std::uint64_t seed = 0; seed < kPrograms / 4; ++seed) {
    const Program program = make_program(forms(), seed);
    std::set<int> without;
    for (int n = 0; n < program.statements; ++n)
      if ((seed * 31 + static_cast<std::uint64_t>(n) * 17) % 3 == 0) without.insert(n);
    const Outcome outcome = replay.run(program, without, true);
    CHECK_MESSAGE(outcome.problem.empty(), seed << ": " << outcome.problem);
    CHECK(outcome.findings.empty());
  }
}

}  // namespace lanescope::golden::random
