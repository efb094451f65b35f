// SPDX-License-Identifier: MIT
// How the warps of one CTA wait for each other, told as it happens: copies that start and land,
// arrivals, phases that complete, waits. It looks at a warp before and after each instruction, and
// at the cluster when copies land; it changes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "emulator/record/step.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

class SyncRecorder {
 public:
  SyncRecorder(const StepRequest& request, int warps)
      : request_(request), waiting_(static_cast<std::size_t>(warps)) {}

  /// `step` is the number of the instruction in its warp.
  void before(Warp& warp, const Instruction& i, std::uint32_t active);
  void after(Warp& warp, const Instruction& i, std::uint32_t active, Flow flow, std::int64_t step,
             const trace::SourceLine& source);
  /// A barrier of the CTA opens; `steps` are the numbers of the warps' next instructions.
  void released(const Cta& cta, int barrier, const std::vector<std::int64_t>& steps);
  /// Another CTA of the cluster has stored so many bytes there.
  void written_from_outside(const Cta& cta, std::uint32_t offset, std::uint64_t bytes);
  /// Copies of the cluster are about to land, and have landed.
  void landing(const Cta& cta);
  void landed(const Cta& cta);

 private:
  struct Target {  // an mbarrier, and the lanes of an instruction that mean it
    const Cta* owner = nullptr;
    std::uint32_t offset = 0;
    std::int64_t lanes = 0;
    std::int64_t phase = 0;
    int first_lane = 0;
  };
  struct Copy {  // that has not landed
    trace::Sync event;
    std::uint32_t offset = 0;  // of its mbarrier
    bool own = true;           // which is the CTA's
  };
  struct Wait {
    std::string object;
    std::int64_t phase = -2;
  };

  void collect_targets(Warp& warp, const Instruction& i, std::uint32_t active);
  void after_arrive(const Warp& warp, const Instruction& i);
  void after_wait(const Warp& warp, const Instruction& i, std::uint32_t active, Flow flow);
  void after_bulk_copy(const Warp& warp);
  void after_tensor_commit(const Warp& warp);
  void after_async_copy(const Warp& warp, const Instruction& i, std::uint32_t active);
  void tell_committed(const Cta& cta, std::map<std::uint32_t, trace::Sync>& last);
  void completed(const Cta& cta, std::uint32_t offset);
  void tell(const char* action, std::string object, std::int64_t phase, std::int64_t count = 0,
            std::int64_t bytes = 0, std::int64_t address = -1);
  void emit(const trace::Sync& event);

  const StepRequest& request_;
  trace::Sync now_;  // place, step and source of the instruction being told of
  std::vector<Target> targets_;
  std::size_t landing_before_ = 0, groups_before_ = 0;
  std::uint64_t commits_before_ = 0;
  std::deque<Copy> issued_;                      // by the CTA, not landed
  std::vector<Copy> landings_;                   // of the landing under way
  std::multimap<std::uint64_t, Copy> commits_;   // of tcgen05, by number, that have not arrived
  std::map<std::uint32_t, std::uint64_t> told_;  // phases of an mbarrier said to be complete
  std::array<std::int64_t, 16> opened_{};        // how often each barrier has
  std::vector<Wait> waiting_;                    // by warp
};

}  // namespace lanescope::emulator
