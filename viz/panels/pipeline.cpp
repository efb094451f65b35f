// SPDX-License-Identifier: MIT
#include "panels/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "panels/mbarrier_names.hpp"
#include "panels/steps.hpp"

namespace lanescope::viz {
namespace {

using trace::Sync;

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

// A stage being used: one fill of it.
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

class Replay {
 public:
  Replay(const trace::Trace& trace, int copy_ticks) : trace_(trace) {
    made_.copy_ticks = copy_ticks;
  }

  Pipeline run() {
    if (!find_cta()) return {};
    count_warps();
    for (const trace::Event& event : trace_.events)
      if (const auto* sync = std::get_if<Sync>(&event))
        if (same_cta(sync->place, cta_)) take(*sync);
    for (std::size_t k = 0; k < made_.warps.size(); ++k) finish_warp(static_cast<int>(k));
    for (const WarpLine& line : made_.warps) made_.end = std::max(made_.end, line.end);
    for (auto& [name, stage] : stages_) finish_stage(name, stage);
    std::sort(made_.stages.begin(), made_.stages.end(),
              [](const StageLine& a, const StageLine& b) { return a.address < b.address; });
    for (const StageLine& line : made_.stages)
      for (const StageSpan& span : line.spans) made_.end = std::max(made_.end, span.end);
    finish_groups();
    return std::move(made_);
  }

 private:
  bool find_cta() {
    for (const trace::Event& event : trace_.events)
      if (const auto* sync = std::get_if<Sync>(&event)) {
        cta_ = sync->place;
        made_.launch = cta_.launch;
        made_.block = cta_.block;
        made_.kernel = kernel_of(trace_, cta_.launch);
        return true;
      }
    return false;
  }

  // Every warp that does anything, and how many instructions it has as far as the trace knows.
  void count_warps() {
    std::map<int, std::int64_t> last;
    for (const trace::Event& event : trace_.events) {
      if (const auto* sync = std::get_if<Sync>(&event); sync && same_cta(sync->place, cta_))
        last[sync->place.warp] = std::max(last[sync->place.warp], sync->step + 1);
      if (const auto* step = std::get_if<trace::Step>(&event); step && same_cta(step->place, cta_))
        last[step->place.warp] = std::max(last[step->place.warp], step->step + 1);
    }
    for (const auto& [warp, steps] : last) {
      index_[warp] = static_cast<int>(made_.warps.size());
      made_.warps.push_back({warp, 0, {}});
      steps_.push_back(steps);
    }
    delay_.resize(steps_.size());
    open_.resize(steps_.size());
    last_pass_.resize(steps_.size());
  }

  double now(const Sync& sync, int warp) const {
    return delay_[static_cast<std::size_t>(warp)] + static_cast<double>(sync.step);
  }

  void take(const Sync& sync) {
    const int warp = index_.at(sync.place.warp);
    const double time = now(sync, warp);
    const bool grouped = sync.object == "cp.async" || sync.object == "bulk";
    // Groups are counted by each warp for itself.
    const std::string object =
        grouped ? fmt::format("{} of warp {}", sync.object, sync.place.warp) : sync.object;
    if (sync.action == "copy" || sync.action == "land") made_.copies = true;
    if (sync.action == "copy") copy(sync, warp, time, object);
    if (sync.action == "land") land(sync, warp, object);
    if (sync.action == "arrive") phase(object, sync.phase).raise(time, warp, false);
    if (sync.action == "expect") fill(sync, warp, time);
    if (sync.action == "wait") open_[static_cast<std::size_t>(warp)] = sync;
    if (sync.action == "pass") pass(sync, warp, object, grouped);
  }

  Phase& phase(const std::string& object, std::int64_t number) { return phases_[{object, number}]; }

  void copy(const Sync& sync, int warp, double time, const std::string& object) {
    if (is_mbarrier(sync.object)) {
      issued_[{sync.object, sync.phase, sync.address}] = time;
      fill(sync, warp, time);
      return;
    }
    phase(object, sync.phase).raise(time + made_.copy_ticks, warp, true);
    group_copy(sync, warp, time);
  }

  // cp.async: a group's stage is known by its lowest address, over all warps. The first copy of a
  // group that a warp makes opens it.
  void group_copy(const Sync& sync, int warp, double time) {
    const auto known = group_stage_.find(sync.phase);
    if (known == group_stage_.end()) {
      Group group;
      group.use.phase = sync.phase;
      group.use.producer = warp;
      group.use.fill = time;
      group.address = sync.address;
      group_stage_[sync.phase] = group;
    }
    Group& group = group_stage_[sync.phase];
    group.address = std::min(group.address, sync.address);
    group.use.fill = std::min(group.use.fill, time);
    group.use.full = std::max(group.use.full, time + made_.copy_ticks);
    group.use.bytes += sync.bytes;
  }

