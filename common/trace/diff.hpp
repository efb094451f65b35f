// SPDX-License-Identifier: MIT
// Where two traces part. What does not count is in docs/trace_format.md, "What is the same on every
// run": who wrote them, where in the source, where in global memory, and the order of warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/addresses.hpp"
#include "trace/event.hpp"

namespace lanescope::trace {

/// An event in which two traces differ. An index is -1 where that trace has no such event.
struct Difference {
  int a_event = -1;
  int b_event = -1;
  int lane = -1;  // of a register, else -1
  int register_index = -1;
  std::string event;  // which event: "fragment \"D\" of launch 0, block 0,0,0, warp 0"
  std::string text;   // that and how it differs, one or more lines, without a newline at the end
};

/// The first difference in the order of `a`'s events, or nothing.
std::optional<Difference> first_difference(const Trace& a, const Trace& b);

/// All of them, in the order of `a`'s events, then what only `b` has; at most `most`.
std::vector<Difference> differences(const Trace& a, const Trace& b, std::size_t most);
/// The same of what is known of addresses already. `moved`: how many steps are the same but for
/// words that are addresses of the same byte (addresses.hpp), up to the last difference.
std::vector<Difference> differences(const Trace& a, const Trace& b, std::size_t most,
                                    const Addresses& addresses, std::int64_t& moved);

/// What "the same" is worth: "3 launches, 8 fragments, 1 tile of memory", and where both have
/// steps, "120 steps".
std::string what_is_compared(const Trace& a, const Trace& b);

}  // namespace lanescope::trace
