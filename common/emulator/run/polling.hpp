// SPDX-License-Identifier: MIT
// Loops that wait for memory to change: a lock, a flag of another CTA, the barrier of a grid.
//
// On a card all resident CTAs run at once and such a loop ends when somebody writes. Here CTAs take
// turns, so it must be seen that a warp only polls: a volatile, relaxed or acquire load, or an
// atomic that changes nothing, that finds at the same place what it found the last time. After a
// few of those the warp's turn is over; a cluster in which everybody polls is set aside for the
// next one (launch.cpp); and when all clusters that the card has room for have done so for a long
// time it is a deadlock. This decides only whose turn it is: a program that polls and works goes
// on.
#pragma once

#include <cstdint>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

inline constexpr std::uint32_t kQuietPolls = 8;      // then the turn is over
inline constexpr std::uint64_t kQuietTurn = 512;     // instructions of a turn that only polled
inline constexpr std::uint64_t kQuietRounds = 4096;  // of every resident cluster: a deadlock
inline constexpr std::uint64_t kFewestRounds = 1'000'000;  // ... of all: loops may count tries

/// A hash of what the lanes looked at.
class PollHash {
 public:
  explicit PollHash(std::uint32_t active) : hash_(active) {}
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15 ^ hash_ >> 29; }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

/// The warp has looked at memory and saw `seen`: yield when it was the same for the last few times.
inline Flow note_poll(Warp& w, std::uint64_t seen, std::uint64_t address) {
  Poll& last = w.polls[w.pc % w.polls.size()];
  const bool same = last.pc == w.pc && last.seen == seen;
  last = {w.pc, seen};
  w.polled_at = w.pc;
  w.polled_where = address;
  w.quiet_polls = same ? w.quiet_polls + 1 : 0;
  return w.quiet_polls >= kQuietPolls ? Flow::yield : Flow::next;
}

/// Whether the warp does nothing but poll, as far as can be seen.
inline bool only_polls(const Warp& warp) { return warp.quiet_polls >= kQuietPolls; }

}  // namespace lanescope::emulator
