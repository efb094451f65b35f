// SPDX-License-Identifier: MIT
// Bulk copies: issued here, landed when every other warp of the cluster has had its turn (into
// shared memory) or at the wait of the thread (out of it). Who reads earlier finds what was there
// before; who overwrites the source earlier sends what he wrote. What those by a tensor map copy is
// in tensor_copy.cpp.
//
// Source: PTX ISA 9.2, 9.7.9.25 (cp.async.bulk).
#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tensor_copy.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

// Who gets the bytes. Each of them has an mbarrier that hears of it, at the offset that the operand
// names: an H200 looks at no more of it, nor at whose CTA a multicast names as its destination
// (docs/experiments/cluster_barriers.md). With .cta_group::2 that of the receiver's pair whose rank
// is even, or odd, as that of the CTA in the operand is.
bool find_targets(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  SharedPlace to;
  const std::uint32_t alignment = plan.rank > 0 ? 128 : 16;
  const std::uint32_t bytes = plan.rank > 0 ? copy.map.rows() * copy.map.row_bytes() : copy.bytes;
  const auto own = [&](const RowAddress& row) {
    return (address_of(w, row, lane) & kOffsetMask) | w.cta->window;
  };
  const std::uint64_t destination = plan.mask == BulkPlan::kAbsent
                                        ? address_of(w, plan.destination, lane)
                                        : own(plan.destination);
  if (!find_shared(w, lane, Space::shared, destination, bytes, alignment, to, Reach::cluster))
    return false;
  copy.shared = to.offset;
  copy.targets = 1u << to.cta->rank;
  if (plan.mask != BulkPlan::kAbsent)
    copy.targets = row<std::uint32_t>(w, plan.mask)[lane] & 0xffff;
  const auto& ctas = w.cta->cluster->ctas;
  if (copy.targets >> ctas.size() != 0) {
    fail(w, ErrorCode::illegal_instruction, "cluster-rank", lane,
         fmt::format("ctaMask 0x{:x} in a cluster of {}", copy.targets, ctas.size()),
         "one bit for each CTA of the cluster");
    return false;
  }
  SharedPlace barrier;
  const bool pairs = plan.ctas == 2;
  if (!find_shared(w, lane, Space::shared,
                   pairs ? address_of(w, plan.barrier, lane) : own(plan.barrier), 8, 8, barrier,
                   Reach::cluster))
    return false;
  copy.barrier = barrier.offset;
  if (pairs) copy.parity = barrier.cta->rank % 2;
  if (pairs && ctas.size() % 2 != 0)
    return refuse_copy(
        w, lane, fmt::format("a tensor copy with .cta_group::2 in a cluster of {}", ctas.size()),
        "launch the kernel with clusters of an even number of CTAs");
  if (plan.mask == BulkPlan::kAbsent &&
      w.cta->check != nullptr)  // of a multicast the offset counts
    w.cta->check->mbarriers().named(w, lane, address_of(w, plan.barrier, lane),
                                    told_of(copy, *to.cta));
  for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
    barrier.cta = &told_of(copy, *ctas[static_cast<std::size_t>(__builtin_ctz(rest))]);
    if (find_barrier(w, lane, barrier) == nullptr) return false;
  }
  return true;
}

bool find_source(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  SharedPlace from;
  const std::uint32_t alignment = plan.rank > 0 ? 128 : 16;
  const std::uint32_t bytes = plan.rank > 0 ? copy.map.rows() * copy.map.row_bytes() : copy.bytes;
  if (!find_shared(w, lane, Space::shared, address_of(w, plan.source, lane), bytes, alignment,
                   from))
    return false;
  if (from.cta != w.cta)
    return refuse_copy(w, lane, "the source is in another CTA's shared memory",
                       "copy from the executing CTA's own");
  (plan.way == BulkPlan::Way::to_global ? copy.shared : copy.remote_source) = from.offset;
  return true;
}

