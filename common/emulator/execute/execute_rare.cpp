// SPDX-License-Identifier: MIT
// Instructions that are rare enough to be done one lane at a time: comparisons of pairs of halves,
// cvt.pack, fns, fma.oob, 24-bit products, 128-bit atomics.
//
// Source: PTX ISA 9.2, 9.7.1 (integers), 9.7.5 (half-precision comparison), 9.7.9.22 (cvt.pack),
// 9.7.13.5 (atom).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "emulator/decode/rare.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

bool ordered(Comparison comparison, double a, double b) {
  switch (comparison) {
    case Comparison::eq:
    case Comparison::equ:
      return a == b;
    case Comparison::ne:
    case Comparison::neu:
      return a != b;
    case Comparison::lt:
    case Comparison::ltu:
      return a < b;
    case Comparison::le:
    case Comparison::leu:
      return a <= b;
    case Comparison::gt:
    case Comparison::gtu:
      return a > b;
    case Comparison::ge:
    case Comparison::geu:
      return a >= b;
    case Comparison::num:
      return true;
    default:
      return false;
  }
}

bool compared(Comparison comparison, double a, double b) {
  if (!std::isnan(a) && !std::isnan(b)) return ordered(comparison, a, b);
  return (comparison >= Comparison::equ && comparison <= Comparison::geu) ||
         comparison == Comparison::nan;
}

double half_of(std::uint32_t pattern, std::uint16_t detail) {
  const bool bf16 = (detail & kPairBf16) != 0;
  const double value = numeric::decode(bf16 ? numeric::kBf16 : numeric::kF16, pattern & 0xffff);
  const double least = bf16 ? 0x1p-126 : 0x1p-14;
  return (detail & kPairFlushes) != 0 && std::fabs(value) < least ? std::copysign(0.0, value)
                                                                  : value;
}

bool combined(Boolean how, bool found, bool with) {
  return how == Boolean::bool_and   ? found && with
         : how == Boolean::bool_or  ? found || with
         : how == Boolean::bool_xor ? found != with
                                    : found;
}

void put(std::uint32_t& mask, int lane, bool value) {
  mask = (mask & ~(1u << lane)) | (value ? 1u : 0u) << lane;
}

}  // namespace

Flow run_compare_pair(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto comparison = static_cast<Comparison>(i.count);
  const auto how = static_cast<Boolean>(i.detail & 3);
  const auto* a = row<std::uint32_t>(w, i.a);
  const auto* b = row<std::uint32_t>(w, i.b);
  const std::uint32_t with =
      i.c == kNoRow ? 0 : predicate(w, i.c) ^ static_cast<std::uint32_t>(i.immediate);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    bool answer[2];
    for (int half = 0; half < 2; ++half)
      answer[half] = combined(how,
                              compared(comparison, half_of(a[lane] >> (16 * half), i.detail),
                                       half_of(b[lane] >> (16 * half), i.detail)),
                              ((with >> lane) & 1) != 0);
    if ((i.detail & kPairToValue) != 0) {
      row<std::uint32_t>(w, i.d)[lane] =
          (answer[0] ? i.target : 0) | (answer[1] ? i.target << 16 : 0);
      continue;
    }
    if (i.d != kNoRow) put(predicate(w, i.d), lane, answer[0]);
    if (i.list != kNoRow) put(predicate(w, i.list), lane, answer[1]);
  }
  return Flow::next;
}

// cvt.pack: a goes above b, both above what is left of c.
Flow run_cvt_pack(Warp& w, const Instruction& i, std::uint32_t active) {
  const int bits = i.count;
  const bool is_signed = i.detail != 0;
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t least = is_signed ? -most - 1 : 0;
  const auto part = [&](std::uint32_t offset, int lane) {
    const std::int64_t value = row<std::int32_t>(w, offset)[lane];
    return static_cast<std::uint32_t>(std::clamp(value, least, most)) & ((1u << bits) - 1);
  };
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t c = i.c == kNoRow ? 0 : row<std::uint32_t>(w, i.c)[lane] << (2 * bits);
    row<std::uint32_t>(w, i.d)[lane] = c | part(i.a, lane) << bits | part(i.b, lane);
  }
  return Flow::next;
}

