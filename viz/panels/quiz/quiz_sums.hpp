// SPDX-License-Identifier: MIT
// Questions of the quiz about a tensor core's sums (lesson 16): what is left of small products
// beside a large sum, and when sums move out of the tensor core. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// A large sum and some small products, all alike: by how much does it grow?
QuizQuestion ask_kept(const Below& below);

/// A K and an interval: how often the sums move out, and scale-d of one step.
QuizQuestion ask_moving_out(const Below& below);

}  // namespace lanescope::viz
