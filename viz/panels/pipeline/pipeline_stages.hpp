// SPDX-License-Identifier: MIT
// The stages of a pipeline: who fills one, when it is full, who takes it and gives it back. What
// the replay of a trace (pipeline.cpp) tells them, in order; when waits end is its business.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "panels/pipeline/pipeline.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

/// Phases of the next mbarrier at the same place are counted from here on, and told without it.
inline constexpr std::int64_t kAnew = std::int64_t{1} << 32;

// One use of an object: when it is complete, and whose doing that was.
struct Phase {
  double time = 0;
  int cause = -1;
  bool by_copy = false;
  void raise(double when, int who, bool copy) {
    if (when < time) return;
    time = when;
    cause = who;
    by_copy = copy;
  }
};
using Phases = std::map<std::pair<std::string, std::int64_t>, Phase>;

class Stages {
 public:
  /// The announcement or the first copy of a phase: from here on the stage is being filled.
  /// `passed_last`: what the warp waited for just before.
  void fill(const trace::Sync& sync, int warp, double time, const std::string& passed_last);
  /// cp.async: a group's stage is known by its lowest address, over all warps. The first copy of a
  /// group that a warp makes opens it.
  void group_copy(const trace::Sync& sync, int warp, double time, int copy_ticks);
  /// Who passes a full barrier takes the stage.
  void take(const trace::Sync& sync, int warp, double time);

  /// The lines, by address; the last use of each lasts to `end`.
  std::vector<StageLine> of_mbarriers(Phases& phases, double end);
  std::vector<StageLine> of_groups(double end);

 private:
  // One fill.
  struct Use {
    double fill = 0, full = 0, taken = -1, freed = -1;
    std::int64_t phase = 0, bytes = 0;
    int producer = -1, consumer = -1;
  };
  struct Stage {
    std::int64_t address = -1;
    std::string freed_by;
    std::vector<Use> uses;
  };
  struct Group {
    Use use;
    std::int64_t address = 0;
  };
  static void add_spans(StageLine& line, const Use& use);
  static StageLine line_of(const std::string& name, Stage& stage, Phases& phases, double end);

  std::map<std::string, Stage> by_mbarrier_;
  std::map<std::int64_t, Group> groups_;
};

}  // namespace lanescope::viz
