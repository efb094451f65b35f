// SPDX-License-Identifier: MIT
// atom and red, and loads that wait for others. Lanes act in ascending order, CTAs in the order of
// the grid: one of the orders a card may choose, the same every time.
//
// Source: PTX ISA 9.2, 9.7.13.5 and 9.7.13.7.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "emulator/execute/atomic.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/polling.hpp"
#include "emulator/run/warp.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {

bool atomic_exists(AtomicOperation operation, Type type) {
  const int bits = info(type).bits;
  const bool integer = info(type).kind == TypeKind::unsigned_integer || is_signed(type);
  switch (operation) {
    case AtomicOperation::add:
      return (integer && bits >= 32 && type != Type::s64) || type == Type::f32 ||
             type == Type::s64 || type == Type::f64 || type == Type::f16 || type == Type::bf16 ||
             type == Type::f16x2 || type == Type::bf16x2;
    case AtomicOperation::min:
    case AtomicOperation::max:
      // Of halves: in bulk reductions, and by vectors.
      return (integer && bits >= 32) || type == Type::f16 || type == Type::bf16 ||
             type == Type::f16x2 || type == Type::bf16x2;
    case AtomicOperation::inc:
    case AtomicOperation::dec:
      return type == Type::u32;
    case AtomicOperation::cas:
    case AtomicOperation::exch:
      return !is_real(type) && bits >= 16 && bits <= 64;
    default:
      return !is_real(type) && (bits == 32 || bits == 64);
  }
}

namespace {

template <class T>
T as(std::uint64_t pattern) {
  T value;
  std::memcpy(&value, &pattern, sizeof(T));
  return value;
}
template <class T>
std::uint64_t pattern_of(T value) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, &value, sizeof(T));
  return pattern;
}

float flushed(float value) {
  return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

std::uint64_t add_small(const numeric::Format& format, std::uint64_t old, std::uint64_t b) {
  const double sum = numeric::decode(format, static_cast<std::uint32_t>(old & 0xffff)) +
                     numeric::decode(format, static_cast<std::uint32_t>(b & 0xffff));
  return numeric::encode(format, sum);
}

std::uint64_t add(Type type, std::uint64_t old, std::uint64_t b) {
  switch (type) {
    case Type::f32: {
      const float sum = as<float>(old) + as<float>(b);
      return std::isnan(sum) ? 0x7fffffffu : pattern_of(sum);
    }
    case Type::f64: {
      constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
      if (std::isnan(as<double>(old))) return old | kQuiet;
      if (std::isnan(as<double>(b))) return b | kQuiet;
      return pattern_of(as<double>(old) + as<double>(b));
    }
    case Type::f16:
      return add_small(numeric::kF16, old, b);
    case Type::bf16:
      return add_small(numeric::kBf16, old, b);
    case Type::f16x2:
    case Type::bf16x2: {
      const numeric::Format& format = type == Type::f16x2 ? numeric::kF16 : numeric::kBf16;
      return add_small(format, old, b) | add_small(format, old >> 16, b >> 16) << 16;
    }
    default:
      return old + b;
  }
}

// min and max of the halves: a NaN loses, -0 is less than +0.
std::uint64_t extreme_small(const numeric::Format& format, std::uint64_t old, std::uint64_t b,
                            bool smallest) {
  const auto left = static_cast<std::uint32_t>(old & 0xffff);
  const auto right = static_cast<std::uint32_t>(b & 0xffff);
  const double x = numeric::decode(format, left), y = numeric::decode(format, right);
  if (std::isnan(x) && std::isnan(y)) return 0x7fff;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? right : left;
  const bool left_is_less = x < y || (x == y && std::signbit(x));
  return left_is_less == smallest ? left : right;
}

// Of one half, or of both.
std::uint64_t extreme(Type type, std::uint64_t old, std::uint64_t b, bool smallest) {
  const bool pairs = type == Type::f16x2 || type == Type::bf16x2;
  const numeric::Format& format =
      type == Type::f16 || type == Type::f16x2 ? numeric::kF16 : numeric::kBf16;
  const std::uint64_t low = extreme_small(format, old, b, smallest);
  return pairs ? low | extreme_small(format, old >> 16, b >> 16, smallest) << 16 : low;
}

bool less(Type type, std::uint64_t a, std::uint64_t b) {
  switch (type) {
    case Type::s32:
      return as<std::int32_t>(a) < as<std::int32_t>(b);
    case Type::s64:
      return as<std::int64_t>(a) < as<std::int64_t>(b);
    case Type::u32:
      return as<std::uint32_t>(a) < as<std::uint32_t>(b);
    default:
      return a < b;
  }
}

bool is_shared_of(const Cta& cta, std::uint64_t host) {
  return host - reinterpret_cast<std::uint64_t>(cta.shared.get()) <
         static_cast<std::uint64_t>(cta.launch->shared_bytes);
}

// What a card makes otherwise in another CTA's shared memory (docs/experiments/cluster_atomics.md).
bool differs_elsewhere(AtomicOperation operation, Type type) {
  switch (operation) {
    case AtomicOperation::add:
      return type == Type::f16x2 || type == Type::bf16x2;
    case AtomicOperation::cas:
    case AtomicOperation::exch:
      return false;
    default:
      return info(type).bits == 64;
  }
}

// Sums in another CTA's shared memory are those of the own one (docs/experiments/cluster_sums.md).
bool is_shared(const Cluster& cluster, std::uint64_t host) {
  return std::any_of(cluster.ctas.begin(), cluster.ctas.end(),
                     [&](const auto& cta) { return is_shared_of(*cta, host); });
}

}  // namespace

