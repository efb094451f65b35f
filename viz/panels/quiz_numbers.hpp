// SPDX-License-Identifier: MIT
// Questions of the quiz about numbers, not places: what a type keeps of a number (lesson 2), and
// for how many registers a kernel has room (lesson 8). Pure model, no Dear ImGui.
#pragma once

#include <cstddef>
#include <functional>

#include "panels/quiz.hpp"

namespace lanescope::viz {

using Below = std::function<int(std::size_t limit)>;  // a number drawn from 0 to limit - 1

/// Which whole number a 16- or 8-bit float makes of another one.
QuizQuestion ask_rounding(const Below& below);

/// How many registers __launch_bounds__ leaves a thread, and how many of them a warp tile's sums
/// take.
QuizQuestion ask_registers(const Below& below);

}  // namespace lanescope::viz
