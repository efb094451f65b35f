// SPDX-License-Identifier: MIT
// Where the four corners of the cross lie and how large a cell is. Pure arithmetic, no Dear ImGui.
//
//            warp |  B (k x n)         a row of A and a column of B meet in D;
//        ---------+----------          the columns of B are those of D,
//         A (m x k) |  D (m x n)       the rows of A are those of D
//
// Where K is so large that B would not be in sight whole, B lies on its side over A, k to the right
// in both: what meets in a product stands in one column.
//
//         B (n x k) | warp
//        ---------+----------
//         A (m x k) |  D (m x n)
//
// Everything is in pixels from the upper left corner of the cross.
#pragma once

#include <array>

#include "panels/matrix/model.hpp"

namespace lanescope::viz {

struct Box {
  float left = 0, top = 0, width = 0, height = 0;
  bool contains(float column_px, float row_px) const {
    return column_px >= left && column_px < left + width && row_px >= top && row_px < top + height;
  }
};

/// The cells of one operand; rows 0 when the operand is not in registers.
struct Grid {
  char operand = '?';
  int rows = 0, cols = 0;
  bool on_side = false;  // its rows go to the right, its columns down
  float left = 0, top = 0;
  float cell_width = 0, cell_height = 0;
  int across() const { return on_side ? rows : cols; }
  int down() const { return on_side ? cols : rows; }
  Box box() const {
    return {left, top, cell_width * static_cast<float>(across()),
            cell_height * static_cast<float>(down())};
  }
  /// The cell that stands there, whichever it is.
  Box place(int line, int column) const {
    return {left + cell_width * static_cast<float>(column),
            top + cell_height * static_cast<float>(line), cell_width, cell_height};
  }
  Box cell(int row, int col) const { return on_side ? place(col, row) : place(row, col); }
};

struct CrossGeometry {
  Box warp;
  Grid A, B, result;  // result: C or D
  float heading_height = 0, index_height = 0, index_width = 0;
  float width = 0, height = 0;  // of the whole cross; larger than the room: it scrolls
  bool stacked = false;         // a warpgroup: each warp stands beside its rows of the result
};

struct CrossRoom {
  float width = 0, height = 0;
  float em = 14;
  float zoom = 1;
  int left_chars = 2, right_chars = 2;  // longest label of A, and of B and the result
};

/// Cells as large as fit the room, within limits: small matrices stay large enough for labels and
/// scroll, large ones (a 64 x 256 accumulator) shrink to plain rectangles before they scroll.
CrossGeometry lay_out_cross(const Multiplication& in, char result, const CrossRoom& room);

/// The cell under a point, or operand 0.
struct CellAt {
  char operand = 0;
  int row = 0, col = 0;
};
CellAt cell_at(const CrossGeometry& cross, float column_px, float row_px);

/// The lane of the warp panel under a point, or -1. Threads lie in groups of 4, a warp of 32 in 8
/// rows; the warps of a warpgroup lie side by side, or below each other where they are stacked.
int lane_at(const CrossGeometry& cross, int threads, float column_px, float row_px);
Box lane_box(const CrossGeometry& cross, int threads, int thread);

}  // namespace lanescope::viz
