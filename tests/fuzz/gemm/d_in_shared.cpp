// SPDX-License-Identifier: MIT
// D through shared memory, to be stored row by row: see gemm_generator.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {

void Generator::choose_d_tile() {
  const int bytes = d_.bytes(), unit = 16 / bytes;
  const bool fits = !d_.columns && d_.line % unit == 0 && d_.cols % unit == 0;
  if (!fits || random_.one_in(3)) return;
  d_through_shared_ = true;
  d_by_stmatrix_ = bytes == 2 && random_.one_in(3);
  d_tile_ = {warps_m_ * tiles_m_ * 16, warps_n_ * tiles_n_ * 8 * bytes, false};
  const int way = random_.below(3);
  d_tile_.swizzled =
      way == 0 && d_tile_.stride >= 32 && (d_tile_.stride & (d_tile_.stride - 1)) == 0;
  if (way == 1) d_tile_.stride += random_.any({16, 16, 32});
  d_offset_ = random_.one_in(2) ? 0 : stages_ * (a_tile_.bytes() + b_tile_.bytes());
}

// Of the block's rows and columns.
Value Generator::d_place(const Value& row, const Value& col, bool is_read) {
  Tile tile = d_tile_;
  if (is_read && tile.swizzled && errs(GemmMistake::d_swizzle)) tile.swizzled = false;
  if (is_read && !tile.swizzled && tile.lines > 1 && errs(GemmMistake::d_pitch))
    tile.stride += tile.stride > 16 && which_ % 2 == 0 ? -16 : 16;
  return place(tile, row, w_.times(col, d_.bytes()), number(d_offset_));
}

// Both halves of a tile's rows at once, each a matrix; lanes 0 to 15 have their addresses.
bool Generator::store_matrices(const Names& sums, int i, int j) {
  if (!d_by_stmatrix_ || adds_ == Adds::last || mistake_ == GemmMistake::d_half ||
      mistake_ == GemmMistake::d_pair)
    return false;
  Names words;
  for (std::size_t half = 0; half < 2; ++half) {
    if (kind_.halves) {
      words.push_back(sums[half]);
      continue;
    }
    words.push_back(w_.fresh('r'));
    w_.put("cvt.rn.{}x2.f32 {}, {}, {}", d_.type, words.back(), sums[2 * half + 1], sums[2 * half]);
  }
  const Value row = w_.add(w_.add(warp_row_, number(16 * i)), w_.modulo(lane_, 16));
  const Value col = w_.add(warp_col_, number(8 * j));
  w_.put("stmatrix.sync.aligned.m8n8.x2.shared.b16 [{}], {}", d_place(row, col, false).text(),
         list(words));
  return true;
}

void Generator::store_rows() {
  barrier();
  const int unit = 16 / d_.bytes(), units = warps_n_ * tiles_n_ * 8 / unit,
            all = d_tile_.lines * units;
  for (int first = 0; first < all; first += threads()) {
    const Value at = w_.add(thread_, number(first));
    std::string is_own;
    if (first + threads() > all) {
      is_own = w_.fresh('p');
      w_.put("setp.lt.u32 {}, {}, {}", is_own, at.text(), all);
    }
    const Value own = w_.over(at, units),
                element = units == 1 ? number(0) : w_.times(w_.modulo(at, units), unit);
    const Value row = w_.add(block_row_, own), col = w_.add(block_col_, element);
    const std::string there = both(is_own, inside(Edge::d_m, row, Edge::d_n, col)),
                      guard = there.empty() ? there : "@" + there + " ";
    const Names words = fresh('r', 4);
    w_.put("{}ld.shared.v4.u32 {}, [{}]", guard, list(words), d_place(own, element, true).text());
    w_.put("{}st.global.v4.u32 [{}], {}", guard, address_of(d_, d_base_, row, col), list(words));
  }
}

}  // namespace lanescope::tests
