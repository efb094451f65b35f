// SPDX-License-Identifier: MIT
// Questions of the quiz about tensor memory (lesson 17): where an element of D lies, who fetches
// it, and what the instruction descriptor says. Pure model, no Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// An M and an element of D: the lane of tensor memory, and the warp that fetches it.
QuizQuestion ask_tensor_lane(const Below& below);

/// A column of D and a warp: lane and column of the address that it gives to tcgen05.ld.
QuizQuestion ask_tensor_address(const Below& below);

/// M and N: what stands in the two fields of the instruction descriptor.
QuizQuestion ask_instruction_fields(const Below& below);

}  // namespace lanescope::viz