  // The announcement or the first copy of a phase: from here on the stage is being filled.
  Use* fill(const Sync& sync, int warp, double time) {
    Stage& stage = stages_[sync.object];
    if (sync.address >= 0 && (stage.address < 0 || sync.address < stage.address))
      stage.address = sync.address;
    if (stage.uses.empty() || stage.uses.back().phase < sync.phase) {
      Use use;
      use.phase = sync.phase;
      use.fill = time;
      use.producer = warp;
      stage.uses.push_back(use);
      // What the producer waited for just before is what frees the stage.
      const std::string& before = last_pass_[static_cast<std::size_t>(warp)];
      if (is_mbarrier(before) && before != sync.object) stage.freed_by = before;
    }
    if (sync.action == "copy") stage.uses.back().bytes += sync.bytes;
    return &stage.uses.back();
  }

  void land(const Sync& sync, int warp, const std::string& object) {
    const auto issued = issued_.find({sync.object, sync.phase, sync.address});
    Phase& known = phase(object, sync.phase);
    if (issued != issued_.end())
      known.raise(issued->second + made_.copy_ticks, warp, true);
    else if (!known.by_copy)  // another CTA's, of whose warps nothing is known: as if begun now
      known.raise(known.time + made_.copy_ticks, -1, true);
  }

  void pass(const Sync& sync, int warp, const std::string& object, bool grouped) {
    const auto at = static_cast<std::size_t>(warp);
    const double time = now(sync, warp);
    open_[at].reset();
    Phase reached;
    for (std::int64_t k = grouped ? first_open_[{object}] : sync.phase; k <= sync.phase; ++k) {
      const auto found = phases_.find({object, k});
      if (found != phases_.end())
        reached.raise(found->second.time, found->second.cause, found->second.by_copy);
    }
    if (grouped) first_open_[{object}] = std::max<std::int64_t>(first_open_[{object}], sync.phase);
    if (reached.time > time) {
      WaitSpan span{time,  reached.time, sync.object, sync.phase, reached.cause, reached.by_copy,
                    false, sync.step,    sync.source};
      made_.warps[at].waits.push_back(std::move(span));
      delay_[at] += reached.time - time;
    }
    last_pass_[at] = sync.object;
    taken(sync, warp, std::max(time, reached.time));
  }

  // Who passes a full barrier takes the stage.
  void taken(const Sync& sync, int warp, double time) {
    if (sync.object == "cp.async") {
      for (auto& [group, stage] : group_stage_)
        if (group <= sync.phase && stage.use.taken < 0) {
          stage.use.taken = time;
          stage.use.consumer = warp;
        }
      return;
    }
    const auto found = stages_.find(sync.object);
    if (found == stages_.end()) return;
    for (Use& use : found->second.uses)
      if (use.phase == sync.phase && (use.taken < 0 || time < use.taken)) {
        use.taken = time;
        use.consumer = warp;
      }
  }

  void finish_warp(int warp) {
    const auto at = static_cast<std::size_t>(warp);
    WarpLine& line = made_.warps[at];
    line.end = delay_[at] + static_cast<double>(steps_[at]);
    if (!open_[at]) return;
    const Sync& sync = *open_[at];
    const double begin = now(sync, warp);
    line.end = begin;
    line.waits.push_back(
        {begin, begin, sync.object, sync.phase, -1, false, true, sync.step, sync.source});
  }

  void finish_stage(const std::string& name, Stage& stage) {
    // What is expected but never copied to is no stage: a barrier that counts bytes of nobody.
    if (stage.uses.empty() || stage.address < 0) return;
    StageLine line;
    line.name = name;
    line.freed_by = stage.freed_by;
    line.address = stage.address;
    for (std::size_t k = 0; k < stage.uses.size(); ++k) {
      Use& use = stage.uses[k];
      const Phase& full = phase(name, use.phase);
      use.full = std::max(full.time, use.fill);
      const double next = k + 1 < stage.uses.size() ? stage.uses[k + 1].fill : made_.end;
      // The nth fill is given back with the nth phase of the barrier that frees.
      const auto freed = phases_.find({stage.freed_by, use.phase});
      use.freed = freed != phases_.end() ? std::min(freed->second.time, next) : next;
      add_spans(line, use);
    }
    made_.stages.push_back(std::move(line));
  }

  static void add_spans(StageLine& line, const Use& use) {
    const auto add = [&](double begin, double end, StageState state, int warp) {
      if (end > begin) line.spans.push_back({begin, end, state, use.phase, use.bytes, warp});
    };
    const double taken = use.taken < 0 ? use.freed : std::max(use.taken, use.full);
    add(use.fill, use.full, StageState::filling, use.producer);
    add(use.full, std::max(taken, use.full), StageState::full, use.producer);
    if (use.taken >= 0) add(taken, std::max(use.freed, taken), StageState::consumed, use.consumer);
  }

