// SPDX-License-Identifier: MIT
// Bulk copies: issued here, landed when every other warp of the cluster has had its turn (into
// shared memory) or at the wait of the thread (out of it). Who reads earlier finds what was there
// before; who overwrites the source earlier sends what he wrote.
//
// Source: PTX ISA 9.1, 9.7.9.25.4 (cp.async.bulk) and 9.7.9.25.5 (tensors).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/cluster.hpp"
#include "emulator/handlers.hpp"

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
  if (!found)
    return refuse_copy(w, lane, map_problem(host),
                       "pass it as a const __grid_constant__ CUtensorMap parameter");
  map = *found;
  return true;
}

// All bytes that lie inside the tensor must lie in one allocation.
bool check_tensor(Warp& w, int lane, const BulkCopy& copy) {
  const TensorMap& map = copy.map;
  std::uint64_t low = map.address;
  std::uint64_t high = map.address + static_cast<std::uint64_t>(map.element_bytes());
  for (int d = 0; d < map.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const std::int64_t first = std::max<std::int64_t>(copy.at[k], 0);
    const std::int64_t last = std::min<std::int64_t>(
        copy.at[k] + static_cast<std::int64_t>(map.box[k]), static_cast<std::int64_t>(map.size[k]));
    if (first >= last) return true;  // nothing of it is inside
    low += static_cast<std::uint64_t>(first) * map.stride_bytes[k];
    high += static_cast<std::uint64_t>(last - 1) * map.stride_bytes[k];
  }
  return check_global(w, lane, low, static_cast<int>(high - low),
                      copy.way == BulkPlan::Way::to_global);
}

// Who gets the bytes and whose mbarrier hears of it.
bool find_targets(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  SharedPlace to;
  const std::uint32_t alignment = plan.rank > 0 ? 128 : 16;
  const std::uint32_t bytes = plan.rank > 0 ? copy.map.rows() * copy.map.row_bytes() : copy.bytes;
  // A multicast looks at the offsets only, as on an H200.
  const auto place = [&](const RowAddress& row) {
    const std::uint64_t address = address_of(w, row, lane);
    return plan.mask == BulkPlan::kAbsent ? address : (address & kOffsetMask) | w.cta->window;
  };
  if (!find_shared(w, lane, Space::shared, place(plan.destination), bytes, alignment, to))
    return false;
  copy.shared = to.offset;
  copy.targets = 1u << to.cta->rank;
  if (plan.mask != BulkPlan::kAbsent)
    copy.targets = row<std::uint32_t>(w, plan.mask)[lane] & 0xffff;
  const auto& ctas = w.cta->cluster->ctas;
  if (copy.targets == 0 || copy.targets >> ctas.size() != 0)
    return refuse_copy(w, lane,
                       fmt::format("ctaMask 0x{:x} in a cluster of {}", copy.targets, ctas.size()),
                       "one bit for each CTA of the cluster");
  SharedPlace barrier;
  if (!find_shared(w, lane, Space::shared, place(plan.barrier), 8, 8, barrier)) return false;
  if (plan.mask == BulkPlan::kAbsent && barrier.cta != to.cta)
    return refuse_copy(w, lane, "the destination and the mbarrier are of different CTAs",
                       "the mbarrier must be of the CTA that receives the bytes");
  copy.barrier = barrier.offset;
  for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
    barrier.cta = ctas[static_cast<std::size_t>(__builtin_ctz(rest))].get();
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
  if (std::int64_t{copy.at[0]} * copy.map.element_bytes() % 16 != 0)
    return refuse_copy(w, lane,
                       fmt::format("a tensor copy from column {} on, of elements of {} bytes",
                                   copy.at[0], copy.map.element_bytes()),
                       "the first coordinate must be a multiple of 16 bytes");
  for (int d = 0; d < plan.rank; ++d)
    if (plan.way == BulkPlan::Way::to_global && copy.at[static_cast<std::size_t>(d)] < 0)
      return refuse_copy(w, lane,
                         fmt::format("a tensor store at coordinate {} of dimension {}",
                                     copy.at[static_cast<std::size_t>(d)], d),
                         "a store may hang over a tensor's end, not begin before the tensor");
  return true;
}

