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

// Who knows that all of the round before had come is none of them. Nor is one of those asked, as a
// thread that arrives again and again for another that waits.
void Checker::comes(const Warp& warp, std::uint32_t lanes, int barrier) {
  const auto number = static_cast<std::size_t>(barrier);
  BarrierRounds& rounds = rounds_[static_cast<std::size_t>(warp.cta->rank)][number];
  if (warp.cta->barriers[number].expected == 0) {  // of all threads: nobody can come too early
    rounds = {};
    return;
  }
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    const Touch* unknown = nullptr;
    for (const Touch& other : rounds.before) {
      if (other.component() == actor.component && (other.lanes & actor.lanes) != 0) return;
      if (!ordered(actor.knows->order, other, actor)) unknown = &other;
    }
    if (unknown != nullptr)
      report(FindingKind::barrier_round, actor, *warp.cta, kNoAddress, unknown);
  });
  rounds.now.push_back({now_, lanes, Touch::place(component_of(warp), warp.pc)});
}

}  // namespace lanescope::emulator
