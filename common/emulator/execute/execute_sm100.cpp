// SPDX-License-Identifier: MIT
// What sm_100 has beyond arithmetic and tensor memory: st.bulk, cvt.rs, clusterlaunchcontrol.
//
// cvt.rs adds bits of `rbits` to those that an element loses, and keeps the carry. Which bits of it
// belong to which element is in figures of the ISA; here it is what others have measured on a B200
// (of e3m2 and e2m3: as of e4m3, whose containers they share):
//
//     f16x2    a: 28..16    b: 12..0            13 bits
//     bf16x2   a: 31..16    b: 15..0            16 bits, the first the highest
//     8 bits   a: 16..31    b: 31..16    e: 0..15         f: 15..0
//     e2m1     a: 8..15,24..31  b: 31..24,15..8  e: 0..7,16..23  f: 23..16,7..0
//
// Source: PTX ISA 9.2, 9.7.9.13 (st.bulk), 9.7.9.21 (cvt), 9.7.13.17 (clusterlaunchcontrol).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/decode/blackwell.hpp"
#include "emulator/decode/rare.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {

Flow run_bulk_store(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t bytes =
        i.count == 8 ? row<std::uint64_t>(w, i.b)[lane] : row<std::uint32_t>(w, i.b)[lane];
    if (bytes % 8 != 0)
      return fail(w, ErrorCode::illegal_instruction, "bulk-store", lane,
                  fmt::format("st.bulk of {} bytes", bytes), "a multiple of 8"),
             Flow::fault;
    SharedPlace place;
    if (!find_shared(w, lane, i.space, address_of(w, {i.a, i.immediate, i.wide_address}, lane),
                     bytes, 8, place))
      return Flow::fault;
    std::memset(place.host(), 0, bytes);
  }
  return Flow::next;
}

namespace {

const numeric::Format& format_of(Stochastic to) {
  static constexpr std::array kFormats{&numeric::kF16,  &numeric::kBf16, &numeric::kE4m3,
                                       &numeric::kE5m2, &numeric::kE3m2, &numeric::kE2m3,
                                       &numeric::kE2m1};
  return *kFormats[static_cast<std::size_t>(to)];
}

std::uint32_t reversed(std::uint32_t sixteen) {
  std::uint32_t made = 0;
  for (int bit = 0; bit < 16; ++bit) made |= (sixteen >> bit & 1) << (15 - bit);
  return made;
}

// Of each element, a first.
std::array<std::uint32_t, 4> random_parts(Stochastic to, std::uint32_t r) {
  if (to == Stochastic::f16x2) return {r >> 16 & 0x1fff, r & 0x1fff};
  if (to == Stochastic::bf16x2) return {r >> 16, r & 0xffff};
  std::uint32_t high = r >> 16, low = r & 0xffff;
  if (to == Stochastic::e2m1x4) {
    high = (r >> 24 & 0xff) << 8 | (r >> 8 & 0xff);
    low = (r >> 16 & 0xff) << 8 | (r & 0xff);
  }
  return {reversed(high), high, reversed(low), low};
}

// `random` / 2^bits is added to what lies below the format's last place, and the sum cut off.
std::uint32_t rounded(const numeric::Format& format, float value, std::uint32_t random, int bits,
                      std::uint16_t mode) {
  if ((mode & FloatMode::kRelu) != 0 && std::signbit(value) && !std::isnan(value)) value = 0;
  const auto overflow = (mode & FloatMode::kSaturateFinite) != 0 ? numeric::Overflow::satfinite
                                                                 : numeric::Overflow::infinity;
  double kept = value;
  if (std::isfinite(value) && value != 0) {
    const int exponent = std::max(std::ilogb(value), 1 - format.bias) - format.mantissa_bits;
    const double places = std::ldexp(std::fabs(double{value}), -exponent);
    const double whole = std::floor(places);
    const bool carries =
        std::floor(std::ldexp(places - whole, bits)) + random >= std::ldexp(1.0, bits);
    kept = std::copysign(std::ldexp(whole + (carries ? 1 : 0), exponent), double{value});
  }
  return numeric::encode(format, kept, numeric::Rounding::rn, overflow);
}

}  // namespace

