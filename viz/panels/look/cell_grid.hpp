// SPDX-License-Identifier: MIT
// A grid of labelled cells, with gaps where groups end: what the panels of the atlas are made of.
// Knows nothing of what the cells mean; draws only those in sight.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "panels/look/theme.hpp"
#include "panels/matrix/cross_geometry.hpp"

namespace lanescope::viz {

struct CellGrid {
  ImVec2 at{};  // screen pixels
  int rows = 0, cols = 0;
  float cell_width = 16, cell_height = 16;
  int rows_in_group = 0, cols_in_group = 0;  // 0: no groups
  float row_gap = 0, col_gap = 0;            // after each group
  // Where one direction has no room: the columns from here on stand below the first ones, or the
  // rows beside them. Whole groups; 0: all is one part.
  int cols_in_part = 0, rows_in_part = 0;
  float part_gap = 0;
  int first_row = 0, first_col = 0;  // of a part, in the grid

  int parts() const {
    return cols_in_part > 0   ? (cols + cols_in_part - 1) / cols_in_part
           : rows_in_part > 0 ? (rows + rows_in_part - 1) / rows_in_part
                              : 1;
  }
  /// One of them, where it stands: a grid of its own, in one part.
  CellGrid part(int index) const {
    CellGrid one = *this;
    one.cols_in_part = one.rows_in_part = 0;
    const auto before = static_cast<float>(index);
    if (cols_in_part > 0) {
      one.at.y += before * (one.height() + part_gap);
      one.first_col = index * cols_in_part;
      one.cols = std::min(cols_in_part, cols - one.first_col);
    } else if (rows_in_part > 0) {
      one.at.x += before * (one.width() + part_gap);
      one.first_row = index * rows_in_part;
      one.rows = std::min(rows_in_part, rows - one.first_row);
    }
    return one;
  }

  // Of a grid in one part.
  float left_of(int col) const { return place(col, cell_width, cols_in_group, col_gap); }
  float top_of(int row) const { return place(row, cell_height, rows_in_group, row_gap); }
  float width() const {
    if (cols_in_part > 0) return part(0).width();
    if (rows_in_part > 0) return (part(0).width() + part_gap) * count(parts()) - part_gap;
    return cols == 0 ? 0 : left_of(cols - 1) + cell_width;
  }
  float height() const {
    if (rows_in_part > 0) return part(0).height();
    if (cols_in_part > 0) return (part(0).height() + part_gap) * count(parts()) - part_gap;
    return rows == 0 ? 0 : top_of(rows - 1) + cell_height;
  }
  Box cell(int row, int col) const {
    if (cols_in_part > 0) return part(col / cols_in_part).cell(row, col % cols_in_part);
    if (rows_in_part > 0) return part(row / rows_in_part).cell(row % rows_in_part, col);
    return {at.x + left_of(col), at.y + top_of(row), cell_width, cell_height};
  }
  /// The cell under a point of the screen; false in gaps and outside.
  bool find(ImVec2 point, int& row, int& col) const {
    for (int k = 0; parts() > 1 && k < parts(); ++k) {
      const CellGrid one = part(k);
      if (!one.find(point, row, col)) continue;
      row += one.first_row, col += one.first_col;
      return true;
    }
    if (parts() > 1) return row = col = -1, false;
    row = index(point.y - at.y, cell_height, rows_in_group, row_gap, rows);
    col = index(point.x - at.x, cell_width, cols_in_group, col_gap, cols);
    return row >= 0 && col >= 0;
  }
  /// First and last + 1 of the rows or columns between two screen pixels.
  std::pair<int, int> rows_between(float low, float high) const {
    return between(low - at.y, high - at.y, cell_height, rows_in_group, row_gap, rows);
  }
  std::pair<int, int> cols_between(float low, float high) const {
    return between(low - at.x, high - at.x, cell_width, cols_in_group, col_gap, cols);
  }