// fns d, mask, base, offset: the offset-th set bit from `base` on, upwards or downwards.
Flow run_find_nth_set(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t mask = row<std::uint32_t>(w, i.a)[lane];
    const std::uint32_t base = row<std::uint32_t>(w, i.b)[lane];
    const std::int32_t offset = row<std::int32_t>(w, i.c)[lane];
    std::int64_t left = std::abs(std::int64_t{offset});
    std::uint32_t found = offset == INT32_MIN ? 0 : 0xffffffffu;  // as a card's -offset overflows
    if (base > 31) {
      // nothing is found there
    } else if (offset == 0) {
      if (((mask >> base) & 1) != 0) found = base;
    } else {
      for (int bit = static_cast<int>(base); bit >= 0 && bit<32; bit += offset> 0 ? 1 : -1) {
        if (((mask >> bit) & 1) == 0 || --left > 0) continue;
        found = static_cast<std::uint32_t>(bit);
        break;
      }
    }
    row<std::uint32_t>(w, i.d)[lane] = found;
  }
  return Flow::next;
}

// The high 32 bits of a 48-bit product, and the sum with c, which may be clamped.
Flow run_high24(Warp& w, const Instruction& i, std::uint32_t active) {
  const bool is_signed = (i.detail & 1) != 0;
  const bool saturates = (i.detail & 2) != 0;
  const auto low24 = [&](std::uint32_t word) {
    const std::int64_t low = word & 0xffffff;
    return is_signed && (low >> 23) != 0 ? low - (1 << 24) : low;
  };
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::int64_t a = low24(row<std::uint32_t>(w, i.a)[lane]);
    const std::int64_t b = low24(row<std::uint32_t>(w, i.b)[lane]);
    const std::int64_t c = i.c == kNoRow ? 0 : row<std::int32_t>(w, i.c)[lane];
    std::int64_t sum = (a * b >> 16) + c;
    if (saturates) sum = std::clamp<std::int64_t>(sum, -0x80000000ll, 0x7fffffff);
    row<std::uint32_t>(w, i.d)[lane] = static_cast<std::uint32_t>(sum);
  }
  return Flow::next;
}

// mad.hi.sat.s32
Flow run_mad_high_saturating(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::int64_t product =
        std::int64_t{row<std::int32_t>(w, i.a)[lane]} * row<std::int32_t>(w, i.b)[lane];
    row<std::int32_t>(w, i.d)[lane] = static_cast<std::int32_t>(std::clamp<std::int64_t>(
        (product >> 32) + row<std::int32_t>(w, i.c)[lane], -0x80000000ll, 0x7fffffff));
  }
  return Flow::next;
}

// Halves of d become 0 where a factor is the NaN that stands for what lies out of bounds: an H200
// takes 0x7ff7 and 0xfff7 for it, of f16 and of bf16, and looks at the factors only.
Flow run_clear_out_of_bounds(Warp& w, const Instruction& i, std::uint32_t active) {
  constexpr std::uint32_t kOutOfBounds = 0x7ff7;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::uint32_t& d = row<std::uint32_t>(w, i.d)[lane];
    for (int bit = 0; bit < i.count * 16; bit += 16)
      for (const std::uint32_t factor : {i.a, i.b})
        if ((row<std::uint32_t>(w, factor)[lane] >> bit & 0x7fff) == kOutOfBounds)
          d &= ~(0xffffu << bit);
  }
  return Flow::next;
}

// A 128-bit register is two rows of 64 bits, the low one first.
Flow run_wide_move(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t* rows = rows_at(w, i.list);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t low = row<std::uint64_t>(w, rows[2])[lane];
    const std::uint64_t high = row<std::uint64_t>(w, rows[3])[lane];
    if (rows[0] != kNoRow) row<std::uint64_t>(w, rows[0])[lane] = low;
    if (rows[1] != kNoRow) row<std::uint64_t>(w, rows[1])[lane] = high;
  }
  return Flow::next;
}

// atom.cas.b128, atom.exch.b128.
Flow run_wide_atomic(Warp& w, const Instruction& i, std::uint32_t active) {
  std::uint64_t hosts[kLanes];
  if (!handlers(w).resolve(w, i, active, hosts)) return Flow::fault;
  const auto both = [&](std::uint32_t first, int lane, std::uint64_t* out) {
    out[0] = row<std::uint64_t>(w, first)[lane];
    out[1] = row<std::uint64_t>(w, first + kWideRow)[lane];
  };
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    auto* host = reinterpret_cast<void*>(hosts[lane]);
    std::uint64_t old[2], b[2], c[2];
    std::memcpy(old, host, 16);
    both(i.b, lane, b);
    if (i.c == kNoRow) {
      std::memcpy(host, b, 16);
    } else if (old[0] == b[0] && old[1] == b[1]) {
      both(i.c, lane, c);
      std::memcpy(host, c, 16);
    }
    row<std::uint64_t>(w, i.d)[lane] = old[0];
    row<std::uint64_t>(w, i.d + kWideRow)[lane] = old[1];
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
