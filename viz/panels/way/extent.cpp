// SPDX-License-Identifier: MIT
// See extent.hpp.
#include "panels/way/extent.hpp"

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

std::int64_t allocated_at(const trace::Trace& trace, int launch, std::uint64_t address) {
  const trace::Launch* one = launch_of(trace, launch);
  if (one == nullptr) return 0;
  for (const trace::Allocation& memory : one->allocations)
    if (memory.address == address) return static_cast<std::int64_t>(memory.bytes);
  return 0;
}

Extent extent_of(const trace::Trace& trace, int launch, const TileAt& tile) {
  std::int64_t lines = tile.lines_of_tensor;
  if (lines == 0 && tile.base != 0 && tile.apart > 0) {
    const std::int64_t bytes = allocated_at(trace, launch, tile.base);
    lines = bytes % tile.apart == 0 ? bytes / tile.apart : 0;
  }
  if (lines == 0) return {};
  return tile.columns ? Extent{tile.line_length(), lines * tile.of_k}
                      : Extent{lines, tile.line_length()};
}

std::optional<bool> fills_memory(const trace::Trace& trace, int launch, const TileAt& tile,
                                 const Extent& rows_and_cols) {
  const Extent read = extent_of(trace, launch, tile);
  const std::int64_t lines = tile.columns ? read.cols : read.rows;
  const auto& [rows, cols] = rows_and_cols;
  const std::int64_t own = tile.columns ? cols : rows, others = tile.columns ? rows : cols;
  if (lines == 0 || own == others) return std::nullopt;
  if (own == 0) return lines == others ? std::nullopt : std::optional(true);
  return lines == own || lines == others ? std::optional(lines == own) : std::nullopt;
}

}  // namespace lanescope::viz
