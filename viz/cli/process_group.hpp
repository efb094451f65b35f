// SPDX-License-Identifier: MIT
// A program that starts others, as cmake does, and of which nothing shall stay behind: no process,
// no temporary file, whatever ends `lanescope` meanwhile.
#pragma once

namespace lanescope::cli {

/// In a child that leads a process group (fork_bound): starts the program, and comes back in that
/// alone. The leader stays, becomes no program, and ends with this one's exit code.
void lead_group();

}  // namespace lanescope::cli
