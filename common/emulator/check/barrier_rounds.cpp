// SPDX-License-Identifier: MIT
// A barrier of a number of threads is full when so many have come, whoever they are, and begins
// anew at once: who comes then is one of the next round. Where nothing keeps him behind the round
// before, he may as well be counted in it, in the place of another.
//
//     warps 0 and 1    bar.sync 1, 64 ------- one round -------
//     warps 2 and 3    bar.sync 1, 64                            the next, or with 0 or 1 in one
//
// Source: PTX ISA 9.2, 9.7.13.1 (bar: it is reinitialised when all threads that it counts have
// arrived).
#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

// Who knows that all of the round before had come is none of them: who waited there does, not who
// has arrived alone and comes again.
void Checker::comes(const Warp& warp, std::uint32_t lanes, int barrier) {
  const auto number = static_cast<std::size_t>(barrier);
  BarrierRounds& rounds = rounds_[static_cast<std::size_t>(warp.cta->rank)][number];
  if (!rounds.before.empty())
    as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
      const Touch* unknown = nullptr;
      for (const Touch& other : rounds.before) {
        if (!ordered(actor.knows->order, other, actor)) unknown = &other;
      }
      if (unknown != nullptr)
        report(FindingKind::barrier_round, actor, *warp.cta, kNoAddress, unknown);
    });
  if (warp.cta->barriers[number].expected == 0) return;  // of all: nobody can come too early again
  rounds.now.push_back({now_, lanes, Touch::place(component_of(warp), warp.pc)});
}

}  // namespace lanescope::emulator
