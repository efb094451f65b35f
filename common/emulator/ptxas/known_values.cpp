// SPDX-License-Identifier: MIT
#include "emulator/ptxas/known_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "numeric/approximate.hpp"
#include "numeric/format.hpp"
#include "numeric/nearest.hpp"

namespace lanescope::emulator {
namespace {

namespace approximate = numeric::approximate;
namespace nearest = numeric::nearest;
using Bits = std::optional<std::uint32_t>;
using Sources = std::span<const std::uint32_t>;

template <std::size_t kCount>
bool only(const PtxStatement& statement, const std::array<std::string_view, kCount>& allowed) {
  return std::all_of(statement.modifiers.begin(), statement.modifiers.end(), [&](auto modifier) {
    return std::find(allowed.begin(), allowed.end(), modifier) != allowed.end();
  });
}

// Both are scaled first, as on the card; then the dividend is multiplied with the reciprocal.
template <bool kFull, bool kFtz>
Bits quotient(std::uint32_t a, std::uint32_t b) {
  const auto factor = nearest::reciprocal(approximate::scaled_divisor<kFull, kFtz>(b));
  if (!factor) return std::nullopt;
  const float dividend = nearest::float_of(approximate::dividend<kFull, kFtz>(a, b));
  const float made = nearest::flushed(dividend * nearest::float_of(*factor), kFtz);
  if (std::isnan(made)) return std::nullopt;
  return nearest::bits_of(made);
}

Bits approximated(const PtxStatement& statement, Sources sources) {
  const bool flushes = has(statement, "ftz"), full = has(statement, "full");
  if (statement.opcode != "div") return nearest::function(statement.opcode, sources[0], flushes);
  if (full)
    return flushes ? quotient<true, true>(sources[0], sources[1])
                   : quotient<true, false>(sources[0], sources[1]);
  return flushes ? quotient<false, true>(sources[0], sources[1])
                 : quotient<false, false>(sources[0], sources[1]);
}

Bits rounded_to(const numeric::Format& format, std::uint32_t bits) {
  const float value = nearest::float_of(bits);
  if (std::isnan(value)) return std::nullopt;
  return numeric::encode(format, static_cast<double>(value));
}

Bits widened(const numeric::Format& format, std::uint32_t bits) {
  const double value = numeric::decode(format, bits);
  if (std::isnan(value)) return std::nullopt;
  return nearest::bits_of(static_cast<float>(value));
}

// cvt.rn.f32.u32 of 255, which nvcc leaves; and of halves, which cuda_fp16.h writes in assembly.
Bits converted(const PtxStatement& statement, Sources sources) {
  const auto is = [&](auto... words) {
    const std::array<std::string_view, sizeof...(words)> wanted{words...};
    return std::equal(wanted.begin(), wanted.end(), statement.modifiers.begin(),
                      statement.modifiers.end());
  };
  const std::uint32_t bits = sources[0];
  if (sources.size() == 2) {  // the first is the upper half; of bf16x2 ptxas knows nothing
    if (!is("rn", "f16x2", "f32")) return std::nullopt;
    const Bits upper = rounded_to(numeric::kF16, bits);
    const Bits lower = rounded_to(numeric::kF16, sources[1]);
    if (!upper || !lower) return std::nullopt;
    return *upper << 16 | *lower;
  }
  if (is("rn", "f32", "u32")) return nearest::bits_of(static_cast<float>(bits));
  if (is("rn", "f32", "s32"))
    return nearest::bits_of(static_cast<float>(static_cast<std::int32_t>(bits)));
  if (is("rn", "f16", "f32")) return rounded_to(numeric::kF16, bits);
  if (is("rn", "bf16", "f32")) return rounded_to(numeric::kBf16, bits);
  if (is("f32", "f16")) return widened(numeric::kF16, bits & 0xffff);
  if (is("f32", "bf16")) return widened(numeric::kBf16, bits & 0xffff);
  return std::nullopt;
}

// A mov from one register or number, or of two halves into a word.
Bits moved(const PtxStatement& statement, Sources sources) {
  constexpr std::array<std::string_view, 4> kWords{"f32", "b32", "u32", "s32"};
  constexpr std::array<std::string_view, 3> kHalves{"b16", "u16", "s16"};
  const bool halves = only(statement, kHalves);
  if (!halves && !only(statement, kWords)) return std::nullopt;
  if (sources.size() == 2)
    return halves ? Bits() : (sources[0] & 0xffff) | (sources[1] & 0xffff) << 16;
  return halves ? sources[0] & 0xffff : sources[0];
}

Bits compared(const PtxStatement& statement, Sources sources) {
  constexpr std::array<std::string_view, 6> kOrders{"eq", "ne", "lt", "le", "gt", "ge"};
  const auto& modifiers = statement.modifiers;
  const bool flushes = has(statement, "ftz");
  const bool is_plain = sources.size() == 2 && modifiers.size() == (flushes ? 3u : 2u) &&
                        modifiers.back() == "f32" && statement.operands[0].pair < 0;
  if (!is_plain) return std::nullopt;
  std::string_view order = modifiers[0];
  if (order.size() == 3 && order.back() == 'u') order.remove_suffix(1);
  const float a = nearest::flushed(nearest::float_of(sources[0]), flushes);
  const float b = nearest::flushed(nearest::float_of(sources[1]), flushes);
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  const std::array<bool, 6> holds{a == b, a != b, (a < b), (a <= b), (a > b), (a >= b)};
  for (std::size_t k = 0; k < kOrders.size(); ++k)
    if (order == kOrders[k]) return holds[k] ? 1 : 0;
  return std::nullopt;
}

Bits calculated(const PtxStatement& statement, Sources sources) {
  constexpr std::array<std::string_view, 3> kSums{"f32", "rn", "ftz"};
  if (!has(statement, "f32") || !only(statement, kSums)) return std::nullopt;
  const bool flushes = has(statement, "ftz");
  const auto operand = [&](std::size_t k) {
    return nearest::flushed(nearest::float_of(sources[k]), flushes);
  };
  const std::string_view opcode = statement.opcode;
  float made = std::nanf("");
  if (sources.size() == 1 && (opcode == "neg" || opcode == "abs"))
    made = opcode == "neg" ? -operand(0) : std::fabs(operand(0));
  if (sources.size() == 2) {
    const float a = operand(0), b = operand(1);
    if (opcode == "mul") made = a * b;
    if (opcode == "add") made = a + b;
    if (opcode == "sub") made = a - b;
    if (a != b && opcode == "min") made = a < b ? a : b;
    if (a != b && opcode == "max") made = a < b ? b : a;
    if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  }
  if (std::isnan(made)) return std::nullopt;
  return nearest::bits_of(nearest::flushed(made, flushes));
}

}  // namespace

bool is_approximate(const PtxStatement& statement) {
  constexpr std::array<std::string_view, 7> kFunctions{"rcp", "rsqrt", "sqrt", "ex2",
                                                       "lg2", "sin",   "cos"};
  if (!has(statement, "f32")) return false;
  if (statement.opcode == "div")
    return statement.operands.size() == 3 && (has(statement, "approx") || has(statement, "full"));
  return statement.operands.size() == 2 && has(statement, "approx") &&
         std::find(kFunctions.begin(), kFunctions.end(), statement.opcode) != kFunctions.end();
}

Bits value_made(const PtxStatement& statement, Sources sources) {
  if (sources.empty()) return std::nullopt;
  if (is_approximate(statement)) return approximated(statement, sources);
  if (statement.opcode == "mov") return moved(statement, sources);
  if (statement.opcode == "cvt") return converted(statement, sources);
  if (statement.opcode == "setp") return compared(statement, sources);
  if (statement.opcode == "selp" && sources.size() == 3) return sources[sources[2] != 0 ? 0 : 1];
  return calculated(statement, sources);
}

}  // namespace lanescope::emulator
