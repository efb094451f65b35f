// SPDX-License-Identifier: MIT
// The cells of the cross: coloured by the lane that holds them, labelled as far as there is room. A
// row of A and a column of B visibly run into the element of D that they make.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"
#include "panels/matrix/cross_frame.hpp"
#include "panels/matrix/cross_runs.hpp"
#include "panels/panels.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

// Round corners cost eight times the vertices: not where there are more cells than these.
constexpr int kRoundCells = 640;

class CrossPainter : CrossFrame {
 public:
  CrossPainter(Workspace& ws, const Multiplication& in, const Look& look,
               const CrossGeometry& cross, ImVec2 origin)
      : CrossFrame(ws, in, look, cross, origin) {
    int cells = 0;
    for (const Grid* g : {&cross.A, &cross.B, &cross.result}) cells += g->rows * g->cols;
    verdict_ = marked_verdict(ws, in);
    round_ = cells <= kRoundCells;
  }

  void grid(const Grid& g) {
    if (g.rows == 0) return absent(g);
    const layout::Fragment& map = *in_.map(g.operand);
    const Labels::Operand& made =
        labels(ws_, in_).operands[static_cast<std::size_t>(operand_index(g.operand))];
    const LabelStyle style = label_style(look_, made, g, ws_.labels == LabelMode::reg);
    const CrossRuns runs(ws_, in_, look_, g, made, origin_);
    const Font* together = style.font == nullptr ? runs.font() : nullptr;
    bare_ = bare_ || (style.font == nullptr && together == nullptr);
    if (together != nullptr) labelled_ = Labelled::whole;
    if (style.font != nullptr && style.second_only)
      labelled_ = Labelled::second;
    else if (style.font != nullptr && labelled_ == Labelled::no)
      labelled_ = Labelled::whole;
    std::string words = fmt::format("{} × {}  {}", map.rows, map.cols, layout::name(map.type));
    if (cross_.stacked && g.operand == cross_.result.operand)
      words += in_.tensor != nullptr     ? "   in tensor memory; " + tensor_sources(*in_.tensor)
               : cross_.A.rows > 0       ? "   B from shared memory"
               : in_.map('A') == nullptr ? "   A and B from shared memory"
                                         : "   A not recorded, B from shared memory";
    if (g.on_side) words += "   on its side: k to the right";
    heading(g, words);
    indices(g);
    visible(g, [&](int row, int col) { cell(g, made, style, row, col); });
    if (cross_.stacked) warp_bounds(g);
    lines(g);
    if (together != nullptr) runs.draw(*together);
    if (ws_.selection.picked != Picked::nothing || ws_.hover.operand != 0)
      visible(g, [&](int row, int col) { border(g, row, col, together != nullptr); });
    visible(g, [&](int row, int col) {
      if (!is_wrong(g, row, col)) return;
      const Box box = g.cell(row, col);
      mark_wrong(look_, {origin_.x + box.left, origin_.y + box.top, box.width, box.height});
    });
    keep_rows(g);
    keep_columns(g);
  }
  /// What the cell that is selected, or pointed at, says and has no room for; over all cells.
  void tags(const Grid& g) {
    if (g.rows == 0) return;
    const Selection& s = ws_.selection;
    if (s.picked == Picked::element && s.operand == g.operand)
      tag(g, s.element.row, s.element.col, Emphasis::selected);
    if (ws_.hover.operand == g.operand && ws_.hover.row >= 0)
      tag(g, ws_.hover.row, ws_.hover.col, Emphasis::lane);
  }
  /// What all cells have: B and A may be too narrow where D is not.
  Labelled labelled() const { return bare_ ? Labelled::no : labelled_; }

 private:
  void tag(const Grid& g, int row, int col, Emphasis e) {
    const Labels::Operand& made =
        labels(ws_, in_).operands[static_cast<std::size_t>(operand_index(g.operand))];
    const LabelStyle style = label_style(look_, made, g, ws_.labels == LabelMode::reg);
    const auto at_cell = static_cast<std::size_t>(row * g.cols + col);
    const int thread = in_.holder(g.operand, row, col).thread;
    if (thread < 0 || at_cell >= made.cells.size()) return;
    const auto& [first, second] = made.cells[at_cell];
    Box box = g.cell(row, col);
    if (first.empty() || !leaves_out(style, first, second, box.width)) return;
    box.left += origin_.x, box.top += origin_.y;
    const std::string words = second.empty() ? first : first + "  " + second;
    draw_tag(look_, box, words, ink_of(e, thread, look_.theme).fill, look_.theme.outline);
    if (ws_.probes != nullptr)
      probe(ws_, fmt::format("tag {} {},{}: {}", g.operand, row, col, words), box);
  }

  template <class Visit>
  void visible(const Grid& g, Visit visit) {
    const ImVec2 low = draw_->GetClipRectMin();
    const ImVec2 high = draw_->GetClipRectMax();
    const auto range = [](float from, float to, float size, int count) {
      return std::pair{std::clamp(static_cast<int>(std::floor(from / size)), 0, count),
                       std::clamp(static_cast<int>(std::ceil(to / size)), 0, count)};
    };
    const auto lines =
        range(low.y - origin_.y - g.top, high.y - origin_.y - g.top, g.cell_height, g.down());
    const auto columns =
        range(low.x - origin_.x - g.left, high.x - origin_.x - g.left, g.cell_width, g.across());
    for (int line = lines.first; line < lines.second; ++line)
      for (int column = columns.first; column < columns.second; ++column)
        g.on_side ? visit(column, line) : visit(line, column);
  }

