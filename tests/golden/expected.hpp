// SPDX-License-Identifier: MIT
// The atlas's maps, written out as the recorder writes what the hardware said, so that the two can
// be compared as text.
#pragma once

#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::golden {

/// Names in order of first appearance: of rows and columns along D's parts, of k along B's. Which
/// row is called row 0 nothing in mma.sync can tell (README.md, "What nobody can see").
struct Renamed {
  std::string A, B, C, D;
  std::vector<std::string> sparse_A;  // one a selector
};
Renamed renamed(const layout::Instruction& instruction);

/// wgmma: rows and k are those of shared memory, which has an order of its own.
struct Named {
  std::string D, A, M;  // M: A in shared memory
  std::vector<std::string> sparse_A, sparse_M;
};
Named named(const layout::Instruction& instruction);

/// row.col of every part of an operand, thread by thread.
std::string places(const layout::Fragment& fragment);

}  // namespace lanescope::golden
