// SPDX-License-Identifier: MIT
// The files around a window: which traces there are, whether one of them is another by now, what a
// picture of one is called. Nothing is read here but names, sizes and times.
#pragma once

#include <string>
#include <vector>

#include "app/window.hpp"
#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// When the files of a trace were written and how large they are, in words; "" where it is not
/// there.
std::string stamp_of(const std::string& path);
/// Of several; "" where one of them is not there.
std::string stamp_of(const std::vector<std::string>& paths);

/// The traces of a folder, newest first.
std::vector<TraceFile> list_traces(const std::string& folder);
/// The same, and then the recordings that came with the lessons: lessons/NN_name/recorded.lanes.
/// The trace that is open, where it is none of them, stands first.
std::vector<TraceFile> list_traces(const WindowOptions& options, const std::string& open = {});

/// traces/01_fragment_layout.cpu.png, ... .2.png: a name that nothing has yet, beside the trace; of
/// a lesson's own recording in the folder of traces.
std::string picture_path(const std::string& trace_path, const WindowOptions& options,
                         const char* end_of_name);

}  // namespace lanescope::viz
