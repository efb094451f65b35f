// SPDX-License-Identifier: MIT
// Counting for programs that ask for it: what the warps of a launch's first block executed, and how
// often they went to the banks of shared memory. The one function that NVIDIA's runtime does not
// have, lanescopeCountBlock; common/device/counts.cuh finds it and has the same struct.
//
// Source of the passes: emulator/passes.hpp.
#pragma once

#include <cstdint>

#include "cudart/abi.hpp"
#include "emulator/machine.hpp"
#include "emulator/record/step.hpp"

namespace lanescope::cudart {

struct BlockCounts {
  std::uint64_t instructions = 0;
  std::uint64_t mma = 0;
  std::uint64_t global_loads = 0;
  std::uint64_t shared_accesses = 0;
  std::uint64_t passes = 0;
  std::uint64_t least_passes = 0;
};

class Counting {
 public:
  Counting();
  Counting(const Counting&) = delete;  // the request points here
  Counting& operator=(const Counting&) = delete;

  void start() { is_on_ = true; }
  bool is_on() const { return is_on_; }
  /// Sets up the request of the next launch, unless somebody else wants its steps.
  void begin(emulator::LaunchRequest& request);
  const BlockCounts& last() const { return counts_; }

 private:
  static void take(void* context, const trace::Event& event);

  bool is_on_ = false;
  emulator::StepRequest steps_;
  BlockCounts counts_;
};

/// start != 0: counts every launch from now on. `counts`, unless nullptr, gets those of the last
/// launch. Answers 1 when something is counted.
LANESCOPE_API int lanescopeCountBlock(int start, BlockCounts* counts);

}  // namespace lanescope::cudart
