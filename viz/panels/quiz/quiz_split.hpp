// SPDX-License-Identifier: MIT
// Questions of the quiz about a product with too few tiles (lesson 21): with which step a block
// begins, how many blocks share a tile, how long the longest SM is busy. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// The steps of all tiles in a row, shared out: the tile and the step that a block begins with.
QuizQuestion ask_first_step(const Below& below);

/// The same row: the first block that has a part of a tile, and how many do.
QuizQuestion ask_parts(const Below& below);

/// Steps until all SMs are done: K split by a number, and stream-K.
QuizQuestion ask_busy(const Below& below);

}  // namespace lanescope::viz
