// SPDX-License-Identifier: MIT
// Programs that a command starts and waits for. No shell is between: a path may have anything in
// its name.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace lanescope::cli {

/// fork(), but the child ends with this process, whatever ends it: who kills `lanescope` shall not
/// leave an exercise behind that never ends.
pid_t fork_bound();

/// Becomes the program, which is searched for in PATH where its name has no slash. Comes back only
/// when that fails; errno says why.
void become(const std::vector<std::string>& words);

/// What a program printed, stdout and stderr as they came.
struct Printed {
  std::string text;
  std::string problem;  // why it could not be started; "" when it was
  bool good = false;    // its exit code was 0
};
Printed printed_by(const std::vector<std::string>& words);

/// Waits for a child; false when it has not ended within `limit`, of which 0 is none.
bool ends_in_time(pid_t child, int& status, std::chrono::seconds limit);

}  // namespace lanescope::cli
