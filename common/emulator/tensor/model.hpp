// SPDX-License-Identifier: MIT
// One element of D by the readable model: the row of A, the column of B and the element of C in,
// one pattern out. Everything but f64.
#pragma once

#include <cstdint>

#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

/// `a` and `b` have shape.K patterns each.
std::uint32_t dot_product(const MmaArithmetic& how, const TensorShape& shape,
                          const std::uint32_t* a, const std::uint32_t* b, std::uint32_t c);

}  // namespace lanescope::emulator
