// SPDX-License-Identifier: MIT
// See shared_history.hpp. How a box lies in shared memory: row after row, the fastest dimension
// within a row, 16-byte units swizzled by their address (PTX ISA 9.2, 5.5.3 and 5.5.7). A row that
// is narrower than its swizzle's span has room up to it (docs/experiments).
#include "panels/memory/shared_history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "layout/swizzle.hpp"
#include "panels/steps/step_search.hpp"

namespace lanescope::viz {
namespace {

constexpr std::uint64_t kChunk = 64;
constexpr std::uint64_t kMostShared = 1 << 20;  // more than any CTA has

bool is_before(const void* a, const void* b) { return std::less<>()(a, b); }

layout::Swizzle swizzle_of(const trace::TensorBox& tensor) {
  return layout::swizzle_mode(tensor.swizzle).value_or(layout::Swizzle::none);
}

std::uint64_t inner_bytes(const trace::TensorBox& tensor) {
  return static_cast<std::uint64_t>(tensor.box.front()) *
         static_cast<std::uint64_t>(tensor.element_bytes);
}

// From one row of the box to the next.
std::uint64_t row_bytes(const trace::TensorBox& tensor) {
  const layout::Swizzle mode = swizzle_of(tensor);
  const auto span = 16u * static_cast<std::uint64_t>(layout::units_per_row(mode));
  return mode == layout::Swizzle::none ? inner_bytes(tensor) : std::max(inner_bytes(tensor), span);
}

std::uint64_t rows_of(const trace::TensorBox& tensor) {
  std::uint64_t rows = 1;
  for (std::size_t d = 1; d < tensor.box.size(); ++d)
    rows *= static_cast<std::uint64_t>(tensor.box[d]);
  return rows;
}

std::int64_t threads_of(const trace::Trace& trace, int launch) {
  const trace::Launch* one = launch_of(trace, launch);
  return one == nullptr ? 0 : std::int64_t{one->block[0]} * one->block[1] * one->block[2];
}

std::int64_t recorded_warps(const StepList& steps, int launch, const std::array<int, 3>& block) {
  return std::count_if(steps.warps.begin(), steps.warps.end(), [&](const StepWarp& one) {
    return one.launch == launch && one.block == block;
  });
}

bool tells_an_mbarrier(const StepWarp& warp) {
  return std::any_of(warp.items.begin(), warp.items.end(), [](const StepItem& item) {
    return item.step->ptx.find("cp.async.mbarrier.arrive") != std::string::npos;
  });
}

}  // namespace

std::uint64_t bulk_extent(const trace::Sync& copy) {
  if (copy.tensor.empty()) return static_cast<std::uint64_t>(copy.bytes);
  return std::min(rows_of(copy.tensor.front()), kMostShared) * row_bytes(copy.tensor.front());
}

bool writes_memory(std::string_view instruction) {
  for (const std::string_view with :
       {"st.", "stmatrix", "wmma.store", "cp.async", "red.", "atom.", "cp.reduce"})
    if (instruction.starts_with(with)) return true;
  return false;
}

SharedHistory::SharedHistory(const trace::Trace& trace, const StepList& steps, int launch,
                             const std::array<int, 3>& block) {
  sees_all_warps_ = recorded_warps(steps, launch, block) * 32 >= threads_of(trace, launch);
  add_accesses(steps, launch, block);
  land_at_waits(trace, steps, launch, block);
  add_copies(trace, steps, launch, block);
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [](const Arrival& a, const Arrival& b) { return is_before(a.when, b.when); });
  for (std::size_t k = 0; k < arrivals_.size(); ++k) {
    const Arrival& one = arrivals_[k];
    if (one.begin >= one.end || one.end > kMostShared) continue;
    const std::size_t last = static_cast<std::size_t>((one.end - 1) / kChunk);
    if (last >= chunks_.size()) chunks_.resize(last + 1);
    for (std::size_t at = one.begin / kChunk; at <= last; ++at)
      chunks_[at].push_back(static_cast<std::uint32_t>(k));
  }
}

// `--steps` may leave out what a warp did first, and what it did last.
void SharedHistory::note_ends(const StepWarp& warp) {
  if (warp.items.empty()) return void(sees_beginnings_ = sees_all_warps_ = false);
  const trace::Step *first = warp.items.front().step, *last = warp.items.back().step;
  sees_beginnings_ = sees_beginnings_ && first->step == 0;
  if (all_begun_ == nullptr || is_before(all_begun_, first)) all_begun_ = first;
  if (!warp.ends() && (first_cut_ == nullptr || is_before(last, first_cut_))) first_cut_ = last;
}

