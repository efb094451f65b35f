// SPDX-License-Identifier: MIT
// An exercise, taken apart at its gap: between the line that holds "your code begins" and the line
// that holds "your code ends". Exercise and solution are the same file outside the gap, so a
// solution with its gap emptied is the exercise as it was shipped.
#pragma once

#include <optional>
#include <string>

namespace lanescope::guide {

/// A lesson's exercise: every one has one in CUDA, some have one in PTX alone.
struct Kind {
  const char *exercise, *solution, *hints;  // its files
  const char* option;                       // how commands are told that it is meant
  const char* suffix;  // behind the lesson's name, in the progress file and of its trace
};
inline constexpr Kind kCuda{"exercise.cu", "solution.cu", "hints.md", "", ""};
inline constexpr Kind kPtx{"exercise.ptx", "solution.ptx", "hints_ptx.md", " --ptx", ".ptx"};

struct Parts {
  std::string before, gap, after;  // the two lines belong to before and after
};

/// Nothing when the lines are not there, or in the wrong order.
std::optional<Parts> take_apart(const std::string& source);

}  // namespace lanescope::guide
