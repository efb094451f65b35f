// SPDX-License-Identifier: MIT
#include "panels/pipeline/pipeline_stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/pipeline/mbarrier_names.hpp"

namespace lanescope::viz {

using trace::Sync;

void Stages::fill(const Sync& sync, int warp, double time, const std::string& passed_last) {
  Stage& stage = by_mbarrier_[sync.object];
  if (sync.address >= 0 && (stage.address < 0 || sync.address < stage.address))
    stage.address = sync.address;
  if (stage.uses.empty() || stage.uses.back().phase < sync.phase) {
    Use use;
    use.phase = sync.phase;
    use.fill = time;
    use.producer = warp;
    stage.uses.push_back(use);
    // What the producer waited for just before is what frees the stage.
    if (is_mbarrier(passed_last) && passed_last != sync.object) stage.freed_by = passed_last;
  }
  if (sync.action == "copy") stage.uses.back().bytes += sync.bytes;
}

void Stages::group_copy(const Sync& sync, int warp, double time, int copy_ticks) {
  const auto known = groups_.find(sync.phase);
  if (known == groups_.end()) {
    Group group;
    group.use.phase = sync.phase;
    group.use.producer = warp;
    group.use.fill = time;
    group.address = sync.address;
    groups_[sync.phase] = group;
  }
  Group& group = groups_[sync.phase];
  group.address = std::min(group.address, sync.address);
  group.use.fill = std::min(group.use.fill, time);
  group.use.full = std::max(group.use.full, time + copy_ticks);
  group.use.bytes += sync.bytes;
}

void Stages::take(const Sync& sync, int warp, double time) {
  if (sync.object == "cp.async") {
    for (auto& [number, group] : groups_)
      if (number <= sync.phase && group.use.taken < 0) {
        group.use.taken = time;
        group.use.consumer = warp;
      }
    return;
  }
  const auto found = by_mbarrier_.find(sync.object);
  if (found == by_mbarrier_.end()) return;
  for (Use& use : found->second.uses)
    if (use.phase == sync.phase && (use.taken < 0 || time < use.taken)) {
      use.taken = time;
      use.consumer = warp;
    }
}

std::vector<StageLine> Stages::of_mbarriers(Phases& phases, double end) {
  std::vector<StageLine> lines;
  // What is expected but never copied to is no stage: a barrier that counts bytes of nobody.
  for (auto& [name, stage] : by_mbarrier_)
    if (!stage.uses.empty() && stage.address >= 0)
      lines.push_back(line_of(name, stage, phases, end));
  std::sort(lines.begin(), lines.end(),
            [](const StageLine& a, const StageLine& b) { return a.address < b.address; });
  return lines;
}

StageLine Stages::line_of(const std::string& name, Stage& stage, Phases& phases, double end) {
  StageLine line;
  line.name = name;
  line.freed_by = stage.freed_by;
  line.address = stage.address;
  for (std::size_t k = 0; k < stage.uses.size(); ++k) {
    Use& use = stage.uses[k];
    const Phase& full = phases[{name, use.phase}];
    use.full = std::max(full.time, use.fill);
    const double next = k + 1 < stage.uses.size() ? stage.uses[k + 1].fill : end;
    // The nth fill is given back with the nth phase of the barrier that frees.
    const auto freed = phases.find({stage.freed_by, use.phase});
    use.freed = freed != phases.end() ? std::min(freed->second.time, next) : next;
    add_spans(line, use);
  }
  return line;
}

void Stages::add_spans(StageLine& line, const Use& use) {
  const auto add = [&](double begin, double end, StageState state, int warp) {
    if (end > begin) line.spans.push_back({begin, end, state, use.phase % kAnew, use.bytes, warp});
  };
  const double taken = use.taken < 0 ? use.freed : std::max(use.taken, use.full);
  add(use.fill, use.full, StageState::filling, use.producer);
  add(use.full, std::max(taken, use.full), StageState::full, use.producer);
  if (use.taken >= 0) add(taken, std::max(use.freed, taken), StageState::consumed, use.consumer);
}

std::vector<StageLine> Stages::of_groups(double end) {
  std::map<std::int64_t, std::vector<Use>> by_address;
  for (const auto& [number, group] : groups_) by_address[group.address].push_back(group.use);
  std::vector<StageLine> lines;
  for (auto& [address, uses] : by_address) {
    StageLine line;
    line.name = fmt::format("cp.async 0x{:x}", address);
    line.address = address;
    for (std::size_t k = 0; k < uses.size(); ++k) {
      uses[k].freed = k + 1 < uses.size() ? uses[k + 1].fill : end;
      add_spans(line, uses[k]);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace lanescope::viz
