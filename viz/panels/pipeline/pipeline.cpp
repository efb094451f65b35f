// SPDX-License-Identifier: MIT
#include "panels/pipeline/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "panels/pipeline/mbarrier_names.hpp"
#include "panels/pipeline/pipeline_stages.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {
namespace {

using trace::Sync;

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
        if (same_cta(sync->place, cta_)) take_counted(*sync);
    for (std::size_t k = 0; k < made_.warps.size(); ++k) finish_warp(static_cast<int>(k));
    for (const WarpLine& line : made_.warps) made_.end = std::max(made_.end, line.end);
    made_.stages = stages_.of_mbarriers(phases_, made_.end);
    for (const StageLine& line : made_.stages)
      for (const StageSpan& span : line.spans) made_.end = std::max(made_.end, span.end);
    for (StageLine& line : stages_.of_groups(made_.end)) made_.stages.push_back(std::move(line));
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
    std::set<int> stepped;
    for (const trace::Event& event : trace_.events) {
      if (const auto* sync = std::get_if<Sync>(&event); sync && same_cta(sync->place, cta_))
        last[sync->place.warp] = std::max(last[sync->place.warp], sync->step + 1);
      if (const auto* step = std::get_if<trace::Step>(&event);
          step && same_cta(step->place, cta_)) {
        last[step->place.warp] = std::max(last[step->place.warp], step->step + 1);
        stepped.insert(step->place.warp);
      }
    }
    for (const auto& [warp, steps] : last) {
      index_[warp] = static_cast<int>(made_.warps.size());
      made_.warps.push_back({warp, 0, {}, stepped.count(warp) != 0});
      steps_.push_back(steps);
    }
    delay_.resize(steps_.size());
    open_.resize(steps_.size());
    last_pass_.resize(steps_.size());
  }

  double now(const Sync& sync, int warp) const {
    return delay_[static_cast<std::size_t>(warp)] + static_cast<double>(sync.step);
  }

  // Where an mbarrier has been ended and another one begun at its place, as kernels do for each of
  // their tiles, phases begin anew: work on one that was complete shows it.
  void take_counted(const Sync& sync) {
    if (!is_mbarrier(sync.object)) return take(sync);
    Mbarrier& known = mbarriers_[sync.object];
    const bool works = sync.action == "arrive" || sync.action == "expect" || sync.action == "copy";
    if (works && sync.phase <= known.complete) known = {known.before + kAnew, -1};
    if (sync.action == "complete") known.complete = std::max(known.complete, sync.phase);
    if (known.before == 0) return take(sync);
    Sync counted = sync;
    counted.phase += known.before;
    take(counted);
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
    if (sync.action == "expect") stages_.fill(sync, warp, time, passed_last(warp));
    if (sync.action == "wait") open_[static_cast<std::size_t>(warp)] = sync;
    if (sync.action == "pass") pass(sync, warp, object, grouped);
  }

  const std::string& passed_last(int warp) const {
    return last_pass_[static_cast<std::size_t>(warp)];
  }
  Phase& phase(const std::string& object, std::int64_t number) { return phases_[{object, number}]; }

  void copy(const Sync& sync, int warp, double time, const std::string& object) {
    if (is_mbarrier(sync.object)) {
      issued_[{sync.object, sync.phase, sync.address}] = time;
      stages_.fill(sync, warp, time, passed_last(warp));
      return;
    }
    phase(object, sync.phase).raise(time + made_.copy_ticks, warp, true);
    stages_.group_copy(sync, warp, time, made_.copy_ticks);
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
    const std::int64_t first = grouped ? first_open_[{object}] : sync.phase;
    const auto end = phases_.upper_bound({object, sync.phase});
    for (auto k = phases_.lower_bound({object, first}); k != end && first <= sync.phase; ++k)
      reached.raise(k->second.time, k->second.cause, k->second.by_copy);
    if (grouped) first_open_[{object}] = std::max<std::int64_t>(first_open_[{object}], sync.phase);
    if (reached.time > time) {
      WaitSpan span{time,          reached.time,    sync.object, sync.phase % kAnew,
                    reached.cause, reached.by_copy, false,       sync.step,
                    sync.source};
      made_.warps[at].waits.push_back(std::move(span));
      delay_[at] += reached.time - time;
    }
    last_pass_[at] = sync.object;
    stages_.take(sync, warp, std::max(time, reached.time));
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
        {begin, begin, sync.object, sync.phase % kAnew, -1, false, true, sync.step, sync.source});
  }

  const trace::Trace& trace_;
  trace::Place cta_;
  Pipeline made_;
  std::map<int, int> index_;               // warp -> line
  std::vector<std::int64_t> steps_;        // of each line
  std::vector<double> delay_;              // waited so far
  std::vector<std::optional<Sync>> open_;  // waits that have not ended
  std::vector<std::string> last_pass_;
  struct Mbarrier {
    std::int64_t before = 0, complete = -1;  // kAnew times those before it; the last phase that is
  };
  std::map<std::string, Mbarrier> mbarriers_;
  Phases phases_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, double> issued_;
  Stages stages_;
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
  Pipeline made = Replay(trace, std::clamp(copy_ticks, 0, 1 << 20)).run();
  add_up(made);
  trace::Place cta;
  cta.launch = made.launch;
  cta.block = made.block;
  if (!made.empty()) use_names(made, mbarrier_names(trace, cta));
  return made;
}

}  // namespace lanescope::viz
