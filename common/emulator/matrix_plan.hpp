// SPDX-License-Identifier: MIT
// How one mma instruction finds its matrix elements in the registers of a warp: the fragment maps
// of common/layout turned into tables that are walked without thinking.
//
//     registers of an operand, lane after lane        dense row-major matrix
//     r0: |lane 0|lane 1|...|lane 31|                 row 0: | | | | |
//     r1: |lane 0|lane 1| ...              ---->      row 1: | | | | |
//
// A row of registers is cut into pieces of `piece_bytes`, as large as stay together in the matrix
// (16 for A of m16n8k16: four lanes hold eight neighbours); `offsets` says where each goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/sparse.hpp"
#include "emulator/tensor/tensor.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {

struct OperandPlan {
  int registers = 0;
  int row_bytes = 128;  // of one register in all lanes; 256 for .f64
  int piece_bytes = 4;
  bool nibbles = false;  // 4-bit elements: a piece is half a byte, unpacked to a byte
  std::size_t matrix_bytes = 0;
  std::vector<std::uint16_t> offsets;  // [register][piece]; a matrix of a set follows the other
};

struct MatrixPlan {
  const layout::Instruction* instruction = nullptr;
  TensorShape shape;
  const MmaArithmetic* arithmetic = nullptr;
  int matrices = 1;       // mma.m8n8k4 .f16 multiplies four at once
  bool widens_c = false;  // C is .f16 where D is .f32
  OperandPlan A, B, C, D;
  SparsePlan sparse;  // of mma.sp; shape.K is what A keeps
};

/// As the arithmetic calls it, or nothing.
std::optional<TensorType> tensor_type(layout::ElementType type);

/// Fills in `plan`; otherwise says why there is none.
std::string plan_matrix(const layout::Instruction& instruction, std::string_view arch,
                        bool satfinite, bool conjunction, MatrixPlan& plan);

/// Copies between register rows (pointers to lane 0) and the dense matrix.
void gather(const OperandPlan& plan, const std::byte* const* rows, std::byte* matrix);
void scatter(const OperandPlan& plan, const std::byte* matrix, std::byte* const* rows);

}  // namespace lanescope::emulator
