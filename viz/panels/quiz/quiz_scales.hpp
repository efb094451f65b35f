// SPDX-License-Identifier: MIT
// Questions of the quiz about block scaling (lesson 18): who hands in a scale, what a byte scales,
// what a number and its scale are worth. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A row or a column, a k and selectors: the lane and the byte that have its scale.
QuizQuestion ask_scale_holder(const Below& below);

/// A lane, a byte and selectors: the row or column and the first k that it scales.
QuizQuestion ask_scaled_place(const Below& below);

/// The largest of a block, a power of two times 6: the byte of ue8m0 that makes it 6.
QuizQuestion ask_scale_byte(const Below& below);

}  // namespace lanescope::viz
