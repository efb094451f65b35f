// SPDX-License-Identifier: MIT
// Tensor memory of the CTAs of a cluster as the checker sees it: who wrote 16 lanes of a column
// last, and who has read them since.
//
//     mma, cp of a thread        one after the other; done for who knows of their commit
//     ld, st of a warp           done at wait::ld and wait::st
//     knowledge of others' work  counts once tcgen05.fence::after_thread_sync has followed it
//
// Source: PTX ISA 9.2, 9.7.16.6 (memory consistency of tcgen05). No card has been asked.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/check/finding.hpp"
#include "emulator/check/watched.hpp"

namespace lanescope::emulator {

class Checker;
struct Site;

/// What is done with columns. `ends`: they are given back, and whatever was done with them must be
/// over; nothing of that stays in the cells.
enum class TensorUse : std::uint8_t { reads, writes, ends };

/// `chunks`: a bit for every 16 of the 128 lanes.
struct TensorRange {
  int column = 0, columns = 0;
  unsigned chunks = 0;
};

class TensorWatch {
 public:
  explicit TensorWatch(Checker& check) : check_(check) {}

  /// A cluster starts; `warps`: of all its CTAs.
  void start(std::size_t ctas, std::size_t warps);

  /// Who does the mma or cp that a lane issues: it knows what the lane does. Until the next one.
  const Actor& thread(const Warp& warp, int lane);
  void touched(const Actor& actor, Cta& cta, const TensorRange& range, TensorUse use);
  /// What a whole warp does: ld and st in its own CTA's tensor memory, dealloc in the peer's, too.
  void moved(const Warp& warp, Cta& cta, const TensorRange& range, TensorUse use);
  /// The last of the CTA's allocations has been made.
  void allocated(const Cta& cta);
  /// A lane's commit; its time.
  Time commit_issued(const Warp& warp, int lane, Cta& target, std::uint32_t offset);
  /// The commit issued at `time` arrives.
  void committed(Time time, const Cta& target, std::uint32_t offset);
  void fence(const Warp& warp, std::uint32_t lanes);
  /// Registers of a tcgen05.ld that no wait has covered.
  void registers_used(const Warp& warp, const Site& site, std::uint32_t active);
  void ended(const Cta& cta);

 private:
  static constexpr int kChunks = 8;
  struct Cell {
    Touch write;   // time 0: nobody
    Touch issuer;  // of the mma or cp that wrote it: its thread's warp; else as `write`
    std::vector<Touch> reads;
  };
  using Cells = std::vector<Cell>;  // [column][chunk]; none before it is touched

  bool is_over(const Actor& actor, const Touch& before, const Touch& issuer, FindingKind kind,
               bool needs_fence);
  void grown(const Cta& cta);

  Checker& check_;
  std::vector<Cells> cells_;   // by rank
  std::vector<Clock> fenced_;  // by component: what was known at fence::after_thread_sync
  std::unordered_map<Time, Clock> commits_;  // what they hand on
  Knowledge knows_;
  Actor actor_;
};

}  // namespace lanescope::emulator
