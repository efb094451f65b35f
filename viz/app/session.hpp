// SPDX-License-Identifier: MIT
// What the window reads from the disk: traces, the lesson's text, the sources a trace names, the
// list of traces. Everything here returns words for what went wrong; nothing throws past it.
#pragma once

#include <string>
#include <vector>

#include "app/window.hpp"
#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// Reads `path` and shows it with its lesson and sources; on failure shows the reader's message,
/// keeps what was shown, and returns that message.
std::string open_trace(Workspace& workspace, const WindowOptions& options, const std::string& path);

/// When the files of a trace were written and how large they are, in words; "" where it is not
/// there.
std::string stamp_of(const std::string& path);
/// Of several; "" where one of them is not there.
std::string stamp_of(const std::vector<std::string>& paths);

/// The traces that are looked at, one or two that are compared, and their stamp when they were
/// read.
struct Followed {
  std::vector<std::string> paths;
  std::string stamp;
};
Followed followed(const Workspace& workspace);

/// Reads them again, and shows of them what was shown; on failure as open_trace.
std::string reread(Workspace& workspace, const WindowOptions& options);

/// Whether that would disturb nobody: they are looked at, and nothing is typed or played.
bool can_reread(const Workspace& workspace);

/// Reads two traces and shows them beside each other; on failure as open_trace.
std::string open_comparison(Workspace& workspace, const std::string& a_path,
                            const std::string& b_path);

/// What was dropped into the window: a trace, or two to be compared; of more only how many is said.
std::string open_dropped(Workspace& workspace, const WindowOptions& options,
                         const std::vector<std::string>& paths);

/// The traces of a folder, newest first.
std::vector<TraceFile> list_traces(const std::string& folder);
/// traces/01_fragment_layout.cpu.png, ... .2.png: a name that nothing has yet, beside the trace; of
/// a lesson's own recording in the folder of traces.
std::string picture_path(const std::string& trace_path, const WindowOptions& options,
                         const char* end_of_name);
/// The same, and then the recordings that came with the lessons: lessons/NN_name/recorded.lanes.
/// The trace that is open, where it is none of them, stands first.
std::vector<TraceFile> list_traces(const WindowOptions& options, const std::string& open = {});

/// A workspace as the options ask for it; the message of what could not be read, or "".
std::string begin_session(Workspace& workspace, const WindowOptions& options);

}  // namespace lanescope::viz
