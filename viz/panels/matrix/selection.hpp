// SPDX-License-Identifier: MIT
// What is selected, and every way to change it: the words of the search box (selection_words.cpp),
// the arrow keys, Tab. Pure model, no Dear ImGui: the window and the terminal take and print the
// same words.
//
//   A 9,5            an element (row 9, column 5; B is K x N: row = k, column = n)
//   lane 13          all that a lane holds
//   A.r1, A.r1.hi    a register, or an element of it, in every lane (.lo .hi for halves, .b0 to .b7
//                    for the parts of a register with more than two)
//   lane 13 A.r1     a register of a lane;  lane 13 A.r1.hi   the element it holds there
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/rows.hpp"  // part_name
#include "panels/matrix/model.hpp"

namespace lanescope::viz {

enum class Picked : std::uint8_t { nothing, lane, reg, element };

struct Selection {
  Picked picked = Picked::nothing;
  char operand = 'A';         // element and reg: whose; else where Tab goes on from
  layout::Element element{};  // element
  int thread = -1;            // element: its holder; lane; reg: -1 is every lane
  int register_index = -1;    // reg, and of an element its register
  int part = -1;              // reg: the element in the register from the low bits, -1 is all of it
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// Rows and columns of an operand that is read from shared memory whatever else there is: of
/// wgmma's B, K x N, and of tcgen05.mma's where steps are recorded. No lane holds an element of it;
/// what is selected of it has no thread. {0, 0}: it is none.
struct SharedShape {
  int rows = 0, cols = 0;
};
SharedShape shared_shape(const Multiplication& in, char operand);

Selection select_element(const Multiplication& in, char operand, int row, int col);
Selection select_lane(int thread);

/// What the words mean, or why they mean nothing: one line that names the ranges.
struct Parsed {
  Selection selection;
  std::string error;  // "" when the words could be read
  bool ok() const { return error.empty(); }
};
Parsed parse_selection(std::string_view words, const Multiplication& in);

/// What holds elements: a "lane" of a warp, or of tensor memory, a "thread" of a warpgroup.
const char* holder_word(const Multiplication& in);
/// "A 9,5", or what comes near it: an element there is, in the words that parse_selection reads.
std::string example_of(const Multiplication& in);
/// "lane 6" of a warp, "thread 68" of a warpgroup.
std::string holder_name(const Multiplication& in, int thread);
/// "0, 4, 20 to 23", of lanes that ascend.
std::string lanes_text(const std::vector<int>& lanes);
/// The selection in the words that parse_selection reads; "" when nothing is selected.
std::string words_of(const Selection& selection, const Multiplication& in);

/// One step by an arrow key; stays at the edges. With nothing selected, the first element of A.
/// A lane moves in the warp's 8 groups by 4 threads; a register goes up and down its operand.
Selection moved(const Selection& selection, const Multiplication& in, int rows, int cols);

/// Tab: the same lane in the next operand (`step` -1: the one before), the same value where it has
/// as many.
Selection next_operand(const Selection& selection, const Multiplication& in, int step = 1);

/// The selection where the multiplication has changed: kept if it still exists there, else nothing.
Selection carried_over(const Selection& selection, const Multiplication& to);

/// How much a cell stands out.
enum class Emphasis : std::uint8_t {
  plain,     // nothing is selected
  back,      // something else is selected: steps back
  line,      // in the row of A or the column of B that meets the selection or the hovered D
  lane,      // held by the selected lane (or register)
  selected,  // the element itself
};

/// An element the pointer is over; operand 0 when it is over none.
struct Hover {
  char operand = 0;
  int row = 0, col = 0;
  friend bool operator==(const Hover&, const Hover&) = default;
};

Emphasis emphasis(const Multiplication& in, const Selection& selection, const Hover& hover,
                  char operand, int row, int col);

/// Is (operand, row, col) on the row of A or the column of B that meet in the selected or hovered
/// element of C or D; or, for one of A or B, on the elements of D that it helps to make?
bool on_line(const Multiplication& in, const Selection& selection, const Hover& hover, char operand,
             int row, int col);

}  // namespace lanescope::viz
