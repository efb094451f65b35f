// SPDX-License-Identifier: MIT
// CuTe's algebra: layouts made of layouts. Inside the room only: others have it by the names that
// cute_read.cpp reads. Each throws a Problem where no layout is what it should be. What is composed
// or divided may have a swizzle or an offset before it, and keeps it; all else is plain.
//
//   composition(a, b)(i) = a(b(i))          complement(a, n): the places up to n that a leaves out
//   logical_divide(a, b) = a o (b, complement(b, size(a))): a in tiles of b, and what repeats them
//   logical_product(a, b) = (a, complement(a, size(a) * cosize(b)) o b): a, repeated as b says
//
// Source: CUTLASS, media/docs/cpp/cute/02_layout_algebra.md, include/cute/layout.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/cute_layout.hpp"

namespace lanescope::layout::cute {

/// make_layout(a, b): a mode each.
CuteLayout joined(const std::vector<CuteLayout>& modes);

/// The same function in as few flat modes as can be.
CuteLayout coalesce(const CuteLayout& layout);
CuteLayout complement(const CuteLayout& layout, std::int64_t size);
/// layout(right_inverse(layout)(i)) = i for as many i as can be, from 0 on; left_inverse(layout)(
/// layout(i)) = i.
CuteLayout right_inverse(const CuteLayout& layout);
CuteLayout left_inverse(const CuteLayout& layout);

/// What divides a layout, or is put together with it: a layout, or one for each of its first modes.
struct Tiler {
  std::vector<CuteLayout> modes;
  bool by_mode = false;
};
CuteLayout composition(const CuteLayout& layout, const Tiler& tiler);
/// ((TileM,RestM),(TileN,RestN),L), ((TileM,TileN),(RestM,RestN,L)), ((TileM,TileN),RestM,RestN,L)
/// and (TileM,TileN,RestM,RestN,L).
CuteLayout logical_divide(const CuteLayout& layout, const Tiler& tiler);
CuteLayout zipped_divide(const CuteLayout& layout, const Tiler& tiler);
CuteLayout tiled_divide(const CuteLayout& layout, const Tiler& tiler);
CuteLayout flat_divide(const CuteLayout& layout, const Tiler& tiler);

CuteLayout logical_product(const CuteLayout& block, const Tiler& tiler);
/// Mode by mode: the block first, or what repeats it first.
CuteLayout blocked_product(const CuteLayout& block, const CuteLayout& tiler);
CuteLayout raked_product(const CuteLayout& block, const CuteLayout& tiler);

}  // namespace lanescope::layout::cute
