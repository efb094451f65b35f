// SPDX-License-Identifier: MIT
// What the source calls an mbarrier, of which the trace knows the address: "full[1]" for "mbarrier
// 0x1008". The steps tell, where one of them takes the address of a variable of shared memory, or
// copies one that the program has given a name (WATCH_SHARED).
#pragma once

#include <map>
#include <string>

#include "trace/event.hpp"

namespace lanescope::viz {

/// Whether a `sync` event's object is an mbarrier: "mbarrier 0x1008".
bool is_mbarrier(const std::string& object);

bool same_cta(const trace::Place& a, const trace::Place& b);

/// Of the mbarriers of this CTA those that have a name, by what the trace calls them.
std::map<std::string, std::string> mbarrier_names(const trace::Trace& trace,
                                                  const trace::Place& cta);

}  // namespace lanescope::viz
