// SPDX-License-Identifier: MIT
// A tile read through a swizzle: as it then stands, whether its numbers say that it lies swizzled,
// and how one asks for it.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "panels/memory/memory_tile.hpp"

namespace lanescope::viz {

trace::Memory as_read(const trace::Memory& tile, layout::Swizzle mode) {
  trace::Memory out = tile;
  const int bits = element_bits(tile);
  if (mode == layout::Swizzle::none || bits % 8 != 0) return out;
  const auto bytes = static_cast<std::ptrdiff_t>(bits / 8);
  for (int row = 0; row < tile.rows; ++row)
    for (int col = 0; col < tile.cols; ++col) {
      const TileSpot spot = through(mode, tile, row, col);
      const auto at = [&](int r, int c) {
        return static_cast<std::ptrdiff_t>(row_bytes(tile)) * r + bytes * c;
      };
      if (spot.row < 0)
        std::fill_n(out.bytes.begin() + at(row, col), bytes, std::uint8_t{0});
      else
        std::copy_n(tile.bytes.begin() + at(spot.row, spot.col), bytes,
                    out.bytes.begin() + at(row, col));
    }
  return out;
}

namespace {

// The units of a row by what they begin with, least first; empty where two begin alike.
std::vector<int> order_of_units(const trace::Memory& tile, int row, layout::Swizzle mode) {
  const int units = units_per_row(tile), in_unit = tile.cols / units;
  std::vector<std::uint64_t> first;
  for (int unit = 0; unit < units; ++unit) {
    const TileSpot spot = through(mode, tile, row, unit * in_unit);
    if (spot.row < 0) return {};
    first.push_back(element_pattern(tile, spot.row, spot.col));
  }
  std::vector<int> order(first.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return first[static_cast<std::size_t>(a)] < first[static_cast<std::size_t>(b)];
  });
  std::sort(first.begin(), first.end());
  if (std::adjacent_find(first.begin(), first.end()) != first.end()) return {};
  return order;
}

bool in_one_order(const trace::Memory& tile, layout::Swizzle mode) {
  constexpr int kLooked = 32, kLeast = 4;  // rows
  std::vector<int> all;
  int rows = 0;
  for (int row = 0; row < std::min(tile.rows, kLooked); ++row) {
    std::vector<int> order = order_of_units(tile, row, mode);
    if (order.empty()) continue;
    if (++rows == 1)
      all = std::move(order);
    else if (order != all)
      return false;
  }
  return rows >= kLeast;
}

}  // namespace

layout::Swizzle seems_swizzled(const trace::Memory& tile) {
  const int units = units_per_row(tile);
  if (tile.space != "shared" || units < 2 || tile.cols * element_bits(tile) != units * 128)
    return layout::Swizzle::none;
  if (in_one_order(tile, layout::Swizzle::none)) return layout::Swizzle::none;
  // In few rows they do the same: then it is more likely the one that is as wide as a row.
  std::array modes{layout::Swizzle::b128, layout::Swizzle::b64, layout::Swizzle::b32};
  std::stable_partition(modes.begin(), modes.end(), [units](layout::Swizzle mode) {
    return layout::units_per_row(mode) == units;
  });
  for (const layout::Swizzle mode : modes)
    if (in_one_order(tile, mode)) return mode;
  return layout::Swizzle::none;
}

bool can_be_swizzled(const trace::Memory& tile) {
  return tile.space == "shared" && units_per_row(tile) >= 2;
}

layout::Swizzle reading_after(layout::Swizzle mode, const trace::Memory& tile) {
  if (!can_be_swizzled(tile)) return layout::Swizzle::none;
  const int units = units_per_row(tile);
  if (tile.cols * element_bits(tile) != units * 128) return mode;
  const layout::Swizzle seems = seems_swizzled(tile);
  if (seems != layout::Swizzle::none) return mode == seems ? mode : layout::Swizzle::none;
  return in_one_order(tile, layout::Swizzle::none) ? layout::Swizzle::none : mode;
}

bool take_reading(std::string_view& words, layout::Swizzle& mode) {
  const auto trim = [&] {
    while (!words.empty() && words.front() == ' ') words.remove_prefix(1);
    while (!words.empty() && words.back() == ' ') words.remove_suffix(1);
  };
  trim();
  for (const auto& [name, means] :
       {std::pair{std::string_view("straight"), layout::Swizzle::none},
        std::pair{layout::name(layout::Swizzle::b32), layout::Swizzle::b32},
        std::pair{layout::name(layout::Swizzle::b64), layout::Swizzle::b64},
        std::pair{layout::name(layout::Swizzle::b128), layout::Swizzle::b128}}) {
    const bool whole = words == name;
    const bool first = words.substr(0, name.size() + 1) == std::string(name) + " ";
    const bool last = words.size() > name.size() &&
                      words.substr(words.size() - name.size() - 1) == " " + std::string(name);
    if (!whole && !first && !last) continue;
    if (last)
      words.remove_suffix(name.size());
    else
      words.remove_prefix(name.size());
    trim();
    mode = means;
    return true;
  }
  return false;
}

}  // namespace lanescope::viz