bool SharedHistory::sees_until(const void* event) const {
  return sees_all_warps_ && (first_cut_ == nullptr || !is_before(first_cut_, event));
}

bool SharedHistory::sees_between(const void* from, const void* until) const {
  return sees_until(until) && (sees_beginnings_ || !is_before(from, all_begun_));
}

void SharedHistory::add_accesses(const StepList& steps, int launch,
                                 const std::array<int, 3>& block) {
  for (std::size_t w = 0; w < steps.warps.size(); ++w) {
    const StepWarp& warp = steps.warps[w];
    if (warp.launch != launch || warp.block != block) continue;
    note_ends(warp);
    for (std::size_t k = 0; k < warp.items.size(); ++k) {
      const trace::Access* access = warp.items[k].access;
      if (access == nullptr || !writes_memory(access->instruction)) continue;
      for (std::size_t at = 0; at < access->addresses.size(); ++at) {
        if ((access->active >> at % 32 & 1) == 0) continue;
        const std::uint64_t from = access->addresses[at];
        arrivals_.push_back({warp.items[k].step, nullptr, nullptr, static_cast<int>(w),
                             static_cast<int>(k), static_cast<int>(at % 32), from,
                             from + static_cast<std::uint64_t>(access->bytes_per_lane)});
      }
    }
  }
}

// What cp.async brings is there when its warp has waited for its group, and without a wait never;
// where an mbarrier is told of it instead, from its step on.
void SharedHistory::land_at_waits(const trace::Trace& trace, const StepList& steps, int launch,
                                  const std::array<int, 3>& block) {
  std::map<std::pair<int, std::int64_t>, std::int64_t> groups;  // by warp and step
  std::map<int, std::vector<const trace::Sync*>> waits;         // by warp
  for (const trace::Event& event : trace.events) {
    const auto* sync = std::get_if<trace::Sync>(&event);
    if (sync == nullptr || sync->object != "cp.async" || sync->place.launch != launch ||
        sync->place.block != block)
      continue;
    if (sync->action == "copy") groups[{sync->place.warp, sync->step}] = sync->phase;
    if (sync->action == "pass") waits[sync->place.warp].push_back(sync);
  }
  std::vector<bool> tells_mbarrier;  // by place in the list
  for (const StepWarp& warp : steps.warps)
    tells_mbarrier.push_back(warp.launch == launch && warp.block == block &&
                             tells_an_mbarrier(warp));
  for (Arrival& one : arrivals_) {
    const StepWarp& warp = steps.warps[static_cast<std::size_t>(one.warp)];
    const auto group =
        groups.find({warp.warp, warp.items[static_cast<std::size_t>(one.item)].step->step});
    if (group == groups.end() || tells_mbarrier[static_cast<std::size_t>(one.warp)]) continue;
    one.began = one.when;
    one.when = trace.events.data() + trace.events.size();
    const std::vector<const trace::Sync*>& of_warp = waits[warp.warp];
    for (auto at = std::lower_bound(of_warp.begin(), of_warp.end(), one.began, is_before);
         at != of_warp.end(); ++at)
      if ((*at)->phase >= group->second) {
        one.when = *at;
        break;
      }
  }
}

// A copy counts from its landing on, or from where it began where the trace has none.
void SharedHistory::add_copies(const trace::Trace& trace, const StepList& steps, int launch,
                               const std::array<int, 3>& block) {
  std::map<std::tuple<int, std::int64_t, std::int64_t>, std::size_t> under_way;
  for (const trace::Event& event : trace.events) {
    const auto* sync = std::get_if<trace::Sync>(&event);
    if (sync == nullptr || sync->address < 0 || sync->place.launch != launch ||
        sync->place.block != block || sync->object == "cp.async" ||
        sync->object.find(" of rank ") != std::string::npos)  // for another CTA
      continue;
    const bool begins = sync->action == "copy", lands = sync->action == "land";
    if (!begins && !lands && sync->action != "written") continue;
    const auto key = std::make_tuple(sync->place.warp, sync->step, sync->address);
    if (const auto found = under_way.find(key); lands && found != under_way.end()) {
      arrivals_[found->second].when = sync;
      under_way.erase(found);
      continue;
    }
    const auto from = static_cast<std::uint64_t>(sync->address);
    Arrival arrival{sync, begins ? sync : nullptr,  sync, -1, -1, -1,
                    from, from + bulk_extent(*sync)};
    if (begins) {
      under_way[key] = arrivals_.size();
      const StepPlace at = step_of(steps, launch, block, sync->place.warp, sync->step);
      arrival.warp = at.item < 0 ? -1 : at.warp;
      arrival.item = at.item;
    }
    arrivals_.push_back(arrival);
  }
}

