// SPDX-License-Identifier: MIT
// A project for the tests of the exercise loop: a copy of two lessons that the real command works
// on. LANESCOPE_PROJECT is the copy, with a build folder of its own, and `cmake --build` a script
// that compiles an exercise as the build does.
#pragma once

#include <filesystem>
#include <string>

#include "tests/lessons/workshop.hpp"

namespace lanescope::lessons_test {

inline constexpr const char* kLoopLesson = "01_fragment_layout";
/// A loop of exercise 01 that never ends. What it reads changes: else it would be stopped as a
/// deadlock before its time is over.
inline constexpr const char* kEndless =
    "  for (volatile int turn = 1; turn != 0; turn = -turn) a[0] += a[1];\n";

struct Project {
  std::filesystem::path folder;

  explicit Project(const std::string& name);

  std::filesystem::path lesson(const std::string& name = kLoopLesson) const;
  std::filesystem::path exercise(const std::string& name = kLoopLesson) const;
  void solve(const std::string& name = kLoopLesson) const;

  /// `lanescope ARGUMENTS` as a shell takes it, and what it does.
  std::string command(const std::string& arguments) const;
  Ran lanescope(const std::string& arguments) const;
  std::string progress() const;
};

}  // namespace lanescope::lessons_test
