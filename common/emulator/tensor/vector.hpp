// SPDX-License-Identifier: MIT
// The fast path of the floating-point forms, and where it applies. See vector.cpp.
#pragma once

#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

/// Whether this processor has the instructions (AVX2, F16C) and the shape the regularity: columns
/// in eights, K in whole blocks. Every shape PTX has is regular.
bool vector_applies(const MmaArithmetic& how, const TensorShape& shape);

/// multiply_packed where vector_applies.
void multiply_vector(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d);

/// One element by the model, from packed operands.
std::uint32_t dot_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                         const void* b, int row, int col, std::uint32_t c);

/// Element `index` of an array of packed elements; not b1, not f64.
std::uint32_t load_pattern(TensorType type, const void* array, int index);
void store_pattern(TensorType type, void* array, int index, std::uint32_t pattern);

}  // namespace lanescope::emulator
