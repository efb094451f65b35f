// SPDX-License-Identifier: MIT
// The fast paths and where they apply: vector.cpp (floating point), vector_integer.cpp.
#pragma once

#include "emulator/tensor/tensor.hpp"

// The project is compiled for any x86-64; these functions alone may use more, after asking.
#define LANESCOPE_AVX2 __attribute__((target("avx2,f16c")))
#define LANESCOPE_AVX2_INLINE __attribute__((target("avx2,f16c"), always_inline)) inline
#define LANESCOPE_AVX2_NOINLINE __attribute__((target("avx2,f16c"), noinline))

namespace lanescope::emulator {

/// AVX2 and F16C.
bool has_vector_instructions();

/// Whether this processor has the instructions and the shape the regularity: columns in eights, K
/// in whole blocks. Every dense shape of the ISA is regular.
bool vector_applies(const MmaArithmetic& how, const TensorShape& shape);

/// multiply_packed where vector_applies.
void multiply_vector(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d);

/// s8, u8, s4 and u4, exactly. Needs columns in eights, an even K and a multiple of 16 elements in
/// A.
bool integer_vector_applies(const TensorShape& shape);
void multiply_integer_vector(const TensorShape& shape, const void* a, const void* b, const void* c,
                             void* d);

/// One element by the model, from packed operands.
std::uint32_t dot_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                         const void* b, int row, int col, std::uint32_t c);

/// Element `index` of an array of packed elements; not b1, not f64.
std::uint32_t load_pattern(TensorType type, const void* array, int index);
void store_pattern(TensorType type, void* array, int index, std::uint32_t pattern);

}  // namespace lanescope::emulator
