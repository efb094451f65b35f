// SPDX-License-Identifier: MIT
// What the checker keeps of the threads of a cluster beside the shadow of its memory: who knows
// what, mbarriers, wgmmas and copies under way, and what is yet to be decided about a store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/check/finding.hpp"
#include "emulator/check/global_shadow.hpp"
#include "emulator/check/knowledge.hpp"
#include "emulator/check/shadow.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// Who touches memory now.
struct Actor {
  const Warp* warp = nullptr;
  const Knowledge* knows = nullptr;
  std::size_t component = 0;  // of the warp, or of a copy
  std::uint32_t lanes = 0;    // as one: what a collective reads all lanes read
  std::uint32_t pc = 0;
  bool is_async = false;  // through the async proxy
  bool is_strong = false;
  bool is_guess = false;  // what it reads it will compare, and swap
  bool answers = false;   // an atomic whose thread sees what was there
  std::uint32_t where() const { return Touch::place(component, pc); }
};

/// Lanes of a warp that know the same.
struct LaneClass {
  std::uint32_t lanes = 0;
  Knowledge knows;
};
/// An mbarrier, and what it hands on.
struct WatchedBarrier {
  std::size_t component = 0;  // of the copies that signal it
  Touch init;
  bool fenced = false;  // the async proxy knows that it is there
  std::uint64_t phase = 0;
  Knowledge arriving, completed;
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
/// Of a warp: its votes that came after it had used an mbarrier. By habit whoever hears of one of
/// its lanes afterwards knows that all are done with that.
struct Votes {
  bool are_wanted = false;  // it has used one since the last
  std::vector<Time> times;
};
/// A wgmma that no wait has covered.
struct Flying {
  std::uint32_t group = 0;
  std::uint32_t pc = 0;
  const std::byte* frame = nullptr;
  std::vector<std::uint32_t> results, operands;  // rows
};
/// A warp's, as far as wgmma is concerned.
struct WatchedRegisters {
  bool fenced = false;       // ever
  bool fenced_anew = false;  // since the last wait
  std::vector<Flying> flying;
  std::vector<std::pair<std::uint32_t, Time>> reads;           // of the groups in flight
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dirty;  // rows written since the fence: pc
};
struct WatchedWarpgroup {
  std::size_t component = 0;  // and four more, of its warps, for --strict
  Time last_read = 0;
  Knowledge together;
  Actor actor;
};

/// A store that races unless it writes what is there already: decided when that is seen.
struct Deferred {
  Actor actor;
  const Cta* cta;
  std::uint32_t offset, bytes;
  Touch other;
  std::array<std::byte, 16> old;
};
struct DeferredGlobal {
  FindingKind kind;
  Actor actor;
  std::uint64_t address;
  std::uint32_t bytes;
  GlobalTouch other;
  std::array<std::byte, 16> old;
};
/// A bulk copy into global memory that no wait_group without .read has covered.
struct BulkWrite {
  const Warp* warp;
  std::uint32_t thread, group;
  Time time;
};
/// A strong load found what a plain store wrote: a flag.
struct LateNews {
  const Warp* warp;
  std::uint32_t lanes;
  std::uint64_t cluster;
};
/// cp.async that an mbarrier has told of and their thread has not waited for.
struct LandedCopies {
  std::uint32_t group = 0, lanes = 0;
  Time time = 0;
};

}  // namespace lanescope::emulator
