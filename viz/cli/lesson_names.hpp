// SPDX-License-Identifier: MIT
// A lesson as somebody types it: "4", "04_banks_and_swizzle", "swizzle".
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "guide/course.hpp"

namespace lanescope::cli {

struct MeantLesson {
  int number = 0;        // 1 to 99, whether there is such a lesson or not; 0: none is meant
  std::string problem;   // why not, with the lessons it may be
  bool several = false;  // it is a part of more than one name
  std::string near;      // else the names of which it may be a slip of the fingers, or ""
};

/// A number, or a part of the name of one of `lessons`, of one alone.
MeantLesson meant_lesson(const std::string& word, const std::vector<guide::Lesson>& lessons);
/// The same for the lessons of the checkout.
MeantLesson meant_lesson(const std::string& word);

/// An argument that is a lesson; `into` becomes its number.
Option lesson_option(int& into, const char* what);

}  // namespace lanescope::cli
