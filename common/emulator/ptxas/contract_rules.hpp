// SPDX-License-Identifier: MIT
// What contract.cpp asks of one statement: is it a product, a sum, something that hands a product
// on, something that ptxas makes several blocks of. Which goes into which is not decided here.
//
// The rules are ptxas 13.0's: docs/experiments/contraction.md.
#pragma once

#include <string_view>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator::contract {

/// A statement's floating-point type and whether it flushes; no type where it is another statement,
/// or one whose rounding is said. Of .f32x2 ptxas does not ask whether it is said, nor for -fmad
/// false: what is rounded alike goes together.
struct Open {
  Type type = Type::none;
  bool flushes = false;
  char rounding = 'n';
  friend bool operator==(const Open&, const Open&) = default;
};

inline bool is_register(const PtxOperand& operand) {
  return operand.kind == OperandKind::reg && operand.pair < 0;
}

/// A mul; and what has one at its end: an approximate quotient is the dividend times the
/// reciprocal, rcp.approx without .ftz is multiplied by a power of two.
Open product(const PtxStatement& statement);

/// An add or sub.
Open sum(const PtxStatement& statement);

/// Of an mma.sync whose C ptxas adds behind the tensor core, a register of it after the other: fp8
/// from Hopper on, where neither Ada's unit nor sm_120's is. The sums' type.
Open sums_of_c(const PtxStatement& statement, int sm);

/// What ptxas sees through: a mov; a neg or a cvt to the same type that flushes only what is
/// flushed already.
bool hands_on(const PtxStatement& statement, Open product);

/// Without an effect but the registers they write.
bool only_computes(const PtxStatement& statement);

/// What ptxas has made several blocks of, with a slow path or a fence, when it looks for products.
bool is_several_blocks(const PtxStatement& statement, int sm);
/// Of those: which are gone by then, if nobody wants their result.
bool goes_early(const PtxStatement& statement, int sm);

}  // namespace lanescope::emulator::contract
