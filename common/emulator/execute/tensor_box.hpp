// SPDX-License-Identifier: MIT
// Which rows of a tensor one copy moves, one after the other as they lie in shared memory. A row is
// a run of elements of the innermost dimension; what of it lies outside is the mover's business.
//
//     tile     rows of the box at `at`, of which only every element_stride-th is copied; of
//              ::gather4 and ::scatter4 the four that are named
//     im2col   pixels: from `at` on along W, H, D and N within the bounding box, moved by the
//     offset
//
// Interleaved, a row is one slice of 16 or 32 bytes, and W comes first:
//
//     [N][C/8][D][H][W] slices      not interleaved: [N][D][H][W] rows of C
//
// Source: PTX ISA 9.2, 5.5.3 (tile), 5.5.4 (im2col) and 5.5.6 (interleaved); an H200
// (docs/experiments/im2col.md, interleaved.md).
#pragma once

#include <array>
#include <cstdint>

#include "emulator/execute/tensor_map.hpp"

namespace lanescope::emulator {

struct TensorPlace {
  std::array<std::int32_t, 5> at{};       // the fastest dimension first
  std::array<std::uint16_t, 3> im2col{};  // offsets of W, H, D
  bool whole_units = false;               // what is left of 16 bytes behind a row's end, too
  // .tile::gather4 and .scatter4: these rows of the second dimension, whatever `at` says of it.
  bool has_four_rows = false;
  std::array<std::int32_t, 4> rows{};
};

/// The address of what would be the row's coordinate 0, interleaved of the slice; and whether the
/// tensor has that row at all.
struct BoxRow {
  bool is_inside;
  std::uint64_t address;
};

class BoxRows {
 public:
  BoxRows(const TensorMap& map, const TensorPlace& place);
  BoxRow next();

 private:
  void advance_tile();
  void advance_im2col();

  const TensorMap& map_;
  TensorPlace place_;
  std::array<std::int64_t, 5> at_{};  // of the row that comes next, without the offset
  std::size_t named_ = 0;             // which of four rows
};

/// What of each row lies in the tensor: bytes from its address on, and where in the row of the box
/// they begin. Out of shared memory whole units of 16 bytes are written: where a row of the tensor
/// ends within one, so is what lies behind it (an H200; docs/experiments/ragged_rows.md).
struct RowPart {
  std::int64_t begin = 0, end = 0, into = 0;
};
RowPart part_of_rows(const TensorMap& map, const TensorPlace& place);

/// All bytes of the tensor that a copy touches lie in [begin, end); none: both 0.
struct TouchedBytes {
  std::uint64_t begin = 0, end = 0;
};
TouchedBytes touched_bytes(const TensorMap& map, const TensorPlace& place);

}  // namespace lanescope::emulator
