// SPDX-License-Identifier: MIT
// See wmma_moves.hpp.
#include "panels/way/wmma_moves.hpp"

#include <cstdint>
#include <vector>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

// No matrix has longer lines; a file may say anything.
constexpr std::uint64_t kMostElements = 1 << 22;

// In elements: a number, a register that is the same in all lanes, or as long as a line is.
std::optional<std::int64_t> line_elements(RegisterHistory& history, const StepPlace& at,
                                          const std::vector<std::string_view>& operands,
                                          int as_long) {
  if (operands.size() < 3) return as_long;
  const std::uint64_t elements = history.value(at.warp, at.item, operands[2], 0).value_or(0);
  if (elements == 0 || elements > kMostElements) return std::nullopt;
  return static_cast<std::int64_t>(elements);
}

}  // namespace

bool moves_fragment(std::string_view mnemonic) {
  return mnemonic.starts_with("wmma.load.") || mnemonic.starts_with("wmma.store.");
}

std::optional<int> offset_of_fragment(RegisterHistory& history, const StepPlace& at,
                                      const Spot& spot) {
  const trace::Step& step = *history.item(at.warp, at.item).step;
  const std::string_view name = mnemonic_of(step.ptx);
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const layout::Fragment* map = history.wmma_map(name);
  if (map == nullptr || operands.size() < 2) return std::nullopt;
  const std::vector<std::string_view> names =
      registers_in(operands[name.starts_with("wmma.load") ? 0 : 1]);
  const int index = place_among(names, spot.name);
  if (index < 0 || index >= map->registers()) return std::nullopt;
  const int bits = map->element_bits;
  const layout::Element e =
      map->element(spot.lane, index * map->values_per_register() + spot.bit / bits);
  const bool by_rows = name.find(".row.") != std::string_view::npos;
  const std::optional<std::int64_t> apart =
      line_elements(history, at, operands, by_rows ? map->cols : map->rows);
  if (!apart) return std::nullopt;
  const int line = by_rows ? e.row : e.col, along = by_rows ? e.col : e.row;
  return static_cast<int>((line * *apart + along) * bits / 8) + spot.bit % bits / 8;
}

}  // namespace lanescope::viz
