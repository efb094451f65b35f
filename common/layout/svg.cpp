// SPDX-License-Identifier: MIT
// A fragment as a drawing that stands alone: SVG text, a cell an element, a hue a lane.
#include <fmt/format.h>

#include <algorithm>

#include "layout/explain.hpp"
#include "layout/formula.hpp"
#include "layout/rows.hpp"

namespace lanescope::layout {
namespace {

constexpr int kCell = 44, kCellHeight = 26, kLeft = 48, kTop = 76;

// Eight groups of four lanes: a hue a group, four lightnesses within it.
std::string colour(int thread) {
  const int lane = thread % 32;
  return fmt::format("hsl({},62%,{}%)", lane / 4 * 45 + thread / 32 * 11, 88 - lane % 4 * 9);
}

std::string text(int x, int y, int size, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                     y, size, anchor, words);
}

std::string escaped(std::string words) {
  for (std::size_t at = 0; (at = words.find_first_of("&<>", at)) != std::string::npos;) {
    const char* entity = words[at] == '&' ? "&amp;" : words[at] == '<' ? "&lt;" : "&gt;";
    words.replace(at, 1, entity);
    at += 4;
  }
  return words;
}

std::string matrix_cells(const Fragment& f, int matrix, int top) {
  std::string out;
  for (int c = 0; c < f.cols; ++c)
    out += text(kLeft + c * kCell + kCell / 2, top - 6, 11, "middle", fmt::to_string(c));
  for (int r = 0; r < f.rows; ++r)
    out += text(kLeft - 8, top + r * kCellHeight + 17, 11, "end", fmt::to_string(r));
  for (const Held& held : matrix_layout(f)) {
    const auto& [h, e] = held;
    if (e.matrix != matrix || h.thread < 0) continue;
    const int x = kLeft + e.col * kCell, y = top + e.row * kCellHeight;
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#888\"/>\n", x, y,
        kCell, kCellHeight, colour(h.thread));
    out += text(x + kCell / 2, y + 12, 10, "middle", fmt::format("{}", h.thread));
    out += text(x + kCell / 2, y + 23, 9, "middle", register_name(f, h));
  }
  return out;
}

}  // namespace

std::string svg(const Instruction& i, char operand, int selector) {
  const Fragment* f = i.operand(operand, selector);
  if (f == nullptr) return {};
  const int height = kTop + f->matrices * (f->rows * kCellHeight + 40);
  const int width = std::max(kLeft + f->cols * kCell + 16, 640);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"JetBrains Mono, monospace\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      width, height);
  out += text(12, 20, 13, "start", fmt::format("{} of {}", operand_name(operand), i.mnemonic));
  out += text(
      12, 36, 11, "start",
      escaped(fmt::format("row = {}   col = {}", formula(*f, Axis::row), formula(*f, Axis::col))));
  out += text(12, 52, 11, "start",
              fmt::format("above: {}, below: register; {} ({})",
                          f->thread.count > 5 ? "thread" : "lane", i.source, name(i.standing)));
  for (int matrix = 0; matrix < f->matrices; ++matrix)
    out += matrix_cells(*f, matrix, kTop + matrix * (f->rows * kCellHeight + 40));
  return out + "</svg>\n";
}

}  // namespace lanescope::layout
