// SPDX-License-Identifier: MIT
// Where two traces part. What does not count is in docs/trace_format.md, "What is the same on every
// run": who wrote them, where in the source, where in global memory, and the order of warps.
#pragma once

#include <optional>
#include <string>

#include "trace/event.hpp"

namespace lanescope::trace {

/// The first thing in which two traces differ. An index is -1 where that trace has no such event.
struct Difference {
  int a_event = -1;
  int b_event = -1;
  int lane = -1;  // of a register, else -1
  int register_index = -1;
  std::string text;  // what differs and how, one or more lines, without a newline at the end
};

/// The first difference in the order of `a`'s events, or nothing.
std::optional<Difference> first_difference(const Trace& a, const Trace& b);

}  // namespace lanescope::trace
