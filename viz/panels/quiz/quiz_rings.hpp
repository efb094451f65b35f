// SPDX-License-Identifier: MIT
// Questions of the quiz about mbarriers and the ring that they keep (lessons 12, 13). Pure model,
// no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// Stage and parity of a tile in a ring.
QuizQuestion ask_ring(const Below& below);
/// What is missing until a phase is over: arrivals are counted, bytes are counted, each for itself.
QuizQuestion ask_missing(const Below& below);
/// How many bytes a box brings, also one that sticks out of its tensor.
QuizQuestion ask_announced(const Below& below);
/// How many arrivals each of a ring's two mbarriers is made for.
QuizQuestion ask_counts(const Below& below);
/// What a block of a cluster waits for where all of it share B.
QuizQuestion ask_cluster(const Below& below);

}  // namespace lanescope::viz