 private:
  static float count(int things) { return static_cast<float>(things); }
  static float place(int index, float size, int group, float gap) {
    return size * static_cast<float>(index) +
           (group > 0 ? gap * static_cast<float>(index / group) : 0.0f);
  }
  static int index(float offset, float size, int group, float gap, int count) {
    if (offset < 0 || count == 0) return -1;
    int found = 0;
    if (group > 0) {
      const float group_size = size * static_cast<float>(group) + gap;
      const int groups = static_cast<int>(std::min(offset / group_size, 1e6f));
      const float rest = offset - static_cast<float>(groups) * group_size;
      if (rest >= size * static_cast<float>(group)) return -1;
      found = groups * group + static_cast<int>(rest / size);
    } else {
      found = static_cast<int>(std::min(offset / size, 1e6f));
    }
    return found < count ? found : -1;
  }
  static std::pair<int, int> between(float low, float high, float size, int group, float gap,
                                     int count) {
    const float each = size + (group > 0 ? gap / static_cast<float>(group) : 0.0f);
    const int slack = group > 0 ? group : 1;
    const int first = static_cast<int>(std::clamp(low / each, 0.0f, 1e6f)) - slack;
    const int last = static_cast<int>(std::clamp(high / each, 0.0f, 1e6f)) + slack + 1;
    return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
  }
};

/// Scrolls the window, which shows `room`, so that a box is in sight that is not.
inline void scroll_to(const Box& box, ImVec2 room) {
  const ImVec2 corner = ImGui::GetWindowPos();
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float top = box.top - corner.y, left = box.left - corner.x;
  if (top < 0 || top + box.height > room.y - bar)
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + top - room.y / 2));
  if (left < 0 || left + box.width > room.x - bar)
    ImGui::SetScrollX(std::max(0.0f, ImGui::GetScrollX() + left - room.x / 2));
}

struct CellPaint {
  Rgb fill, ink;
  std::string label;  // "": none
  bool wrong = false;
};

/// A corner of a cell is cut off, over the frame it may have: seen on every lane's colour, and by
/// those who do not see red.
inline void mark_wrong(const Look& look, const Box& box) {
  const float least = std::min(box.width, box.height);
  const auto corner = [&](float side, Rgb ink) {
    const float right = box.left + box.width;
    ImGui::GetWindowDrawList()->AddTriangleFilled(ImVec2(right - side, box.top),
                                                  ImVec2(right, box.top),
                                                  ImVec2(right, box.top + side), colour(ink));
  };
  const float side = std::clamp(0.44f * least, 3.0f, 0.7f * look.em);
  corner(side, look.theme.background);
  corner(side < 4 ? side : side - 0.12f * look.em, look.theme.bad);
}

/// The largest font of cells in which so many characters fit, with a gap to the next cell's that
/// keeps 10 and 11 from reading as 1011; where even the smallest has no such gap, without one.
/// nullptr: none fits.
inline const Font* cell_font(const Look& look, const CellGrid& grid, std::size_t characters) {
  const Font* found = nullptr;
  for (const Font& font : look.fonts.cell) {
    const float advance = text_width(font, "0");
    const float between = found != nullptr && characters > 1 ? 0.6f * advance : 2.0f;
    if (advance * static_cast<float>(characters) <= grid.cell_width - between &&
        font.size * 0.94f <= grid.cell_height - 1 && font.size < 1.1f * look.em)
      found = &font;
  }
  return found;
}

