// SPDX-License-Identifier: MIT
// What a bulk copy does when it lands: it moves its bytes, or the rows of its box, and tells the
// mbarrier. What a copy may be, and when it lands, is execute_bulk.cpp's.
//
// Source: PTX ISA 9.2, 9.7.9.25 (cp.async.bulk) and 9.7.9.25.5 (tensors).
#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

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
  const bool is_ftz =
      copy.kind == BulkCopy::Kind::tensor &&
      (copy.map.type == TensorMapType::f32_ftz || copy.map.type == TensorMapType::tf32_ftz);
  // red.global's sums: of f64, and of f32 where the tensor map says .ftz. Others of f32 keep
  // subnormals (docs/experiments/tensor_formats.md).
  const bool is_as_red = copy.type == Type::f64 || is_ftz;
  const auto each = static_cast<std::size_t>(bytes_of(copy.type));
  for (std::size_t k = 0; k + each <= bytes; k += each) {
    std::uint64_t old = 0;
    std::uint64_t operand = 0;
    std::memcpy(&old, to + k, each);
    std::memcpy(&operand, from + k, each);
    const std::uint64_t made = (is_as_red ? global_atomic_result : atomic_result)(
        copy.operation, copy.type, old, operand, 0);
    std::memcpy(to + k, &made, each);
  }
}

void move_bytes(const BulkCopy& copy, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (copy.reduces) return reduce(copy, to, from, bytes);
  if (copy.byte_mask == 0xffff) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t k = 0; k < bytes; ++k)
    if ((copy.byte_mask >> k % 16 & 1) != 0) to[k] = from[k];
}

// One innermost row of the box between global and shared memory, 16 swizzled bytes at a time.
void move_row(const BulkCopy& copy, const RowPart& part, std::byte* shared, std::uint32_t linear,
              const BoxRow& row) {
  alignas(16) std::byte line[256 * 8];
  const TensorMap& map = copy.map;
  const std::int64_t inner = map.box_bytes() / map.rows();
  auto* host = reinterpret_cast<std::byte*>(row.address + static_cast<std::uint64_t>(part.begin));
  const auto some = row.is_inside ? static_cast<std::size_t>(part.end - part.begin) : 0;
  const bool in = copy.way == BulkPlan::Way::to_shared;
  if (in) {
    fill_outside(copy, line, static_cast<std::size_t>(inner));
    if (some > 0) std::memcpy(line + part.into, host, some);
    round_elements(map, line + part.into, some);
  }
  for (std::int64_t unit = 0; unit < inner; unit += 16) {
    std::byte* at =
        shared + layout::swizzled(linear + static_cast<std::uint32_t>(unit), map.swizzle);
    if (in)
      std::memcpy(at, line + unit, 16);
    else
      std::memcpy(line + unit, at, 16);
  }
  if (!in && some > 0) move_bytes(copy, host, line + part.into, some);
}

void move_tensor(const BulkCopy& copy, std::byte* shared) {
  const TensorMap& map = copy.map;
  const std::uint32_t rows = map.rows();
  const RowPart part = part_of_rows(map, copy.place);
  BoxRows box(map, copy.place);
  for (std::uint32_t index = 0; index < rows; ++index)
    move_row(copy, part, shared, copy.shared + index * map.row_bytes(), box.next());
}

void signal(const BulkCopy& copy, Cta& target, std::int64_t bytes, std::int64_t arrivals) {
  MemoryBarrier* barrier = barrier_at(target, static_cast<std::uint32_t>(copy.barrier));
  if (barrier == nullptr) return;  // invalidated while under way
  barrier->transactions -= bytes;
  barrier->pending -= std::min(arrivals, barrier->pending);
  settle_barrier(*target.cluster, *barrier);
}

}  // namespace

void land_lane(Warp& warp, int lane, std::uint32_t issue) {
  auto kept = warp.copies.begin();
  for (const AsyncCopy& copy : warp.copies) {
    if (copy.lane != lane || copy.issue >= issue)
      *kept++ = copy;
    else if (!copy.is_there)
      std::memcpy(warp.cta->shared.get() + copy.offset, copy.data.data(), copy.bytes);
  }
  warp.copies.erase(kept, warp.copies.end());
}

void land_copy(const BulkCopy& copy) {
  Cta& issuer = *copy.issuer;
  Checker* check = issuer.check;
  const auto target_of = [&](std::uint32_t targets) -> Cta& {
    return *issuer.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(targets))];
  };
  if (copy.kind == BulkCopy::Kind::arrive_after_copies) {
    Cta& target = target_of(copy.targets);  // one
    if (check != nullptr) check->copies_arrive(copy, target);
    land_lane(issuer.warps[static_cast<std::size_t>(copy.warp)], copy.lane, copy.issue);
    return signal(copy, target, 0, 1);
  }
  if (copy.way == BulkPlan::Way::to_global && copy.kind == BulkCopy::Kind::tensor)
    return move_tensor(copy, issuer.shared.get());
  if (copy.way == BulkPlan::Way::to_global)
    return move_bytes(copy, reinterpret_cast<std::byte*>(copy.global),
                      issuer.shared.get() + copy.shared, copy.bytes);
  for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
    Cta& target = target_of(rest);
    if (copy.kind == BulkCopy::Kind::tensor)
      move_tensor(copy, target.shared.get());
    else if (copy.way == BulkPlan::Way::to_shared)
      move_bytes(copy, target.shared.get() + copy.shared,
                 reinterpret_cast<const std::byte*>(copy.global), copy.bytes);
    else
      move_bytes(copy, target.shared.get() + copy.shared, issuer.shared.get() + copy.remote_source,
                 copy.bytes);
    if (check != nullptr) check->bulk_landed(copy, target);
    signal(copy, told_of(copy, target), copy.bytes, 0);
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

}  // namespace lanescope::emulator
