// SPDX-License-Identifier: MIT
#include "layout/cute_algebra.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/cute_build.hpp"

namespace lanescope::layout::cute {
namespace {

/// One number of a shape, and its stride.
struct Leaf {
  std::int64_t extent, stride;
};

void add_leaves(const IntTuple& shape, const IntTuple& stride, std::vector<Leaf>& leaves) {
  if (shape.is_number()) leaves.push_back({shape.number, stride.number});
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    add_leaves(shape.parts[i], stride.parts[i], leaves);
}

std::vector<Leaf> leaves_of(const CuteLayout& layout) {
  if (!is_plain(layout))
    throw Problem("a layout with a swizzle, an offset or a pointer is not reckoned with");
  std::vector<Leaf> leaves;
  add_leaves(layout.shape, layout.stride, leaves);
  return leaves;
}

/// A number where there is one leaf.
CuteLayout flat(const std::vector<Leaf>& leaves) {
  IntTuple shape, stride;
  for (const auto& [extent, step] : leaves) {
    shape.parts.push_back({extent, {}});
    stride.parts.push_back({step, {}});
  }
  if (leaves.size() == 1) return layout_of(shape.parts[0], stride.parts[0]);
  return layout_of(std::move(shape), std::move(stride));
}

std::vector<Leaf> coalesced(const CuteLayout& layout) {
  std::vector<Leaf> few;
  for (const Leaf& leaf : leaves_of(layout)) {
    if (leaf.extent == 1) continue;
    if (!few.empty() && few.back().extent * few.back().stride == leaf.stride)
      few.back().extent *= leaf.extent;
    else
      few.push_back(leaf);
  }
  if (few.empty()) few.push_back({1, 0});
  return few;
}

std::vector<CuteLayout> modes_of(const CuteLayout& layout) {
  std::vector<CuteLayout> modes;
  for (int i = 0; i < rank(layout); ++i) modes.push_back(mode(layout, i));
  return modes;
}

/// `outer` after one number of a layout: that many of its coordinates, `stride` apart.
CuteLayout after_leaf(const std::vector<Leaf>& outer, std::int64_t extent, std::int64_t stride) {
  if (stride == 0) return flat({{extent, 0}});
  const auto no_layout = [&] {
    return Problem(
        fmt::format("{}:{} goes through it unevenly: no layout does that", extent, stride));
  };
  std::vector<Leaf> found;
  std::int64_t rest = extent, apart = stride;
  for (std::size_t i = 0; i + 1 < outer.size(); ++i) {
    const auto [there, step] = outer[i];
    if (there % apart != 0 && apart % there != 0) throw no_layout();
    const std::int64_t here = std::min(std::max<std::int64_t>(1, there / apart), rest);
    if (rest % here != 0) throw no_layout();
    if (here != 1) found.push_back({here, apart * step});
    rest /= here;
    apart = (apart + there - 1) / there;
  }
  if (rest != 1 || found.empty()) found.push_back({rest, apart * outer.back().stride});
  return flat(found);
}

CuteLayout after(const std::vector<Leaf>& outer, const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_number()) return after_leaf(outer, shape.number, stride.number);
  std::vector<CuteLayout> modes;
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    modes.push_back(after(outer, shape.parts[i], stride.parts[i]));
  return joined(modes);
}

CuteLayout composed(const CuteLayout& a, const CuteLayout& b) {
  leaves_of(b);  // that it is plain
  const CuteLayout both = after(coalesced(a), b.shape, b.stride);
  // Within a it must be the function that it should be, whatever the numbers were.
  for (std::int64_t i = 0; i < size(b); ++i)
    if (const std::int64_t at = linear_index(b, i);
        at >= 0 && at < size(a) && linear_index(both, i) != linear_index(a, at))
      throw Problem(fmt::format("{} after {} is no layout", text(a), text(b)));
  return both;
}

/// What stands before the strides, a swizzle and an offset, is done last: whatever the strides
/// become, it stays.
CuteLayout plain(const CuteLayout& layout) { return layout_of(layout.shape, layout.stride); }
CuteLayout swizzled_as(const CuteLayout& layout, const CuteLayout& strides) {
  CuteLayout whole = layout;
  whole.shape = strides.shape;
  whole.stride = strides.stride;
  return whole;
}

/// Mode by mode, the modes of `layout` behind the tiler's as they are.
template <typename One>
CuteLayout by_mode(const CuteLayout& layout, const Tiler& tiler, const One& one) {
  std::vector<CuteLayout> modes = modes_of(layout);
  if (tiler.modes.size() > modes.size())
    throw Problem(
        fmt::format("a tiler of {} modes, for a layout of {}", tiler.modes.size(), modes.size()));
  for (std::size_t i = 0; i < tiler.modes.size(); ++i) modes[i] = one(modes[i], tiler.modes[i]);
  return joined(modes);
}

CuteLayout divided(const CuteLayout& a, const CuteLayout& b) {
  return composed(a, joined({b, complement(b, size(a))}));
}
CuteLayout multiplied(const CuteLayout& a, const CuteLayout& b) {
  return joined({a, composed(complement(a, size(a) * cosize(b)), b)});
}

/// {tile, rest}, each of one mode or several; without a swizzle.
std::vector<CuteLayout> tile_and_rest(const CuteLayout& layout, const Tiler& tiler) {
  const CuteLayout all = logical_divide(plain(layout), tiler);
  if (!tiler.by_mode) return modes_of(all);
  std::vector<CuteLayout> tiles, rests;
  for (int i = 0; i < rank(all); ++i) {
    const CuteLayout one = mode(all, i);
    if (static_cast<std::size_t>(i) < tiler.modes.size())
      tiles.push_back(mode(one, 0)), rests.push_back(mode(one, 1));
    else
      rests.push_back(one);
  }
  return {joined(tiles), joined(rests)};
}

void append(std::vector<CuteLayout>& to, const std::vector<CuteLayout>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Both with as many modes as the one that has more.
std::vector<CuteLayout> product_modes(const CuteLayout& block, const CuteLayout& tiler,
                                      bool block_first) {
  const int most = std::max(rank(block), rank(tiler));
  const auto padded = [most](const CuteLayout& layout) {
    std::vector<CuteLayout> modes = modes_of(layout);
    while (static_cast<int>(modes.size()) < most) modes.push_back(flat({{1, 0}}));
    return joined(modes);
  };
  const CuteLayout product = multiplied(padded(block), padded(tiler));
  std::vector<CuteLayout> modes;
  for (int i = 0; i < most; ++i) {
    const CuteLayout inner = mode(mode(product, 0), i), outer = mode(mode(product, 1), i);
    modes.push_back(block_first ? joined({inner, outer}) : joined({outer, inner}));
  }
  return modes;
}

}  // namespace

CuteLayout joined(const std::vector<CuteLayout>& modes) {
  IntTuple shape, stride;
  for (const CuteLayout& one : modes) {
    leaves_of(one);
    shape.parts.push_back(one.shape);
    stride.parts.push_back(one.stride);
  }
  return layout_of(std::move(shape), std::move(stride));
}

CuteLayout coalesce(const CuteLayout& layout) { return flat(coalesced(layout)); }

CuteLayout complement(const CuteLayout& layout, std::int64_t size) {
  std::vector<Leaf> leaves = leaves_of(layout), rest;
  std::erase_if(leaves, [](const Leaf& leaf) { return leaf.stride == 0 || leaf.extent == 1; });
  std::sort(leaves.begin(), leaves.end(),
            [](const Leaf& a, const Leaf& b) { return a.stride < b.stride; });
  std::int64_t filled = 1;
  for (const auto& [extent, stride] : leaves) {
    if (stride % filled != 0)
      throw Problem(
          fmt::format("{} has no complement: it goes to places twice, or unevenly", text(layout)));
    rest.push_back({stride / filled, filled});
    filled = extent * stride;
  }
  rest.push_back({(size + filled - 1) / filled, filled});
  return coalesce(flat(rest));
}

CuteLayout right_inverse(const CuteLayout& layout) {
  struct Place {
    Leaf leaf;
    std::int64_t worth;  // of its coordinate
  };
  std::vector<Place> places;
  std::int64_t worth = 1;
  for (const Leaf& leaf : leaves_of(layout)) {
    places.push_back({leaf, worth});
    worth *= leaf.extent;
  }
  std::erase_if(places, [](const Place& place) { return place.leaf.extent == 1; });
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.leaf.stride < b.leaf.stride; });
  std::vector<Leaf> inverse;
  std::int64_t next = 1;
  for (const auto& [leaf, at] : places) {
    if (leaf.stride != next) break;
    inverse.push_back({leaf.extent, at});
    next *= leaf.extent;
  }
  if (inverse.empty()) inverse.push_back({1, 0});
  return coalesce(flat(inverse));
}

