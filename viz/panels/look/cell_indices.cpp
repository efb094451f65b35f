// SPDX-License-Identifier: MIT
// The numbers of a grid's rows and columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"

namespace lanescope::viz {
namespace {

// Which of them have room, how they are written, and where they stay when the cells are scrolled.
class Indices {
 public:
  Indices(const Look& look, const CellGrid& grid, const IndexNumbers& numbers)
      : look_(look),
        grid_(grid),
        numbers_(numbers),
        font_(look.fonts.cell[3]),
        draw_(ImGui::GetWindowDrawList()),
        low_(draw_->GetClipRectMin()),
        high_(draw_->GetClipRectMax()) {
    strip_ = ImVec2(text_width(font_, "000") + 0.5f * look.em, font_.size + 0.25f * look.em);
    below_ = grid.at.y - font_.size - 0.12f * look.em < low_.y &&
             grid.at.y + grid.height() > low_.y + 3 * strip_.y;
    beside_ = grid.at.x - strip_.x < low_.x && grid.at.x + grid.width() > low_.x + 3 * strip_.x;
  }

  void rows() const {
    const int step = every(grid_.cell_height, font_.size * 0.9f);
    const auto range = grid_.rows_between(low_.y, high_.y);
    if (beside_) {
      const float top = std::max(grid_.at.y, low_.y);
      background(ImVec2(low_.x, top),
                 ImVec2(low_.x + strip_.x, std::min(grid_.at.y + grid_.height(), high_.y)));
    }
    draw_->PushClipRect(ImVec2(low_.x, low_.y + (below_ ? strip_.y : 0)), high_, true);
    for (int row = range.first - range.first % step; row < range.second; row += step) {
      const std::string words = number(grid_.first_row + row, numbers_.rows_period);
      const Box box = grid_.cell(row, 0);
      const float right =
          beside_ ? low_.x + strip_.x - 0.2f * look_.em : box.left - 0.4f * look_.em;
      text_at(draw_, font_,
              ImVec2(std::round(right - text_width(font_, words)),
                     std::round(box.top + (box.height - 1 - font_.size) / 2)),
              ink(grid_.first_row + row == numbers_.focus_row), words);
    }
    draw_->PopClipRect();
  }

  void cols() const {
    const int step = every(grid_.cell_width, text_width(font_, "000") * 1.15f);
    const auto range = grid_.cols_between(low_.x, high_.x);
    const float top =
        below_ ? low_.y + 0.1f * look_.em : grid_.at.y - font_.size - 0.12f * look_.em;
    const float left = beside_ ? low_.x + strip_.x : low_.x;
    if (below_)
      background(ImVec2(std::max(grid_.at.x - (beside_ ? 0 : strip_.x), low_.x), low_.y),
                 ImVec2(std::min(grid_.at.x + grid_.width(), high_.x), low_.y + strip_.y));
    draw_->PushClipRect(ImVec2(left, low_.y), high_, true);
    for (int col = range.first - range.first % step; col < range.second; col += step) {
      const std::string words =
          number(numbers_.col_first + grid_.first_col + col, numbers_.cols_period);
      const Box box = grid_.cell(0, col);
      text_at(draw_, font_,
              ImVec2(std::round(box.left + (box.width - 1 - text_width(font_, words)) / 2),
                     std::round(top)),
              ink(grid_.first_col + col == numbers_.focus_col), words);
    }
    draw_->PopClipRect();
  }

 private:
  static int every(float size, float need) {
    int step = 1;
    while (size * static_cast<float>(step) < need && step < 4096) step *= 2;
    return step;
  }
  static std::string number(int index, int period) {
    return fmt::format("{}", period > 0 ? index % period : index);
  }
  Rgb ink(bool focus) const { return focus ? look_.theme.accent : look_.theme.faint; }
  void background(ImVec2 from, ImVec2 to) const {
    draw_->AddRectFilled(
        from, to, colour(numbers_.on_panel ? look_.theme.panel : look_.theme.background, 0.92f));
  }

  const Look& look_;
  const CellGrid& grid_;
  const IndexNumbers& numbers_;
  const Font& font_;
  ImDrawList* draw_;
  ImVec2 low_, high_, strip_;
  bool below_ = false, beside_ = false;
};

}  // namespace

void draw_indices(const Look& look, const CellGrid& grid, const IndexNumbers& numbers) {
  if (grid.cols == 0) return;
  if (grid.parts() > 1) {
    for (int k = 0; k < grid.parts(); ++k) draw_indices(look, grid.part(k), numbers);
    return;
  }
  const Indices all(look, grid, numbers);
  all.cols();
  if (numbers.has_rows && grid.rows > 0) all.rows();
}

void draw_line_bytes(const Look& look, const CellGrid& lines) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& small = look.fonts.cell[3];
  const auto rows = lines.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
  for (int line = rows.first; line < rows.second; ++line) {
    const Box box = lines.cell(line, 0);
    const std::string words = fmt::format("{}", line * 128);
    text_at(draw, small,
            ImVec2(box.left - text_width(small, words) - 0.4f * look.em,
                   std::round(box.top + (box.height - small.size) / 2)),
            look.theme.faint, words);
  }
}

}  // namespace lanescope::viz
