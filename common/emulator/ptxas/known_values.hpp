// SPDX-License-Identifier: MIT
// What a statement makes of numbers, as ptxas computes it beforehand: mov, packing and unpacking
// of halves, neg, abs, add, sub, mul, min, max, selp, comparisons, cvt.rn, and the approximate
// functions, which are the nearest f32 then. f32, f16 and bf16 are bits in 32.
//
// The rule is ptxas 13.0's: docs/experiments/approximate.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// rcp, rsqrt, sqrt, ex2, lg2, sin, cos of f32 with .approx, and div with .approx or .full.
bool is_approximate(const PtxStatement& statement);

/// `sources`: the bits of the operands behind the first. Nothing: ptxas does not compute it, or not
/// as far as is known here.
std::optional<std::uint32_t> value_made(const PtxStatement& statement,
                                        std::span<const std::uint32_t> sources);

}  // namespace lanescope::emulator
