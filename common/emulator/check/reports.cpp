// SPDX-License-Identifier: MIT
// Two accesses that nothing orders become a finding: which kind it is, and who the other was.
#include <fmt/format.h>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {
namespace {

// %ctaid of the CTA of that rank in a cluster (prepare_cluster).
std::array<int, 3> block_of(const LaunchRequest& request, std::uint64_t cluster, std::size_t rank) {
  std::array<int, 3> block{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto extent = static_cast<std::uint64_t>(request.cluster[axis]);
    const std::uint64_t count = static_cast<std::uint64_t>(request.grid[axis]) / extent;
    block[axis] = static_cast<int>(cluster % count * extent + rank % extent);
    cluster /= count;
    rank /= extent;
  }
  return block;
}

// What is said of a race in shared memory and of one in global memory; `shared`, `global`: the
// first of the three kinds.
FindingKind of_others(FindingKind kind, FindingKind shared, FindingKind global) {
  const auto moved = [&](FindingKind from, FindingKind to) {
    return static_cast<FindingKind>(static_cast<int>(kind) - static_cast<int>(from) +
                                    static_cast<int>(to));
  };
  if (kind >= FindingKind::race_read_after_write && kind <= FindingKind::race_write_after_write)
    return moved(FindingKind::race_read_after_write, shared);
  if (kind >= FindingKind::global_read_after_write && kind <= FindingKind::global_write_after_write)
    return moved(FindingKind::global_read_after_write, global);
  return kind;
}

// Of lanes of one warp: to their reports belongs __syncwarp().
FindingKind of_one_warp(FindingKind kind) {
  return of_others(kind, FindingKind::warp_read_after_write, FindingKind::lane_read_after_write);
}

FindingKind of_one_cluster(FindingKind kind) {
  return of_others(kind, FindingKind::peer_read_after_write, FindingKind::cluster_read_after_write);
}

// Of a bulk copy that writes global memory, or reads it.
FindingKind of_copy(FindingKind kind) {
  if (kind == FindingKind::global_read_after_write || kind == FindingKind::far_read_after_write)
    return FindingKind::copy_read_after_write;
  if (kind == FindingKind::global_write_after_write || kind == FindingKind::far_write_after_write)
    return FindingKind::copy_write_after_write;
  if (kind == FindingKind::global_write_after_read || kind == FindingKind::far_write_after_read)
    return FindingKind::copy_write_after_read;
  return kind;
}

}  // namespace

Accessor Checker::who(const Touch& touch) const {
  const std::size_t component = touch.component();
  if (component >= warps_.size()) {
    const PtxStatement* at = launch_.program->statement(touch.pc());
    if (at != nullptr && at->opcode == "tcgen05")
      return {"a tcgen05." + std::string(at->modifiers[0])};
    return {at != nullptr && at->opcode == "wgmma" ? "a wgmma" : "a copy"};
  }
  Accessor whose = of_warp(touch, cluster_->number);
  if (shadows_.size() > 1)
    whose.words += fmt::format(" of CTA rank {}", component / warps_per_cta_);
  return whose;
}

// Of a warp, whichever cluster it is of.
Accessor Checker::of_warp(const Touch& touch, std::uint64_t cluster) const {
  const std::size_t component = touch.component();
  Accessor whose;
  whose.block = block_of(*launch_.request, cluster, component / warps_per_cta_);
  whose.warp = static_cast<int>(component % warps_per_cta_);
  whose.words = fmt::format("warp {}", whose.warp);
  if ((touch.lanes & (touch.lanes - 1)) != 0) return whose;
  whose.lane = __builtin_ctz(touch.lanes);
  whose.words += fmt::format(" lane {}", whose.lane);
  return whose;
}

// An mbarrier has told of it, with --strict a flag, and no acquire has followed.
template <class Tells>
bool Checker::has_only_heard(FindingKind kind, const Actor& actor, Tells tells) {
  const bool is_race =
      (kind >= FindingKind::missing_copy_wait && kind <= FindingKind::race_write_after_write) ||
      kind >= FindingKind::global_read_after_write;
  if (!is_race || actor.knows == nullptr) return false;
  const auto& near = actor.knows->heard;
  const auto& far = actor.knows->heard_far;
  return (near != nullptr && tells(*near)) || (far != nullptr && tells(*far));
}

