// SPDX-License-Identifier: MIT
// The texts of a trace come from a file and must not command the terminal.
#pragma once

#include "trace/event.hpp"

namespace lanescope::cli {

/// Puts '?' for the control characters in a trace's texts; newlines stay.
void make_printable(trace::Trace& trace);

}  // namespace lanescope::cli
