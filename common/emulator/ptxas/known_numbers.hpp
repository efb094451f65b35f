// SPDX-License-Identifier: MIT
// The f32 numbers of a function that ptxas knows before it runs: what is written in a statement,
// and what such numbers become. Matters where compile time and card differ, in the approximate
// functions: powf(2.5f, y) begins with rcp.approx of a number.
//
// The rule is ptxas 13.0's: docs/experiments/approximate.md. Of its knowledge this is a part:
// registers of one value wherever they are written; mov, neg, abs, add, sub, mul, cvt.rn of
// integers and the approximate functions. It knows what integers become, comparisons and dead
// branches as well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

class KnownNumbers {
 public:
  KnownNumbers() = default;
  explicit KnownNumbers(const PtxFunction& function);

  /// The operand's bits.
  std::optional<std::uint32_t> of(const PtxOperand& operand) const;
  /// Of an approximate function or quotient of known numbers: what ptxas puts in its place.
  std::optional<std::uint32_t> result(const PtxStatement& statement) const;

 private:
  enum class State : std::uint8_t { unseen, known, other };
  struct Value {
    State state = State::unseen;
    std::uint32_t bits = 0;
  };
  Value value(const PtxOperand& operand) const;
  Value made(const PtxStatement& statement) const;
  Value approximate(const PtxStatement& statement) const;
  Value converted(const PtxStatement& statement) const;
  bool learn(int reg, Value made);

  std::vector<Value> registers_;  // empty: nothing is known, or nobody asks
};

/// rcp, rsqrt, sqrt, ex2, lg2, sin, cos of f32 with .approx, and div with .approx or .full.
bool is_approximate(const PtxStatement& statement);

}  // namespace lanescope::emulator