  void cell(const Grid& g, const Labels::Operand& made, const LabelStyle& style, int row, int col) {
    const Emphasis e = emphasis(in_, ws_.selection, ws_.hover, g.operand, row, col);
    const CellInk ink = ink_of(e, in_.holder(g.operand, row, col).thread, look_.theme);
    const Box box = g.cell(row, col);
    const float gap = cell_gap(look_, std::min(box.width, box.height));
    const float rounding =
        round_ && std::min(box.width, box.height) >= 0.9f * look_.em ? 2.5f : 0.0f;
    draw_->AddRectFilled(at(box.left, box.top),
                         at(box.left + box.width - gap, box.top + box.height - gap),
                         colour(ink.fill), rounding);
    if (style.font == nullptr) return;
    const auto& words = made.cells[static_cast<std::size_t>(row * g.cols + col)];
    if (style.two_lines) {
      label(style, words.first, box, -0.5f, ink);
      label(style, words.second, box, 0.5f, ink);
    } else {
      const std::string& shown = style.second_only ? words.second : words.first;
      label(style, style.bare && !shown.empty() ? shown.substr(1) : shown, box, 0, ink);
    }
  }

  void label(const LabelStyle& style, const std::string& words, const Box& box, float line,
             const CellInk& ink) {
    draw_label(style, words, {origin_.x + box.left, origin_.y + box.top, box.width, box.height},
               line, ink.ink);
  }

  // Not where it belongs, as diagnose says of the selected operand.
  bool is_wrong(const Grid& g, int row, int col) const {
    const auto index = static_cast<std::size_t>(row * g.cols + col);
    return verdict_ != nullptr && verdict_->operand == g.operand &&
           index < verdict_->wrong.size() && verdict_->wrong[index];
  }

  // `together`: what a lane holds of a run has one frame, see `run`.
  void border(const Grid& g, int row, int col, bool together) {
    const Emphasis e = emphasis(in_, ws_.selection, ws_.hover, g.operand, row, col);
    const bool hovered =
        ws_.hover.operand == g.operand && ws_.hover.row == row && ws_.hover.col == col;
    if (e != Emphasis::lane && e != Emphasis::selected && !hovered) return;
    const Box box = g.cell(row, col);
    const bool small = std::min(box.width, box.height) < 0.7f * look_.em;
    const bool chosen = e == Emphasis::selected;
    const bool strong = chosen || hovered;
    if (together && !strong) return;
    if (small && !strong && ws_.selection.picked == Picked::reg) return;
    const float thick = small ? 1.0f : (chosen ? 0.16f : 0.1f) * look_.em;
    const Rgb ink = strong ? look_.theme.outline : look_.theme.accent;
    draw_->AddRect(at(box.left, box.top), at(box.left + box.width - 1, box.top + box.height - 1),
                   colour(ink), small ? 0.0f : 3.0f, 0, thick);
  }

  // A frame around the row or column that runs towards the element in focus.
  void lines(const Grid& g) {
    int first_row = g.rows, last_row = -1, first_col = g.cols, last_col = -1;
    const auto grow = [&](int row, int col) {
      if (!on_line(in_, ws_.selection, ws_.hover, g.operand, row, col)) return;
      first_row = std::min(first_row, row);
      last_row = std::max(last_row, row);
      first_col = std::min(first_col, col);
      last_col = std::max(last_col, col);
    };
    // A line crosses the whole matrix: its diagonal and its edges find it.
    for (int row = 0; row < g.rows; ++row) grow(row, 0), grow(row, g.cols - 1);
    for (int col = 0; col < g.cols; ++col) grow(0, col), grow(g.rows - 1, col);
    if (last_row < 0) return;
    const Box a = g.cell(first_row, first_col);
    const Box b = g.cell(last_row, last_col);
    draw_->AddRect(at(a.left - 2, a.top - 2), at(b.left + b.width + 1, b.top + b.height + 1),
                   colour(look_.theme.text, 0.75f), 4, 0, std::max(1.0f, look_.em * 0.08f));
  }

  // Where the rows of one warp end and those of the next begin.
  void warp_bounds(const Grid& g) {
    const int rows_of_a_warp = g.rows / (in_.threads() / 32);
    for (int row = rows_of_a_warp; row < g.rows; row += rows_of_a_warp) {
      const float top = g.cell(row, 0).top - 1;
      const float left =
          g.operand == cross_.result.operand && cross_.A.rows > 0 ? g.left : cross_.warp.left;
      draw_->AddRectFilled(at(left, top), at(g.left + g.box().width, top + 1),
                           colour(look_.theme.text, 0.6f));
    }
  }

  const ShownVerdict* verdict_ = nullptr;
  bool round_ = true;
  Labelled labelled_ = Labelled::no;
  bool bare_ = false;  // cells of some operand have no room for words
};

}  // namespace

Labelled draw_cross_cells(Workspace& ws, const Multiplication& in, const Look& look,
                          const CrossGeometry& cross, ImVec2 origin) {
  CrossPainter painter(ws, in, look, cross, origin);
  for (const Grid* g : {&cross.B, &cross.A, &cross.result}) painter.grid(*g);
  for (const Grid* g : {&cross.B, &cross.A, &cross.result}) painter.tags(*g);
  return painter.labelled();
}

}  // namespace lanescope::viz
