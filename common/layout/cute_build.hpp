// SPDX-License-Identifier: MIT
// Layouts put together from what a text says, each checked as it is made. Inside the room only:
// others read them by cute_layout.hpp.
#pragma once

#include <optional>
#include <stdexcept>

#include "layout/cute_layout.hpp"

namespace lanescope::layout::cute {

/// What is wrong with a text, in half a line; never leaves the room.
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Order { left, right };  // of compact strides: which coordinate counts first

/// The product of the extents, each of which is 1 at least, and which are not too many.
std::int64_t checked_size(const IntTuple& shape);
/// Strides without holes.
IntTuple compact(const IntTuple& shape, Order order);
/// Throws a Problem where shape and strides do not go together.
CuteLayout layout_of(IntTuple shape, IntTuple stride);
/// CuTe's tile_to_shape: `atom` again and again, until there are as many in every mode as `shape`
/// says; whole atoms after one another in the order of `step`, or of the modes where it is 0.
CuteLayout tiled(const CuteLayout& atom, const IntTuple& shape, const IntTuple& step);
/// GMMA::Layout_K_SW128_Atom<half_t>, UMMA::Layout_MN_INTER_Atom_Bits: 8 rows of as many bits as
/// the swizzle has, or those rows as columns. Source: mma_traits_sm90_gmma.hpp.
std::optional<CuteLayout> canonical_atom(std::string_view name, int bits);

}  // namespace lanescope::layout::cute
