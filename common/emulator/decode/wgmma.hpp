// SPDX-License-Identifier: MIT
// One wgmma.mma_async, decoded: which registers hold D (and A), how to find the elements of B (and
// A) in shared memory. execute_wgmma.cpp runs it.
//
// Source: PTX ISA 9.2, 9.7.15.5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/execute/sparse.hpp"
#include "emulator/tensor/tensor.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {

/// One operand of a warpgroup, warp after warp, register after register. All are in the order of
/// tensor/fragments.hpp; sparse ones are multiplied as dense matrices.
struct WarpgroupOperand {
  int registers = 0;      // of a warp
  int element_bytes = 4;  // 4 for .b1: a word of 32
  int per_register = 1;   // elements
  // of a sparse one, in the dense matrix: [warp][register][lane][element]
  std::vector<std::uint32_t> offsets;
};

struct WgmmaPlan {
  const layout::Instruction* instruction = nullptr;
  TensorShape shape;
  const MmaArithmetic* arithmetic = nullptr;
  WarpgroupOperand D, A;     // A only when a_in_registers
  std::uint32_t a_list = 0;  // of rows in Program::rows; D's is Instruction::list
  bool a_in_registers = false;
  std::uint32_t a_descriptor = 0;  // rows of 64 bits
  std::uint32_t b_descriptor = 0;
  std::uint32_t scale_d = 0;  // row of a predicate; false: D = A*B
  std::uint32_t scale_d_flip = 0;
  SparsePlan sparse;           // shape.K is what A keeps
  std::uint32_t metadata = 0;  // row
  bool negates_a = false, negates_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;
  bool is_serialised = false;  // done at once: see Decoder::watch_accumulators
};

/// Fills in everything that the mnemonic decides; otherwise says why there is none.
std::string plan_wgmma(const layout::Instruction& instruction, std::string_view arch,
                       bool satfinite, WgmmaPlan& plan);

}  // namespace lanescope::emulator
