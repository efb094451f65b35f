// SPDX-License-Identifier: MIT
// Records the steps of one CTA: looks at a warp before and after each instruction and makes events
// of what changed. One recorder serves one launch and one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/record/step.hpp"
#include "emulator/record/step_plan.hpp"
#include "emulator/record/sync_recorder.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

class StepRecorder {
 public:
  StepRecorder(const StepRequest& request, const Program& program, int warps);

  bool sees(const Cta& cta) const { return cta.block == request_.block; }
  void before(Warp& warp, std::uint32_t pc, std::uint32_t active);
  void after(Warp& warp, std::uint32_t pc, std::uint32_t active, Flow flow);
  void released(const Cta& cta, int barrier) { sync_.released(cta, barrier, steps_); }
  /// The barrier of a group's bar.red has opened, and its registers are written.
  void reduced(Warp& warp, const Group& group);
  /// See SyncRecorder.
  void written_from_outside(const Cta& cta, std::uint32_t offset, std::uint64_t bytes) {
    sync_.written_from_outside(cta, offset, bytes);
  }
  void landing(const Cluster& cluster);
  void landed(const Cluster& cluster);

 private:
  const StepPlan& plan(std::uint32_t pc);
  bool records(const Warp& warp) const;
  void collect_addresses(const Warp& warp, const Instruction& i, const StepPlan& plan,
                         std::uint32_t active);
  void collect_pieces(const Warp& warp, const Instruction& i);
  void collect_in_flight(const Warp& warp);
  void add_handed_over(const Warp& warp, std::uint32_t pc);
  void add_write(const Warp& warp, const StepPlan::Register& reg);
  const Cta* own(const Cluster& cluster) const;

  const StepRequest& request_;
  const Program& program_;
  std::vector<StepPlan> plans_;           // by pc
  std::vector<std::int64_t> steps_;       // by warp: executed so far
  trace::Event step_, access_;            // kept, and with them their buffers
  std::uint32_t addressed_ = 0;           // lanes of access_
  int bytes_per_lane_ = 0;                // of access_
  std::vector<std::uint32_t> in_flight_;  // rows, before the instruction
  std::vector<trace::Event> held_;        // by warp: a bar.red whose barrier has not opened
  std::vector<bool> holds_;
  SyncRecorder sync_;
};

}  // namespace lanescope::emulator
