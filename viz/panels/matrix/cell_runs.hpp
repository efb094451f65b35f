// SPDX-License-Identifier: MIT
// Neighbours in a line of a matrix that say the same: eight e2m1 of one lane, say. Where each is
// too narrow for its words, all have them together. Pure model, no Dear ImGui.
#pragma once

#include <string>

#include "panels/frame/workspace.hpp"
#include "panels/matrix/cross_geometry.hpp"

namespace lanescope::viz {

/// Calls `visit(line, first, last, words)` for every run, lines as they stand on the screen, until
/// it says false.
template <class Visit>
void runs_of(const Grid& g, const Labels::Operand& made, Visit visit) {
  const auto words = [&](int line, int column) -> const std::string& {
    const int row = g.on_side ? column : line, col = g.on_side ? line : column;
    return made.cells[static_cast<std::size_t>(row * g.cols + col)].first;
  };
  for (int line = 0; line < g.down(); ++line)
    for (int first = 0, last = 0; first < g.across(); first = last + 1) {
      last = first;
      while (last + 1 < g.across() && words(line, last + 1) == words(line, first)) ++last;
      if (!visit(line, first, last, words(line, first))) return;
    }
}

/// All runs have so many cells, or more.
inline bool runs_have(const Grid& g, const Labels::Operand& made, int cells) {
  bool all = true;
  runs_of(g, made, [&](int, int first, int last, const std::string&) {
    return all = last - first + 1 >= cells;
  });
  return all;
}

}  // namespace lanescope::viz
