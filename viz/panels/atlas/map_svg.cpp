// SPDX-License-Identifier: MIT
// What the window shows of maps as SVG: the cross of a multiplication, labelled as it is there, or
// one operand or mover from both sides. The drawing itself is common/layout's.
#include <fmt/format.h>

#include <algorithm>

#include "layout/beside.hpp"
#include "layout/formula.hpp"
#include "layout/svg.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

using layout::SvgGrid;

constexpr int kMargin = 16, kBetween = 28;

SvgGrid grid_of(Workspace& ws, const Multiplication& in, char operand) {
  const layout::Fragment& map = *in.map(operand);
  const auto index = static_cast<std::size_t>(operand_index(operand));
  const Labels::Operand& made = labels(ws, in).operands[index];
  SvgGrid grid{fmt::format("{}  {} x {} {}", operand, map.rows, map.cols, layout::name(map.type)),
               map.rows,
               map.cols,
               {},
               {},
               {}};
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const auto at = static_cast<std::size_t>(row * map.cols + col);
      const int thread = (*in.cells)[index][at].thread;
      const Emphasis lit = emphasis(in, ws.selection, {}, operand, row, col);
      const bool picked = lit == Emphasis::selected || lit == Emphasis::lane;
      grid.cells.push_back({made.cells[at].first, made.cells[at].second, thread, picked});
    }
  return grid;
}

std::vector<std::string> heading_of(const Workspace& ws, const Multiplication& in) {
  std::vector<std::string> lines{in.instruction->mnemonic};
  if (const trace::View* view = ws.about().view(); view != nullptr && !view->caption.empty())
    lines.push_back(view->caption);
  std::string says =
      fmt::format("{} ({})", in.instruction->source, layout::name(in.instruction->standing));
  if (const std::string words = words_of(ws.selection, in); !words.empty())
    says += fmt::format("; framed: {}", words);
  lines.push_back(says);
  return lines;
}

// B above the result, A beside it, as the multiplication meets.
std::string cross(Workspace& ws, const Multiplication& in) {
  const std::vector<std::string> heading = heading_of(ws, in);
  const int top = layout::svg_top(heading);
  const char result = in.map(ws.result) != nullptr ? ws.result : 'D';
  SvgGrid A, B, D;
  if (in.is_drawn('A')) A = grid_of(ws, in, 'A');
  if (in.map('B') != nullptr) B = grid_of(ws, in, 'B');
  if (in.map(result) != nullptr) D = grid_of(ws, in, result);
  const int right = kMargin + (A.rows > 0 ? A.width() + kBetween : 0);
  const int below = top + (B.rows > 0 ? B.height() + kBetween : 0);
  std::string body;
  if (A.rows > 0) body += layout::svg_group(A, kMargin, below);
  if (B.rows > 0) body += layout::svg_group(B, right, top);
  if (D.rows > 0) body += layout::svg_group(D, right, below);
  return layout::svg_document(right + std::max(B.width(), D.width()),
                              below + std::max(A.height(), D.height()), heading, body);
}

// Metadata and scales: the operand, and what every lane hands in.
std::string both_sides(const MapView& view) {
  const layout::Fragment& f = *view.map;
  return layout::svg_page(
      {fmt::format("{} of {}", map_title(view), view.instruction->mnemonic),
       fmt::format("row = {}   col = {}", formula(f, layout::Axis::row),
                   formula(f, layout::Axis::col)),
       fmt::format("{} ({})", view.instruction->source, layout::name(view.instruction->standing))},
      {svg_matrix(f, 0, map_title(view)), svg_registers(f)});
}

}  // namespace

std::string shown_as_svg(Workspace& ws) {
  if (ws.page == Page::compare) {
    const CompareState& c = ws.compare;
    return c.made.of_maps() && c.shown.rows > 0 ? layout::svg(c.shown.pair->a, c.shown.pair->b)
                                                : std::string();
  }
  const MapView view = map_view(ws);
  if (view.mover != nullptr) return layout::svg(*view.mover);
  if (view.map != nullptr) return both_sides(view);
  const Multiplication* in = ws.shown();
  return in != nullptr ? cross(ws, *in) : std::string();
}

}  // namespace lanescope::viz