/// Of UTF-8: every byte but those that continue a character.
inline std::size_t characters_of(std::string_view words) {
  return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

/// Draws what is in sight; `paint(row, col)` says how.
template <class Paint>
void draw_cells(const Look& look, const CellGrid& grid, const Font* font, Paint paint) {
  if (grid.parts() > 1) {
    for (int k = 0; k < grid.parts(); ++k) draw_cells(look, grid.part(k), font, paint);
    return;
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto rows = grid.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
  const auto cols = grid.cols_between(draw->GetClipRectMin().x, draw->GetClipRectMax().x);
  const float least = std::min(grid.cell_width, grid.cell_height);
  const float gap = cell_gap(look, least);
  // Round corners cost eight times the vertices: not where there are many cells.
  const bool many = (rows.second - rows.first) * (cols.second - cols.first) > 640;
  const float rounding = least >= 0.9f * look.em && !many ? 2.5f : 0.0f;
  const float advance = font != nullptr ? text_width(*font, "0") : 0.0f;
  // Neighbours without a gap, of one colour and without words, are one rectangle.
  const bool runs = font == nullptr && gap == 0;
  Box run;
  Rgb run_fill;
  const auto end_run = [&] {
    if (run.width > 0)
      draw->AddRectFilled(ImVec2(run.left, run.top),
                          ImVec2(run.left + run.width, run.top + run.height), colour(run_fill));
    run.width = 0;
  };
  for (int row = rows.first; row < rows.second; ++row, end_run())
    for (int col = cols.first; col < cols.second; ++col) {
      const Box box = grid.cell(row, col);
      const CellPaint cell = paint(grid.first_row + row, grid.first_col + col);
      if (runs) {
        const bool beside = run.width > 0 && run_fill == cell.fill &&
                            std::fabs(run.left + run.width - box.left) < 0.01f;
        if (!beside) end_run(), run = {box.left, box.top, 0, box.height}, run_fill = cell.fill;
        run.width = box.left + box.width - run.left;
        continue;
      }
      draw->AddRectFilled(ImVec2(box.left, box.top),
                          ImVec2(box.left + box.width - gap, box.top + box.height - gap),
                          colour(cell.fill), rounding);
      if (cell.wrong) mark_wrong(look, box);
      if (font == nullptr || cell.label.empty()) continue;
      const float width = advance * static_cast<float>(characters_of(cell.label));
      if (width > box.width - 1) continue;
      text_at(draw, *font,
              ImVec2(std::round(box.left + (box.width - gap - width) / 2),
                     std::round(box.top + (box.height - gap - font->size) / 2)),
              cell.ink, cell.label);
    }
}

/// A frame around one cell, or around those from (row, col) to (last_row, last_col).
inline void frame_cells(const Look& look, const CellGrid& grid, int row, int col, int last_row,
                        int last_col, Rgb ink) {
  const Box low = grid.cell(row, col);
  const Box high = grid.cell(last_row, last_col);
  ImGui::GetWindowDrawList()->AddRect(ImVec2(low.left - 1, low.top - 1),
                                      ImVec2(high.left + high.width, high.top + high.height),
                                      colour(ink), 3, 0, std::max(1.5f, 0.12f * look.em));
}

/// A frame around a cell and a line through it: not this one, also where red looks like green.
inline void strike_cell(const Look& look, const CellGrid& grid, int row, int col, Rgb ink) {
  frame_cells(look, grid, row, col, row, col, ink);
  const Box box = grid.cell(row, col);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(box.left, box.top + box.height - 1),
                                      ImVec2(box.left + box.width - 1, box.top), colour(ink),
                                      std::max(1.5f, 0.12f * look.em));
}

/// Numbers above the columns and left of the rows, fewer where cells are small. `col_first` is
/// added to those of columns; rows and columns count anew after `rows_period`, if it is not 0. To
/// be drawn after the cells: where these are scrolled, the numbers stay in sight, over them.
struct IndexNumbers {
  int rows_period = 0, cols_period = 0;
  int focus_row = -1, focus_col = -1;
  int col_first = 0;
  bool has_rows = true;
  bool on_panel = false;  // what they stay over: a panel, or the window itself
};
void draw_indices(const Look& look, const CellGrid& grid, const IndexNumbers& numbers);
/// Left of lines of memory, 128 bytes each: at which byte they begin.
void draw_line_bytes(const Look& look, const CellGrid& lines);

}  // namespace lanescope::viz
