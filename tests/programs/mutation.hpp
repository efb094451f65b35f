// SPDX-License-Identifier: MIT
// What can be left out of PTX, or made weaker, so that it still assembles but no longer waits: one
// change a mutant. mutation_test.cpp runs them under the checker.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace lanescope::tests {

/// Without the blanks at both ends.
std::string trimmed(const std::string& text);

struct Loop {
  int first = 0, last = 0;
};

/// The text of a module, taken apart once: some have a hundred thousand lines.
struct Ptx {
  explicit Ptx(const std::string& text);
  std::vector<std::string> lines;
  std::vector<Loop> loops;                   // every branch to a label before it
  std::map<std::string, std::string> files;  // of .file, by their number
};

struct Mutant {
  std::string operation;  // "delete bar.sync"
  int ptx_line = 0;       // from 1
  std::string statement;  // as it was
  std::string changed;    // its line, as it is now
};

/// Of the kernels in `launched`, and of the functions that they may call.
std::vector<Mutant> mutants_of(const Ptx& ptx, const std::set<std::string>& launched);
std::string apply(const Ptx& ptx, const Mutant& mutant);

/// Whether an instruction at line `changed` may lie between those at `first` and `second` when the
/// module runs: in the text, or in a loop that holds it and one of them.
bool lies_between(const Ptx& ptx, int changed, int first, int second);

struct SourcePlace {
  std::string file;
  int line = 0;
};

/// Where a line of PTX comes from, through .loc: where a wrapper was inlined, its caller.
SourcePlace source_of(const Ptx& ptx, int line);

}  // namespace lanescope::tests
