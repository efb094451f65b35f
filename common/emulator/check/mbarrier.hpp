// SPDX-License-Identifier: MIT
// The mbarriers of a cluster as the checker sees them: each hands what those knew who arrived to
// those who wait, and is to be known before it is used. What copies bring to them is async.cpp.
//
// Source: PTX ISA 9.2, 9.7.13.15 (mbarrier), 9.7.13.4 (fence.mbarrier_init).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emulator/check/watched.hpp"

namespace lanescope::emulator {

class Checker;

/// An mbarrier, and what it hands on.
struct WatchedBarrier {
  std::size_t component = 0;  // of the copies that signal it
  Touch init;
  bool fenced = false;  // the async proxy knows that it is there
  std::uint64_t phase = 0;
  Knowledge arriving, completed;
  Clock before;             // what the phase before the last completed one had told
  Touch arrival;            // the last one
  Touch ends, ends_before;  // of those the last of the last completed phase, and of the one before
  std::vector<Touch> uses;  // by threads, and by copies that are to signal it
  Touch inval;

  /// Later uses of the same lanes stand for earlier ones.
  void note(const Touch& use) {
    for (Touch& known : uses)
      if (known.component() == use.component() && (known.lanes & ~use.lanes) == 0)
        return void(known = use);
    uses.push_back(use);
  }
};

/// What an arrival hands over: nothing where it is none (expect_tx), what a fence before it covers
/// where it is .relaxed.
enum class Hands : std::uint8_t { nothing, fenced, all };

/// A wait: not .relaxed; by a parity and not by a state.
struct Asks {
  bool acquires = true, by_parity = true;
};

class MbarrierWatch {
 public:
  explicit MbarrierWatch(Checker& check) : check_(check) {}

  /// A cluster starts; `warps`: of all its CTAs.
  void start(std::size_t ctas, std::size_t warps);

  void initialised(const Warp& warp, int lane, Cta& cta, std::uint32_t offset);
  void invalidated(const Warp& warp, std::uint32_t lanes, const Cta& cta, std::uint32_t offset);
  /// Before `lanes` arrive.
  void arrival(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset, Hands hands);
  /// `lanes` have asked, and the phase of those in `done` is complete.
  void asked(const Warp& warp, std::uint32_t lanes, std::uint32_t done, Cta& cta,
             std::uint32_t offset, Asks how);
  /// Whether, for all that each of `lanes` knows, its last phase need not have completed.
  bool may_be_incomplete(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                         std::uint32_t offset);
  /// Whether this warp asks here, by this instruction, for the first time.
  bool is_first_look(const Warp& warp);
  /// What arrives later by itself, as a copy does (cp.async.mbarrier.arrive of a lane); its time.
  Time arrival_issued(const Warp& warp, int lane, Cta& cta, std::uint32_t offset);
  /// fence.mbarrier_init, fence.proxy.async.
  void fence_init(const Warp& warp, std::uint32_t lanes);
  /// What fence.mbarrier_init was for: the inits that it made known.
  void tell_fenced(const Actor& actor, Clock& news) const;
  /// A lane's copy or st.async for `target` names this address as its mbarrier's.
  void named(const Warp& warp, int lane, std::uint64_t address, const Cta& target);
  /// All lanes of a warp have voted.
  void voted(std::size_t component);

  /// nullptr: there is none.
  WatchedBarrier* find(const Cta& cta, std::uint32_t offset);
  /// Phases complete inside an instruction or with the last byte; it is noticed here.
  static void promote(WatchedBarrier& barrier, const Cta& cta, std::uint32_t offset);
  /// Whether these lanes know that it was initialised.
  void check_init(const Warp& warp, std::uint32_t lanes, const Cta& cta, std::uint32_t offset,
                  const WatchedBarrier& barrier);

 private:
  using ByOffset = std::unordered_map<std::uint32_t, WatchedBarrier>;
  /// Of a warp: its votes that came after it had used an mbarrier. By habit whoever hears of one of
  /// its lanes afterwards knows that all are done with that.
  struct Votes {
    bool are_wanted = false;  // it has used one since the last
    std::vector<Time> times;
  };

  void passed(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset, Asks how);
  Clock all_seen(const Actor& actor) const;
  void check_phase(const Warp& warp, std::uint32_t lanes, const Cta& cta, std::uint32_t offset,
                   const WatchedBarrier& barrier);
  void note_use(WatchedBarrier& barrier, const Warp& warp, std::uint32_t lanes);
  bool has_voted_since(const Actor& actor, const Touch& use) const;
  void check_unused(const Actor& actor, const Cta& cta, std::uint32_t offset,
                    const WatchedBarrier& barrier);
  static std::optional<std::size_t> kept_component(const Actor& actor,
                                                   const WatchedBarrier& before);
  static bool has_seen_init(const Actor& actor, const WatchedBarrier& barrier);

  Checker& check_;
  std::vector<ByOffset> known_, gone_;              // by rank; gone: invalidated
  std::vector<Votes> votes_;                        // by component
  std::vector<std::vector<std::uint32_t>> looked_;  // by component: where, in the program
};

}  // namespace lanescope::emulator
