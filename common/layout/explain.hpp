// SPDX-License-Identifier: MIT
// The atlas in sentences: why an element lies where it lies, the expressions to paste into a
// kernel, and which registers make an element of the result. Strings only.
#pragma once

#include <string>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// For every operand (or only `operand`, or only the metadata of `selector`) that has element (row,
/// col): its holders, the derivation
/// with the numbers filled in, and both directions as C++ and as PTX.
std::string explain(const Instruction& instruction, int row, int col, char operand = '\0',
                    int selector = -1);

/// What a value of the metadata says of the element of A, or the pair, that it belongs to: which
/// rows of B that meets. "" for what has none.
std::string metadata_means(const Instruction& instruction);

/// D[row][col] as the sum that makes it, with every register named.
std::string output_terms(const Instruction& instruction, int row, int col);

}  // namespace lanescope::layout
