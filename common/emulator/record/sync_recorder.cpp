// SPDX-License-Identifier: MIT
#include "emulator/record/sync_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/execute/handlers.hpp"
#include "emulator/record/sync_names.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kCountBits = 20;  // of an mbarrier's state: phase << 20 | pending

bool is_mbarrier(const Instruction& i) {
  return i.handler == &run_mbarrier_arrive || i.handler == &run_mbarrier_wait ||
         i.handler == &run_mbarrier_init;
}

int first_lane(std::uint32_t active) { return __builtin_ctz(active); }

}  // namespace

void SyncRecorder::emit(const trace::Sync& event) { request_.event(request_.context, event); }

void SyncRecorder::tell(const char* action, std::string object, std::int64_t phase,
                        std::int64_t count, std::int64_t bytes, std::int64_t address) {
  trace::Sync event = now_;
  event.action = action;
  event.object = std::move(object);
  event.phase = phase;
  event.count = count;
  event.bytes = bytes;
  event.address = address;
  emit(event);
}

// Which mbarriers the lanes mean. A warp of our own looks: where there is none, the real one has
// still to say so.
void SyncRecorder::collect_targets(Warp& warp, const Instruction& i, std::uint32_t active) {
  Warp looking;
  looking.cta = warp.cta;
  looking.rows = warp.rows;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = first_lane(rest);
    SharedPlace place;
    if (!find_mbarrier(looking, i, lane, place)) continue;
    const auto same = [&](const Target& t) {
      return t.owner == place.cta && t.offset == place.offset;
    };
    const auto known = std::find_if(targets_.begin(), targets_.end(), same);
    if (known != targets_.end()) {
      ++known->lanes;
      continue;
    }
    const MemoryBarrier* barrier = barrier_at(*place.cta, place.offset);
    const std::int64_t phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
    targets_.push_back({place.cta, place.offset, 1, phase, lane});
  }
}

void SyncRecorder::before(Warp& warp, const Instruction& i, std::uint32_t active) {
  targets_.clear();
  if (is_mbarrier(i)) collect_targets(warp, i, active);
  if (warp.cta->tensor != nullptr) commits_before_ = warp.cta->tensor->commits;
  if (i.handler != &run_bulk_copy && i.handler != &run_async_arrive) return;
  landing_before_ = warp.cta->cluster->landing.size();
  groups_before_ = warp.cta->async->groups.size();
}

void SyncRecorder::after(Warp& warp, const Instruction& i, std::uint32_t active, Flow flow,
                         std::int64_t step, const trace::SourceLine& source) {
  if (flow == Flow::fault || flow == Flow::converge) return;
  now_.place = {request_.launch, warp.cta->block, warp.index};
  now_.step = step;
  now_.source = source;
  const auto lane = static_cast<std::size_t>(first_lane(active));
  if (i.handler == &run_mbarrier_init) {
    for (const Target& target : targets_)
      if (target.owner == warp.cta) told_[target.offset] = 0;
  } else if (i.handler == &run_mbarrier_arrive) {
    after_arrive(warp, i);
  } else if (i.handler == &run_mbarrier_wait) {
    after_wait(warp, i, active, flow);
  } else if (i.handler == &run_bulk_copy || i.handler == &run_async_arrive) {
    after_bulk_copy(warp);
  } else if (i.handler == &run_tensor_commit) {
    after_tensor_commit(warp);
  } else if (i.handler == &run_bulk_wait) {
    const auto thread = static_cast<std::uint32_t>(warp.index * kLanes) + lane;
    const auto& commits = warp.cta->async->commits;
    const auto found = commits.find(static_cast<std::uint32_t>(thread));
    const std::int64_t groups = found == commits.end() ? 0 : std::int64_t{found->second};
    tell("pass", "bulk", std::max<std::int64_t>(-1, groups - 1 - i.immediate));
  } else if (i.handler == &run_async_copy) {
    after_async_copy(warp, i, active);
  } else if (i.handler == &run_async_wait) {
    const std::int64_t groups = warp.commits[lane];
    const std::int64_t last = i.immediate < 0 ? groups : groups - 1 - i.immediate;
    tell("pass", "cp.async", std::max<std::int64_t>(-1, last));
  } else if (i.handler == &run_barrier) {
    const std::uint32_t index = row<std::uint32_t>(warp, i.a)[lane];
    tell("arrive", fmt::format("bar {}", index), opened_[index % opened_.size()],
         __builtin_popcount(active));
  }
}

