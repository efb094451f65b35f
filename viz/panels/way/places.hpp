// SPDX-License-Identifier: MIT
// A fragment whose elements are each taken for a number of its own, so that diagnose
// (trace/diagnose.hpp) can say what puts them where they are: no values are needed. Pure model, no
// Dear ImGui.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panels/matrix/model.hpp"
#include "trace/diagnose.hpp"

namespace lanescope::viz {

/// The map of an operand's bytes where several elements share one, s4 and b1, side by side along K;
/// of others their own. `row`, `col`: the first element of a byte is that many times as far.
struct ByteMap {
  layout::Fragment map;
  int row = 1, col = 1;
};
ByteMap in_bytes(const layout::Fragment& map);

/// `at`: for each element, row after row, the place in the matrix that it came from, or goes to; by
/// bytes as in_bytes has them.
trace::Diagnosis diagnose_places(const Multiplication& in, char operand,
                                 const std::vector<layout::Element>& at);
struct OriginCheck;
/// Where that is not known, but one register, or a part of it, is wrong in every lane alike, it is
/// named: "in every lane A.r1 holds what lies 2 columns farther on". slot_mistakes.cpp.
void name_slots(const Multiplication& in, char operand, OriginCheck& check);
/// "lane 0, A.r1.lo: A[8][0] belongs there, it is A[0][8]"; "" where all are where they belong.
/// `which`: that element.
std::string first_misplaced(const Multiplication& in, char operand,
                            const std::vector<layout::Element>& at,
                            std::optional<layout::Element>& which);

}  // namespace lanescope::viz
