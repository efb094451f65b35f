// SPDX-License-Identifier: MIT
// From the fields of one line to a header or an event: which keys each kind has, and what may be in
// them (docs/trace_format.md). Lines and files are reader.cpp's.
#pragma once

#include "trace/event.hpp"
#include "trace/fields.hpp"

namespace lanescope::trace {

/// What is wrong with them, `fields` says afterwards.
void read_header(Fields& fields, Header& header);

/// Appends the event; false when it is of a kind that this version does not know.
bool read_event(Fields& fields, Trace& trace);

}  // namespace lanescope::trace
