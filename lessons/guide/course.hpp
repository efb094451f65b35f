// SPDX-License-Identifier: MIT
// The lessons of the course, found by their folders; there is no other list.
//
//     lessons/01_fragment_layout/README.md     # 01 Fragment layout: who holds which element
//             number and name                       title
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::guide {

/// What the emulator is for most lessons and their checks: the newest that all but the last run on.
inline constexpr const char* kLessonArch = "sm_90a";

struct Lesson {
  int number = 0;
  std::string name;                // "01_fragment_layout": folder, program and trace are called so
  std::string title;               // "Fragment layout: who holds which element"
  std::string arch = kLessonArch;  // what the emulator is for it
};

/// The folders NN_name of `lessons_folder`, by number; of two with the same number the first by
/// name. A lesson whose README.md has no title is called by the words of its folder.
std::vector<Lesson> course(const std::filesystem::path& lessons_folder);

/// The lesson with this number, or nullptr.
const Lesson* find(const std::vector<Lesson>& lessons, int number);

/// The lessons that a name or a part of one may mean: "04_banks_and_swizzle", "swizzle", "Fast
/// HGEMM". A whole name, with its number, means that lesson alone.
std::vector<const Lesson*> called(const std::vector<Lesson>& lessons, const std::string& words);

/// The title in the first line of a lesson's README.md, "# 01 Fragment layout: ...", without its
/// number. "" when there is none.
std::string title_of(const std::string& readme);

/// What the emulator records of a lesson besides its trace: the words for `lanescope run --steps`,
/// from the line "//   Steps:    kernel=ring  (why)" of the comment that lesson.cu opens with. ""
/// when there is none.
std::string steps_of(const std::string& lesson_source);

/// What the emulator is for a lesson that needs another card than most: the word of the line
/// "//   Arch:     sm_100a" of that comment. "" when there is none.
std::string arch_of(const std::string& lesson_source);

}  // namespace lanescope::guide
