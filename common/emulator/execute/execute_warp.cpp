// SPDX-License-Identifier: MIT
// What lanes of a warp do together: shuffles, votes, reductions, bar.warp.sync. Barriers of a CTA
// are in execute_barrier.cpp.
//
// Every lane names in a membermask whom it waits for. Lanes that have exited are not waited for.
// Here stand those of one instruction; meeting.cpp brings those of several together.
//
// Source: PTX ISA 9.2, 9.7.9.6 (shfl.sync), 9.7.13 (vote, match, activemask, redux, elect,
// bar.warp).
#include <fmt/format.h>

#include <cstring>

#include "emulator/decode/warp_operation.hpp"
#include "emulator/execute/extreme.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

bool has(std::uint32_t mask, int lane) { return ((mask >> lane) & 1) != 0; }

enum class Members : std::uint8_t { present, missing, broken };

// Lanes that are at the same instruction with different masks: those whose members are all here,
// with the same mask (9.7.13.9). A loop left and entered again by some is where this comes from.
std::uint32_t complete(const Warp& w, const std::uint32_t* masks, std::uint32_t active) {
  std::uint32_t found = 0;
  for (std::uint32_t rest = active; rest != 0;) {
    const std::uint32_t mask = masks[__builtin_ctz(rest)];
    std::uint32_t same = 0;
    for (std::uint32_t other = rest; other != 0; other &= other - 1)
      if (masks[__builtin_ctz(other)] == mask) same |= other & (0 - other);
    if ((mask & w.alive & ~same) == 0) found |= same;
    rest &= ~same;
  }
  return found;
}

// Whether all lanes that the active ones wait for are here. Where only those of some masks are,
// they become the active ones.
Members members(Warp& w, const std::uint32_t* masks, std::uint32_t& active) {
  const std::uint32_t first = masks[__builtin_ctz(active)];
  std::uint32_t all = 0;
  bool is_same = true;
  w.part = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    all |= masks[lane];
    is_same = is_same && masks[lane] == first;
    if (has(masks[lane], lane)) continue;
    fail(w, ErrorCode::illegal_instruction, "membermask", lane,
         fmt::format("the lane is not in its own membermask 0x{:08x}", masks[lane]),
         "every lane that executes it must be in the mask");
    return Members::broken;
  }
  w.required = all & w.alive;
  if (!is_same)
    if (const std::uint32_t found = complete(w, masks, active); found != 0 && found != active) {
      w.part = active = found;
      return Members::present;
    }
  return (w.required & ~active) == 0 ? Members::present : Members::missing;
}

#define LANESCOPE_WAIT_FOR_MEMBERS(masks)                                       \
  if (const Members here = members(w, masks, active); here != Members::present) \
  return here == Members::missing ? Flow::converge : Flow::fault

Flow done(const Warp& w) { return w.part == 0 ? Flow::next : Flow::part; }

void write_predicate(Warp& w, std::uint32_t offset, std::uint32_t active, std::uint32_t value) {
  if (offset == kNoRow) return;
  std::uint32_t& p = predicate(w, offset);
  p = (p & ~active) | (value & active);
}

}  // namespace

Flow run_shuffle(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.list);
  LANESCOPE_WAIT_FOR_MEMBERS(masks);
  const auto mode = static_cast<ShuffleMode>(i.detail);
  std::uint32_t values[kLanes];
  std::memcpy(values, row<std::uint32_t>(w, i.a), sizeof(values));
  const auto* b = row<std::uint32_t>(w, i.b);
  const auto* c = row<std::uint32_t>(w, i.c);
  std::uint32_t made[kLanes];
  std::uint32_t valid = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int offset = static_cast<int>(b[lane] & 31);
    const int clamp = static_cast<int>(c[lane] & 31);
    const int segment = static_cast<int>((c[lane] >> 8) & 31);
    const int first = lane & segment;
    const int last = first | (clamp & ~segment);
    int from = 0;
    bool inside = false;
    switch (mode) {
      case ShuffleMode::up:
        from = lane - offset;
        inside = from >= last;
        break;
      case ShuffleMode::down:
        from = lane + offset;
        inside = from <= last;
        break;
      case ShuffleMode::bfly:
        from = lane ^ offset;
        inside = from <= last;
        break;
      case ShuffleMode::idx:
        from = first | (offset & ~segment);
        inside = from <= last;
        break;
    }
    if (inside) valid |= 1u << lane;
    made[lane] = !inside ? values[lane] : has(active, from) ? values[from] : 0;
  }
  auto* d = row<std::uint32_t>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane) d[lane] = has(active, lane) ? made[lane] : d[lane];
  write_predicate(w, i.target, active, valid);
  return done(w);
}

