// SPDX-License-Identifier: MIT
// What is under way: copies, and the commits of tcgen05, from the instruction that starts them to
// the moment they are there.
#include <algorithm>

#include "emulator/record/sync_names.hpp"
#include "emulator/record/sync_recorder.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

// Where in global memory the bytes come from, or go to, as far as the trace has words for it: not
// of im2col, of interleaved tensors, of four rows, or of every other element.
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
  if (map.is_im2col || map.is_interleaved() || copy.place.has_four_rows) return;
  event.global = map.address;
  event.tensor.push_back(std::move(tensor));
}

}  // namespace

void SyncRecorder::after_bulk_copy(const Warp& warp) {
  const Cta& here = *warp.cta;
  const auto& landing = here.cluster->landing;
  for (std::size_t k = landing_before_; k < landing.size(); ++k) {
    const BulkCopy& copy = landing[k];
    const auto offset = static_cast<std::uint32_t>(copy.barrier);
    const bool mine = ((copy.targets >> here.rank) & 1) != 0;
    const int rank = mine ? here.rank : __builtin_ctz(copy.targets);
    const Cta& owner = told_of(copy, *here.cluster->ctas[static_cast<std::size_t>(rank)]);
    const MemoryBarrier* barrier = barrier_at(owner, offset);
    Copy issued;
    issued.offset = offset;
    issued.event = now_;
    issued.event.object = sync_name(owner, here, offset);
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

// Its arrivals: they come when what the thread has started is done.
void SyncRecorder::after_tensor_commit(const Warp& warp) {
  for (const TensorWork& work : warp.cta->tensor->work) {
    if (!work.is_commit() || work.number <= commits_before_) continue;
    for (std::uint32_t rest = work.targets; rest != 0; rest &= rest - 1) {
      const Cta& owner = *warp.cta->cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
      const MemoryBarrier* barrier = barrier_at(owner, work.barrier);
      Copy arrival;
      arrival.offset = work.barrier;
      arrival.own = &owner == warp.cta;
      arrival.event = now_;
      arrival.event.action = "arrive";
      arrival.event.object = sync_name(owner, *warp.cta, work.barrier);
      arrival.event.phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
      arrival.event.count = 1;
      commits_.emplace(work.number, std::move(arrival));
    }
  }
}

void SyncRecorder::after_async_copy(const Warp& warp, const Instruction& i, std::uint32_t active) {
  const auto count = static_cast<std::size_t>(__builtin_popcount(active));
  std::uint32_t low = ~0u;
  for (std::size_t k = warp.copies.size() - std::min(count, warp.copies.size());
       k < warp.copies.size(); ++k)
    low = std::min(low, warp.copies[k].offset);
  tell("copy", "cp.async", warp.commits[static_cast<std::size_t>(__builtin_ctz(active))], 0,
       static_cast<std::int64_t>(count) * i.bytes, low);
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
      const Cta& told = told_of(copy, *cta.cluster->ctas[static_cast<std::size_t>(cta.rank)]);
      const MemoryBarrier* barrier = barrier_at(told, offset);
      Copy foreign;
      foreign.offset = offset;
      foreign.event.place = {request_.launch, cta.block, 0};
      foreign.event.object = sync_name(told, cta, offset);
      foreign.event.phase = barrier != nullptr ? static_cast<std::int64_t>(barrier->phase) : 0;
      foreign.event.bytes = copy.bytes;
      foreign.event.address = copy.shared;
      tell_global(foreign.event, copy);
      landings_.push_back(std::move(foreign));
    }
  }
}

// The commits that are no longer under way have arrived.
void SyncRecorder::tell_committed(const Cta& cta, std::map<std::uint32_t, trace::Sync>& last) {
  if (cta.tensor == nullptr) return;
  const auto& work = cta.tensor->work;
  for (auto commit = commits_.begin(); commit != commits_.end();) {
    const auto is_it = [&](const TensorWork& one) { return one.number == commit->first; };
    if (std::any_of(work.begin(), work.end(), is_it)) {
      ++commit;
      continue;
    }
    const Copy& arrival = commit->second;
    emit(arrival.event);
    if (arrival.own) last[arrival.offset] = arrival.event;
    commit = commits_.erase(commit);
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
  tell_committed(cta, last);
  for (const auto& entry : last) {
    now_.place = entry.second.place;
    now_.step = entry.second.step;
    now_.source = entry.second.source;
    completed(cta, entry.first);
  }
  landings_.clear();
}

}  // namespace lanescope::emulator
