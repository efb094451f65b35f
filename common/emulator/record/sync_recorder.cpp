// SPDX-License-Identifier: MIT
#include "emulator/record/sync_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/execute/handlers.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kCountBits = 20;  // of an mbarrier's state: phase << 20 | pending

std::string name_of(const Cta& owner, const Cta& here, std::uint32_t offset) {
  if (&owner == &here) return fmt::format("mbarrier 0x{:x}", offset);
  return fmt::format("mbarrier 0x{:x} of rank {}", offset, owner.rank);
}

bool is_mbarrier(const Instruction& i) {
  return i.handler == &run_mbarrier_arrive || i.handler == &run_mbarrier_wait ||
         i.handler == &run_mbarrier_init;
}

const MemoryBarrier* find(const Cta& owner, std::uint32_t offset) {
  const auto found = owner.async->barriers.find(offset);
  return found == owner.async->barriers.end() ? nullptr : &found->second;
}

// Where in global memory the bytes come from, or go to, as far as the trace has words for it: not
// of im2col, of interleaved tensors, or of every other element.
void tell_global(trace::Sync& event, const BulkCopy& copy) {
  const TensorMap& map = copy.map;
  if (copy.way == BulkPlan::Way::shared_to_shared) return;
  if (copy.kind == BulkCopy::Kind::bulk) {
    event.global = copy.global;
    return;
  }
  trace::TensorBox tensor{
      map.element_bytes(), std::string(layout::name(map.swizzle)), {}, {}, {}, {}};
  for (int d = 0; d < map.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    if (d > 0 && map.element_stride[k] != 1) return;
    tensor.size.push_back(static_cast<std::int64_t>(map.size[k]));
    if (d > 0) tensor.strides_bytes.push_back(static_cast<std::int64_t>(map.stride_bytes[k]));
    tensor.box.push_back(map.box[k]);
    tensor.at.push_back(copy.place.at[k]);
  }
  if (map.is_im2col || map.is_interleaved()) return;
  event.global = map.address;
  event.tensor.push_back(std::move(tensor));
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
    const MemoryBarrier* barrier = find(*place.cta, place.offset);
    const std::int64_t phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
    targets_.push_back({place.cta, place.offset, 1, phase, lane});
  }
}

void SyncRecorder::before(Warp& warp, const Instruction& i, std::uint32_t active) {
  targets_.clear();
  if (is_mbarrier(i)) collect_targets(warp, i, active);
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
    const std::string name = name_of(*target.owner, *warp.cta, target.offset);
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
  const MemoryBarrier* barrier = find(cta, offset);
  if (barrier == nullptr) return;
  std::uint64_t& told = told_[offset];
  for (; told < barrier->phase; ++told)
    tell("complete", name_of(cta, cta, offset), static_cast<std::int64_t>(told));
}

void SyncRecorder::after_wait(const Warp& warp, const Instruction& i, std::uint32_t active,
                              Flow flow) {
  Wait& waiting = waiting_[static_cast<std::size_t>(warp.index)];
  for (const Target& target : targets_) {
    const MemoryBarrier* barrier = find(*target.owner, target.offset);
    if (barrier == nullptr) continue;
    if (target.owner == warp.cta) completed(*warp.cta, target.offset);
    const bool passed = flow == Flow::next ||
                        (flow == Flow::yield && ((predicate(warp, i.d) >> target.first_lane) & 1));
    const std::string name = name_of(*target.owner, *warp.cta, target.offset);
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

void SyncRecorder::after_bulk_copy(const Warp& warp) {
  const Cta& here = *warp.cta;
  const auto& landing = here.cluster->landing;
  for (std::size_t k = landing_before_; k < landing.size(); ++k) {
    const BulkCopy& copy = landing[k];
    const auto offset = static_cast<std::uint32_t>(copy.barrier);
    const bool mine = ((copy.targets >> here.rank) & 1) != 0;
    const Cta& owner =
        mine ? here : *here.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(copy.targets))];
    const MemoryBarrier* barrier = find(owner, offset);
    Copy issued;
    issued.offset = offset;
    issued.event = now_;
    issued.event.object = name_of(owner, here, offset);
    issued.event.phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
    if (copy.kind == BulkCopy::Kind::arrive_after_copies) {
      issued.event.action = "arrive";
      issued.event.count = 1;
    } else {
      issued.event.action = "copy";
      issued.event.bytes = copy.bytes;
      issued.event.address = copy.shared;
      tell_global(issued.event, copy);
      emit(issued.event);
    }
    issued_.push_back(std::move(issued));
  }
  for (std::size_t k = groups_before_; k < here.async->groups.size(); ++k) {
    const BulkCopy& copy = here.async->groups[k];
    trace::Sync event = now_;
    event.action = "store";
    event.object = "bulk";
    event.phase = copy.group;
    event.bytes = copy.bytes;
    event.address = copy.shared;
    tell_global(event, copy);
    emit(event);
  }
}

