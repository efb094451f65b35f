// SPDX-License-Identifier: MIT
// Proof that an exercise is sound, the same for every lesson: as shipped it compiles and fails, the
// solution passes, the two are the same file outside the gap, and no planted wrong answer passes;
// each is called by its name.
#pragma once

#include <string>
#include <vector>

#include "tests/lessons/answers.hpp"
#include "tests/lessons/workshop.hpp"

namespace lanescope::lessons_test {

struct Planted {
  const char* name;
  const char* gap;
  const char* message;  // what the check must say; of a right answer: what it could do without
};

class ExerciseTest {
 public:
  /// `function`: what check.cpp calls. `right`: answers that are as right as the solution.
  ExerciseTest(const std::string& lesson, const std::string& function,
               const std::vector<Planted>& planted, const std::vector<Planted>& right = {});

  void same_outside_the_gap() const;
  /// `message`: what the check says about an empty gap.
  void fails_as_shipped(const std::string& message) const;
  void solution_passes() const;
  /// `lanescope run --check` has nothing to report of it.
  void solution_is_checked() const;
  void planted_answers_fail() const;
  void right_answers_pass() const;

  /// On the emulator as `arch`; "": what the lesson wants.
  Ran check(const std::string& name, const std::string& arch = "") const;
  /// The same with a trace, as `lanescope check` asks for one.
  Ran traced(const std::string& name) const;
  /// `lanescope diagnose` of the trace that the check of a planted answer leaves.
  Ran diagnosed(const std::string& name) const;

 private:
  std::string trace_of(const std::string& name) const;

  std::vector<Planted> planted_, right_;
  std::string lesson_;
  Answer exercise_, solution_;
  Answers answers_;
};

/// The cases that every exercise with kernels has, in the file whose exercise() is the test.
/// `number`: of the lesson, "01"; `gap`: what the check says about an empty one.
#define EXERCISE_IS_SOUND(number, gap)                                                         \
  TEST_CASE("exercise " number " and its solution are the same outside the gap") {             \
    exercise().same_outside_the_gap();                                                         \
  }                                                                                            \
  TEST_CASE("exercise " number " as shipped fails and says that the gap is empty") {           \
    exercise().fails_as_shipped(gap);                                                          \
  }                                                                                            \
  TEST_CASE("the solution of exercise " number " passes wherever it runs") {                   \
    exercise().solution_passes();                                                              \
  }                                                                                            \
  TEST_CASE("the checker has nothing to report of the solution of exercise " number) {         \
    exercise().solution_is_checked();                                                          \
  }                                                                                            \
  TEST_CASE("no wrong answer to exercise " number " passes, and each is called by its name") { \
    exercise().planted_answers_fail();                                                         \
  }

/// A lesson's program on the emulator as `arch`; "": what the lesson wants.
Ran run_lesson(const std::string& lesson, const std::string& arguments = "",
               const std::string& arch = "");

/// The same under the checker: lanescope run --check.
Ran run_checked(const std::string& lesson, const std::string& arguments = "");
/// The same with its bank conflicts listed: lanescope run --banks.
Ran run_with_banks(const std::string& lesson);

/// The same with texts of its sources replaced: does it notice?
struct Replaced {
  std::string from, to;
  std::string file = "";  // where; "": the one file that has it
};
Ran run_broken(const std::string& lesson, const std::string& name,
               const std::vector<Replaced>& replaced);
Ran run_broken(const std::string& lesson, const std::string& name, const std::string& from,
               const std::string& to);

/// A source whose kernels return at once: nvcc makes the host's half of it alone, so to speak. Only
/// for a program that is given kernels by own_kernels(); it needs kHollow.
std::string hollow(std::string source);
inline constexpr const char* kHollow =
    " -diag-suppress 111,128,177,550 ";  // what is left is unused
/// What to put before a command, for a program to run the kernels of a lesson as it was built.
std::string own_kernels(const std::string& lesson);

/// Where only the host's half changes: all of these texts in one program, for one call of nvcc; its
/// kernels are those of the lesson as it was built. Each text is as it was until broken("NAME")
/// says otherwise, which it asks.
class BrokenHost {
 public:
  BrokenHost(const std::string& lesson, const std::vector<Replaced>& replaced);
  Ran run(const std::string& name) const;

 private:
  std::filesystem::path program_;
  std::string kernels_;
};

/// Compiles the kernels of `source` alone: what to put before a command, for a program of `lesson`
/// to run these instead of its own.
std::string kernels_of(const std::filesystem::path& source, const std::string& lesson);
/// Where only kernels change: what to put before a command, for the lesson's own program to run the
/// broken ones.
std::string broken_kernels(const std::string& lesson, const std::string& name,
                           const std::vector<Replaced>& replaced);
Ran run_broken_kernel(const std::string& lesson, const std::string& name, const std::string& from,
                      const std::string& to);

}  // namespace lanescope::lessons_test
