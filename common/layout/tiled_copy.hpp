// SPDX-License-Identifier: MIT
// CuTe's TiledCopy: which elements of a tile each thread copies.
//
//   make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
//                   Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})
//
//        k 0..7    8..15   ...  56..63      threads as the first layout says, each with as many
//   m 0  thread 0  1            7           neighbours as the second one has; in one copy if the
//     1  thread 8  9            15          atom's type is as wide
//
// Not here: atoms of ldmatrix and stmatrix, by which threads get what others name; TMA.
// Source: CUTLASS, include/cute/atom/copy_atom.hpp (make_tiled_copy), layout.hpp (raked_product).
#pragma once

#include <string>
#include <string_view>

#include "layout/shared_matrix.hpp"

namespace lanescope::layout {

/// Whether words are meant as one: "make_tiled_copy(...".
bool is_tiled_copy(std::string_view words);

struct TiledCopy {
  ThreadValues moved;
  std::string name;     // in short: "TiledCopy (16,8):(8,1), (1,8):(1,1)"
  std::string problem;  // one line; "": it was read
};
TiledCopy tiled_copy(std::string_view words);

}  // namespace lanescope::layout
