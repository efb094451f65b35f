// SPDX-License-Identifier: MIT
// Answers to an exercise as check programs, by as little of nvcc's work as there is. Nearly all of
// a file that answers an exercise is the same in every answer, most of all the host's half with the
// standard library's headers, so
//
//     the host's half      of all exercises is compiled once, by one call of nvcc
//     kernels              of all answers to an exercise by another, each in a namespace of its
//                          own, answer_05_017; of its PTX each answer gets its part, where that
//                          is called answer_05_000, as the host's half calls what it launches
//     an exercise without  (08, whose gap is the host's) has a program an answer
//
// What a learner has compiled, one file with both halves, the tests of the exercise loop compile.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::lessons_test {

class Answers {
 public:
  /// `function`: what check.cpp calls. `sources`: name and text of each.
  Answers(const std::string& lesson, const std::string& function,
          const std::vector<std::pair<std::string, std::string>>& sources);

  /// The command that checks an answer on the emulator; `how`: options of `lanescope run`.
  std::string command(const std::string& name, const std::string& how) const;

 private:
  struct Answer {
    std::filesystem::path program, ptx;  // ptx: the folder of its kernels; empty: the program's own
  };
  std::map<std::string, Answer> answers_;
};

}  // namespace lanescope::lessons_test
