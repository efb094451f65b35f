// SPDX-License-Identifier: MIT
#include "emulator/check/earlier.hpp"

#include <fmt/format.h>

#include <cstring>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

// All threads of the launches that this one depends on are one, behind the warps.
void Checker::wait_for_grid(const Warp& warp, std::uint32_t lanes) {
  if (launch_.before == nullptr) return;
  global_.has_waited = true;
  each_known(warp, lanes, [&](Knowledge& knows, std::uint32_t) {
    knows.order.raise(warps_.size(), kAllLanes, ~Time{0});
  });
}

bool Checker::has_waited_for_grid(const Actor& actor) const {
  const std::size_t grid = warps_.size();
  return actor.knows->order.known(grid) != 0 ||
         (actor.knows->elsewhere != nullptr && actor.knows->elsewhere->anybody_knows(grid));
}

void Checker::meets_earlier(const Actor& actor, std::uint64_t address, std::uint64_t bytes,
                            bool writes) {
  const bool has_waited = has_waited_for_grid(actor);
  for (const EarlierLaunch* one = launch_.before; one != nullptr; one = one->before.get()) {
    const bool is_last = one == launch_.before;
    if (is_last && has_waited) continue;
    const auto meets = [&](const GlobalTouch& before, FindingKind kind, std::uint64_t at,
                           std::uint32_t size) {
      if (!before.is_there() || (before.is_strong() && actor.is_strong)) return;
      if (!is_last) kind = FindingKind::grid_before_the_last;
      if (!defers_) return report_earlier(kind, actor, at, before, *one);
      DeferredGlobal& made = deferred_global_.emplace_back();
      made.kind = kind;
      made.actor = actor;
      made.address = at;
      made.bytes = size;
      made.other = before;
      made.of = one;
      std::memcpy(made.old.data(), reinterpret_cast<const void*>(at), size);
    };
    const auto look = [&](const GlobalTouch& write, const GlobalReads* reads, std::uint64_t at,
                          std::uint32_t size) {
      meets(write,
            writes ? FindingKind::grid_write_after_write : FindingKind::grid_read_after_write, at,
            size);
      // Without launch_dependents all threads have exited by now.
      if (!writes || reads == nullptr || !one->touched->lets_begin) return;
      for (const GlobalTouch& read : *reads)
        meets(read, FindingKind::grid_write_after_read, at, size);
    };
    one->touched->shadow.look(address, bytes, look);
  }
}

void Checker::report_earlier(FindingKind kind, const Actor& actor, std::uint64_t address,
                             const GlobalTouch& other, const EarlierLaunch& by) {
  if (!findings_.is_new(kind, actor, other.touch.pc())) return;
  findings_.tell(kind, actor,
                 fmt::format(", global address 0x{:x}, {}", address,
                             global_.shadow.memory().describe(address)),
                 other.touch.pc(), {fmt::format("kernel {}", by.kernel)}, by.program);
}

}  // namespace lanescope::emulator
