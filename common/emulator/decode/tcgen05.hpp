// SPDX-License-Identifier: MIT
// One tcgen05 instruction, decoded: what ld, st and cp move where, what mma multiplies. What the 32
// bits of an instruction descriptor say is known when it runs (execute/tcgen05_form.hpp).
//
// Source: PTX ISA 9.2, 9.7.16. Nobody has asked a card.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/decode/bulk.hpp"
#include "layout/mover.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::emulator {

/// Tensor memory of a CTA: 128 lanes of 512 columns of 32 bits. An address is lane << 16 | column.
inline constexpr int kTensorLanes = 128, kTensorColumns = 512;
inline constexpr std::uint32_t kTensorPlaces = kTensorLanes * kTensorColumns;

struct Tcgen05Plan {
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  RowAddress tensor;  // of ld and st, of D, of what cp writes

  // ld, st. For each word of the warp's registers, register after register and lane after lane:
  // column * kTensorLanes + lane, from the address on. With .pack::16b two words for each.
  const layout::Mover* mover = nullptr;
  std::vector<std::uint32_t> places;
  int registers = 0;
  int columns = 0;              // touched, from the address on
  int rows = 0;                 // lanes touched
  std::int64_t half_split = 0;  // .16x32bx2: columns to the second half
  bool is_packed = false;
  bool at_once = false;  // not in flight: see Decoder::watch_accumulators
  // ld.red: the least or the greatest of a lane's words, into one register more, the last of list.
  struct Reduction {
    bool is_min = false, of_magnitudes = false, nan_wins = false;
    Type type = Type::f32;  // or u32, s32
  };
  std::optional<Reduction> reduction;

  int ctas = 1;  // .cta_group of mma and cp: 2 works in both CTAs of the pair

  // cp: so many rows of so many bytes of shared memory, by `a_descriptor`; row r goes to lane
  // copy_lanes[k][r] for every k.
  int copy_rows = 0, copy_bytes = 0;
  int element_bits = 8;  // 4, 6: sixteen of each 16 bytes come to a byte each
  std::vector<std::vector<int>> copy_lanes;

  // mma
  bool is_stationary = false;  // .ws
  layout::Tcgen05Kind kind = layout::Tcgen05Kind::f16;
  bool a_in_tensor = false;
  RowAddress a_tensor;
  std::uint32_t a_descriptor = kAbsent, b_descriptor = kAbsent;  // rows of 64 bits
  std::uint32_t instruction = kAbsent;                           // row of 32 bits
  // Four rows for each CTA; empty where the instruction names none.
  std::vector<std::uint32_t> disabled_lanes;
  // .block_scale: chunks of K with a scale factor each (1, 2, 4), and where the factors begin.
  int scale_vectors = 0;
  RowAddress a_scales, b_scales;
  bool is_sparse = false;  // .sp
  RowAddress metadata;
  int input_shift = 0;     // scale-input-d: D is multiplied with 2 to minus that first
  std::uint32_t adds = 0;  // row of a predicate: enable-input-d
  std::uint32_t adds_flip = 0;
  std::uint32_t zero_columns = kAbsent;  // row of 64 bits, of .ws (layout/zero_columns.hpp)
};

}  // namespace lanescope::emulator
