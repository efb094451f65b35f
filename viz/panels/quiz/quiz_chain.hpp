// SPDX-License-Identifier: MIT
// Questions of the quiz about two products in a row (lesson 14): which register of A a sum of D
// becomes, and what a growing maximum does to what was added up before. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A sum of one of two fragments D, side by side, and the A that they become.
QuizQuestion ask_next_a(const Below& below);

/// The power of two that a running softmax divides its sums by.
QuizQuestion ask_rescaling(const Below& below);

}  // namespace lanescope::viz
