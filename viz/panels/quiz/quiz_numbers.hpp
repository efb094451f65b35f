// SPDX-License-Identifier: MIT
// Questions of the quiz about numbers, not places: what a type keeps of a number (lesson 2),
// tiles of a ragged size (6), names of SASS and room for registers (8), K of a wgmma (11). Pure
// model, no Dear ImGui.
#pragma once

#include <cstddef>
#include <functional>

#include "panels/quiz/quiz.hpp"

namespace lanescope::viz {

using Below = std::function<int(std::size_t limit)>;  // a number drawn from 0 to limit - 1

/// Which whole number a 16- or 8-bit float makes of another one.
QuizQuestion ask_rounding(const Below& below);

/// How many blocks and steps of k a product of any size takes.
QuizQuestion ask_ragged(const Below& below);

/// What the digits of a SASS name say.
QuizQuestion ask_sass_shape(const Below& below);

/// K of a wgmma, and how many registers its sums take.
QuizQuestion ask_wgmma_type(const Below& below);

/// How many registers __launch_bounds__ leaves a thread, and how many of them a warp tile's sums
/// take.
QuizQuestion ask_registers(const Below& below);

}  // namespace lanescope::viz
