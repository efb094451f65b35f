// SPDX-License-Identifier: MIT
// The texts of a trace come from a file and must not command the terminal.
#pragma once

#include <cstddef>
#include <string_view>

#include "trace/event.hpp"

namespace lanescope::cli {

/// How many bytes the control character at `at` has, 0 where it is none: those of ASCII, and in
/// UTF-8 U+0080 to U+009F, which terminals obey as well (U+009B begins what ESC [ does), what turns
/// the direction of the text around it (U+202E), and ends of lines (U+2028).
std::size_t control_length(std::string_view text, std::size_t at);

/// Puts '?' for the control characters in a trace's texts; newlines stay.
void make_printable(trace::Trace& trace);

}  // namespace lanescope::cli
