// SPDX-License-Identifier: MIT
// How a row of a memory event is stored (docs/trace_format.md, memory).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "layout/element_type.hpp"

namespace lanescope::trace {

/// How many bits an element takes in a row of `cols` that has `row_bytes`: those of its type, where
/// the row is dense; 8 where one that is narrower than a byte has a byte each; 0 where the row is
/// neither. Of a type of tomorrow: what the row has for each.
constexpr int stored_bits(std::string_view type, int cols, std::size_t row_bytes) {
  const auto count = static_cast<std::size_t>(cols);
  const std::optional<layout::ElementType> known = layout::element_type(type);
  if (!known) return static_cast<int>(row_bytes * 8 / count);
  const int bits = *known == layout::ElementType::tf32 ? 32 : layout::info(*known).bits;
  if (row_bytes == (count * static_cast<std::size_t>(bits) + 7) / 8) return bits;
  return bits < 8 && row_bytes == count ? 8 : 0;
}

}  // namespace lanescope::trace
