// SPDX-License-Identifier: MIT
#include "cli/matrix_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/picture.hpp"
#include "panels/look/palette.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::cli {
namespace {

constexpr int kRowHeader = 4;      // "127 "
constexpr int kMostTileRows = 64;  // of a tile of memory; more is for the file
constexpr int kMostTileCols = 64;

std::string right(const std::string& text, int width) { return fmt::format("{:>{}}", text, width); }

/// The 6x6x6 colours that every terminal of today has (xterm's 256).
int terminal_colour(viz::Rgb colour) {
  const auto level = [](std::uint8_t channel) {
    return channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40;
  };
  return 16 + 36 * level(colour.red) + 6 * level(colour.green) + level(colour.blue);
}

std::string coloured(const std::string& text, int lane, bool bright, const TextStyle& style) {
  if (!style.colour) return text;
  const viz::Rgb fill =
      viz::lane_colour(lane, false, bright ? viz::Shade::bright : viz::Shade::normal);
  return fmt::format("\x1b[48;5;{};38;5;16m{}\x1b[0m", terminal_colour(fill), text);
}

/// How many columns of cells fit: all of them, or else a power of two, so that no register is torn.
int columns_that_fit(int cols, int cell, const TextStyle& style) {
  const int most = std::max(1, (style.columns - kRowHeader) / cell);
  if (cols <= most) return cols;
  int fit = 1;
  while (2 * fit <= most) fit *= 2;
  return fit;
}

std::string column_numbers(int first, int last, int cell) {
  std::string line(kRowHeader, ' ');
  for (int col = first; col < last; ++col) line += right(std::to_string(col), cell);
  return line + "\n";
}

}  // namespace

std::string count(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string source_text(const trace::SourceLine& source) {
  if (source.file.empty()) return {};
  return source.line > 0 ? fmt::format("{}:{}", source.file, source.line) : source.file;
}

std::string place_or_first(const trace::Place& place) {
  const std::string text = viz::place_text(place);
  return text.empty() ? "the first warp" : text;
}

std::string operand_text(const viz::Multiplication& in, char operand, const TextStyle& style) {
  const layout::Fragment* map = in.map(operand);
  const trace::Fragment* fragment = in.fragment(operand);
  if (map == nullptr || fragment == nullptr) return {};
  std::vector<std::string> labels, values;
  std::vector<int> lanes;
  std::size_t longest = 0;
  for (int row = 0; row < map->rows; ++row)
    for (int col = 0; col < map->cols; ++col) {
      const layout::Holder holder = in.holder(operand, row, col);
      lanes.push_back(holder.thread);
      labels.push_back(fmt::format("{}{}{}", holder.thread, in.tensor != nullptr ? ":" : ".r",
                                   holder.register_index));
      values.push_back(viz::value_text(in, operand, holder));
      longest = std::max({longest, labels.back().size(), values.back().size()});
    }
  const int cell = static_cast<int>(longest) + 1;

  const std::string source = source_text(fragment->source);
  std::string text = fmt::format(
      "{}  {} x {}, {}, {} a lane", operand, map->rows, map->cols, layout::name(map->type),
      in.tensor != nullptr
          ? count(static_cast<std::size_t>(map->registers()), "column", "columns")
          : count(static_cast<std::size_t>(map->registers()), "register", "registers"));
  if (fragment->name != fragment->operand) text += fmt::format(", \"{}\"", fragment->name);
  if (!source.empty()) text += (in.steps[0] != nullptr ? ", of " : ", recorded at ") + source;
  text += "\n";
  if (map->values_per_register() > 1)
    text +=
        fmt::format("a cell is lane.register; lane 0's r0, from its low bits up, is (row,col) {}\n",
                    layout::element_ranges(*map, 0, 0));
  if (in.tensor != nullptr)
    text += fmt::format("a cell is lane:column from {} on; {}\n",
                        viz::tensor_place(*in.tensor, 0, 0), viz::tensor_sources(*in.tensor));
  const int fit = columns_that_fit(map->cols, cell, style);
  for (int first = 0; first < map->cols; first += fit) {
    const int last = std::min(first + fit, map->cols);
    text += column_numbers(first, last, cell);
    for (int row = 0; row < map->rows; ++row) {
      std::string upper(kRowHeader, ' ');
      std::string lower = fmt::format("{:<{}}", row, kRowHeader);
      for (int col = first; col < last; ++col) {
        const auto at = static_cast<std::size_t>(row * map->cols + col);
        upper += coloured(right(labels[at], cell), lanes[at], false, style);
        lower += coloured(right(values[at], cell), lanes[at], true, style);
      }
      text += upper + "\n" + lower + "\n";
    }
  }
  return text;
}

std::string tile_text(const trace::Memory& memory, const TextStyle& style,
                      const std::string& kernel) {
  const int rows = std::min(memory.rows, kMostTileRows);
  const int cols = std::min(memory.cols, kMostTileCols);
  std::size_t longest = 2;
  std::vector<std::string> values;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      values.push_back(viz::element_text(memory, row, col));
      longest = std::max(longest, values.back().size());
    }
  const int cell = static_cast<int>(longest) + 1;
  std::string text = fmt::format(
      "tile {}  {} x {}, {}, {} memory at 0x{:x}, {} bytes from row to row; {}{}{}\n", memory.name,
      memory.rows, memory.cols, memory.type, memory.space, memory.address, memory.row_stride_bytes,
      place_or_first(memory.place), kernel.empty() ? "" : " of ", kernel);
  const int fit = columns_that_fit(cols, cell, style);
  for (int first = 0; first < cols; first += fit) {
    const int last = std::min(first + fit, cols);
    text += column_numbers(first, last, cell);
    for (int row = 0; row < rows; ++row) {
      text += fmt::format("{:<{}}", row, kRowHeader);
      for (int col = first; col < last; ++col)
        text += right(values[static_cast<std::size_t>(row * cols + col)], cell);
      text += "\n";
    }
  }
  if (rows < memory.rows || cols < memory.cols)
    text += fmt::format("(the first {} x {} of {} x {}; the file has the rest)\n", rows, cols,
                        memory.rows, memory.cols);
  return text;
}

std::string raw_text(const trace::Fragment& fragment, const TextStyle& style) {
  const std::size_t lanes = fragment.registers.empty() ? 0 : fragment.registers[0].size();
  const int cell = fragment.register_bits / 4 + 2;
  const int registers = static_cast<int>(fragment.registers.size());
  const std::string source = source_text(fragment.source);
  std::string text =
      fmt::format("{}  {} of {} bits, {} lanes, as they are: the atlas does not know {}{}{}\n",
                  fragment.name.empty() ? "registers" : fragment.name,
                  count(fragment.registers.size(), "register", "registers"), fragment.register_bits,
                  lanes, fragment.instruction.empty() ? "their instruction" : fragment.instruction,
                  source.empty() ? "" : ", recorded at ", source);
  const int fit = columns_that_fit(registers, cell, style);
  for (int first = 0; first < registers; first += fit) {
    const int last = std::min(first + fit, registers);
    text += "lane";
    for (int r = first; r < last; ++r) text += right(fmt::format("r{}", r), cell);
    text += "\n";
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      text += fmt::format("{:<{}}", lane, kRowHeader);
      for (int r = first; r < last; ++r)
        text += coloured(
            right(fmt::format("{:0{}x}", fragment.registers[static_cast<std::size_t>(r)][lane],
                              fragment.register_bits / 4),
                  cell),
            static_cast<int>(lane), false, style);
      text += "\n";
    }
  }
  return text;
}

}  // namespace lanescope::cli
