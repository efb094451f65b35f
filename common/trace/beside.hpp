// SPDX-License-Identifier: MIT
// The second file of a trace. A lesson's own trace is the same on a card and on the emulator; what
// only the emulator can say, steps and waits, it writes beside it, and who looks at the one sees
// both.
//
//     traces/05_cp_async.cpu.lanes             what the lanes held
//     traces/05_cp_async.cpu.steps.lanes.zst   steps, accesses, waits of one CTA of the same run
#pragma once

#include <string>

#include "trace/event.hpp"

namespace lanescope::trace {

/// Where the steps of the trace `path` lie, be they there or not; "" where `path` is no trace's
/// name, or that of such a second file.
std::string steps_path(const std::string& path);

/// Whether `path` is the second file of a trace that lies beside it.
bool is_beside_another(const std::string& path);

/// Adds what lies beside `path`, registers named by the fragments whose values they hold, to the
/// trace that was read from there, unless that has steps of its own or nothing lies there. What is
/// wrong with the second file, in words; "" where all is well.
std::string add_steps_beside(Trace& trace, const std::string& path);

}  // namespace lanescope::trace
