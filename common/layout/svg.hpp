// SPDX-License-Identifier: MIT
// Maps as drawings that stand alone: SVG text, a cell an element, a hue a group of four lanes. A
// drawing is made of grids; `lanescope layout --svg` draws one operand, the window what it shows.
#pragma once

#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

namespace lanescope::layout {

struct SvgCell {
  std::string first, second;  // one above the other; `second` may be empty
  int thread = -1;            // whose colour; -1: nobody's
  bool picked = false;        // drawn with a thick frame
};

/// Numbered rows and columns of cells, below a title.
struct SvgGrid {
  std::string title;
  int rows = 0, cols = 0;
  std::vector<SvgCell> cells;          // row after row
  std::vector<std::string> row_names;  // instead of numbers
  std::vector<std::string> col_names;
  int cell_width() const;  // as its longest word wants it
  int names_width() const;
  int width() const;  // names and title included
  int height() const;
};

/// One of a fragment's matrices, each cell with its lane and register.
SvgGrid svg_matrix(const Fragment& fragment, int matrix, const std::string& title);
/// A row a lane, a column a part of a register, each cell with the element there.
SvgGrid svg_registers(const Fragment& fragment);

/// A grid with its upper left corner at (left, top).
std::string svg_group(const SvgGrid& grid, int left, int top);
/// The grids side by side, below the lines of a heading.
std::string svg_page(const std::vector<std::string>& heading, const std::vector<SvgGrid>& grids);
/// A whole file, white paper included.
std::string svg_document(int width, int height, const std::vector<std::string>& heading,
                         const std::string& body);
/// Where the first grid of a document may begin.
int svg_top(const std::vector<std::string>& heading);

/// A drawing of one operand; "" where the instruction has none of that name.
std::string svg(const Instruction& instruction, char operand, int selector = 0);
/// A mover from both sides: memory, and the registers of every lane.
std::string svg(const Mover& mover);

}  // namespace lanescope::layout
