// SPDX-License-Identifier: MIT
// What two events of one kind differ in: the key, the lane, the byte, and where the atlas knows the
// map the element, too. Which two are partners is diff.cpp's.
#pragma once

#include "trace/addresses.hpp"
#include "trace/diff.hpp"

namespace lanescope::trace {

/// The first thing found goes to text, lane and register_index of `difference`, the others stay as
/// they are. What does not count (docs/trace_format.md) is not looked at. Whether words were passed
/// over because they are addresses of the same byte: then they do not differ.
bool compare_events(const Event& a, const Event& b, const Addresses& addresses,
                    Difference& difference);

}  // namespace lanescope::trace
