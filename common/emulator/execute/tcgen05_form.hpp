// SPDX-License-Identifier: MIT
// What the instruction descriptor of a tcgen05.mma asks for: shape and types, as the arithmetic
// takes them, and where D lies, as the atlas has it.
//
// Source: PTX ISA 9.2, 9.7.16.2.1 (table 39), 9.7.16.4.2 (tables 42 to 44), 9.7.16.10.5,
// 9.7.16.10.7 (block scaling).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/tensor/scaled.hpp"
#include "emulator/tensor/tensor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::emulator {

struct Tcgen05Form {
  std::string refusal;  // why there is none
  TensorShape shape;    // of as much as the arithmetic takes at once
  int M = 0, N = 0;
  int ctas = 1;
  int columns = 0;         // of tensor memory that D takes
  int lanes = 0;           // ... and lanes: up to the last
  unsigned chunks = 0;     // of 16 lanes each, that have some of it: a bit for each
  bool is_halved = false;  // 16 rows in the lower or the upper lanes of each warp
  const MmaArithmetic* arithmetic = nullptr;
  bool negates_a = false, negates_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;
  int a_bits = 8, b_bits = 8;  // of an element in shared memory: 6 and 4 are packed by sixteens
  bool two_a_byte = false;     // mxf4, mxf4nvf4: 4 bits without padding
  // Of every element of C, panel after panel, in the order of tensor/fragments.hpp; with block
  // scaling, or a sparse A, block after block and row after row: column * kTensorLanes + lane, from
  // the address on; of a pair's odd CTA kTensorPlaces more.
  std::vector<std::uint32_t> places;

  // A keeps half of K; shape.K is what it keeps. Its metadata lies in `metadata_columns` columns,
  // from column `selector` of the address on: of every row of every block, of each of the indices
  // that the row has, the word (column * kTensorLanes + lane) and its lowest bit.
  struct MetadataPlace {
    std::uint16_t word = 0;
    std::uint8_t bit = 0;
  };
  bool is_sparse = false;
  int selector = 0, metadata_columns = 0, indices_a_row = 0;
  std::vector<MetadataPlace> metadata;

  // Block scaling. What lies in 32 lanes of D is multiplied with the scale factors of those lanes.
  struct Block {
    int cta = 0, first_lane = 0;
    int first_row = 0, first_col = 0;  // of D: shape.M rows (32, or 16), `columns` columns
  };
  std::vector<Block> blocks;  // none: neither scaled nor sparse
  ScaleType scale_type = ScaleType::ue8m0;
  int a_scale_byte = 0, b_scale_byte = 0;        // of a word, that the first chunk has
  int a_scale_columns = 0, b_scale_columns = 0;  // of tensor memory: a row in 32 lanes of each
};

/// Which mma asks: the descriptor's meaning depends on it.
struct Tcgen05Asks {
  layout::Tcgen05Kind kind;
  bool is_stationary;  // .ws
  int ctas;            // .cta_group
  int scale_vectors;   // 0: no .block_scale
  bool is_sparse;      // .sp
};
Tcgen05Form tcgen05_form(const Tcgen05Asks& asks, std::uint32_t bits, std::string_view arch);

}  // namespace lanescope::emulator
