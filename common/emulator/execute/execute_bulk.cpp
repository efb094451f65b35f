// SPDX-License-Identifier: MIT
// Bulk copies: issued here, landed when every other warp of the cluster has had its turn (into
// shared memory) or at the wait of the thread (out of it). Who reads earlier finds what was there
// before; who overwrites the source earlier sends what he wrote.
//
// Source: PTX ISA 9.2, 9.7.9.25 (cp.async.bulk) and 9.7.9.25.5 (tensors).
#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

bool refuse_copy(Warp& w, int lane, std::string what, const char* hint) {
  fail(w, ErrorCode::illegal_instruction, "bulk-copy", lane, std::move(what), hint);
  return false;
}

// The tensor map that a generic address points to: a parameter, constant or global memory.
bool find_map(Warp& w, int lane, std::uint64_t address, TensorMap& map) {
  const std::byte* host = nullptr;
  if (address % 64 != 0)
    return refuse_copy(w, lane, fmt::format("the tensor map's address 0x{:x}", address),
                       "a CUtensorMap is aligned to 64 bytes");
  if (const std::uint64_t offset = address - kParameterWindow; offset < kWindowBytes) {
    const auto& parameters = w.cta->launch->parameters;
    if (offset > parameters.size() || sizeof(TensorMapBytes) > parameters.size() - offset)
      return refuse_access(w, lane, Space::parameter, offset, sizeof(TensorMapBytes));
    host = parameters.data() + offset;
  } else {
    if (!check_global(w, lane, address, sizeof(TensorMapBytes), false)) return false;
    host = reinterpret_cast<const std::byte*>(address);
  }
  const auto found = decode_tensor_map(host);
  if (!found) {
    MapProblem problem = map_problem(host);
    return refuse_copy(w, lane, std::move(problem.what), problem.hint);
  }
  map = *found;
  return true;
}

// All bytes that lie inside the tensor must lie in one allocation. Behind the ends of its rows is
// written where what is written there does, too.
bool check_tensor(Warp& w, int lane, BulkCopy& copy) {
  if (copy.way == BulkPlan::Way::to_global) {
    copy.place.whole_units = true;
    const TouchedBytes written = touched_bytes(copy.map, copy.place);
    copy.place.whole_units = w.cta->launch->memory->find(written.begin)
                                 .contains(written.begin, written.end - written.begin);
  }
  const TouchedBytes touched = touched_bytes(copy.map, copy.place);
  return touched.begin == touched.end ||
         check_global(w, lane, touched.begin, static_cast<int>(touched.end - touched.begin),
                      copy.way == BulkPlan::Way::to_global);
}

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

// What an H200 answers with "an illegal instruction was encountered":
// docs/experiments/coordinates.md.
bool check_coordinates(Warp& w, int lane, const BulkPlan& plan, const BulkCopy& copy) {
  if (!copy.map.is_interleaved() &&
      std::int64_t{copy.place.at[0]} * copy.map.element_bytes() % 16 != 0)
    return refuse_copy(w, lane,
                       fmt::format("a tensor copy from column {} on, of elements of {} bytes",
                                   copy.place.at[0], copy.map.element_bytes()),
                       "the first coordinate must be a multiple of 16 bytes");
  for (const std::int32_t at : copy.place.rows)
    if (plan.way == BulkPlan::Way::to_global && at < 0)
      return refuse_copy(w, lane, fmt::format("a tensor store at row {}", at),
                         "a store may not begin before the tensor");
  for (int d = 0; d < plan.rank; ++d)
    if (plan.way == BulkPlan::Way::to_global && copy.place.at[static_cast<std::size_t>(d)] < 0)
      return refuse_copy(w, lane,
                         fmt::format("a tensor store at coordinate {} of dimension {}",
                                     copy.place.at[static_cast<std::size_t>(d)], d),
                         "a store may hang over a tensor's end, not begin before the tensor");
  return true;
}