void SyncRecorder::after_async_copy(const Warp& warp, const Instruction& i, std::uint32_t active) {
  const auto count = static_cast<std::size_t>(__builtin_popcount(active));
  std::uint32_t low = ~0u;
  for (std::size_t k = warp.copies.size() - std::min(count, warp.copies.size());
       k < warp.copies.size(); ++k)
    low = std::min(low, warp.copies[k].offset);
  tell("copy", "cp.async", warp.commits[static_cast<std::size_t>(first_lane(active))], 0,
       static_cast<std::int64_t>(count) * i.bytes, low);
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

void SyncRecorder::written_from_outside(const Cta& cta, std::uint32_t offset, std::uint64_t bytes) {
  trace::Sync event;
  event.place = {request_.launch, cta.block, 0};
  event.action = "written";
  event.object = "cluster";
  event.bytes = static_cast<std::int64_t>(bytes);
  event.address = offset;
  emit(event);
}

void SyncRecorder::landing(const Cta& cta) {
  landings_.clear();
  for (const BulkCopy& copy : cta.cluster->landing) {
    if (copy.issuer == &cta) {
      if (issued_.empty()) continue;
      landings_.push_back(std::move(issued_.front()));
      issued_.pop_front();
    } else if (((copy.targets >> cta.rank) & 1) != 0 &&
               copy.kind != BulkCopy::Kind::arrive_after_copies) {
      // Another CTA's multicast: of whose warps nothing is told.
      const auto offset = static_cast<std::uint32_t>(copy.barrier);
      const MemoryBarrier* barrier = find(cta, offset);
      Copy foreign;
      foreign.offset = offset;
      foreign.event.place = {request_.launch, cta.block, 0};
      foreign.event.object = name_of(cta, cta, offset);
      foreign.event.phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
      foreign.event.bytes = copy.bytes;
      foreign.event.address = copy.shared;
      tell_global(foreign.event, copy);
      landings_.push_back(std::move(foreign));
    }
  }
}

void SyncRecorder::landed(const Cta& cta) {
  std::map<std::uint32_t, trace::Sync> last;  // by mbarrier: who may have completed its phase
  for (std::size_t k = 0; k < landings_.size(); ++k) {
    trace::Sync event = landings_[k].event;
    if (event.action == "arrive") {
      // The lanes of one instruction, counted together.
      while (k + 1 < landings_.size() && landings_[k + 1].event == landings_[k].event) {
        ++event.count;
        ++k;
      }
    } else {
      event.action = "land";
    }
    emit(event);
    last[landings_[k].offset] = event;
  }
  for (const auto& entry : last) {
    now_.place = entry.second.place;
    now_.step = entry.second.step;
    now_.source = entry.second.source;
    completed(cta, entry.first);
  }
  landings_.clear();
}

}  // namespace lanescope::emulator
