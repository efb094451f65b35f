// SPDX-License-Identifier: MIT
// An exercise in PTX alone, with answers planted in its gap: judged by `lanescope check N --ptx`
// itself, in a project that has this lesson and nothing else. And what its solution leaves in
// memory, to be compared with what a test has worked out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/lessons/workshop.hpp"

namespace lanescope::lessons_test {

/// Of each parameter of a launch the elements that it points to, as numbers; none of a number's.
using Memories = std::vector<std::vector<double>>;

/// The solution's gap, without its comments, with other lines in the place of some: each `from`
/// stands there once. Lines are not indented.
struct Edit {
  std::string from, to;
};
using Edits = std::vector<Edit>;

class PtxExercise {
 public:
  explicit PtxExercise(const std::string& lesson);

  std::vector<std::string> launches() const;  // the `// run:` lines of the solution's head
  /// After the solution, for each of these.
  std::vector<Memories> solved() const;
  /// Right, and it says so.
  void passes(const std::string& name, const std::string& gap) const;
  void passes(const std::string& name, const Edits& edits) const { passes(name, edited(edits)); }
  /// Wrong, with these words.
  void fails(const std::string& name, const std::string& gap, const std::string& says) const;
  void fails(const std::string& name, const Edits& edits, const std::string& says) const {
    fails(name, edited(edits), says);
  }

  /// What the check says of a whole file; `environment`: "NAME=value ", in front of the command.
  Ran check(const std::string& text, const std::string& environment = "") const;
  const Answer& parts() const { return parts_; }  // of the solution
  const std::string& solution() const { return solution_; }

 private:
  Ran check_gap(const std::string& gap) const;
  std::string edited(const Edits& edits) const;

  std::string lesson_, solution_;
  std::filesystem::path folder_;  // of the project
  Answer parts_;
};

}  // namespace lanescope::lessons_test