Flow run_vote(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.list);
  LANESCOPE_WAIT_FOR_MEMBERS(masks);
  const std::uint32_t votes = predicate(w, i.b) ^ static_cast<std::uint32_t>(i.immediate);
  const auto mode = static_cast<VoteMode>(i.detail);
  std::uint32_t yes = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    const std::uint32_t voters = masks[lane] & active;
    const std::uint32_t found = votes & voters;
    if (mode == VoteMode::ballot) row<std::uint32_t>(w, i.d)[lane] = found;
    const bool answer = mode == VoteMode::all   ? found == voters
                        : mode == VoteMode::any ? found != 0
                                                : found == 0 || found == voters;
    if (answer) yes |= 1u << lane;
  }
  if (mode != VoteMode::ballot) write_predicate(w, i.d, active, yes);
  return done(w);
}

Flow run_match(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.list);
  LANESCOPE_WAIT_FOR_MEMBERS(masks);
  const auto value = [&](int lane) -> std::uint64_t {
    return i.bytes == 8 ? row<std::uint64_t>(w, i.a)[lane] : row<std::uint32_t>(w, i.a)[lane];
  };
  std::uint32_t made[kLanes] = {};
  std::uint32_t equal_all = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    const std::uint32_t members_here = masks[lane] & active;
    for (int other = 0; other < kLanes; ++other)
      if (has(members_here, other) && value(other) == value(lane)) made[lane] |= 1u << other;
    if (made[lane] == members_here) equal_all |= 1u << lane;
    if (i.detail == 1 && made[lane] != members_here) made[lane] = 0;
  }
  for (int lane = 0; lane < kLanes; ++lane)
    if (has(active, lane)) row<std::uint32_t>(w, i.d)[lane] = made[lane];
  write_predicate(w, i.target, active, equal_all);
  return done(w);
}

Flow run_activemask(Warp& w, const Instruction& i, std::uint32_t active) {
  for (int lane = 0; lane < kLanes; ++lane)
    if (has(active, lane)) row<std::uint32_t>(w, i.d)[lane] = active;
  return Flow::next;
}

Flow run_reduce_warp(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.list);
  LANESCOPE_WAIT_FOR_MEMBERS(masks);
  const auto type = static_cast<Type>(i.target);
  std::uint32_t values[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    values[lane] = row<std::uint32_t>(w, i.a)[lane] &
                   ((i.detail & FloatMode::kAbs) != 0 ? 0x7fffffffu : 0xffffffffu);
  const auto combined = [&](std::uint64_t a, std::uint32_t b) -> std::uint64_t {
    if (type == Type::f32)
      return extreme_f32(static_cast<AtomicOperation>(i.count) == AtomicOperation::min,
                         (i.detail & FloatMode::kNan) != 0, static_cast<std::uint32_t>(a), b);
    return atomic_result(static_cast<AtomicOperation>(i.count), type, a, b, 0);
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    std::uint32_t rest = masks[lane] & active;
    std::uint64_t total = values[__builtin_ctz(rest)];
    if (type == Type::f32) total = combined(total, values[__builtin_ctz(rest)]);  // which NaN
    for (rest &= rest - 1; rest != 0; rest &= rest - 1)
      total = combined(total, values[__builtin_ctz(rest)]);
    row<std::uint32_t>(w, i.d)[lane] = static_cast<std::uint32_t>(total);
  }
  return done(w);
}

// The lowest lane of the membermask is elected; all get its number.
Flow run_elect(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.list);
  LANESCOPE_WAIT_FOR_MEMBERS(masks);
  std::uint32_t elected = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    const int leader = __builtin_ctz(masks[lane] & active);
    row<std::uint32_t>(w, i.d)[lane] = static_cast<std::uint32_t>(leader);
    if (leader == lane) elected |= 1u << lane;
  }
  write_predicate(w, i.target, active, elected);
  return done(w);
}

Flow run_warp_barrier(Warp& w, const Instruction& i, std::uint32_t active) {
  LANESCOPE_WAIT_FOR_MEMBERS(row<std::uint32_t>(w, i.a));
  return done(w);
}

}  // namespace lanescope::emulator
