// SPDX-License-Identifier: MIT
// A fragment map drawn with characters: the matrix as a grid with its holder in every cell, and the
// other way round, every lane with the elements in its registers.
#pragma once

#include <string>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// The matrix, a cell an element: "13:2.1" is lane 13, register 2, element 1 from the low bits.
/// Where a register's neighbours would make more than 64 columns (or rows) they share a cell,
/// which then says only lane and register. Sixteen cells a line, or fewer where a line is to have
/// no more than `width` characters (0: as many as it takes); the rest of the columns below.
std::string grid(const Fragment& fragment, int width = 0);

/// What its cells say: "a cell is lane:register".
std::string legend(const Fragment& fragment);

/// A line a lane: the elements of each register, neighbours joined: "(5,2..3)".
std::string lanes(const Fragment& fragment, int width = 0);

/// "(5,2..3)", "(0..3,7)": the elements of one register, from the low bits up.
std::string element_ranges(const Fragment& fragment, int thread, int register_index);

/// The grid with its legend, then the lanes.
std::string both_ways(const Fragment& fragment, int width = 0);

/// That, with a heading and the formulas, for the operands of an instruction ('\0': all of them;
/// C is not repeated where it equals D), and of the metadata for one selector (-1: every one).
std::string picture(const Instruction& instruction, char operand = '\0', int selector = -1,
                    int width = 0);

}  // namespace lanescope::layout
