// SPDX-License-Identifier: MIT
#include "layout/cute_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::layout {
namespace {

// Calls `use(extent, stride)` for every pair of numbers, from the left.
template <typename Use>
void each_leaf(const IntTuple& shape, const IntTuple& stride, const Use& use) {
  if (shape.is_number()) return use(shape.number, stride.number);
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    each_leaf(shape.parts[i], stride.parts[i], use);
}

}  // namespace

std::int64_t size(const IntTuple& shape) {
  if (shape.is_number()) return shape.number;
  std::int64_t product = 1;
  for (const IntTuple& part : shape.parts) product *= size(part);
  return product;
}

std::string text(const IntTuple& tuple) {
  if (tuple.is_number()) return fmt::format("{}", tuple.number);
  std::string all;
  for (const IntTuple& part : tuple.parts) all += (all.empty() ? "" : ",") + text(part);
  return "(" + all + ")";
}

int rank(const CuteLayout& layout) {
  return layout.shape.is_number() ? 1 : static_cast<int>(layout.shape.parts.size());
}

CuteLayout mode(const CuteLayout& layout, int mode) {
  CuteLayout one;
  const auto at = static_cast<std::size_t>(mode);
  one.shape = layout.shape.is_number() ? layout.shape : layout.shape.parts[at];
  one.stride = layout.stride.is_number() ? layout.stride : layout.stride.parts[at];
  return one;
}

std::int64_t cosize(const CuteLayout& layout) {
  std::int64_t last = 0;
  each_leaf(layout.shape, layout.stride,
            [&](std::int64_t extent, std::int64_t stride) { last += (extent - 1) * stride; });
  return last + 1;
}

std::int64_t linear_index(const CuteLayout& layout, std::int64_t coordinate) {
  std::int64_t index = 0;
  each_leaf(layout.shape, layout.stride, [&](std::int64_t extent, std::int64_t stride) {
    index += coordinate % extent * stride;
    coordinate /= extent;
  });
  return index;
}

std::int64_t linear_index(const CuteLayout& layout, std::span<const std::int64_t> coordinates) {
  if (coordinates.size() == 1) return linear_index(layout, coordinates[0]);
  std::int64_t index = 0;
  for (int i = 0; i < rank(layout); ++i)
    index += linear_index(mode(layout, i), coordinates[static_cast<std::size_t>(i)]);
  return index;
}

std::vector<std::int64_t> coordinates_by_index(const CuteLayout& layout) {
  if (!is_plain(layout)) return {};
  std::vector<std::int64_t> coordinates(static_cast<std::size_t>(size(layout)), -1);
  for (std::int64_t coordinate = 0; coordinate < size(layout); ++coordinate) {
    const std::int64_t index = linear_index(layout, coordinate);
    if (index < 0 || index >= size(layout)) return {};
    std::int64_t& at = coordinates[static_cast<std::size_t>(index)];
    if (at >= 0) return {};
    at = coordinate;
  }
  return coordinates;
}

std::string digits(const IntTuple& shape, std::int64_t coordinate) {
  std::string all;
  each_leaf(shape, shape, [&](std::int64_t extent, std::int64_t) {
    all += fmt::format("{}{}", all.empty() ? "" : ",", coordinate % extent);
    coordinate /= extent;
  });
  return all;
}

std::string worth(const CuteLayout& layout, std::int64_t coordinate) {
  std::string all;
  each_leaf(layout.shape, layout.stride, [&](std::int64_t extent, std::int64_t stride) {
    all += fmt::format("{}{}*{}", all.empty() ? "" : " + ", coordinate % extent, stride);
    coordinate /= extent;
  });
  return all;
}

std::int64_t byte_of(const CuteLayout& layout, std::int64_t linear, int bits, bool applied) {
  const std::int64_t index = layout.offset + linear;
  if (layout.of_bytes) {
    const std::int64_t byte = index * bits / 8;
    return applied ? layout.swizzle(byte) : byte;
  }
  return (applied ? layout.swizzle(index) : index) * bits / 8;
}

std::string text(const CuteLayout& layout) {
  const std::string plain = text(layout.shape) + ":" + text(layout.stride);
  if (is_plain(layout)) return plain;
  const auto [bits, base, shift] = layout.swizzle;
  const std::string between = !layout.of_bytes ? fmt::format("{}", layout.offset)
                              : layout.element_bits == 0
                                  ? "smem_ptr_flag"
                                  : fmt::format("smem_ptr[{}b](unset)", layout.element_bits);
  return fmt::format("Sw<{},{},{}> o {} o {}", bits, base, shift, between, plain);
}

}  // namespace lanescope::layout
