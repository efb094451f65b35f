// SPDX-License-Identifier: MIT
// What stands round the cells of the cross: each operand's name and size, the numbers of its rows
// and columns.
#pragma once

#include <string>

#include "panels/panels.hpp"

namespace lanescope::viz {

class CrossFrame {
 public:
  CrossFrame(Workspace& ws, const Multiplication& in, const Look& look, const CrossGeometry& cross,
             ImVec2 origin);

  void heading(const Grid& g, const std::string& words);
  /// What is said where an operand has no cells.
  void absent(const Grid& g);
  /// Row and column numbers, fewer where cells are small; those in focus stand out.
  void indices(const Grid& g);
  /// Scrolled down, an operand's name and its columns stay in sight, over the cells.
  void keep_columns(const Grid& g);
  /// Scrolled to the right, its name and its rows.
  void keep_rows(const Grid& g);

 protected:
  ImVec2 at(float left, float top) const { return ImVec2(origin_.x + left, origin_.y + top); }

  Workspace& ws_;
  const Multiplication& in_;
  const Look& look_;
  const CrossGeometry& cross_;
  ImVec2 origin_;
  ImDrawList* draw_;

 private:
  void number(const Font& font, const std::string& words, float left, float top, bool focus);
  bool in_focus(const Grid& g, int index, bool down) const;  // of its lines, or of what is across
  float rows_width(const Grid& g) const;                     // of the numbers of its rows
  bool leaves_rows(const Grid& g) const;  // scrolled away, though some of its cells are in sight
};

}  // namespace lanescope::viz
