// SPDX-License-Identifier: MIT
// Where things lie: the project's folders, and the trace that a learner means by "1".
#pragma once

#include <string>

namespace lanescope::cli {

/// The checkout this program was built from; LANESCOPE_PROJECT in the environment overrides it.
std::string project_folder();
/// Whether there is such a folder: an installed command outlives it.
bool has_project();
/// In the checkout; without one the current folder.
std::string traces_folder();

/// Why there are no lessons: the checkout was moved or removed, as it may be once the command is
/// installed, or LANESCOPE_PROJECT is none. "" when they are there.
std::string missing_checkout();

struct FoundTrace {
  std::string path;
  std::string problem;  // what is missing and what to do; "" when there is a path
};

/// The trace that `target` means: a lesson's number or a part of its name (its newest trace; else
/// the recorded one), a path, or "" for the newest of all.
FoundTrace find_trace(const std::string& target);

/// A lesson, likewise; any other word is a path, be it there or not.
FoundTrace find_numbered(const std::string& target);

/// The same for who looks for a mistake: of a lesson, what the last check of that exercise
/// recorded.
FoundTrace find_checked(const std::string& target);

}  // namespace lanescope::cli