// The same of im2col mode: docs/experiments/im2col.md.
bool check_pixels(Warp& w, int lane, const BulkPlan& plan, const BulkCopy& copy) {
  const TensorMap& map = copy.map;
  const int first = map.first_walked();
  for (int d = first; map.is_im2col && d < map.rank - 2 + first; ++d) {
    const auto k = static_cast<std::size_t>(d), corner = static_cast<std::size_t>(d - first);
    const std::int64_t at = copy.place.at[k], low = map.lower[corner];
    const std::int64_t high = static_cast<std::int64_t>(map.size[k]) - 1 + map.upper[corner];
    if (plan.way == BulkPlan::Way::to_global && (low < 0 || map.upper[corner] > 0))
      return refuse_copy(w, lane,
                         fmt::format("a tensor store through a bounding box from {} to {} of {} in "
                                     "dimension {}",
                                     low, high, map.size[k], d),
                         "for a store it must lie inside of the tensor");
    if (at < low || at > high)
      return refuse_copy(w, lane,
                         fmt::format("a copy in im2col mode from coordinate {} of dimension {} on, "
                                     "where the bounding box has {} to {}",
                                     at, d, low, high),
                         "it must begin in the bounding box");
  }
  return true;
}

// One box of four rows, which the copy names: the tensor map's own has one, and takes its columns.
bool name_rows(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  if (copy.map.is_interleaved() || copy.map.box[1] != 1)
    return refuse_copy(
        w, lane,
        fmt::format("a copy of four rows with a tensor map of {}",
                    copy.map.is_interleaved() ? std::string("slices")
                                              : fmt::format("boxes of {} rows", copy.map.box[1])),
        "for ::gather4 and ::scatter4 a box has one row, and is not interleaved");
  copy.place.has_four_rows = true;
  copy.place.at[1] = 0;
  copy.map.box[1] = static_cast<std::uint32_t>(copy.place.rows.size());
  copy.map.element_stride[1] = 1;
  for (std::size_t k = 0; k < copy.place.rows.size(); ++k)
    copy.place.rows[k] = row<std::int32_t>(w, plan.coordinates[k + 1])[lane];
  return true;
}

bool describe_tensor(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  copy.kind = BulkCopy::Kind::tensor;
  const bool in = plan.way == BulkPlan::Way::to_shared;
  const std::uint64_t map = address_of(w, in ? plan.source : plan.destination, lane);
  if (!find_map(w, lane, map, copy.map)) return false;
  if (w.cta->check != nullptr) w.cta->check->tensor_maps().used(w, lane, map);
  if (copy.map.rank != plan.rank)
    return refuse_copy(
        w, lane,
        fmt::format("a copy of {} dimensions with a tensor map of {}", plan.rank, copy.map.rank),
        "they must be the same");
  if (copy.map.is_im2col != plan.is_im2col)
    return refuse_copy(w, lane,
                       fmt::format("a copy in {} mode with a tensor map of the other one",
                                   plan.is_im2col ? "im2col" : "tile"),
                       "cuTensorMapEncodeTiled is for .tile, cuTensorMapEncodeIm2col for .im2col");
  for (int d = 0; d < plan.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    copy.place.at[k] = row<std::int32_t>(w, plan.coordinates[k])[lane];
    if (k < 3 && plan.offsets[k] != BulkPlan::kAbsent)
      copy.place.im2col[k] =
          static_cast<std::uint16_t>(row<std::uint32_t>(w, plan.offsets[k])[lane]);
  }
  if (plan.has_four_rows && !name_rows(w, lane, plan, copy)) return false;
  copy.type = element_type(copy.map.type);
  copy.bytes = copy.map.box_bytes();
  return check_coordinates(w, lane, plan, copy) && check_pixels(w, lane, plan, copy) &&
         check_tensor(w, lane, copy);
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
  if (copy.bytes % 16 != 0 || copy.bytes == 0)
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
