// SPDX-License-Identifier: MIT
#include "panels/memory/memory_tile.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <map>
#include <variant>

#include "layout/banks.hpp"
#include "numeric/format.hpp"
#include "panels/matrix/facts.hpp"
#include "trace/kernel_name.hpp"
#include "trace/stored.hpp"

namespace lanescope::viz {
namespace {

constexpr int kUnit_bytes = 16;

std::uint64_t row_address(const trace::Memory& tile, int row) {
  return tile.address + static_cast<std::uint64_t>(tile.row_stride_bytes * row);
}

}  // namespace

std::size_t row_bytes(const trace::Memory& tile) {
  return tile.bytes.size() / static_cast<std::size_t>(tile.rows);
}

bool is_whole(const trace::Memory& tile) {
  return tile.rows > 0 && tile.cols > 0 && !tile.bytes.empty() &&
         tile.bytes.size() % static_cast<std::size_t>(tile.rows) == 0 && element_bits(tile) > 0;
}

std::vector<const trace::Memory*> tiles_of(const trace::Trace& trace) {
  std::vector<const trace::Memory*> tiles;
  for (const trace::Event& event : trace.events)
    if (const auto* tile = std::get_if<trace::Memory>(&event))
      if (is_whole(*tile)) tiles.push_back(tile);
  return tiles;
}

std::vector<std::string> kernels_of(const trace::Trace& trace,
                                    const std::vector<const trace::Memory*>& tiles) {
  std::map<int, std::string> by_launch;
  for (const trace::Event& event : trace.events)
    if (const auto* launch = std::get_if<trace::Launch>(&event))
      by_launch.emplace(launch->launch, trace::as_written(launch->kernel));
  std::vector<std::string> kernels;
  for (const trace::Memory* tile : tiles) kernels.push_back(by_launch[tile->place.launch]);
  return kernels;
}

std::string tile_name(const trace::Memory& tile) {
  const std::string place = place_text(tile.place);
  return place.empty() ? tile.name : fmt::format("{}  ({})", tile.name, place);
}

int element_bits(const trace::Memory& tile) {
  return trace::stored_bits(tile.type, tile.cols, row_bytes(tile));
}

std::uint64_t element_pattern(const trace::Memory& tile, int row, int col) {
  const auto bits = static_cast<std::size_t>(element_bits(tile));
  const std::size_t first = bits * static_cast<std::size_t>(col);
  const std::size_t start = row_bytes(tile) * static_cast<std::size_t>(row);
  std::uint64_t pattern = 0;
  for (std::size_t i = 0; i < bits && i < 64; ++i) {
    const std::size_t at = first + i;
    pattern |= std::uint64_t{tile.bytes[start + at / 8] >> (at % 8) & 1u} << i;
  }
  return pattern;
}

std::string element_text(const trace::Memory& tile, int row, int col) {
  const int bits = element_bits(tile);
  if (bits < 1 || bits > 64) return "?";
  const std::uint64_t pattern = element_pattern(tile, row, col);
  return numeric::to_text(tile.type, pattern).value_or(hex(pattern, bits));
}

std::uint64_t element_address(const trace::Memory& tile, int row, int col) {
  return row_address(tile, row) + static_cast<std::uint64_t>(element_bits(tile) * col / 8);
}

int element_bank(const trace::Memory& tile, int row, int col) {
  if (tile.space != "shared") return -1;
  return layout::bank(static_cast<std::uint32_t>(element_address(tile, row, col)));
}

TileSpot through(layout::Swizzle mode, const trace::Memory& tile, int row, int col) {
  if (mode == layout::Swizzle::none || tile.space != "shared") return {row, col};
  const std::uint64_t from = element_address(tile, row, col);
  const std::uint64_t to = layout::swizzled(static_cast<std::uint32_t>(from), mode);
  if (to < tile.address || tile.row_stride_bytes <= 0) return {};
  const auto stride = static_cast<std::uint64_t>(tile.row_stride_bytes);
  const std::uint64_t behind = to - tile.address;
  const std::uint64_t at_row = behind / stride, at_byte = behind % stride;
  if (at_row >= static_cast<std::uint64_t>(tile.rows) || at_byte >= row_bytes(tile)) return {};
  // Whole units change places: within one, the element stays where it is.
  const auto bits = static_cast<std::uint64_t>(element_bits(tile));
  const int within = bits < 8 ? col % (8 / element_bits(tile)) : 0;  // of a byte
  return {static_cast<int>(at_row), static_cast<int>(at_byte * 8 / bits) + within};
}

namespace {

// "unit 5 ^ (line 11 & 7) = unit 6"
std::string unit_text(std::uint64_t address, layout::Swizzle mode) {
  const std::uint32_t mask = (1u << layout::swizzle_bits(mode)) - 1;
  return fmt::format("unit {} ^ (line {} & {}) = unit {}", address / kUnit_bytes % 8, address / 128,
                     mask,
                     layout::swizzled(static_cast<std::uint32_t>(address), mode) / kUnit_bytes % 8);
}

}  // namespace

TileFacts tile_facts(const trace::Memory& tile, int row, int col, layout::Swizzle mode) {
  if (row < 0 || row >= tile.rows || col < 0 || col >= tile.cols) return {};
  const int bits = element_bits(tile);
  TileFacts facts;
  facts.title = fmt::format("{}[{}][{}]", tile.name, row, col);
  if (tile.space != "shared") mode = layout::Swizzle::none;
  if (mode != layout::Swizzle::none) {
    const TileSpot spot = through(mode, tile, row, col);
    facts.title += fmt::format(", read through {}", layout::name(mode));
    facts.lines.push_back(
        fmt::format("lies at  {}", spot.row < 0 ? "no place of the tile"
                                                : fmt::format("[{}][{}]", spot.row, spot.col)));
    facts.lines.push_back("because  " + unit_text(element_address(tile, row, col), mode));
    if (spot.row < 0) return facts.value = "-", facts;
    row = spot.row, col = spot.col;
  }
  facts.value = element_text(tile, row, col);
  facts.lines.push_back(fmt::format("bits     {}  ({}, {} bits)",
                                    hex(element_pattern(tile, row, col), bits), tile.type, bits));
  facts.lines.push_back(fmt::format("address  0x{:x} = 0x{:x} + {} x {} + {} x {} / 8",
                                    element_address(tile, row, col), tile.address, row,
                                    tile.row_stride_bytes, col, bits));
  if (const int bank = element_bank(tile, row, col); bank >= 0)
    facts.lines.push_back(
        fmt::format("bank     {} = (0x{:x} / 4) % 32", bank, element_address(tile, row, col)));
  const std::string place = place_text(tile.place);
  facts.lines.push_back(fmt::format(
      "recorded by {}{}", place.empty() ? "the first warp" : place,
      tile.source.line > 0 ? fmt::format(", {}:{}", tile.source.file, tile.source.line) : ""));
  return facts;
}

int units_per_row(const trace::Memory& tile) {
  return static_cast<int>(row_bytes(tile)) / kUnit_bytes;
}

int eight_row_passes(const trace::Memory& tile, int block, int unit, layout::Swizzle mode) {
  if (tile.space != "shared" || (block + 1) * 8 > tile.rows || unit >= units_per_row(tile))
    return 0;
  std::array<std::uint32_t, 8> addresses{};
  for (int row = 0; row < 8; ++row)
    addresses[static_cast<std::size_t>(row)] =
        layout::swizzled(static_cast<std::uint32_t>(row_address(tile, block * 8 + row)) +
                             static_cast<std::uint32_t>(unit * kUnit_bytes),
                         mode);
  return layout::passes(addresses, kUnit_bytes);
}

bool read_element(const trace::Memory& tile, std::string_view words, int& row, int& col,
                  std::string& why) {
  int read_row = 0, read_col = 0, read = 0;
  const std::string text(words.substr(0, 60));
  const auto whole = [&] { return static_cast<std::size_t>(read) == text.size(); };
  const bool element =
      std::sscanf(text.c_str(), " %6d , %6d %n", &read_row, &read_col, &read) == 2 && whole();
  if (!element) {
    read_col = read = 0;
    if (std::sscanf(text.c_str(), " row %6d %n", &read_row, &read) != 1 || !whole())
      return why = "write 3,5 (row, column) or row 3; before it 32B, 64B, 128B to read it swizzled",
             false;
  }
  if (read_row < 0 || read_row >= tile.rows || read_col < 0 || read_col >= tile.cols)
    return why = fmt::format("no element {},{}: rows are 0 to {}, columns 0 to {}", read_row,
                             read_col, tile.rows - 1, tile.cols - 1),
           false;
  row = read_row;
  col = read_col;
  return true;
}

}  // namespace lanescope::viz
