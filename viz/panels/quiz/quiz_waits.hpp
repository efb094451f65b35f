// SPDX-License-Identifier: MIT
// Questions of the quiz about what is under way: groups of cp.async (lesson 5) and of wgmma (9).
// Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// How many groups of cp.async have landed behind a wait.
QuizQuestion ask_landed(const Below& below);
/// How many a pipeline's wait may leave.
QuizQuestion ask_largest_wait(const Below& below);
/// Which stage a tile goes to, and which tile must have been read before.
QuizQuestion ask_stage(const Below& below);
/// After which wgmma.wait_group sums may be read, or tiles written over.
QuizQuestion ask_accumulators(const Below& below);

}  // namespace lanescope::viz
