// SPDX-License-Identifier: MIT
// What the commands of the course share: paths as a reader would type them, building a lesson's
// target, running a program on the GPU or under the emulator, the learner's progress.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/build_folder.hpp"
#include "cli/processes.hpp"
#include "cli/suggest.hpp"
#include "guide/course.hpp"
#include "guide/exercise.hpp"
#include "guide/progress.hpp"

namespace lanescope::cli {

/// The checkout's folder of lessons.
std::filesystem::path lesson_folder(const guide::Lesson& lesson);
/// Which steps its lesson.cu wants recorded beside its trace, as for `lanescope run --steps`; or
/// "".
std::string steps_asked_for(const guide::Lesson& lesson);
std::filesystem::path progress_file();

std::string relative_if_below(const std::filesystem::path& path);
/// As the reader would type it: relative where that is shorter, quoted where it must be.
std::string shown(const std::filesystem::path& path);
/// How the reader calls ./learn from here.
std::string learn();

/// Whether CMake found nvcc when this build was configured.
bool has_toolkit();
int no_toolkit(const guide::Lesson& lesson);

/// Builds one target, of which `source` is the reader's part. 0, or the exit code when it could not
/// be built: then it has been said why.
int build(const std::string& target, const std::filesystem::path& source,
          const Stopped& stopped = nullptr);

/// Whether what was asked for, "cpu", "gpu" or "auto", is there; if not, that has been said.
bool has_device(const std::string& wanted);
/// "cpu" or "gpu" for it. "auto" is the GPU where it can run `program`, which has been built; where
/// there is one that cannot, that is said.
std::string choose_device(const std::string& wanted, const std::filesystem::path& program);

/// What the emulator shall record of a program besides; nothing where `words` is "". What the
/// program prints is not shown then: it has been seen.
struct StepsWanted {
  std::string words;  // as for `lanescope run --steps`
  std::string path;   // the file
};

/// How a program ended: with a code of its own, 1 where it was killed, which has been said. Where
/// it was not begun, which has been said, too, the code is 2.
struct Ending {
  int code = 0;
  bool begun = true;
};

/// Runs a program to its end, or to its bounds.
Ending run_program(const std::vector<std::string>& words, const std::string& device,
                   const std::string& arch, const StepsWanted& steps = {},
                   const Bounds& bounds = {});

/// What a check may do. How long: LANESCOPE_CHECK_SECONDS in the environment, or twenty times what
/// the longest one takes. How much it may print: nobody reads more.
Bounds bounds_of_checks(const Stopped& stopped);

/// In traces/. A check's trace lies in a folder of its own: `view 1` means the lesson's.
std::filesystem::path trace_path(const std::filesystem::path& name);

/// Makes its folder. Why it cannot be written, as "cannot write FILE: REASON"; "" where it can.
std::string not_writable(const std::filesystem::path& trace);

/// The lessons and what has been passed of them. `error` says why the progress file is unreadable.
struct Course {
  Course();
  std::vector<guide::Lesson> lessons;
  std::string error;
  guide::Progress progress;
  const guide::Lesson* next() const { return guide::next_lesson(lessons, progress); }
};

/// The lesson with this number (0: the next, or the first when all are passed), or nullptr, said.
const guide::Lesson* choose_lesson(const Course& course, int number);

/// One of a lesson's two exercises.
struct Exercise {
  guide::Lesson lesson;
  guide::Kind kind = guide::kCuda;

  std::filesystem::path file() const;
  std::filesystem::path solution() const;
  std::filesystem::path hints() const;
  std::filesystem::path trace() const;                          // of its last check
  std::string id() const { return lesson.name + kind.suffix; }  // in the progress file
  /// As one types it behind a command: "1", "1 --ptx".
  std::string typed() const { return std::to_string(lesson.number) + kind.option; }
  bool is_ptx() const { return kind.suffix[0] != 0; }
};

/// Whether the lesson has one in PTX.
bool has_ptx(const guide::Lesson& lesson);

/// The next exercise in PTX that has not been passed; nothing when all have.
std::optional<Exercise> next_in_ptx(const Course& course);

/// The exercise that is meant; nothing, said, where there is none.
std::optional<Exercise> exercise_of(const Course& course, int number, bool ptx);

/// Whether its file is there; if not, that is said.
bool has_exercise(const Exercise& exercise);

/// Builds and runs the check of one exercise; 0 when it passes. Says nothing about what is next.
int run_check(const Exercise& exercise, const Stopped& stopped = nullptr);
/// ptx_check.cpp: the same of one in PTX, without a hint to what helps.
int run_ptx_check(const Exercise& exercise, const Stopped& stopped);
/// What was right on the emulator was wrong on the card: that is said; the exit code.
int wrong_on_card(const std::string& card);
/// As run_check, and writes a pass into the progress file and says what comes next.
int check_and_note(Course& course, const Exercise& exercise, const Stopped& stopped = nullptr);

/// Where a check's trace goes: nowhere, and it says so once, where it cannot be written.
bool can_record(const std::filesystem::path& trace);

}  // namespace lanescope::cli
