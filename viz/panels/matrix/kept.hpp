// SPDX-License-Identifier: MIT
// What the metadata of a sparse A says: which column of all of A a stored element stands for, and
// in which bits of whose register that is written. Pure model, no Dear ImGui.
//
//   16 and 8 bits   of four columns two: an index of two bits for each of the two
//   tf32            of two columns one: 0b0100 the first, 0b1110 the second
//   4 bits          of four pairs of columns two: an index of two bits for each pair
//
// Source: PTX ISA 9.2, 9.7.14.6.1; which lane has whose index: common/layout.
#pragma once

#include <string>
#include <vector>

#include "panels/matrix/model.hpp"

namespace lanescope::viz {

/// The column of every stored element of A, row after row, by `metadata`, which fits E's map.
std::vector<int> kept_columns(const layout::Instruction& instruction, int selector,
                              const trace::Fragment& metadata);

/// Where the index of stored element (row, col) of A is; thread -1: nowhere.
layout::Holder index_holder(const Multiplication& in, int row, int col);

/// What a lane's register of metadata says, a line a row: "row 1: 02 13 01 23", the columns that
/// are kept of each four; or that nobody reads it.
std::vector<std::string> metadata_lines(const Multiplication& in, int thread);

/// What is written in element (row, col) of E's map: "A[9][5] stands for A[9][11]".
std::string stands_for(const Multiplication& in, int row, int col);

}  // namespace lanescope::viz
