// SPDX-License-Identifier: MIT
// The products of tcgen05.mma, made when somebody waits for them: D of tensor memory, A and B of
// shared memory as they are then.
//
// Source: PTX ISA 9.2, 9.7.16.10.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {

void multiply_tensors(Warp& issuer, const TensorCtas& ctas, const TensorWork& work);

// The rest is what the two files of products share.

/// One with block scaling (multiply_tcgen05_scaled.cpp), or with a sparse A, with block scaling or
/// without (multiply_tcgen05_sparse.cpp): row after row.
void multiply_scaled_blocks(Warp& issuer, const TensorCtas& ctas, const TensorWork& work);
void multiply_sparse_blocks(Warp& issuer, const TensorCtas& ctas, const TensorWork& work);

/// Rows of A, and of B, an element in a byte or more: 32 bytes of K, or of a sparse A's B 64; of
/// mxf4 and mxf4nvf4 twice as many behind it.
inline constexpr std::size_t kTensorRowBytes = 32;
void take_rows_of_a(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, int first_lane,
                    std::byte* a);
void take_rows_of_b(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, std::byte* b);
/// `count` rows' scale factors, from row `first` of those that lie in the 32 lanes from `lane` on.
struct FactorPlace {
  int lane, column, byte, first, count;
};
void take_factors(const TensorMemory& memory, const Tcgen05Form& form, const FactorPlace& at,
                  std::uint8_t* to);

/// How often A lies in the tensor memory of each CTA: twice of a pair's M 128, with .ws as often as
/// its M has room there. What lies in the lanes of a copy of D is multiplied with the A of those.
int copies_of_a(const TensorWork& work);
/// The lane, from A's address on, of a row of those that a CTA has.
int lane_of_a(const Tcgen05Form& form, int row);
/// D, an element after the other as Tcgen05Form::places has them, out of the columns (zeros where
/// the product does not add) and back into those lanes that are not disabled.
void take_d(const TensorCtas& ctas, const TensorWork& work, std::byte* to);
void give_d(const TensorCtas& ctas, const TensorWork& work, const std::byte* from);
/// Elements of 6 and 4 bits in units of 16 bytes: a byte each.
void unpack_units(std::byte* units, std::size_t bytes, int bits);
/// The same where A lies in tensor memory: there each has a byte to itself.
void unpack_a(const TensorWork& work, std::byte* a, std::size_t bytes);
/// Flips the sign of elements of so many bytes, of which so many bits are theirs.
void negate_elements(std::byte* elements, std::size_t bytes, int element_bytes, int element_bits);

}  // namespace lanescope::emulator
