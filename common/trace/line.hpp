// SPDX-License-Identifier: MIT
// Events as lines of a trace file. The spelling is docs/trace_format.md; trace/file.hpp writes
// files.
//
//     std::fputs((to_line(Event{view}) + '\n').c_str(), file);
//
// A trace that breaks the format (lanes of different lengths, a word wider than its register) is a
// mistake of the caller: these functions stop the program and say which value it was.
#pragma once

#include <string>

#include "trace/event.hpp"

namespace lanescope::trace {

/// The first line of a file, without the newline.
std::string to_line(const Header& header);

/// One event, without the newline. Text that is not UTF-8 gets U+FFFD for every bad byte.
std::string to_line(const Event& event);

/// The same with its newline, behind what `text` has: for who writes many.
void append_line(std::string& text, const Event& event);

/// A whole plain file: the header's line, then one line an event, each ended by a newline.
std::string to_text(const Trace& trace);

}  // namespace lanescope::trace