bool describe_tensor(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  copy.kind = BulkCopy::Kind::tensor;
  const bool in = plan.way == BulkPlan::Way::to_shared;
  if (!find_map(w, lane, address_of(w, in ? plan.source : plan.destination, lane), copy.map))
    return false;
  if (copy.map.rank != plan.rank)
    return refuse_copy(
        w, lane,
        fmt::format("a copy of {} dimensions with a tensor map of {}", plan.rank, copy.map.rank),
        "they must be the same");
  for (int d = 0; d < plan.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    copy.at[k] = row<std::int32_t>(w, plan.coordinates[k])[lane];
  }
  copy.type = element_type(copy.map.type);
  copy.bytes = copy.map.box_bytes();
  return check_coordinates(w, lane, plan, copy) && check_tensor(w, lane, copy);
}

bool describe_bytes(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  copy.bytes = row<std::uint32_t>(w, plan.size)[lane];
  copy.type = plan.type;
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
  if (copy.reduces && !atomic_exists(copy.operation, copy.type))
    return refuse_copy(w, lane, "this reduction of this type is not modelled",
                       "docs/emulator.md lists what is");
  if (plan.way != BulkPlan::Way::to_global && !find_targets(w, lane, plan, copy)) return false;
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

// What a row of the box finds outside of the tensor.
void fill_outside(const BulkCopy& copy, std::byte* row, std::size_t bytes) {
  std::memset(row, 0, bytes);
  if (!copy.map.fills_nan) return;
  constexpr std::uint16_t kOutside = 0x7ff7;  // what fma.oob knows, for elements of every size
  for (std::size_t k = 0; k < bytes; k += 2) std::memcpy(row + k, &kOutside, 2);
}

// A card rounds .tf32 on the way into shared memory, to nearest even, subnormals too, and flushes
// nothing, whatever .ftz says; on the way out it changes no bit
// (docs/experiments/tensor_formats.md).
void round_elements(const TensorMap& map, std::byte* row, std::size_t bytes) {
  if (map.type != TensorMapType::tf32 && map.type != TensorMapType::tf32_ftz) return;
  for (std::size_t k = 0; k < bytes; k += 4) {
    std::uint32_t word;
    std::memcpy(&word, row + k, 4);
    const bool is_nan = (word & 0x7fffffffu) > 0x7f800000u;
    word = is_nan ? 0x7fffe000u : (word + 0xfffu + (word >> 13 & 1u)) & 0xffffe000u;
    std::memcpy(row + k, &word, 4);
  }
}

void reduce(const BulkCopy& copy, std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto each = static_cast<std::size_t>(bytes_of(copy.type));
  for (std::size_t k = 0; k + each <= bytes; k += each) {
    std::uint64_t old = 0;
    std::uint64_t operand = 0;
    std::memcpy(&old, to + k, each);
    std::memcpy(&operand, from + k, each);
    // to global memory, but sums of f32 keep subnormals here
    const std::uint64_t made = (copy.type == Type::f64 ? global_atomic_result : atomic_result)(
        copy.operation, copy.type, old, operand, 0);
    std::memcpy(to + k, &made, each);
  }
}

void move_bytes(const BulkCopy& copy, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (copy.reduces)
    reduce(copy, to, from, bytes);
  else
    std::memcpy(to, from, bytes);
}

// One innermost row of the box between global and shared memory, 16 swizzled bytes at a time.
void move_row(const BulkCopy& copy, std::byte* shared, std::uint32_t linear, bool inside,
              std::uint64_t global) {
  alignas(16) std::byte line[256 * 8];
  const TensorMap& map = copy.map;
  const auto each = static_cast<std::int64_t>(map.element_bytes());
  const std::int64_t inner = std::int64_t{map.box[0]} * each;
  const std::int64_t begin =
      inside ? std::clamp<std::int64_t>(-std::int64_t{copy.at[0]}, 0, map.box[0]) : 0;
  const std::int64_t end =
      inside ? std::clamp<std::int64_t>(static_cast<std::int64_t>(map.size[0]) - copy.at[0], begin,
                                        map.box[0])
             : 0;
  auto* host = reinterpret_cast<std::byte*>(
      global + static_cast<std::uint64_t>((copy.at[0] + begin) * each));
  const auto some = static_cast<std::size_t>((end - begin) * each);
  const bool in = copy.way == BulkPlan::Way::to_shared;
  if (in) {
    fill_outside(copy, line, static_cast<std::size_t>(inner));
    std::memcpy(line + begin * each, host, some);
    round_elements(map, line + begin * each, some);
  }
  for (std::int64_t unit = 0; unit < inner; unit += 16) {
    std::byte* at =
        shared + layout::swizzled(linear + static_cast<std::uint32_t>(unit), map.swizzle);
    if (in)
      std::memcpy(at, line + unit, 16);
    else
      std::memcpy(line + unit, at, 16);
  }
  if (!in && some > 0) move_bytes(copy, host, line + begin * each, some);
}

void move_tensor(const BulkCopy& copy, std::byte* shared) {
  const TensorMap& map = copy.map;
  const std::uint32_t rows = map.rows();
  for (std::uint32_t index = 0; index < rows; ++index) {
    const BoxRow row = box_row(copy, index);
    move_row(copy, shared, copy.shared + index * map.row_bytes(), row.is_inside, row.address);
  }
}

void signal(const BulkCopy& copy, Cta& target, std::int64_t bytes, std::int64_t arrivals) {
  const auto found = target.async->barriers.find(static_cast<std::uint32_t>(copy.barrier));
  if (found == target.async->barriers.end()) return;  // invalidated while under way
  found->second.transactions -= bytes;
  found->second.pending -= std::min(arrivals, found->second.pending);
  settle_barrier(*target.cluster, found->second);
}

}  // namespace

