// SPDX-License-Identifier: MIT
// Which recorded matrix a fragment should be a part of, and where in it the fragment begins: by
// name, type and shape (diagnose.hpp has the rules).
#pragma once

#include <vector>

#include "trace/compared.hpp"

namespace lanescope::trace {

struct Source {
  int event = -1;  // index of the memory event
  Matrix matrix;
};

/// The indices of a trace's tiles of memory: looked for once, not for every fragment.
std::vector<int> tiles_of(const Trace& trace);

/// Every recorded matrix that the fragment's elements could be from, the likeliest first: of this
/// launch and block, in global memory before shared. `tiles`: tiles_of the trace.
std::vector<Source> sources_for(const Trace& trace, const std::vector<int>& tiles,
                                const Fragment& fragment, const layout::Fragment& map);

/// A matrix in global memory is larger than a block's share: where does this block's begin?
void find_beginning(Case& c);

}  // namespace lanescope::trace
