// SPDX-License-Identifier: MIT
// Instructions that run as several simpler ones, one after another for the same lanes: a vector
// atomic, a set with a combination, a lop3 with a predicate. And testp.
//
// Source: PTX ISA 9.2, 9.7.3.2 (testp).
#include <cmath>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

Flow run_composite(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto& all = w.cta->launch->program->composites;
  Flow end = Flow::next;
  for (const Instruction& part : all[static_cast<std::size_t>(i.immediate)]) {
    const Flow flow = part.handler(w, part, active);
    if (flow == Flow::yield)
      end = flow;  // when all parts are done
    else if (flow != Flow::next)
      return flow;
  }
  return end;
}

// Of a row of 64-bit lanes the first part has lanes 0 to 15 as 32 words, the second the others.
Flow run_on_both_halves(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto twice = [](std::uint32_t lanes) {  // 0b101 -> 0b110011
    std::uint32_t words = 0;
    for (std::uint32_t lane = 0; lane < kLanes / 2; ++lane)
      words |= (lanes >> lane & 1) * 3u << 2 * lane;
    return words;
  };
  const auto& parts = w.cta->launch->program->composites[static_cast<std::size_t>(i.immediate)];
  const std::uint32_t lower = active == kAllLanes ? active : twice(active & 0xffff);
  const std::uint32_t upper = active == kAllLanes ? active : twice(active >> 16);
  if (lower != 0) parts[0].handler(w, parts[0], lower);
  if (upper != 0) parts[1].handler(w, parts[1], upper);
  return Flow::next;
}

// The low words of 64-bit lanes.
Flow run_narrow(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* from = row<std::uint64_t>(w, i.a);
  auto* to = row<std::uint32_t>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0) to[lane] = static_cast<std::uint32_t>(from[lane]);
  return Flow::next;
}

// A copy of a row of 4 or 8 bytes a lane.
Flow run_keep(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto copy = [&](const auto* from, auto* to) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (((active >> lane) & 1) != 0) to[lane] = from[lane];
  };
  if (i.bytes == 8)
    copy(row<std::uint64_t>(w, i.a), row<std::uint64_t>(w, i.d));
  else
    copy(row<std::uint32_t>(w, i.a), row<std::uint32_t>(w, i.d));
  return Flow::next;
}

namespace {

bool holds(FloatProperty property, int kind) {
  switch (property) {
    case FloatProperty::finite:
      return kind != FP_INFINITE && kind != FP_NAN;
    case FloatProperty::infinite:
      return kind == FP_INFINITE;
    case FloatProperty::number:
      return kind != FP_NAN;
    case FloatProperty::notanumber:
      return kind == FP_NAN;
    case FloatProperty::normal:
      return kind == FP_NORMAL || kind == FP_ZERO;  // as a card answers
    case FloatProperty::subnormal:
      return kind == FP_SUBNORMAL;
  }
  return false;
}

}  // namespace

Flow run_testp(Warp& w, const Instruction& i, std::uint32_t active) {
  std::uint32_t found = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int kind = i.bytes == 8 ? std::fpclassify(row<double>(w, i.a)[lane])
                                  : std::fpclassify(row<float>(w, i.a)[lane]);
    if (holds(static_cast<FloatProperty>(i.detail), kind)) found |= 1u << lane;
  }
  std::uint32_t& p = predicate(w, i.d);
  p = (p & ~active) | (found & active);
  return Flow::next;
}

}  // namespace lanescope::emulator
