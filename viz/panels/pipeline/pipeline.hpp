// SPDX-License-Identifier: MIT
// A CTA's pipeline against time: the warps (running, waiting, for whom) and the stages in shared
// memory (filled by a copy, full, consumed, empty), out of the `sync` events of a trace.
//
//     warp 8     ====  ====  ====......====            a producer that waits for an empty stage
//     warp 0     ........==============...====         a consumer that waits for a full one
//     stage 0x0      >>>>##=======      >>>>##====     copied to, full, consumed, empty
//
// Time here is a model, not a measurement: every instruction of a warp takes one tick, a copy is
// under way for as many as one says, and whoever waits goes on when what he waits for is there. So
// it shows what must wait for what, and nothing about a card's clock. Pure model, no Dear ImGui.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.hpp"

namespace lanescope::viz {

inline constexpr int kUsualCopyTicks = 64;

/// A stretch of time in which a warp does not run.
struct WaitSpan {
  double begin = 0, end = 0;
  std::string object;  // "full[1]", "mbarrier 0x400", "bar 0", "cp.async"
  std::int64_t phase = 0;
  int cause = -1;         // index of the warp whose step ended it, or began the copy that did
  bool by_copy = false;   // it was a copy that came last
  bool for_ever = false;  // the trace ends before the wait does
  std::int64_t step = 0;  // of the waiting warp
  trace::SourceLine source;
};
struct WarpLine {
  int warp = 0;
  double end = 0;  // of its last instruction, as far as the trace knows
  std::vector<WaitSpan> waits;
  bool stepped = false;  // its steps are in the trace; else it ends with its last wait or arrival
};

enum class StageState : std::uint8_t { filling, full, consumed };

struct StageSpan {
  double begin = 0, end = 0;
  StageState state = StageState::filling;
  std::int64_t phase = 0;
  std::int64_t bytes = 0;
  int warp = -1;  // index: who copies; who took it first
};
struct StageLine {
  std::string name;      // "full[1]", where that is not known "mbarrier 0x400"; "cp.async 0x1000"
  std::string freed_by;  // the mbarrier on which its producer waits before filling it again
  std::int64_t address = -1;
  std::vector<StageSpan> spans;  // in order; between them it is empty
};

/// All waits for one object that the same warp ended.
struct WaitSum {
  std::vector<int> warps;  // who waited; indices in Pipeline::warps
  int cause = -1;          // who ended it; -1: another CTA, or nobody
  std::string object;
  bool by_copy = false, for_ever = false;
  int count = 0;
  double ticks = 0;
};

struct Pipeline {
  int launch = 0;
  std::string kernel;  // "multiply<3, 2>"; "" where the trace has no such launch
  std::array<int, 3> block{0, 0, 0};
  int copy_ticks = kUsualCopyTicks;
  bool copies = false;  // there are some: how long one takes makes a difference
  double end = 0;
  std::vector<WarpLine> warps;
  std::vector<StageLine> stages;
  std::vector<WaitSum> sums;  // most ticks first
  bool empty() const { return warps.empty(); }
};

/// The first CTA of the trace that has such events. A copy takes 0 to 2^20 ticks.
Pipeline make_pipeline(const trace::Trace& trace, int copy_ticks = kUsualCopyTicks);

/// "copy 64", as it is looked for: how many ticks a copy takes. What is wrong with the words, or
/// "".
std::string read_copy_ticks(std::string_view words, int& ticks);

/// The wait or the use of a stage that lies `spans` further on in its row, `rows` further down the
/// nearest in time; rows: warps, then stages. From nothing (-1), the first there is.
struct PipelinePlace {
  int row = -1, span = -1;
};
PipelinePlace moved(const Pipeline& pipeline, PipelinePlace from, int rows, int spans);

}  // namespace lanescope::viz
