// SPDX-License-Identifier: MIT
// What the learner has passed, in a small text file that anybody can read and mend:
//
//     # Lanescope: the lessons passed so far. One name a line.
//     01_fragment_layout
//     02_data_types hint 2        two of its hints have been shown
//
// A write replaces the file as a whole or not at all: an interrupted one leaves the old file. Lines
// it does not understand are kept. Two that change it at once, each in a terminal of its own, take
// turns.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "guide/course.hpp"

namespace lanescope::guide {

struct Progress {
  std::vector<std::string> lines;  // of the file, in its order; names of passed lessons and others

  bool passed(const std::string& lesson) const;
  void pass(const std::string& lesson);  // once is enough

  int hints(const std::string& lesson) const;  // how many have been shown
  void set_hints(const std::string& lesson, int count);
};

/// Empty when there is no file yet. `error` is "" or says why the file that is there cannot be
/// read.
Progress read_progress(const std::filesystem::path& path, std::string& error);

/// "" or what went wrong; then the old file is untouched.
std::string write_progress(const std::filesystem::path& path, const Progress& progress);

/// Reads the file, has `change` change what it says, and writes it; nobody else does meanwhile. ""
/// or what went wrong; `change` was not called where the file cannot be read.
std::string change_progress(const std::filesystem::path& path,
                            const std::function<void(Progress&)>& change);

/// The first lesson that is not passed, or nullptr when all are.
const Lesson* next_lesson(const std::vector<Lesson>& lessons, const Progress& progress);

}  // namespace lanescope::guide