// By a tensor map of INT64 an H200 takes .min and .max alone
// (docs/experiments/ragged_rows.md).
bool sum_exists(const BulkCopy& copy) {
  if (copy.kind == BulkCopy::Kind::tensor && copy.type == Type::s64)
    return copy.operation == AtomicOperation::min || copy.operation == AtomicOperation::max;
  return atomic_exists(copy.operation, copy.type);
}

bool describe_bytes(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  copy.bytes = row<std::uint32_t>(w, plan.size)[lane];
  copy.type = plan.type;
  if (plan.byte_mask != BulkPlan::kAbsent)
    copy.byte_mask = row<std::uint32_t>(w, plan.byte_mask)[lane] & 0xffff;
  if (copy.bytes % 16 != 0)
    return refuse_copy(w, lane, fmt::format("a bulk copy of {} bytes", copy.bytes),
                       "its size must be a multiple of 16");
  if (plan.way == BulkPlan::Way::shared_to_shared) return true;
  const bool in = plan.way == BulkPlan::Way::to_shared;
  copy.global = address_of(w, in ? plan.source : plan.destination, lane);
  if (copy.global % 16 != 0) return refuse_alignment(w, lane, Space::global, copy.global, 16);
  return check_global(w, lane, copy.global, static_cast<int>(copy.bytes), !in);
}

bool issue(Warp& w, const BulkPlan& plan, int lane) {
  BulkCopy copy;
  copy.way = plan.way;
  copy.issuer = w.cta;
  copy.reduces = plan.reduces;
  copy.operation = plan.operation;
  if (!(plan.rank > 0 ? describe_tensor(w, lane, plan, copy) : describe_bytes(w, lane, plan, copy)))
    return false;
  if (plan.rank == 0 && copy.bytes == 0) return true;  // of 0 bytes nobody hears (an H200)
  if (copy.reduces && !sum_exists(copy))
    return refuse_copy(w, lane, "there is no such reduction of this type",
                       "docs/experiments/ragged_rows.md has those by tensor maps");
  if (plan.way != BulkPlan::Way::to_global && !find_targets(w, lane, plan, copy)) return false;
  if (plan.way != BulkPlan::Way::to_global && copy.targets == 0) return true;  // a mask of 0
  if (plan.way != BulkPlan::Way::to_shared && !find_source(w, lane, plan, copy)) return false;
  copy.thread = static_cast<std::uint32_t>(w.index * kLanes + lane);
  if (w.cta->check != nullptr) w.cta->check->bulk_issued(w, lane, copy);
  if (plan.way != BulkPlan::Way::to_global) {
    w.cta->cluster->landing.push_back(copy);
    return true;
  }
  CtaAsync& async = *w.cta->async;
  copy.group = async.commits[copy.thread];
  async.groups.push_back(copy);
  return true;
}

}  // namespace

Flow run_bulk_copy(Warp& w, const Instruction& i, std::uint32_t active) {
  const BulkPlan& plan = w.cta->launch->program->bulks[static_cast<std::size_t>(i.immediate)];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (!issue(w, plan, __builtin_ctz(rest))) return Flow::fault;
  return Flow::next;
}

Flow run_bulk_commit(Warp& w, const Instruction&, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    ++w.cta->async->commits[static_cast<std::uint32_t>(w.index * kLanes + __builtin_ctz(rest))];
  return Flow::next;
}

// wait_group N{.read}: all but the thread's N latest groups are done. With .read only their sources
// have been read; the bytes are at their destination then, too, which a card does not promise.
Flow run_bulk_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  CtaAsync& async = *w.cta->async;
  auto kept = async.groups.begin();
  for (const BulkCopy& copy : async.groups) {
    const auto warp = static_cast<int>(copy.thread / kLanes);
    const bool mine = warp == w.index && ((active >> (copy.thread % kLanes)) & 1) != 0;
    if (mine && std::int64_t{copy.group} < std::int64_t{async.commits[copy.thread]} - i.immediate)
      land_copy(copy);
    else
      *kept++ = copy;
  }
  async.groups.erase(kept, async.groups.end());
  return Flow::next;
}

}  // namespace lanescope::emulator
