// SPDX-License-Identifier: MIT
// The products of tcgen05.mma, made when somebody waits for them: D of tensor memory, A and B of
// shared memory as they are then.
//
// Source: PTX ISA 9.2, 9.7.16.10.
#pragma once

#include <cstddef>

#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {

void multiply_tensors(Warp& issuer, const TensorCtas& ctas, const TensorWork& work);

// The rest is what the two files of products share.

/// One with block scaling (multiply_tcgen05_scaled.cpp).
void multiply_scaled_blocks(Warp& issuer, const TensorCtas& ctas, const TensorWork& work);

/// D, an element after the other as Tcgen05Form::places has them, out of the columns (zeros where
/// the product does not add) and back into those lanes that are not disabled.
void take_d(const TensorCtas& ctas, const TensorWork& work, std::byte* to);
void give_d(const TensorCtas& ctas, const TensorWork& work, const std::byte* from);
/// Elements of 6 and 4 bits in units of 16 bytes: a byte each.
void unpack_units(std::byte* units, std::size_t bytes, int bits);
/// Flips the sign of elements of so many bytes, of which so many bits are theirs.
void negate_elements(std::byte* elements, std::size_t bytes, int element_bytes, int element_bits);

}  // namespace lanescope::emulator