  // Stages of cp.async: groups by address, in the order of their numbers.
  void finish_groups() {
    std::map<std::int64_t, std::vector<Use>> by_address;
    for (const auto& [number, group] : group_stage_) by_address[group.address].push_back(group.use);
    for (auto& [address, uses] : by_address) {
      StageLine line;
      line.name = fmt::format("cp.async 0x{:x}", address);
      line.address = address;
      for (std::size_t k = 0; k < uses.size(); ++k) {
        uses[k].freed = k + 1 < uses.size() ? uses[k + 1].fill : made_.end;
        add_spans(line, uses[k]);
      }
      made_.stages.push_back(std::move(line));
    }
  }

  struct Group {
    Use use;
    std::int64_t address = 0;
  };

  const trace::Trace& trace_;
  trace::Place cta_;
  Pipeline made_;
  std::map<int, int> index_;               // warp -> line
  std::vector<std::int64_t> steps_;        // of each line
  std::vector<double> delay_;              // waited so far
  std::vector<std::optional<Sync>> open_;  // waits that have not ended
  std::vector<std::string> last_pass_;
  std::map<std::pair<std::string, std::int64_t>, Phase> phases_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, double> issued_;
  std::map<std::string, Stage> stages_;  // by mbarrier
  std::map<std::int64_t, Group> group_stage_;
  std::map<std::string, std::int64_t> first_open_;  // group from which a warp has yet to wait
};

// Who waited for whom, how often and how long; a wait that has no end lasts to that of the picture.
void add_up(Pipeline& p) {
  std::map<std::tuple<int, std::string, bool, bool>, WaitSum> sums;
  for (std::size_t k = 0; k < p.warps.size(); ++k)
    for (WaitSpan& span : p.warps[k].waits) {
      if (span.for_ever) span.end = p.end;
      WaitSum& sum = sums[{span.cause, span.object, span.by_copy, span.for_ever}];
      if (sum.warps.empty() || sum.warps.back() != static_cast<int>(k))
        sum.warps.push_back(static_cast<int>(k));
      sum.cause = span.cause;
      sum.object = span.object;
      sum.by_copy = span.by_copy;
      sum.for_ever = span.for_ever;
      ++sum.count;
      sum.ticks += span.end - span.begin;
    }
  for (auto& entry : sums) p.sums.push_back(std::move(entry.second));
  std::stable_sort(p.sums.begin(), p.sums.end(),
                   [](const WaitSum& a, const WaitSum& b) { return a.ticks > b.ticks; });
}

// The names that the source has for them, where the steps tell.
void use_names(Pipeline& p, const std::map<std::string, std::string>& names) {
  const auto rename = [&names](std::string& object) {
    if (const auto found = names.find(object); found != names.end()) object = found->second;
  };
  for (WarpLine& line : p.warps)
    for (WaitSpan& span : line.waits) rename(span.object);
  for (StageLine& line : p.stages) rename(line.name), rename(line.freed_by);
  for (WaitSum& sum : p.sums) rename(sum.object);
}

}  // namespace

Pipeline make_pipeline(const trace::Trace& trace, int copy_ticks) {
  Pipeline made = Replay(trace, copy_ticks).run();
  add_up(made);
  trace::Place cta;
  cta.launch = made.launch;
  cta.block = made.block;
  if (!made.empty()) use_names(made, mbarrier_names(trace, cta));
  return made;
}

PipelinePlace moved(const Pipeline& pipeline, PipelinePlace from, int rows, int spans) {
  const int warps = static_cast<int>(pipeline.warps.size());
  const int all = warps + static_cast<int>(pipeline.stages.size());
  const auto middles = [&](int row) {
    std::vector<double> middle;
    const auto add = [&middle](const auto& list) {
      for (const auto& one : list) middle.push_back((one.begin + one.end) / 2);
    };
    if (row < warps)
      add(pipeline.warps[static_cast<std::size_t>(row)].waits);
    else
      add(pipeline.stages[static_cast<std::size_t>(row - warps)].spans);
    return middle;
  };
  if (from.row < 0 || from.row >= all) {
    for (int row = 0; row < all; ++row)
      if (!middles(row).empty()) return {row, 0};
    return {};
  }
  const std::vector<double> here = middles(from.row);
  const int last = static_cast<int>(here.size()) - 1;
  if (rows == 0) return {from.row, std::clamp(from.span + spans, 0, std::max(last, 0))};
  const double now =
      from.span >= 0 && from.span <= last ? here[static_cast<std::size_t>(from.span)] : 0;
  for (int row = from.row + rows; row >= 0 && row < all; row += rows) {
    const std::vector<double> there = middles(row);
    if (there.empty()) continue;
    const auto nearest = std::min_element(there.begin(), there.end(), [now](double a, double b) {
      return std::abs(a - now) < std::abs(b - now);
    });
    return {row, static_cast<int>(nearest - there.begin())};
  }
  return from;
}

}  // namespace lanescope::viz
