// SPDX-License-Identifier: MIT
// Questions of the quiz about weights of 4 bits in fragment order (lesson 19): who keeps a weight
// and where, what a nibble is, what lop3 makes of a word. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A weight of 128 x 8: the lane, the word and the nibble that have it.
QuizQuestion ask_packed_place(const Below& below);

/// A nibble of a word of a lane: the k and the column of its weight.
QuizQuestion ask_packed_weight(const Below& below);

/// A word, a mask and 0x64006400: the two numbers that it is as f16.
QuizQuestion ask_between_1024(const Below& below);

}  // namespace lanescope::viz