// Of lanes that act as one, one that is not among the others.
Actor Checker::one_beside(const Actor& actor, const Touch& other) const {
  Actor named = actor;
  if (is_by_lanes(actor, other) && (actor.lanes & ~other.lanes) != 0) named.lanes &= ~other.lanes;
  return named;
}

bool Checker::is_by_lanes(const Actor& actor, const Touch& other) const {
  return actor.component == other.component() && actor.component < warps_.size();
}

// Both are threads, of two CTAs of one cluster.
bool Checker::are_peers(std::size_t component, std::size_t other) const {
  return component < warps_.size() && other < warps_.size() &&
         component / warps_per_cta_ != other / warps_per_cta_;
}

bool Checker::is_by_peers(const Actor& actor, const Touch& other) const {
  return are_peers(actor.component, other.component());
}

void Checker::report(FindingKind kind, const Actor& actor, const Cta& cta, std::uint32_t offset,
                     const Touch* other) {
  const std::uint32_t other_pc = other == nullptr ? Touch::kMostPc : other->pc();
  const auto tells = [&](const Knowledge& heard) { return ordered(heard.order, *other, actor); };
  if (has_only_heard(kind, actor, tells)) kind = FindingKind::missing_acquire;
  if (kind == FindingKind::missing_copy_wait && is_uncommitted(*other, offset))
    kind = FindingKind::missing_copy_commit;
  if (other != nullptr && is_by_lanes(actor, *other)) kind = of_one_warp(kind);
  if (other != nullptr && is_by_peers(actor, *other)) kind = of_one_cluster(kind);
  if (!findings_.is_new(kind, actor, other_pc)) return;
  std::string where;
  if (offset != kNoAddress) where = fmt::format(", shared address 0x{:x}", offset);
  if (offset == kNoAddress && &cta != actor.warp->cta) where = ", shared memory";
  if (&cta != actor.warp->cta) where += fmt::format(" of CTA rank {}", cta.rank);
  findings_.tell(kind, other == nullptr ? actor : one_beside(actor, *other), where, other_pc,
                 other == nullptr ? Accessor{} : who(*other));
}

Accessor Checker::who(const GlobalTouch& touch) const {
  if (touch.cluster() == cluster_->number) return who(touch.touch);
  const bool is_warp = touch.touch.component() < warps_.size();
  Accessor whose;
  if (is_warp) whose = of_warp(touch.touch, touch.cluster());
  const std::array<int, 3> block =
      is_warp ? whose.block : block_of(*launch_.request, touch.cluster(), 0);
  const std::string cta = fmt::format("CTA ({},{},{})", block[0], block[1], block[2]);
  whose.words = is_warp ? whose.words + " of " + cta : "a copy of the cluster of " + cta;
  return whose;
}

void Checker::report_global(FindingKind kind, const Actor& actor, std::uint64_t address,
                            const GlobalTouch& other) {
  const auto tells = [&](const Knowledge& heard) {
    Actor hearer = actor;
    hearer.knows = &heard;
    return knows_of(hearer, other);
  };
  if (has_only_heard(kind, actor, tells)) kind = FindingKind::missing_acquire;
  if (is_of_this_cluster(other) && is_by_lanes(actor, other.touch)) kind = of_one_warp(kind);
  if (is_of_this_cluster(other) && is_by_peers(actor, other.touch)) kind = of_one_cluster(kind);
  if (other.touch.component() >= warps_.size()) kind = of_copy(kind);
  if (!findings_.is_new(kind, actor, other.touch.pc())) return;
  findings_.tell(kind, is_of_this_cluster(other) ? one_beside(actor, other.touch) : actor,
                 fmt::format(", global address 0x{:x}, {}", address,
                             global_.shadow.memory().describe(address)),
                 other.touch.pc(), who(other));
}

void Checker::report_map(FindingKind kind, const Actor& actor, std::uint64_t address,
                         const GlobalTouch& other) {
  const std::uint32_t other_pc = other.is_there() ? other.touch.pc() : Touch::kMostPc;
  if (!findings_.is_new(kind, actor, other_pc)) return;
  findings_.tell(kind, actor, fmt::format(", map at global address 0x{:x}", address), other_pc,
                 other.is_there() ? who(other) : Accessor{});
}

}  // namespace lanescope::emulator
