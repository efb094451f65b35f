// SPDX-License-Identifier: MIT
#include "layout/cute_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout/spellings.hpp"

namespace lanescope::layout::cute {
namespace {

constexpr std::int64_t kMostElements = 1 << 20, kMostIndex = 1 << 28;

// Strides without holes for `shape`, from `next` on, which becomes what follows.
IntTuple compact_from(const IntTuple& shape, std::int64_t& next, bool right) {
  IntTuple stride;
  if (shape.is_number()) {
    stride.number = next;
    next *= shape.number;
    return stride;
  }
  stride.parts.resize(shape.parts.size());
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const std::size_t at = right ? shape.parts.size() - 1 - i : i;
    stride.parts[at] = compact_from(shape.parts[at], next, right);
  }
  return stride;
}

bool congruent(const IntTuple& a, const IntTuple& b) {
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!congruent(a.parts[i], b.parts[i])) return false;
  return true;
}

}  // namespace

IntTuple compact(const IntTuple& shape, Order order) {
  std::int64_t next = 1;
  return compact_from(shape, next, order == Order::right);
}

std::int64_t checked_size(const IntTuple& shape) {
  std::int64_t product = shape.number;
  if (shape.is_number()) {
    if (product < 1) throw Problem(fmt::format("the shape has the extent {}", product));
    return product;
  }
  product = 1;
  for (const IntTuple& part : shape.parts)
    if ((product *= checked_size(part)) > kMostElements)
      throw Problem(fmt::format("more than {} elements", kMostElements));
  return product;
}

CuteLayout layout_of(IntTuple shape, IntTuple stride) {
  CuteLayout layout;
  if (checked_size(shape) > kMostElements)
    throw Problem(fmt::format("more than {} elements", kMostElements));
  if (!congruent(shape, stride))
    throw Problem(
        fmt::format("{} and {} are not tuples of the same form", text(shape), text(stride)));
  layout.shape = std::move(shape);
  layout.stride = std::move(stride);
  if (cosize(layout) > kMostIndex) throw Problem(fmt::format("indices of {} and more", kMostIndex));
  return layout;
}

CuteLayout tiled(const CuteLayout& atom, const IntTuple& shape, const IntTuple& step) {
  const int modes = rank(atom);
  const auto count = static_cast<std::size_t>(modes);
  if (shape.parts.size() != count || modes < 2)
    throw Problem(
        fmt::format("tile_to_shape wants a shape of {} extents, as many as the atom has", modes));
  if (!step.is_number() && step.parts.size() != count)
    throw Problem(
        fmt::format("tile_to_shape's Step has {} numbers, its shape {}", step.parts.size(), modes));
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  if (!step.is_number())
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return step.parts[a].number < step.parts[b].number;
    });
  CuteLayout whole = atom;
  std::int64_t next = cosize(atom);
  for (const std::size_t i : order) {
    const CuteLayout part = mode(atom, static_cast<int>(i));
    const std::int64_t has = size(part), wanted = checked_size(shape.parts[i]);
    if (wanted % has != 0)
      throw Problem(fmt::format("tile_to_shape: {} is no multiple of the atom's {}", wanted, has));
    if (wanted == has) continue;
    whole.shape.parts[i] = {0, {part.shape, {wanted / has, {}}}};
    whole.stride.parts[i] = {0, {part.stride, {next, {}}}};
    next *= wanted / has;
  }
  layout_of(whole.shape, whole.stride);  // not too large
  return whole;
}

std::optional<CuteLayout> canonical_atom(std::string_view name, int bits) {
  constexpr std::string_view kBegin = "Layout_";
  if (name.substr(0, kBegin.size()) != kBegin) return std::nullopt;
  name.remove_prefix(kBegin.size());
  const bool K = name.substr(0, 2) == "K_";
  if (!K && name.substr(0, 3) != "MN_") return std::nullopt;
  name.remove_prefix(K ? 2 : 3);
  constexpr std::array kModes{Word{"INTER_Atom", "0"}, Word{"SW32_Atom", "1"},
                              Word{"SW64_Atom", "2"}, Word{"SW128_Atom", "3"},
                              Word{"SW128_32B_Atom", "w"}};  // tcgen05's, 32 bytes at a time
  if (name.size() > 5 && name.substr(name.size() - 5) == "_Bits") {
    name.remove_suffix(5);
    bits = 1;
  }
  const auto found = among(kModes, name);
  if (!found || bits == 0) return std::nullopt;
  const bool wide = *found == "w";
  const int mode = wide ? 3 : found->front() - '0', row_bits = 128 << mode;
  if (row_bits % bits != 0 || (wide && K)) return std::nullopt;
  const IntTuple across{wide ? 4 : 8, {}}, along{row_bits / bits, {}}, one{1, {}};
  CuteLayout atom = K ? layout_of({0, {across, along}}, {0, {along, one}})
                      : layout_of({0, {along, across}}, {0, {one, along}});
  atom.swizzle = wide ? CuteSwizzle{2, 5, 2} : CuteSwizzle{mode, 4, 3};
  atom.of_bytes = true;
  atom.element_bits = bits;
  return atom;
}

}  // namespace lanescope::layout::cute