CuteLayout left_inverse(const CuteLayout& layout) {
  return right_inverse(joined({layout, complement(layout, 1)}));
}

CuteLayout composition(const CuteLayout& layout, const Tiler& tiler) {
  return swizzled_as(layout, tiler.by_mode ? by_mode(plain(layout), tiler, composed)
                                           : composed(plain(layout), tiler.modes.at(0)));
}
CuteLayout logical_divide(const CuteLayout& layout, const Tiler& tiler) {
  return swizzled_as(layout, tiler.by_mode ? by_mode(plain(layout), tiler, divided)
                                           : divided(plain(layout), tiler.modes.at(0)));
}
CuteLayout zipped_divide(const CuteLayout& layout, const Tiler& tiler) {
  return swizzled_as(layout, joined(tile_and_rest(layout, tiler)));
}
CuteLayout tiled_divide(const CuteLayout& layout, const Tiler& tiler) {
  const std::vector<CuteLayout> parts = tile_and_rest(layout, tiler);
  std::vector<CuteLayout> modes{parts[0]};
  append(modes, modes_of(parts[1]));
  return swizzled_as(layout, joined(modes));
}
CuteLayout flat_divide(const CuteLayout& layout, const Tiler& tiler) {
  const std::vector<CuteLayout> parts = tile_and_rest(layout, tiler);
  std::vector<CuteLayout> modes = modes_of(parts[0]);
  append(modes, modes_of(parts[1]));
  return swizzled_as(layout, joined(modes));
}

CuteLayout logical_product(const CuteLayout& block, const Tiler& tiler) {
  return tiler.by_mode ? by_mode(block, tiler, multiplied) : multiplied(block, tiler.modes.at(0));
}
CuteLayout blocked_product(const CuteLayout& block, const CuteLayout& tiler) {
  return joined(product_modes(block, tiler, true));
}
CuteLayout raked_product(const CuteLayout& block, const CuteLayout& tiler) {
  return joined(product_modes(block, tiler, false));
}

}  // namespace lanescope::layout::cute