std::uint64_t atomic_result(AtomicOperation operation, Type type, std::uint64_t old,
                            std::uint64_t b, std::uint64_t c) {
  switch (operation) {
    case AtomicOperation::add:
      return add(type, old, b);
    case AtomicOperation::bit_and:
      return old & b;
    case AtomicOperation::bit_or:
      return old | b;
    case AtomicOperation::bit_xor:
      return old ^ b;
    case AtomicOperation::cas:
      return old == b ? c : old;
    case AtomicOperation::exch:
      return b;
    case AtomicOperation::inc:
      return old >= b ? 0 : old + 1;
    case AtomicOperation::dec:
      return old == 0 || old > b ? b : old - 1;
    case AtomicOperation::min:
      if (is_real(type)) return extreme(type, old, b, true);
      return less(type, b, old) ? b : old;
    case AtomicOperation::max:
      if (is_real(type)) return extreme(type, old, b, false);
      return less(type, old, b) ? b : old;
  }
  return old;
}

std::uint64_t global_atomic_result(AtomicOperation operation, Type type, std::uint64_t old,
                                   std::uint64_t b, std::uint64_t c) {
  if (operation == AtomicOperation::add && type == Type::f32) {
    const std::uint64_t sum =
        add(type, pattern_of(flushed(as<float>(old))), pattern_of(flushed(as<float>(b))));
    return pattern_of(flushed(as<float>(sum)));
  }
  if (operation == AtomicOperation::add && type == Type::f64) {
    if (std::isnan(as<double>(b))) return b;
    if (std::isnan(as<double>(old))) return old;
  }
  return atomic_result(operation, type, old, b, c);
}

Flow run_atomic(Warp& w, const Instruction& i, std::uint32_t active) {
  std::uint64_t hosts[kLanes];
  if (!handlers(w).resolve(w, i, active, hosts)) return Flow::fault;
  const auto type = static_cast<Type>(i.target);
  const auto read = [&](std::uint32_t offset, int lane) -> std::uint64_t {
    if (offset == kNoRow) return 0;
    return i.bytes == 8 ? row<std::uint64_t>(w, offset)[lane] : row<std::uint32_t>(w, offset)[lane];
  };
  const bool differs = differs_elsewhere(static_cast<AtomicOperation>(i.count), type);
  PollHash seen(active);
  bool changed = false;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    auto* host = reinterpret_cast<void*>(hosts[lane]);
    std::uint64_t old = 0;
    std::memcpy(&old, host, i.bytes);
    const bool global = !is_shared(*w.cta->cluster, hosts[lane]);
    if (differs && !global && !is_shared_of(*w.cta, hosts[lane]))
      w.cta->async->atomic_elsewhere = w.pc;
    const std::uint64_t made = (global ? global_atomic_result : atomic_result)(
        static_cast<AtomicOperation>(i.count), type, old, read(i.b, lane), read(i.c, lane));
    std::memcpy(host, &made, i.bytes);
    changed = changed || made != old;
    seen.add(hosts[lane] ^ old);
    if (i.d == kNoRow) continue;
    if (i.bytes == 8)
      row<std::uint64_t>(w, i.d)[lane] = old;
    else
      row<std::uint32_t>(w, i.d)[lane] = static_cast<std::uint32_t>(old);
  }
  if (!changed && i.d != kNoRow) return note_poll(w, seen.value(), hosts[__builtin_ctz(active)]);
  w.quiet_polls = 0;
  return Flow::next;
}

// A load that a loop may poll with: as ever, and noted.
Flow run_poll(Warp& w, const Instruction& i, std::uint32_t active) {
  const Program& program = *w.cta->launch->program;
  const auto address_at = [&](int lane) {
    return static_cast<std::uint64_t>(i.immediate) +
           (i.wide_address ? row<std::uint64_t>(w, i.a)[lane] : row<std::uint32_t>(w, i.a)[lane]);
  };
  PollHash seen(active);
  const std::uint64_t address = address_at(__builtin_ctz(active));
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    seen.add(address_at(__builtin_ctz(rest)));
  const PollingLoad& poll = program.polls[i.target];
  const Flow flow = poll.load(w, i, active);
  if (flow != Flow::next) return flow;
  for (int k = 0; k < poll.count; ++k) {
    const std::uint32_t offset = program.rows[i.list + static_cast<std::uint32_t>(k)];
    if (offset == kNoRow) continue;
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      seen.add(poll.wide ? row<std::uint64_t>(w, offset)[lane]
                         : row<std::uint32_t>(w, offset)[lane]);
    }
  }
  return note_poll(w, seen.value(), address);
}

}  // namespace lanescope::emulator
