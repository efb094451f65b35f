// SPDX-License-Identifier: MIT
// Questions of the quiz about convolution as a product (lesson 20): which pixel a lane names for a
// tap, which row of A a pixel is, which element of a filter a k is, and what a phase costs. Pure
// model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A lane, a tap and a step: the place of the pixel that it names, and the byte of the unit.
QuizQuestion ask_tap_place(const Below& below);

/// A pixel of the tile and a tap: the row of A that it is.
QuizQuestion ask_row_of_pixel(const Below& below);

/// A k: the tap and the channel.
QuizQuestion ask_tap_of_k(const Below& below);

/// A block's width, its tile's, a stride: the passes of a phase.
QuizQuestion ask_tile_passes(const Below& below);

}  // namespace lanescope::viz
