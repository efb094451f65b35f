// SPDX-License-Identifier: MIT
// What the checker keeps of the threads of a cluster beside the shadow of its memory: who acts, who
// knows what, copies under way, and what is yet to be decided about a store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/check/finding.hpp"
#include "emulator/check/global_shadow.hpp"
#include "emulator/check/knowledge.hpp"
#include "emulator/check/shadow.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

struct EarlierLaunch;  // earlier.hpp

/// Who touches memory now.
struct Actor {
  const Warp* warp = nullptr;
  const Knowledge* knows = nullptr;
  std::size_t component = 0;  // of the warp, or of a copy
  std::uint32_t lanes = 0;    // as one: what a collective reads all lanes read
  std::uint32_t pc = 0;
  bool is_async = false;  // through the async proxy
  bool is_strong = false;
  bool is_near = false;             // of that .cta or .cluster: other clusters are not meant
  bool is_guess = false;            // what it reads it will compare, and swap
  bool is_by_nc = false;            // a load of .nc: by a cache that no store reaches
  bool is_cached = false;           // a plain load, which the L1 may answer
  bool decides_nothing = false;     // a volatile load of data
  bool answers = false;             // an atomic whose thread looks at what was there
  const AsyncCopy* copy = nullptr;  // what a cp.async brings: what is there already does no harm
  std::uint32_t where() const { return Touch::place(component, pc); }
};

/// Which memory a fence of proxies is for.
struct Spaces {
  bool shared = false, global = false;
};

/// Lanes of a warp that know the same.
struct LaneClass {
  std::uint32_t lanes = 0;
  Knowledge knows;
};
using LaneClasses = std::vector<LaneClass>;

/// Whether who knows this knows that `before` has happened: of each lane, or did it itself.
bool ordered(const Clock& clock, const Touch& before, const Actor& actor);

/// A store to a word of shared memory that an atomic or other strong one lies over.
struct KeptWrite {
  Touch write;
  std::uint8_t bytes = 0;  // which of the four, a bit each
  bool is_plain = false;
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
  const EarlierLaunch* of = nullptr;  // whose, if it is of a launch before
  std::array<std::byte, 16> old;
};
/// Who has come to a barrier of a number of threads: since it began, and in the round before.
struct BarrierRounds {
  std::vector<Touch> now, before;
};
/// A bulk copy into global memory that no wait_group without .read has covered.
struct BulkWrite {
  const Warp* warp;
  std::uint32_t thread, group;
  Time time;
};
/// A bulk copy that fills shared memory of a CTA, or takes from it: before that CTA ends some
/// thread of it must know that the copy is over.
struct FlyingCopy {
  const Cta* cta;
  const Warp* issuer;
  std::uint32_t lanes, offset;
  Touch copy;
  bool takes;
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
