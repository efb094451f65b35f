// SPDX-License-Identifier: MIT
// What the window, and the page of viz/web, reads from the disk: traces, the lesson's text, the
// sources a trace names. Which files there are is in trace_files.hpp. Everything here returns words
// for what went wrong; nothing throws past it.
#pragma once

#include <string>
#include <vector>

#include "app/window.hpp"
#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// Reads `path` and shows it with its lesson and sources; on failure shows the reader's message,
/// keeps what was shown, and returns that message.
std::string open_trace(Workspace& workspace, const WindowOptions& options, const std::string& path);

/// The traces that are looked at, one or two that are compared, and their stamp when they were
/// read.
struct Followed {
  std::vector<std::string> paths;
  std::string stamp;
};
Followed followed(const Workspace& workspace);

/// Reads them again, and shows of them what was shown; on failure, and where one of them is gone,
/// as open_trace.
std::string reread(Workspace& workspace, const WindowOptions& options);

/// Whether that would disturb nobody: they are looked at, and nothing is typed or played.
bool can_reread(const Workspace& workspace);

/// Reads two traces and shows them beside each other; on failure as open_trace.
std::string open_comparison(Workspace& workspace, const std::string& a_path,
                            const std::string& b_path);

/// What was dropped into the window: a trace, or two to be compared; of more only how many is said.
std::string open_dropped(Workspace& workspace, const WindowOptions& options,
                         const std::vector<std::string>& paths);

/// The list of traces as it is now; the keys begin at the one that is open.
void list_anew(Workspace& workspace, const WindowOptions& options);

/// Opens what was dropped, and what the panels asked to have opened or compared; whether there was
/// any of it.
bool obey_requests(Workspace& workspace, const WindowOptions& options,
                   const std::vector<std::string>& dropped);

/// A workspace as the options ask for it; the message of what could not be read, or "".
std::string begin_session(Workspace& workspace, const WindowOptions& options);

}  // namespace lanescope::viz
