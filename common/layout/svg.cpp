// SPDX-License-Identifier: MIT
// See svg.hpp. All sizes are in pixels of the drawing.
#include "layout/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/formula.hpp"
#include "layout/picture.hpp"
#include "layout/rows.hpp"

namespace lanescope::layout {
namespace {

constexpr int kCellHeight = 26, kMargin = 16, kLine = 16;
constexpr int kTitle = 22, kNumbers = 18;  // above the cells
constexpr int kAdvance = 6;                // of a letter 10 pixels high
constexpr int kBetween = 28;               // from grid to grid

// Eight groups of four lanes: a hue a group, four lightnesses within it.
std::string colour(int thread) {
  if (thread < 0) return "#eee";
  const int lane = thread % 32;
  return fmt::format("hsl({},62%,{}%)", lane / 4 * 45 + thread / 32 * 11, 88 - lane % 4 * 9);
}

std::string escaped(const std::string& words) {
  std::string out;
  for (const char c : words) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::string text(int x, int y, int size, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                     y, size, anchor, escaped(words));
}

int letters(const std::string& words) { return static_cast<int>(words.size()); }

std::string cell_text(const SvgCell& cell, int middle, int y) {
  if (cell.second.empty()) return text(middle, y + 17, 10, "middle", cell.first);
  return text(middle, y + 12, 10, "middle", cell.first) +
         text(middle, y + 23, 9, "middle", cell.second);
}

std::vector<std::string> heading_of(const Fragment& f, const std::string& what,
                                    const std::string& says, std::string_view source,
                                    Standing standing) {
  return {what,
          fmt::format("row = {}   col = {}{}", formula(f, Axis::row), formula(f, Axis::col),
                      f.matrices > 1 ? "   matrix = " + formula(f, Axis::matrix) : ""),
          fmt::format("{}; {} ({})", says, source, name(standing))};
}

}  // namespace

int SvgGrid::cell_width() const {
  int longest = 3;
  for (const SvgCell& cell : cells)
    longest = std::max({longest, letters(cell.first), letters(cell.second)});
  for (const std::string& name : col_names) longest = std::max(longest, letters(name));
  return longest * kAdvance + 12;
}

int SvgGrid::names_width() const {
  int longest = 3;
  for (const std::string& name : row_names) longest = std::max(longest, letters(name));
  return longest * kAdvance + 14;
}

int SvgGrid::width() const {
  return std::max(names_width() + cols * cell_width(), names_width() + 8 * letters(title));
}

int SvgGrid::height() const { return kTitle + kNumbers + rows * kCellHeight; }

SvgGrid svg_matrix(const Fragment& f, int matrix, const std::string& title) {
  SvgGrid grid{title, f.rows, f.cols, {}, {}, {}};
  for (const Held& held : matrix_layout(f)) {
    if (held.element.matrix != matrix) continue;
    const Holder& h = held.holder;
    grid.cells.push_back(
        h.thread < 0 ? SvgCell{}
                     : SvgCell{fmt::to_string(h.thread), register_name(f, h), h.thread, false});
  }
  return grid;
}

SvgGrid svg_registers(const Fragment& f) {
  SvgGrid grid{"Registers", f.threads(), f.values, {}, {}, {}};
  for (int value = 0; value < f.values; ++value)
    grid.col_names.push_back(register_name(f, f.holder(0, value)));
  for (int thread = 0; thread < f.threads(); ++thread) {
    grid.row_names.push_back(fmt::format("{} {}", f.threads() > 32 ? "thread" : "lane", thread));
    for (int value = 0; value < f.values; ++value) {
      if (!f.provided_by(thread)) {
        grid.cells.emplace_back();
        continue;
      }
      const Element e = f.element(thread, value);
      const std::string place = fmt::format("{},{}", e.row, e.col);
      grid.cells.push_back(
          {f.matrices > 1 ? fmt::format("m{} {}", e.matrix, place) : place, "", thread, false});
    }
  }
  return grid;
}

std::string svg_group(const SvgGrid& grid, int left, int top) {
  const int first = left + grid.names_width(), width = grid.cell_width();
  const int under = top + kTitle + kNumbers;
  std::string out = text(first, top + 14, 13, "start", grid.title), frames;
  for (int c = 0; c < grid.cols; ++c)
    out += text(
        first + c * width + width / 2, under - 6, 11, "middle",
        grid.col_names.empty() ? fmt::to_string(c) : grid.col_names[static_cast<std::size_t>(c)]);
  for (int r = 0; r < grid.rows; ++r) {
    out += text(
        first - 8, under + r * kCellHeight + 17, 11, "end",
        grid.row_names.empty() ? fmt::to_string(r) : grid.row_names[static_cast<std::size_t>(r)]);
    for (int c = 0; c < grid.cols; ++c) {
      const SvgCell& cell = grid.cells[static_cast<std::size_t>(r * grid.cols + c)];
      const int x = first + c * width, y = under + r * kCellHeight;
      out += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#888\"/>\n", x,
          y, width, kCellHeight, colour(cell.thread));
      out += cell_text(cell, x + width / 2, y);
      if (cell.picked)  // later than its neighbours, which would cover half of it
        frames += fmt::format(
            "<path d=\"M{} {}h{}v{}h-{}z\" fill=\"none\" stroke=\"#000\" stroke-width=\"2.5\"/>\n",
            x, y, width, kCellHeight, width);
    }
  }
  return out + frames;
}

