// SPDX-License-Identifier: MIT
#include "emulator/check/tensor_maps.hpp"

#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

void TensorMapWatch::changed(const Actor& actor, std::uint64_t address, bool is_released) {
  MapChange& made = changes_.last[address];
  made.change = check_.global_touch(actor);
  made.number = ++changes_.count;
  made.is_released = is_released;
}

// Whatever the thread has changed, or knows of somebody to have changed.
void TensorMapWatch::released(const Warp& warp, std::uint32_t lanes) {
  check_.as_lanes(warp, lanes, warp.pc, [&](Actor actor) {
    for (auto& [address, made] : changes_.last)
      for (std::uint32_t rest = actor.lanes; rest != 0; rest &= rest - 1) {
        Actor one = actor;
        one.lanes = rest & (0 - rest);
        if (check_.is_of_this_cluster(made.change) &&
            ordered(one.knows->order, made.change.touch, one))
          made.is_released = true;
      }
  });
}

void TensorMapWatch::acquired(const Actor& actor, std::uint64_t address) {
  const Acquire made{
      {check_.now(), actor.lanes, actor.where()}, actor.warp->cta->rank, changes_.count};
  std::vector<Acquire>& all = acquired_[address];
  for (Acquire& known : all)
    if (known.touch.component() == actor.component && known.touch.lanes == actor.lanes)
      return void(known = made);
  all.push_back(made);
}

// One of the lanes that have fenced is enough.
bool TensorMapWatch::knows(const Actor& actor, const Touch& acquire) const {
  for (std::uint32_t rest = acquire.lanes; rest != 0; rest &= rest - 1)
    if (ordered(actor.knows->order, {acquire.time, rest & (0 - rest), acquire.where}, actor))
      return true;
  return false;
}

void TensorMapWatch::used(const Warp& warp, int lane, std::uint64_t address) {
  if (address >= kSharedWindow || check_.program().is_constant(address)) return;
  check_.as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& actor) { look(actor, address); });
}

// A store into the map that the acquire need not have come after. Times are those of a cluster: of
// other clusters' stores any acquire is taken to have come later.
GlobalTouch TensorMapWatch::stored_since(std::uint64_t address, const Acquire* acquire) const {
  GlobalTouch last;
  check_.global_shadow().each(
      address, 128, false,
      [&](const GlobalTouch& write, const GlobalReads*, std::uint64_t, std::uint32_t) {
        const bool is_later = acquire == nullptr || (check_.is_of_this_cluster(write) &&
                                                     write.touch.time > acquire->touch.time);
        if (write.is_there() && is_later) last = write;
      });
  return last;
}

void TensorMapWatch::look(const Actor& actor, std::uint64_t address) {
  const auto found = changes_.last.find(address);
  const MapChange* last = found == changes_.last.end() ? nullptr : &found->second;
  const Acquire* acquire = nullptr;
  if (const auto all = acquired_.find(address); all != acquired_.end())
    for (const Acquire& made : all->second)
      if (made.rank == actor.warp->cta->rank && knows(actor, made.touch) &&
          (acquire == nullptr || made.changes >= acquire->changes))
        acquire = &made;
  if (const GlobalTouch stored = stored_since(address, acquire); stored.is_there())
    return check_.report_map(FindingKind::map_not_acquired, actor, address, stored);
  const bool is_late = last != nullptr && (acquire == nullptr || acquire->changes < last->number);
  if (is_late)
    check_.report_map(FindingKind::map_not_acquired, actor, address, last->change);
  else if (last != nullptr && !last->is_released)
    check_.report_map(FindingKind::map_not_released, actor, address, last->change);
  else if (acquire == nullptr && check_.options().strict)  // a card looks again for each kernel
    check_.report_map(FindingKind::map_never_acquired, actor, address, {});
}

}  // namespace lanescope::emulator
