// SPDX-License-Identifier: MIT
// Questions of the quiz about sparsity (lesson 15): whose bits say which of four elements are kept,
// and what they say. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A row and a four of it: the lane whose metadata are read for it, and which nibble of them.
QuizQuestion ask_metadata(const Below& below);

/// Two columns that are kept of a four: the nibble that says so.
QuizQuestion ask_nibble(const Below& below);

}  // namespace lanescope::viz
