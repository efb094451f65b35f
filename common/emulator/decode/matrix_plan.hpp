// SPDX-License-Identifier: MIT
// How one mma instruction finds its matrix elements in the registers of a warp: the fragment maps
// of common/layout, compared with the order in which the arithmetic takes registers as they are
// (tensor/fragments.hpp). Most are in it. Of the others (M = 8, .f64, sparse) pieces of registers
// are moved to where it, or the dense row-major matrix of .f64 and mma.sp, has them.
//
//     registers of an operand, lane after lane        image: fragment order, or row-major
//     r0: |lane 0|lane 1|...|lane 31|                 | | | | |
//     r1: |lane 0|lane 1| ...              ---->      | | | | |
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/execute/scales.hpp"
#include "emulator/execute/sparse.hpp"
#include "emulator/tensor/fragments.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {

/// What the operands are moved to before they are multiplied.
enum class Image : std::uint8_t { none, fragments, dense };

struct OperandPlan {
  int registers = 0;
  int row_bytes = 128;   // of one register in all lanes; 256 for .f64
  int piece_bytes = 4;   // what is moved at once
  bool nibbles = false;  // dense 4-bit elements: a piece is half a byte, unpacked to a byte
  // What an element has of its byte, where it is less: so far up, so many bits.
  int padding = 0, payload_bits = 8;
  std::size_t image_bytes = 0;         // of one matrix
  std::vector<std::uint16_t> offsets;  // [register][piece]; a matrix of a set follows the other
};

struct MatrixPlan {
  const layout::Instruction* instruction = nullptr;
  TensorShape shape;
  const MmaArithmetic* arithmetic = nullptr;
  Image image = Image::none;
  int matrices = 1;       // mma.m8n8k4 .f16 multiplies four at once
  bool widens_c = false;  // C is .f16 where D is .f32
  OperandPlan A, B, C, D;
  SparsePlan sparse;  // of mma.sp; shape.K is what A keeps
  ScalePlan scales;   // of the block-scaled kinds
};

/// As the arithmetic calls it, or nothing.
std::optional<TensorType> tensor_type(layout::ElementType type);

/// Fills in `plan`; otherwise says why there is none.
std::string plan_matrix(const layout::Instruction& instruction, std::string_view arch,
                        bool satfinite, bool conjunction, MatrixPlan& plan);

/// Whether the registers of a warp or warpgroup are as multiply_fragments takes them. `operand` is
/// A, B or C.
bool in_fragment_order(const layout::Fragment& fragment, char operand, const TensorShape& shape);

/// Bytes from the first register to an element.
inline std::size_t byte_of(const FragmentPlace& at) {
  return static_cast<std::size_t>((at.reg * kFragmentLanes + at.lane) * 4 + at.bit / 8);
}

/// C in halves to C in words, both in fragment order: mma and wmma with .f32.f16 of D and C.
void widen_c(const TensorShape& shape, const std::byte* halves, std::byte* words);

/// Copies between register rows (pointers to lane 0) and the image. Elements of 6 and 4 bits in
/// containers of 8 lie in the low bits there.
void gather(const OperandPlan& plan, const std::byte* const* rows, std::byte* image);
void scatter(const OperandPlan& plan, const std::byte* image, std::byte* const* rows);

}  // namespace lanescope::emulator
