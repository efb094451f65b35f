// SPDX-License-Identifier: MIT
// wmma.load, .mma, .store: which register holds which element the ISA leaves open. The maps are the
// atlas's, as a card of sm_90a loads and stores them (tests/golden), whatever the layout.
//
// Source: PTX ISA 9.2, 9.7.14.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/type.hpp"
#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

struct WmmaOperand {
  int rows = 0, cols = 0;
  int registers = 0;
  int element_bytes = 4;  // of what is moved at once: of .s4, .u4 and .b1 a whole word along K
  int together = 1;       // elements in it
  int register_bytes = 4;
  // [register][lane][k]: row * cols + col, where rows and cols count what is moved at once
  std::vector<std::uint32_t> elements;
  // byte offset of every piece where it is multiplied (tensor/fragments.hpp; .f64: row-major)
  std::vector<std::uint32_t> places;
  int piece_bytes = 4;  // an element's, or a register's where all its elements lie together
  int per_register() const { return register_bytes / element_bytes; }
};

struct WmmaShape {
  int M = 0, N = 0, K = 0;
};

// Where in memory a piece of a register lies: in which row of .row (column of .col), how far in.
struct WmmaMove {
  std::uint16_t line = 0, byte = 0;
};

struct WmmaPlan {
  // mma
  TensorShape shape;
  const MmaArithmetic* arithmetic = nullptr;
  WmmaOperand A, B, C, D;
  bool widens_c = false;   // f16 to f32, before
  bool narrows_d = false;  // f32 to f16, after: ptxas makes HMMA.F32 and F2FP of it
  // load and store use D only
  bool row_major = true;
  bool of_sums = false;  // C or D: who loads an element also stores it
  // What an address must be a multiple of, in bytes, as an H200 wants it: the first element's, and
  // with ldmatrix, which ptxas makes of loads of A and B from .shared, each line's.
  int alignment = 1;
  bool by_ldmatrix = false;
  std::vector<WmmaMove> moves;         // [register][lane][k], of D.piece_bytes each
  std::uint32_t stride = 0xffffffffu;  // row
};

/// "m16n16k16" -> the shape, or M = 0.
WmmaShape parse_wmma_shape(std::string_view text);

/// operand: 'a', 'b', 'c' or 'd'. False when the ISA has no such fragment, or it is not modelled.
bool plan_wmma_operand(WmmaShape shape, char operand, Type type, WmmaOperand& plan);

/// Fills in `places`, once the product is known. operand: 'a', 'b' or 'c', which also means D.
void place_wmma_operand(const TensorShape& shape, char operand, WmmaOperand& plan);

/// Fills in `moves`, once D and row_major are known.
void plan_wmma_moves(WmmaPlan& plan);

/// Fills in `alignment` and `by_ldmatrix`, after that. operand: 'a', 'b', 'c' or 'd'.
void plan_wmma_alignment(WmmaPlan& plan, char operand, bool is_shared);

}  // namespace lanescope::emulator
