// SPDX-License-Identifier: MIT
// Questions of the quiz about what is under way: groups of cp.async (lesson 5) and of wgmma (9),
// the ring and its mbarriers (12). Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz_numbers.hpp"

namespace lanescope::viz {

/// How many groups of cp.async a wait leaves, and which stage a tile goes to.
QuizQuestion ask_wait(const Below& below);
/// After which wgmma.wait_group sums may be read, or tiles written over.
QuizQuestion ask_accumulators(const Below& below);
/// Stage and parity of a tile in a ring.
QuizQuestion ask_ring(const Below& below);
/// What an mbarrier's phase waits for: arrivals are counted, bytes are counted, each for itself.
QuizQuestion ask_arrivals(const Below& below);

}  // namespace lanescope::viz
