// SPDX-License-Identifier: MIT
// A program that starts others, as cmake does, and of which nothing shall stay behind: no process,
// no temporary file, whatever ends `lanescope` meanwhile.
#pragma once

#include <string>

namespace lanescope::cli {

/// A new folder for temporary files, "" where there can be none. Who makes it takes it away.
std::string temporary_folder();

/// In a child that leads a process group (fork_bound): starts the program, and comes back in that
/// alone. The leader stays, becomes no program, and ends with this one's exit code.
void lead_group();

}  // namespace lanescope::cli
