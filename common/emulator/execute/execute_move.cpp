// SPDX-License-Identifier: MIT
// Predicates, packing, address spaces and clocks: instructions that are rare or cheap enough to
// need no vector form.
//
// Source: PTX ISA 9.2, 9.7.7 (predicate logic), 9.7.9.1 (mov), 9.7.6 (slct), 9.7.9.20 (isspacep).
#include <cmath>
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

void write_predicate(Warp& w, std::uint32_t row, std::uint32_t active, std::uint32_t value) {
  std::uint32_t& p = predicate(w, row);
  p = (p & ~active) | (value & active);
}
std::uint32_t flipped_a(const Warp& w, const Instruction& i) {
  return predicate(w, i.a) ^ ((i.detail & 1) != 0 ? kAllLanes : 0);
}
std::uint32_t flipped_b(const Warp& w, const Instruction& i) {
  return predicate(w, i.b) ^ ((i.detail & 2) != 0 ? kAllLanes : 0);
}
bool has(std::uint32_t mask, int lane) { return ((mask >> lane) & 1) != 0; }

std::uint64_t read_lane(const Warp& w, std::uint32_t offset, int bytes, int lane) {
  return bytes == 8 ? row<std::uint64_t>(w, offset)[lane] : row<std::uint32_t>(w, offset)[lane];
}
void write_lane(const Warp& w, std::uint32_t offset, int bytes, int lane, std::uint64_t value) {
  if (bytes == 8)
    row<std::uint64_t>(w, offset)[lane] = value;
  else
    row<std::uint32_t>(w, offset)[lane] = static_cast<std::uint32_t>(value);
}

}  // namespace

// The address of array[i+2]. Sum and product have 32 bits and are never negative, as an H200 has it
// (driver 580.159.04): array[i] is 4 GiB astray where i is -1.
Flow run_element(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t sum =
        read_lane(w, i.a, i.detail, lane) + static_cast<std::uint64_t>(i.immediate);
    const auto index = static_cast<std::uint32_t>(sum);
    write_lane(w, i.d, i.bytes, lane, read_lane(w, i.b, i.bytes, lane) + index * i.count);
  }
  return Flow::next;
}

Flow run_predicate_and(Warp& w, const Instruction& i, std::uint32_t active) {
  write_predicate(w, i.d, active, flipped_a(w, i) & flipped_b(w, i));
  return Flow::next;
}
Flow run_predicate_or(Warp& w, const Instruction& i, std::uint32_t active) {
  write_predicate(w, i.d, active, flipped_a(w, i) | flipped_b(w, i));
  return Flow::next;
}
Flow run_predicate_xor(Warp& w, const Instruction& i, std::uint32_t active) {
  write_predicate(w, i.d, active, flipped_a(w, i) ^ flipped_b(w, i));
  return Flow::next;
}
Flow run_predicate_not(Warp& w, const Instruction& i, std::uint32_t active) {
  write_predicate(w, i.d, active, ~flipped_a(w, i));
  return Flow::next;
}
Flow run_predicate_move(Warp& w, const Instruction& i, std::uint32_t active) {
  write_predicate(w, i.d, active, flipped_a(w, i));
  return Flow::next;
}

namespace {
template <class T>
Flow select_by_sign(Warp& w, const Instruction& i, std::uint32_t active) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    const std::uint32_t bits = row<std::uint32_t>(w, i.c)[lane];
    bool first = static_cast<std::int32_t>(bits) >= 0;
    if ((i.detail & 1) != 0) {
      float c;
      std::memcpy(&c, &bits, 4);
      const bool flushed = (i.detail & 2) != 0 && std::fabs(c) < 0x1p-126f;
      first = flushed || c >= 0.0f;  // -0 is not below 0; NaN selects b
    }
    row<T>(w, i.d)[lane] = row<T>(w, first ? i.a : i.b)[lane];
  }
  return Flow::next;
}
}  // namespace

Flow run_slct32(Warp& w, const Instruction& i, std::uint32_t active) {
  return select_by_sign<std::uint32_t>(w, i, active);
}
Flow run_slct64(Warp& w, const Instruction& i, std::uint32_t active) {
  return select_by_sign<std::uint64_t>(w, i, active);
}

// Time is not modelled: the clock counts the warp instructions of the CTA.
Flow run_clock(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint64_t now = w.cta->executed >> i.detail;
  for (int lane = 0; lane < kLanes; ++lane)
    if (has(active, lane)) write_lane(w, i.d, i.bytes, lane, now);
  return Flow::next;
}

Flow run_pack(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t* rows = rows_at(w, i.list);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    std::uint64_t whole = 0;
    for (int k = 0; k < i.count; ++k) {
      const std::uint64_t part = row<std::uint32_t>(w, rows[k])[lane];
      whole |= (part & ((std::uint64_t{1} << i.detail) - 1)) << (k * i.detail);
    }
    write_lane(w, i.d, i.bytes, lane, whole);
  }
  return Flow::next;
}

Flow run_unpack(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t* rows = rows_at(w, i.list);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has(active, lane)) continue;
    const std::uint64_t whole = read_lane(w, i.a, i.bytes, lane);
    for (int k = 0; k < i.count; ++k)
      if (rows[k] != kNoRow)
        row<std::uint32_t>(w, rows[k])[lane] = static_cast<std::uint32_t>(
            (whole >> (k * i.detail)) & ((std::uint64_t{1} << i.detail) - 1));
  }
  return Flow::next;
}

Flow run_isspacep(Warp& w, const Instruction& i, std::uint32_t active) {
  const Program& program = *w.cta->launch->program;
  std::uint32_t inside = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t address = row<std::uint64_t>(w, i.a)[lane];
    const bool shared = address - kSharedWindow < kWindowBytes;
    const bool own = shared && ((address ^ w.cta->window) & (kWindowBytes - 1)) >> kRankBit == 0;
    const bool local = address - kLocalWindow < kWindowBytes;
    const bool parameter = address - kParameterWindow < kWindowBytes;
    const bool constant =
        (i.space == Space::constant || i.space == Space::global) && program.is_constant(address);
    const bool answer = i.space == Space::shared      ? (i.detail != 0 ? shared : own)
                        : i.space == Space::local     ? local
                        : i.space == Space::parameter ? parameter
                        : i.space == Space::constant  ? constant
                        : i.space == Space::global    ? !shared && !local && !parameter && !constant
                                                      : false;
    if (answer) inside |= 1u << lane;
  }
  write_predicate(w, i.d, active, inside);
  return Flow::next;
}

Flow run_yield(Warp&, const Instruction&, std::uint32_t) { return Flow::yield; }

}  // namespace lanescope::emulator