void SyncRecorder::after_arrive(const Warp& warp, const Instruction& i) {
  for (const Target& target : targets_) {
    const std::int64_t given = i.b == kNoRow ? 1 : row<std::uint32_t>(warp, i.b)[target.first_lane];
    const std::string name = sync_name(*target.owner, *warp.cta, target.offset);
    if ((i.detail & kMbarrierExpects) != 0)
      tell("expect", name, target.phase, 0, given * target.lanes);
    const bool counts_bytes = (i.detail & (kMbarrierExpects | kMbarrierCompletes)) != 0;
    if ((i.detail & kMbarrierArrives) != 0)
      tell("arrive", name, target.phase, (counts_bytes ? 1 : given) * target.lanes);
    if (target.owner == warp.cta) completed(*warp.cta, target.offset);
  }
}

// A phase that others completed shows here at the latest.
void SyncRecorder::completed(const Cta& cta, std::uint32_t offset) {
  const MemoryBarrier* barrier = barrier_at(cta, offset);
  if (barrier == nullptr) return;
  std::uint64_t& told = told_[offset];
  for (; told < barrier->phase; ++told)
    tell("complete", sync_name(cta, cta, offset), static_cast<std::int64_t>(told));
}

void SyncRecorder::after_wait(const Warp& warp, const Instruction& i, std::uint32_t active,
                              Flow flow) {
  Wait& waiting = waiting_[static_cast<std::size_t>(warp.index)];
  for (const Target& target : targets_) {
    const MemoryBarrier* barrier = barrier_at(*target.owner, target.offset);
    if (barrier == nullptr) continue;
    if (target.owner == warp.cta) completed(*warp.cta, target.offset);
    const bool passed = flow == Flow::next ||
                        (flow == Flow::yield && ((predicate(warp, i.d) >> target.first_lane) & 1));
    const std::string name = sync_name(*target.owner, *warp.cta, target.offset);
    const auto phase = static_cast<std::int64_t>(barrier->phase);
    std::int64_t wanted = passed ? phase - 1 : phase;
    if ((i.detail & kMbarrierParity) == 0)
      wanted = static_cast<std::int64_t>(row<std::uint64_t>(warp, i.c)[first_lane(active)] >>
                                         kCountBits);
    if (passed) {
      tell("pass", name, wanted);
      waiting = {};
    } else if (waiting.object != name || waiting.phase != wanted) {
      tell("wait", name, wanted);
      waiting = {name, wanted};
    }
  }
}

void SyncRecorder::released(const Cta& cta, int barrier, const std::vector<std::int64_t>& steps) {
  std::int64_t& opened = opened_[static_cast<std::size_t>(barrier)];
  const std::string name = fmt::format("bar {}", barrier);
  bool first = true;
  now_.source = {};
  for (const Warp& warp : cta.warps)
    for (const Group& group : warp.groups) {
      if (group.waiting != Waiting::barrier || group.barrier != barrier) continue;
      now_.place = {request_.launch, cta.block, warp.index};
      now_.step = std::max<std::int64_t>(0, steps[static_cast<std::size_t>(warp.index)] - 1);
      if (first) tell("complete", name, opened);
      first = false;
      tell("pass", name, opened);
    }
  ++opened;
}

}  // namespace lanescope::emulator