int svg_top(const std::vector<std::string>& heading) {
  return kMargin + kLine * static_cast<int>(heading.size()) + kLine / 2;
}

std::string svg_document(int width, int height, const std::vector<std::string>& heading,
                         const std::string& body) {
  for (const std::string& line : heading)
    width = std::max(width, kMargin + 8 * letters(line));  // the first is 13 pixels high
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"JetBrains Mono, monospace\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      width + kMargin, height + kMargin);
  for (std::size_t at = 0; at < heading.size(); ++at)
    out += text(kMargin, kMargin + 6 + kLine * static_cast<int>(at), at == 0 ? 13 : 11, "start",
                heading[at]);
  return out + body + "</svg>\n";
}

std::string svg_page(const std::vector<std::string>& heading, const std::vector<SvgGrid>& grids) {
  const int top = svg_top(heading);
  int left = kMargin, bottom = top;
  std::string body;
  for (const SvgGrid& grid : grids) {
    body += svg_group(grid, left, top);
    left += grid.width() + kBetween;
    bottom = std::max(bottom, top + grid.height());
  }
  return svg_document(left - kBetween, bottom, heading, body);
}

std::string svg(const Instruction& i, char operand, int selector) {
  const Fragment* f = i.operand(operand, selector);
  if (f == nullptr) return {};
  std::vector<SvgGrid> grids;
  for (int matrix = 0; matrix < f->matrices; ++matrix)
    grids.push_back(svg_matrix(
        *f, matrix,
        f->matrices > 1 ? fmt::format("matrix {}", matrix) : std::string(operand_name(operand))));
  const std::string_view who = thread_word(*f);
  return svg_page(heading_of(*f, fmt::format("{} of {}", operand_name(operand), i.mnemonic),
                             fmt::format("above: {}, below: register", who), i.source, i.standing),
                  grids);
}

std::string svg(const Mover& m) {
  const Fragment& f = m.registers;
  const std::string memory = m.memory == MoverMemory::result   ? "D"
                             : m.memory == MoverMemory::tensor ? "Tensor memory"
                             : m.memory == MoverMemory::shared ? "Shared memory"
                             : m.feeds_product() ? std::string(operand_name(f.operand))
                                                 : "Matrix";
  std::vector<SvgGrid> grids;
  for (int matrix = 0; matrix < f.matrices; ++matrix)
    grids.push_back(svg_matrix(
        f, matrix, f.matrices > 1 ? fmt::format("{}, matrix {}", memory, matrix) : memory));
  if (!m.in_tensor_lanes()) {
    grids.push_back(svg_registers(f));
    return svg_page(heading_of(f, m.mnemonic, "above: lane, below: register", m.source, m.standing),
                    grids);
  }
  // The other side would be as large again: the blocks say it.
  for (SvgCell& cell : grids.front().cells) {
    cell.first = fmt::to_string(cell.thread % 128);
    cell.second = "c" + cell.second.substr(1);
  }
  std::vector<std::string> heading{
      m.mnemonic,
      fmt::format("lane = {}   column = {}{}", m.rules.lane, m.rules.column,
                  f.threads() > 128 ? "   CTA = " + m.rules.cta : ""),
      fmt::format("above: lane of tensor memory, below: its column; {} ({})", m.source,
                  name(m.standing))};
  for (const std::string& line : tensor_memory_lines(m)) heading.push_back(line);
  return svg_page(heading, grids);
}

}  // namespace lanescope::layout
