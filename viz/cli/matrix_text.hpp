// SPDX-License-Identifier: MIT
// One matrix of a trace printed: an operand, a tile of memory, or registers whose map is not known.
// Strings only; nothing is printed here.
//
//         0     1  ...      columns of the matrix
//      0.r0  0.r0           who holds it: lane 0, register 0
//   0     1     2           what it is worth
#pragma once

#include <string>

#include "panels/matrix/model.hpp"

namespace lanescope::cli {

struct TextStyle {
  bool colour = false;  // a background for every lane, as in the window
  int columns = 100;    // matrices that are wider are printed in pieces
};

/// One operand as a matrix: in every cell its lane and register, and its value.
std::string operand_text(const viz::Multiplication& in, char operand, const TextStyle& style);

/// A tile of memory as a matrix of values; long tiles are cut, and say so. `kernel`: whose launch
/// left it, where that is known.
std::string tile_text(const trace::Memory& memory, const TextStyle& style,
                      const std::string& kernel = {});

/// Registers whose map is not known, lane by lane, as they are.
std::string raw_text(const trace::Fragment& fragment, const TextStyle& style);

/// "1 register", "4 registers".
std::string count(std::size_t number, const char* one, const char* many);
/// "lesson.cu:38"; "" where it is not known.
std::string source_text(const trace::SourceLine& source);
std::string place_or_first(const trace::Place& place);

}  // namespace lanescope::cli
