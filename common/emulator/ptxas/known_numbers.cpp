// SPDX-License-Identifier: MIT
// See known_numbers.hpp. Every statement says what it makes of what is known so far, until nothing
// new is learnt; a register that gets two different values is not known.
#include "emulator/ptxas/known_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "emulator/ptxas/contract_lives.hpp"
#include "numeric/approximate.hpp"
#include "numeric/nearest.hpp"

namespace lanescope::emulator {
namespace {

namespace approximate = numeric::approximate;
namespace nearest = numeric::nearest;

template <std::size_t kCount>
bool only(const PtxStatement& statement, const std::array<std::string_view, kCount>& allowed) {
  return std::all_of(statement.modifiers.begin(), statement.modifiers.end(), [&](auto modifier) {
    return std::find(allowed.begin(), allowed.end(), modifier) != allowed.end();
  });
}

// Both are scaled first, as on the card; then the dividend is multiplied with the reciprocal.
template <bool kFull, bool kFtz>
std::optional<std::uint32_t> quotient(std::uint32_t a, std::uint32_t b) {
  const auto factor = nearest::reciprocal(approximate::scaled_divisor<kFull, kFtz>(b));
  if (!factor) return std::nullopt;
  const float dividend = nearest::float_of(approximate::dividend<kFull, kFtz>(a, b));
  const float made = nearest::flushed(dividend * nearest::float_of(*factor), kFtz);
  if (std::isnan(made)) return std::nullopt;
  return nearest::bits_of(made);
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

KnownNumbers::KnownNumbers(const PtxFunction& function) {
  const auto& all = function.statements;
  if (std::none_of(all.begin(), all.end(), is_approximate)) return;
  registers_.resize(function.registers.size());
  for (bool learns = true; learns;) {
    learns = false;
    for (const PtxStatement& statement : all) {
      const Value value = made(statement);
      if (value.state == State::unseen) continue;
      contract::each_written(statement, [&](int reg) { learns = learn(reg, value) || learns; });
    }
  }
}

bool KnownNumbers::learn(int reg, Value made) {
  Value& value = registers_[static_cast<std::size_t>(reg)];
  if (value.state == State::other) return false;
  const bool agrees = made.state == State::known && value.state == State::known;
  if (agrees && made.bits == value.bits) return false;
  value = agrees ? Value{State::other, 0} : made;
  return true;
}

KnownNumbers::Value KnownNumbers::value(const PtxOperand& operand) const {
  const Value other{State::other, 0};
  if (operand.kind == OperandKind::reg)
    return operand.pair < 0 && !operand.negated ? registers_[static_cast<std::size_t>(operand.reg)]
                                                : other;
  const auto bits = static_cast<std::uint64_t>(operand.value);
  if (operand.kind == OperandKind::integer) return {State::known, static_cast<std::uint32_t>(bits)};
  if (operand.kind != OperandKind::real) return other;
  if (operand.real_bits == 32) return {State::known, static_cast<std::uint32_t>(bits)};
  return other;
}

std::optional<std::uint32_t> KnownNumbers::of(const PtxOperand& operand) const {
  if (registers_.empty()) return std::nullopt;
  const Value found = value(operand);
  if (found.state != State::known) return std::nullopt;
  return found.bits;
}

std::optional<std::uint32_t> KnownNumbers::result(const PtxStatement& statement) const {
  if (registers_.empty() || !is_approximate(statement)) return std::nullopt;
  const Value found = approximate(statement);
  if (found.state != State::known) return std::nullopt;
  return found.bits;
}

KnownNumbers::Value KnownNumbers::approximate(const PtxStatement& statement) const {
  const Value first = value(statement.operands[1]);
  const bool flushes = has(statement, "ftz"), full = has(statement, "full");
  std::optional<std::uint32_t> bits;
  if (statement.opcode == "div") {
    const Value second = value(statement.operands[2]);
    for (const Value operand : {first, second})
      if (operand.state != State::known) return operand;
    bits = full ? (flushes ? quotient<true, true>(first.bits, second.bits)
                           : quotient<true, false>(first.bits, second.bits))
                : (flushes ? quotient<false, true>(first.bits, second.bits)
                           : quotient<false, false>(first.bits, second.bits));
  } else {
    if (first.state != State::known) return first;
    bits = nearest::function(statement.opcode, first.bits, flushes);
  }
  return bits ? Value{State::known, *bits} : Value{State::other, 0};
}

// cvt.rn.f32.u32 of 255, which nvcc leaves.
KnownNumbers::Value KnownNumbers::converted(const PtxStatement& statement) const {
  constexpr std::array<std::string_view, 2> kSigned{"u32", "s32"};
  const auto& modifiers = statement.modifiers;
  const bool is_known_form =
      modifiers.size() == 3 && modifiers[0] == "rn" && modifiers[1] == "f32" &&
      statement.operands.size() == 2 &&
      std::find(kSigned.begin(), kSigned.end(), modifiers[2]) != kSigned.end();
  if (!is_known_form) return {State::other, 0};
  const Value read = value(statement.operands[1]);
  if (read.state != State::known) return read;
  const float result = modifiers[2] == "u32"
                           ? static_cast<float>(read.bits)
                           : static_cast<float>(static_cast<std::int32_t>(read.bits));
  return {State::known, nearest::bits_of(result)};
}

KnownNumbers::Value KnownNumbers::made(const PtxStatement& statement) const {
  constexpr std::array<std::string_view, 4> kMoves{"f32", "b32", "u32", "s32"};
  constexpr std::array<std::string_view, 3> kSums{"f32", "rn", "ftz"};
  const Value other{State::other, 0};
  const auto& operands = statement.operands;
  if (is_approximate(statement)) return approximate(statement);
  if (statement.opcode == "mov")
    return operands.size() == 2 && only(statement, kMoves) ? value(operands[1]) : other;
  if (statement.opcode == "cvt") return converted(statement);
  if (!has(statement, "f32") || !only(statement, kSums)) return other;
  const bool flushes = has(statement, "ftz");
  const auto operand = [&](std::size_t k) {
    return nearest::flushed(nearest::float_of(value(operands[k]).bits), flushes);
  };
  for (std::size_t k = 1; k < operands.size(); ++k)
    if (const Value read = value(operands[k]); read.state != State::known) return read;
  float result = 0;
  const std::string_view opcode = statement.opcode;
  if (operands.size() == 2 && (opcode == "neg" || opcode == "abs"))
    result = opcode == "neg" ? -operand(1) : std::fabs(operand(1));
  else if (operands.size() == 3 && opcode == "mul")
    result = operand(1) * operand(2);
  else if (operands.size() == 3 && (opcode == "add" || opcode == "sub"))
    result = opcode == "add" ? operand(1) + operand(2) : operand(1) - operand(2);
  else
    return other;
  if (std::isnan(result)) return other;
  return {State::known, nearest::bits_of(nearest::flushed(result, flushes))};
}

}  // namespace lanescope::emulator
