// SPDX-License-Identifier: MIT
// A command that the window copied, read back by whoever has no command line: the address of a
// page.
#pragma once

#include <string>
#include <string_view>

#include "app/window.hpp"

namespace lanescope::viz {

/// Reads what stands behind `lanescope view`, quoted as a shell has it: a trace, as a lesson's
/// number, a part of its name, or a file; --atlas, --swizzle, --descriptor with their words;
/// --beside, --panel, --product, --select, --tab; --light. Where the folders lie is taken from
/// `options` as it is. "", or what is wrong, in one line.
std::string read_view_words(std::string_view text, WindowOptions& options);

/// The recording that came with a lesson: "12" or "mbarrier" ->
/// "lessons/12_tma_mbarrier/recorded.lanes". "" if there is no such lesson, or more than one.
std::string recorded_trace(const std::string& lessons_folder, std::string_view lesson);

}  // namespace lanescope::viz
