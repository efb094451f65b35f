// SPDX-License-Identifier: MIT
// One fragment handed on as another: D of a product as A of the next one. Which elements are in
// their lane already, which register each part of a register is taken from, and, where elements
// would have to change lanes, an order of k in which none has to (a sum does not ask for k's
// order).
//
//     D0    |   D1          two fragments D of m16n8k16, f32, beside each other
//   D0.r0 D0.r1 | D1.r0 D1.r1                                     (rows 0 to 7)
//   -- A.r0 --    -- A.r2 --    and A of m16n8k16, f16: nobody moves
//
// Not here: how the numbers are rounded on the way.
#pragma once

#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// An operand of an instruction.
struct Party {
  const Instruction* instruction = nullptr;
  const Fragment* map = nullptr;
};

struct Handover {
  Party from, to;
  // How many fragments of each, below and beside each other, are the same elements.
  int from_down = 1, from_across = 1, to_down = 1, to_across = 1;
  int elements = 0, staying = 0;  // staying: in the thread that is to have them
  /// Where some would have to move: to's k i is from's k order[i], and none has to. Empty: there is
  /// no such order, or no need of one.
  std::vector<int> order{};
};

/// Why `from` cannot become `to`, or "".
std::string problem(const Party& from, const Party& to);

/// There must be no problem.
Handover handover(const Party& from, const Party& to);

/// In words: how many stay, and where `thread` has the parts of its registers from.
std::string text(const Handover& handover, int thread);

}  // namespace lanescope::layout
