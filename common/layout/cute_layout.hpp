// SPDX-License-Identifier: MIT
// CuTe's layouts: a function from coordinates to an index, written as a shape and strides.
//
//   ((4,8),(2,2)):((32,1),(16,8))     mode 0 has 4 x 8 coordinates, mode 1 has 2 x 2
//     (5,3) -> ((1,1),(1,1)) -> 1*32 + 1*1 + 1*16 + 1*8 = 57
//
// A coordinate of a mode counts through it from the left, as do all of the whole layout: of mode 0
// above, 5 is (1,1). A swizzle may stand before it, Sw<B,M,S>: B bits of the index from bit M + S
// on are exclusive-ored into those from bit M on. Of a pointer into shared memory, smem_ptr[16b],
// it is of byte addresses, whatever the elements are; else of the index.
//
// Not here: what a layout says of a fragment (thread_value.hpp) or of banks (shared_layout.hpp);
// names of atoms (cute.cpp).
// Source: CUTLASS, media/docs/cpp/cute/01_layout.md and include/cute (layout.hpp, swizzle.hpp,
// pointer_flagged.hpp, atom/mma_traits_sm90_gmma.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::layout {

/// A number, or a tuple of such.
struct IntTuple {
  std::int64_t number = 0;
  std::vector<IntTuple> parts;  // none: it is the number

  bool is_number() const { return parts.empty(); }
  friend bool operator==(const IntTuple&, const IntTuple&) = default;
};
/// The product of all its numbers.
std::int64_t size(const IntTuple& shape);
/// "(8,(2,4))"
std::string text(const IntTuple& tuple);

struct CuteSwizzle {
  int bits = 0, base = 0, shift = 0;  // B, M, S; B = 0 changes nothing

  constexpr std::int64_t operator()(std::int64_t index) const {
    const std::int64_t ones = (std::int64_t{1} << bits) - 1;
    if (shift >= 0) return index ^ ((index >> shift) & (ones << base));
    return index ^ ((index & (ones << base)) << -shift);
  }
  friend bool operator==(const CuteSwizzle&, const CuteSwizzle&) = default;
};

struct CuteLayout {
  IntTuple shape, stride;   // as many numbers, in the same tuples
  CuteSwizzle swizzle;      // of what the strides and the offset give
  std::int64_t offset = 0;  // "Sw<3,3,3> o 64 o (8,64):(64,1)"
  bool of_bytes = false;    // smem_ptr: the swizzle is of byte addresses
  int element_bits = 0;     // smem_ptr[16b]; 0: not said

  friend bool operator==(const CuteLayout&, const CuteLayout&) = default;
};

/// Nothing stands before the strides: no swizzle, no offset, no pointer.
inline bool is_plain(const CuteLayout& layout) {
  return layout.swizzle == CuteSwizzle{} && layout.offset == 0 && !layout.of_bytes;
}

/// How many modes it has: 1 where its shape is a number.
int rank(const CuteLayout& layout);
/// One of them, without a swizzle. 0 <= mode < rank(layout).
CuteLayout mode(const CuteLayout& layout, int mode);
inline std::int64_t size(const CuteLayout& layout) { return size(layout.shape); }
/// One more than the largest index, before a swizzle.
std::int64_t cosize(const CuteLayout& layout);

/// The index of a coordinate that counts through the whole layout, or of one coordinate a mode;
/// without swizzle and offset. 0 <= coordinate < size(layout).
std::int64_t linear_index(const CuteLayout& layout, std::int64_t coordinate);
std::int64_t linear_index(const CuteLayout& layout, std::span<const std::int64_t> coordinates);

/// Of a permutation, a plain layout that has every index below its size once: the coordinate of
/// each index. Empty: it is none.
std::vector<std::int64_t> coordinates_by_index(const CuteLayout& layout);

/// A coordinate as a shape's digits, the first one fastest: "2,1" is 6 in (4,8), "6" in 32.
std::string digits(const IntTuple& shape, std::int64_t coordinate);
/// What a coordinate's digits are worth, one after the other: "2*32 + 1*1".
std::string worth(const CuteLayout& layout, std::int64_t coordinate);

/// The byte, from the beginning of shared memory's tile, at which an element of `bits` begins that
/// has this linear index: with the offset and, where it is `applied`, the swizzle.
std::int64_t byte_of(const CuteLayout& layout, std::int64_t linear, int bits, bool applied = true);

/// As CuTe prints it: "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)".
std::string text(const CuteLayout& layout);

struct CuteReading {
  CuteLayout layout;
  std::string problem;  // one line; "": it was read
};
/// Reads a layout as CuTe prints it or as C++ names it: "(8,64):(64,1)", "(_8,_64)" (compact, the
/// first coordinate first), "Layout<Shape<_8,_64>,Stride<_64,_1>>{}", "make_layout(make_shape(8,
/// 64), LayoutRight{})", composition(), ComposedLayout<>, tile_to_shape() with a Step or without,
/// "GMMA::Layout_K_SW128_Atom<half_t>"; and what CuTe makes of layouts: coalesce, complement,
/// composition, right_inverse, left_inverse, logical_, zipped_, tiled_ and flat_divide, logical_,
/// blocked_ and raked_product, get<0>(). What has no numbers in it is a problem, as are layouts of
/// more than 2^20 elements.
CuteReading read_cute_layout(std::string_view text);

struct CuteTuple {
  IntTuple tuple;
  std::string problem;
};
/// The same of a tuple or a number alone: "(32,32,16)", "Tile<_32,_32,_16>{}".
CuteTuple read_cute_tuple(std::string_view text);

/// Whether words are meant as a layout, rightly spelt or not.
bool is_cute_layout(std::string_view words);
/// Of these, whether they are to be reckoned: "logical_divide(...".
bool is_calculation(std::string_view words);

}  // namespace lanescope::layout