BoxRow box_row(const BulkCopy& copy, std::uint32_t index) {
  const TensorMap& map = copy.map;
  BoxRow row{true, map.address};
  for (int d = 1; d < map.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const std::int64_t at =
        copy.at[k] + std::int64_t{index % map.copied(d)} * std::int64_t{map.element_stride[k]};
    index /= map.copied(d);
    row.is_inside = row.is_inside && at >= 0 && at < static_cast<std::int64_t>(map.size[k]);
    row.address += static_cast<std::uint64_t>(at) * map.stride_bytes[k];
  }
  return row;
}

void land_lane(Warp& warp, int lane, std::uint32_t issue) {
  auto kept = warp.copies.begin();
  for (const AsyncCopy& copy : warp.copies) {
    if (copy.lane == lane && copy.issue < issue)
      std::memcpy(warp.cta->shared.get() + copy.offset, copy.data.data(), copy.bytes);
    else
      *kept++ = copy;
  }
  warp.copies.erase(kept, warp.copies.end());
}

void land_copy(const BulkCopy& copy) {
  Cta& issuer = *copy.issuer;
  Checker* check = issuer.check;
  if (copy.kind == BulkCopy::Kind::arrive_after_copies && check != nullptr)
    check->copies_arrive(
        copy, *issuer.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(copy.targets))]);
  if (copy.kind == BulkCopy::Kind::arrive_after_copies)
    land_lane(issuer.warps[static_cast<std::size_t>(copy.warp)], copy.lane, copy.issue);
  if (copy.way == BulkPlan::Way::to_global && copy.kind == BulkCopy::Kind::tensor)
    return move_tensor(copy, issuer.shared.get());
  if (copy.way == BulkPlan::Way::to_global)
    return move_bytes(copy, reinterpret_cast<std::byte*>(copy.global),
                      issuer.shared.get() + copy.shared, copy.bytes);
  for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
    Cta& target = *issuer.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    if (copy.kind == BulkCopy::Kind::arrive_after_copies) {
      signal(copy, target, 0, 1);
      continue;
    }
    if (copy.kind == BulkCopy::Kind::tensor)
      move_tensor(copy, target.shared.get());
    else if (copy.way == BulkPlan::Way::to_shared)
      move_bytes(copy, target.shared.get() + copy.shared,
                 reinterpret_cast<const std::byte*>(copy.global), copy.bytes);
    else
      move_bytes(copy, target.shared.get() + copy.shared, issuer.shared.get() + copy.remote_source,
                 copy.bytes);
    if (check != nullptr) check->bulk_landed(copy, target);
    signal(copy, target, copy.bytes, 0);
  }
}

bool land_copies(Cluster& cluster) {
  const bool any = !cluster.landing.empty();
  while (!cluster.landing.empty()) {
    land_copy(cluster.landing.front());
    cluster.landing.pop_front();
  }
  return any;
}

void land_groups(Cta& cta) {
  for (const BulkCopy& copy : cta.async->groups) land_copy(copy);
  cta.async->groups.clear();
}

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