const std::vector<std::uint32_t>& SharedHistory::of(std::uint64_t byte) const {
  static const std::vector<std::uint32_t> kNone;
  const std::uint64_t chunk = byte / kChunk;
  return chunk < chunks_.size() ? chunks_[static_cast<std::size_t>(chunk)] : kNone;
}

const Arrival* SharedHistory::last(std::uint64_t byte, const void* before) const {
  const std::vector<std::uint32_t>& here = of(byte);
  auto at = std::lower_bound(
      here.begin(), here.end(), before,
      [this](std::uint32_t k, const void* when) { return is_before(arrivals_[k].when, when); });
  while (at != here.begin())
    if (const Arrival& one = arrivals_[*--at]; byte >= one.begin && byte < one.end) return &one;
  return nullptr;
}

const Arrival* SharedHistory::next(std::uint64_t byte, const void* after) const {
  for (const std::uint32_t k : of(byte))
    if (const Arrival& one = arrivals_[k];
        is_before(after, one.when) && byte >= one.begin && byte < one.end)
      return &one;
  return nullptr;
}

const Arrival* SharedHistory::under_way(std::uint64_t byte, const void* at) const {
  for (const std::uint32_t k : of(byte))
    if (const Arrival& one = arrivals_[k]; one.began != nullptr && is_before(one.began, at) &&
                                           is_before(at, one.when) && byte >= one.begin &&
                                           byte < one.end)
      return &one;
  return nullptr;
}

const Arrival* SharedHistory::of_tensor(std::uint64_t global) const {
  const auto found = std::find_if(arrivals_.begin(), arrivals_.end(), [global](const Arrival& one) {
    return one.item >= 0 && one.copy != nullptr && !one.copy->tensor.empty() &&
           one.copy->global == global;
  });
  return found == arrivals_.end() ? nullptr : &*found;
}

std::vector<const Arrival*> SharedHistory::all(std::uint64_t byte) const {
  std::vector<const Arrival*> found;
  for (const std::uint32_t k : of(byte))
    if (const Arrival& one = arrivals_[k]; byte >= one.begin && byte < one.end)
      found.push_back(&one);
  return found;
}

std::optional<BulkSource> bulk_source(const trace::Sync& copy, std::uint64_t byte) {
  if (!copy.tensor.empty()) return bulk_source(copy, copy.tensor.front(), byte);
  const auto begin = static_cast<std::uint64_t>(copy.address);
  if (copy.global == 0 || byte < begin || byte - begin >= static_cast<std::uint64_t>(copy.bytes))
    return std::nullopt;
  return BulkSource{copy.global + (byte - begin), true, {}, 0};
}

std::optional<BulkSource> bulk_source(const trace::Sync& copy, const trace::TensorBox& tensor,
                                      std::uint64_t byte) {
  const std::uint64_t linear =
      layout::swizzled(static_cast<std::uint32_t>(byte), swizzle_of(tensor));
  const auto begin = static_cast<std::uint64_t>(copy.address);
  if (linear < begin) return std::nullopt;
  const std::uint64_t row = (linear - begin) / row_bytes(tensor);
  const std::uint64_t within = (linear - begin) % row_bytes(tensor);
  if (row >= rows_of(tensor) || within >= inner_bytes(tensor)) return std::nullopt;
  BulkSource source;
  const auto each = static_cast<std::uint64_t>(tensor.element_bytes);
  source.element.push_back(tensor.at[0] + static_cast<std::int64_t>(within / each));
  // Unsigned: a file may have any numbers.
  std::uint64_t address = static_cast<std::uint64_t>(source.element[0]) * each + within % each;
  source.along_bytes = static_cast<std::int64_t>(address);
  auto rest = static_cast<std::int64_t>(row);
  for (std::size_t d = 1; d < tensor.box.size(); ++d) {
    source.element.push_back(tensor.at[d] + rest % tensor.box[d]);
    rest /= tensor.box[d];
    address += static_cast<std::uint64_t>(source.element[d]) *
               static_cast<std::uint64_t>(tensor.strides_bytes[d - 1]);
  }
  for (std::size_t d = 0; d < source.element.size(); ++d)
    source.inside = source.inside && source.element[d] >= 0 && source.element[d] < tensor.size[d];
  source.address = copy.global + address;
  return source;
}

std::string coordinates_text(const std::vector<std::int64_t>& at) {
  return fmt::format("{{{}}}", fmt::join(at, ", "));
}

}  // namespace lanescope::viz