Flow run_stochastic(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto to = static_cast<Stochastic>(i.target);
  const numeric::Format& format = format_of(to);
  const bool is_pair = to == Stochastic::f16x2 || to == Stochastic::bf16x2;
  const int container = is_pair ? 16 : to == Stochastic::e2m1x4 ? 4 : 8;
  const std::uint32_t* rows = rows_at(w, i.list);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto random = random_parts(to, row<std::uint32_t>(w, i.b)[lane]);
    std::uint32_t made = 0;
    for (std::size_t k = 0; k < (is_pair ? 2u : 4u); ++k)
      made = made << container | rounded(format, row<float>(w, rows[k])[lane], random[k],
                                         to == Stochastic::f16x2 ? 13 : 16, i.detail);
    row<std::uint32_t>(w, i.d)[lane] = made;
  }
  return Flow::next;
}

namespace {

// An answer: x and y of the first CTA, its z, and whether there is one. Opaque, as the ISA has it.
constexpr std::uint64_t kIsCancelled = std::uint64_t{1} << 63;

ClusterAnswer next_cluster(const Cluster& cluster) {
  const LaunchState& launch = *cluster.ctas[0]->launch;
  if (launch.begun == nullptr) return {};
  const std::uint64_t number = launch.begun->fetch_add(1);
  if (number >= launch.clusters) return {};
  std::array<std::uint64_t, 3> first{};
  std::uint64_t rest = number;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto count = static_cast<std::uint64_t>(cluster.count[axis]);
    first[axis] = rest % count * static_cast<std::uint64_t>(cluster.shape[axis]);
    rest /= count;
  }
  return {first[0] | first[1] << 32, first[2] | kIsCancelled};
}

// To the same place in each CTA that is to hear of it, as a bulk copy of 16 bytes that lands later.
bool cancel_another(Warp& w, const Instruction& i, const BulkPlan& plan, int lane) {
  SharedPlace answer, barrier;
  if (!find_shared(w, lane, i.space, address_of(w, plan.destination, lane), 16, 16, answer) ||
      !find_shared(w, lane, i.space, address_of(w, plan.barrier, lane), 8, 8, barrier))
    return false;
  Cluster& cluster = *w.cta->cluster;
  BulkCopy copy;
  copy.issuer = w.cta;
  copy.shared = answer.offset;
  copy.bytes = sizeof(ClusterAnswer);
  copy.barrier = barrier.offset;
  copy.targets = i.detail == 0 ? 1u << w.cta->rank : (1u << cluster.ctas.size()) - 1;
  for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
    barrier.cta = cluster.ctas[static_cast<std::size_t>(__builtin_ctz(rest))].get();
    if (find_barrier(w, lane, barrier) == nullptr) return false;
  }
  cluster.answers.push_back(next_cluster(cluster));
  copy.global = reinterpret_cast<std::uint64_t>(&cluster.answers.back());
  if (w.cta->check != nullptr) w.cta->check->bulk_issued(w, lane, copy);
  cluster.landing.push_back(copy);
  return true;
}

}  // namespace

Flow run_cancel_another(Warp& w, const Instruction& i, std::uint32_t active) {
  const BulkPlan& plan = w.cta->launch->program->bulks[static_cast<std::size_t>(i.immediate)];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (!cancel_another(w, i, plan, __builtin_ctz(rest))) return Flow::fault;
  return Flow::next;
}

Flow run_ask_cancelled(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto what = static_cast<Cancelled>(i.count);
  std::uint32_t cancelled = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t low = row<std::uint64_t>(w, i.a)[lane];
    const std::uint64_t high = row<std::uint64_t>(w, i.a + kWideRow)[lane];
    const std::array<std::uint32_t, 4> parts{static_cast<std::uint32_t>(low),
                                             static_cast<std::uint32_t>(low >> 32),
                                             static_cast<std::uint32_t>(high), 0};
    if ((high & kIsCancelled) != 0) cancelled |= 1u << lane;
    if (what < Cancelled::all)
      row<std::uint32_t>(w, i.d)[lane] = parts[static_cast<std::size_t>(what)];
    for (std::size_t k = 0; what == Cancelled::all && k < parts.size(); ++k)
      if (const std::uint32_t to = rows_at(w, i.list)[k]; to != kNoRow)
        row<std::uint32_t>(w, to)[lane] = parts[k];
  }
  if (what == Cancelled::whether && i.d != kNoRow)
    predicate(w, i.d) = (predicate(w, i.d) & ~active) | cancelled;
  return Flow::next;
}

}  // namespace lanescope::emulator
