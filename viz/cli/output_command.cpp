// SPDX-License-Identifier: MIT
// D[row][col] as a sum with every register named.
#include <fmt/format.h>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/explain.hpp"
#include "layout/rows.hpp"

namespace lanescope::cli {

int output(const OutputOptions& options) {
  std::vector<std::string> words = options.words;
  layout::Selection selection;
  int row = 0;
  int col = 0;
  if (words.size() < 2 || !read_pair(words.back(), row, col))
    return refuse("output of what; name an instruction and an element of D, such as 3,4");
  words.pop_back();
  const AtlasEntry entry = find_entry(joined(words));
  if (entry.mover != nullptr)
    return refuse(
        entry.mover->memory == layout::MoverMemory::result
            ? fmt::format("{}: A and B lie in shared memory, and D in tensor memory: `lanescope "
                          "layout {} --element {},{}` says where",
                          entry.mover->mnemonic, entry.mover->mnemonic, row, col)
            : fmt::format("{} computes nothing; see lanescope layout", entry.mover->mnemonic));
  if (entry.instruction == nullptr) return refuse(entry.problem);
  selection.operand = 'D';
  selection.row = row;
  selection.col = col;
  if (const std::string problem = layout::problem(*entry.instruction, selection); !problem.empty())
    return refuse(problem);
  print("{}", layout::output_terms(*entry.instruction, row, col));
  return 0;
}

}  // namespace lanescope::cli
