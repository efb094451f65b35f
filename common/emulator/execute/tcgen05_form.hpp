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

struct Tcgen05Form {
  std::string refusal;  // why there is none
  TensorShape shape;    // of as many rows of M as the arithmetic takes at once
  int M = 0;
  int ctas = 1;
  int columns = 0;         // of tensor memory that D takes
  int lanes = 0;           // ... and lanes: up to the last
  unsigned chunks = 0;     // of 16 lanes each, that have some of it: a bit for each
  bool is_halved = false;  // 16 rows in the lower or the upper lanes of each warp
  const MmaArithmetic* arithmetic = nullptr;
  bool negates_a = false, negates_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;
  int a_bits = 8, b_bits = 8;  // of an element in shared memory: 6 and 4 are packed by sixteens
  // Of every element of C, panel after panel, in the order of tensor/fragments.hpp: column *
  // kTensorLanes + lane, from the address on; of a pair's odd CTA kTensorPlaces more.
  std::vector<std::uint32_t> places;
};

/// Which mma asks: the descriptor's meaning depends on it.
struct Tcgen05Asks {
  layout::Tcgen05Kind kind;
  bool is_stationary;  // .ws
  int ctas;            // .cta_group
};
Tcgen05Form tcgen05_form(const Tcgen05Asks& asks, std::uint32_t bits, std::string_view arch);

}  // namespace lanescope::emulator
