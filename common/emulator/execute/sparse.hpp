// SPDX-License-Identifier: MIT
// mma.sp and wgmma.sp: A keeps half of its elements, metadata says which. A row of A meets those
// rows of B that its kept elements stand for, and is summed with them as a dense row of half the
// length: an H200 does exactly that (tests/golden/arithmetic), elements left out count for nothing.
//
//   2:4   of four elements two          index 0..3 each, 2 bits
//   1:2   of two one (.tf32)            0b0100 the first, 0b1110 the second
//   4:8   of four pairs two (4 bits)    index 0..3 of a pair, 2 bits
//
// Which lane holds the indices of which row is the atlas's (layout/mma_sp_table.hpp).
// Source: PTX ISA 9.2, 9.7.14.6.1 and 9.7.15.6.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {

struct SparsePlan {
  struct Place {
    std::uint8_t thread = 0, shift = 0;
  };
  int index_bits = 0;         // 0: A is dense
  int together = 1;           // elements that one index places
  int indices = 0;            // of a row
  std::vector<Place> places;  // [row][index]: where the metadata has it
  bool sparse() const { return index_bits != 0; }
};

/// Of a sparse instruction. Says what is wrong with the selector, or nothing.
std::string plan_sparse(const layout::Instruction& instruction, std::int64_t selector,
                        SparsePlan& plan);

/// What a row of A meets: those rows of B that its kept elements stand for, in their order, shape.K
/// rows of `b_row` bytes, put to `met`.
void meet_row(const TensorShape& shape, const SparsePlan& plan, const std::byte* const* metadata,
              int row, const std::byte* b, std::size_t b_row, std::byte* met);
inline constexpr std::size_t kMostMetBytes = 32 * 256;  // half of B of wgmma.m64n256

/// D = A*B + C in place. `shape.K` is what is kept; B has twice as many rows. `metadata` points to
/// lane 0 of the metadata register of each warp.
void multiply_sparse(const MmaArithmetic& how, const TensorShape& shape, const SparsePlan& plan,
                     const std::byte* const* metadata, const std::byte* a, const std::byte* b,
                     std::byte* d, Host host);

}  // namespace lanescope::emulator
