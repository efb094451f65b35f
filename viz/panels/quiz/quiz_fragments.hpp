// SPDX-License-Identifier: MIT
// Questions of the quiz about places: who holds an element, whose address serves it, whose tile it
// is in. Pure model, no Dear ImGui.
#pragma once

#include <string_view>

#include "panels/quiz/quiz_numbers.hpp"

namespace lanescope::viz {

/// Who holds an element of one of the `operands` of an instruction.
QuizQuestion ask_fragment(const Below& below, const char* mnemonic, std::string_view operands);
/// Whose address serves an element when ldmatrix loads A or B of an m16n8k16: ldmatrix gets the
/// blocks of a fragment in the order of its registers, and a block's lanes name what lies side by
/// side in memory.
QuizQuestion ask_address(const Below& below, std::string_view operands);
/// Which lane gets an element of a tile of 32 x 8 whose row n lane n names.
QuizQuestion ask_moved(const Below& below);
/// An element of C, whose tile, and where in it.
QuizQuestion ask_tile(const Below& below);

}  // namespace lanescope::viz
