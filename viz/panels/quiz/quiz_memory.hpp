// SPDX-License-Identifier: MIT
// Questions of the quiz about memory: banks and passes (lessons 4 and 7), the byte that a
// descriptor leads to (lesson 10), sectors of global memory (lessons 5, 6 and 19). Pure model, no
// Dear ImGui.
#pragma once

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// In which bank an element of a tile lies, swizzled or not.
QuizQuestion ask_bank(const Below& below);
/// How many passes an access takes: words at a stride, rows of an ldmatrix, swizzles right and
/// wrong.
QuizQuestion ask_stride(const Below& below);
QuizQuestion ask_rows(const Below& below);
QuizQuestion ask_swizzled_rows(const Below& below);
/// To how many sectors of global memory a load goes; and how many cp.async.cg fetches.
QuizQuestion ask_sectors(const Below& below);
QuizQuestion ask_copied_sectors(const Below& below);
/// At which byte wgmma looks for an element of B, K-major or MN-major.
QuizQuestion ask_byte(const Below& below);
/// Where a slice of K begins, and what its descriptor says of it.
QuizQuestion ask_slice(const Below& below);

}  // namespace lanescope::viz
