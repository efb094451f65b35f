// SPDX-License-Identifier: MIT
// What the instruction descriptor of a tcgen05.mma asks for: shape and types, as the arithmetic
// takes them, and where D lies, as the atlas has it.
//
// Source: PTX ISA 9.2, 9.7.16.2.1 (table 39), 9.7.16.4.2 (tables 42 to 44), 9.7.16.10.5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::emulator {

/// Rows that the arithmetic takes at once.
inline constexpr int kTensorPanel = 64;

struct Tcgen05Form {
  std::string refusal;  // why there is none
  TensorShape shape;    // of kTensorPanel rows of M
  int M = 0;
  int columns = 0;  // of tensor memory that D takes
  int lanes = 0;    // ... and lanes: up to the last
  const MmaArithmetic* arithmetic = nullptr;
  bool negates_a = false, negates_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;
  // Of every element of C, panel after panel, in the order of tensor/fragments.hpp: column *
  // kTensorLanes + lane, from the address on.
  std::vector<std::uint32_t> places;
};

Tcgen05Form tcgen05_form(layout::Tcgen05Kind kind, std::uint32_t bits, std::string_view arch);

}  // namespace lanescope::emulator
