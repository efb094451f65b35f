// SPDX-License-Identifier: MIT
// The numbers of a function that ptxas knows before it runs: what is written in a statement,
// and what such numbers become. Matters where compile time and card differ, in the approximate
// functions: powf(2.5f, y) begins with rcp.approx of a number, a half divided by one has it, too.
//
// The rule is ptxas 13.0's: docs/experiments/approximate.md. Of its knowledge this is a part:
// what a register holds further down in the same block, and elsewhere registers of one value
// wherever they are written; what statements make of numbers: known_values.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

class KnownNumbers {
 public:
  KnownNumbers() = default;
  explicit KnownNumbers(const PtxFunction& function);

  /// The bits of an operand of an approximate function or of a product, as the statement finds it.
  std::optional<std::uint32_t> of(const PtxStatement& statement, std::size_t operand) const;
  /// Of an approximate function or quotient of known numbers: what ptxas puts in its place.
  std::optional<std::uint32_t> result(const PtxStatement& statement) const;

 private:
  std::uint64_t key(const PtxStatement& statement, std::size_t operand) const {
    return static_cast<std::uint64_t>(&statement - first_) * 8 + operand;
  }

  const PtxStatement* first_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> found_;  // operand 0: the result
};

}  // namespace lanescope::emulator
