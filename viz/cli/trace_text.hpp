// SPDX-License-Identifier: MIT
// A trace printed: the terminal's twin of the window. Strings only; nothing is printed here.
//
//         0     1  ...      columns of the matrix
//      0.r0  0.r0           who holds it: lane 0, register 0
//   0     1     2           what it is worth
#pragma once

#include <cstdint>
#include <string>

#include "panels/selection.hpp"

namespace lanescope::cli {

struct TextStyle {
  bool colour = false;  // a background for every lane, as in the window
  int columns = 100;    // matrices that are wider are printed in pieces
};

/// Puts '?' for the control characters in a trace's texts (newlines stay): they come from a file
/// and must not command the terminal.
void make_printable(trace::Trace& trace);

/// Who wrote the trace, where, and what is in it.
std::string summary_text(const viz::Model& model, std::int64_t unknown_events);

/// One operand as a matrix: in every cell its lane and register, and its value.
std::string operand_text(const viz::Multiplication& in, char operand, const TextStyle& style);

/// A tile of memory as a matrix of values; long tiles are cut, and say so.
std::string tile_text(const trace::Memory& memory, const TextStyle& style);

/// Registers whose map is not known, lane by lane, as they are.
std::string raw_text(const trace::Fragment& fragment, const TextStyle& style);

/// The whole trace.
std::string trace_text(const viz::Model& model, std::int64_t unknown_events,
                       const TextStyle& style);

/// One product of the trace, counted from 0, with all its operands.
std::string product_text(const viz::Model& model, std::size_t index, const TextStyle& style);
/// A line for each product: its number, counted from 1, what it is, where.
std::string products_text(const viz::Model& model);

/// Which product a selection is about: a number from 1 on, the first that has it, or all that do.
inline constexpr int kFirstProduct = 0, kAllProducts = -1;

/// All that is to be said about a selection; `problem` is why there is nothing.
struct SelectionText {
  std::string text;
  std::string problem;
};
SelectionText selected_text(const viz::Model& model, const std::string& words,
                            int product = kFirstProduct);

}  // namespace lanescope::cli
