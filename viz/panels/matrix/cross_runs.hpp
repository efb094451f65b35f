// SPDX-License-Identifier: MIT
// Where the cells of an operand are too narrow for their lane, the neighbours of one lane have its
// number together, and one frame around what of them is selected:
//
//     | | | |4| | | | | | | |5| | | |      eight e2m1 of lane 4, eight of lane 5
#pragma once

#include "panels/matrix/cross_labels.hpp"

namespace lanescope::viz {

class CrossRuns {
 public:
  CrossRuns(Workspace& ws, const Multiplication& in, const Look& look, const Grid& grid,
            const Labels::Operand& made, ImVec2 origin)
      : ws_(ws), in_(in), look_(look), g_(grid), made_(made), origin_(origin) {}

  /// The largest in which every run has room for its lane; nullptr: some have not.
  const Font* font() const;
  void draw(const Font& font) const;

 private:
  Box place(int line, int first, int last) const;  // on the screen
  Emphasis emphasis_at(int line, int column) const;
  void draw_one(int line, int first, int last, const LabelStyle& style,
                const std::string& words) const;
  void number(int line, int first, int last, const LabelStyle& style,
              const std::string& words) const;

  Workspace& ws_;
  const Multiplication& in_;
  const Look& look_;
  const Grid& g_;
  const Labels::Operand& made_;
  ImVec2 origin_;
};

}  // namespace lanescope::viz
