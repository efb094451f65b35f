// SPDX-License-Identifier: MIT
// Questions of the quiz about layouts, shape and strides (lesson 23): which number a value of a
// lane goes to, whose number it is, where an element lies, what strides a compact layout has. Pure
// model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A fragment's layout, a lane and a value: the number of the element.
QuizQuestion ask_layout_number(const Below& below);

/// A fragment's layout and a number: the lane and the value that have it, any that do.
QuizQuestion ask_layout_owner(const Below& below);

/// A fragment's layout and a matrix's in memory: the offset of a lane's value.
QuizQuestion ask_layout_offset(const Below& below);

/// A shape whose elements lie without a gap, in an order of its digits: the strides.
QuizQuestion ask_compact_strides(const Below& below);

}  // namespace lanescope::viz
