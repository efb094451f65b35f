// SPDX-License-Identifier: MIT
// A question of the quiz about two warpgroups that take turns with the tensor cores (lesson 22):
// how long they take. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// Clocks of two warpgroups for some blocks of keys: one thing after the other, and in turns.
QuizQuestion ask_turns(const Below& below);

}  // namespace lanescope::viz
