// SPDX-License-Identifier: MIT
// The exercise loop, one command a turn: check, hint, solution, reset. watch_command.cpp goes round
// it by itself.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/terminal.hpp"
#include "guide/exercise.hpp"
#include "guide/file.hpp"
#include "guide/hints.hpp"
#include "trace/file.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using guide::Lesson;

int no_gap(const fs::path& path) {
  return refuse(
      fmt::format("{} has no `// ---- your code begins` and `ends` any more; `git checkout {}` "
                  "brings it back",
                  shown(path), shown(path)));
}

/// A name that nothing has yet: exercise.cu.backup, exercise.cu.backup2, ...
fs::path backup_of(const fs::path& path) {
  std::error_code error;
  for (int number = 1;; ++number) {
    fs::path backup = path;
    backup += number == 1 ? ".backup" : fmt::format(".backup{}", number);
    if (!fs::exists(backup, error)) return backup;
  }
}

}  // namespace

int check(const ExerciseOptions& which) {
  Course course;
  const std::optional<Exercise> exercise = exercise_of(course, which.number, which.ptx);
  if (!exercise) return 2;
  if (!course.error.empty()) return refuse(course.error);
  return check_and_note(course, *exercise);
}

int check_all(bool ptx) {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  int passed = 0, asked = 0;
  for (const Lesson& lesson : course.lessons) {
    if (ptx && !has_ptx(lesson)) continue;
    ++asked;
    fmt::print("{:02} {}\n", lesson.number, lesson.title);
    const Exercise exercise{lesson, ptx ? guide::kPtx : guide::kCuda};
    const int result = run_check(exercise);
    if (result == 2) return result;  // no toolkit, no GPU: the others would say the same
    if (result != 0) continue;
    ++passed;
    const std::string problem = guide::change_progress(
        progress_file(), [&](guide::Progress& progress) { progress.pass(exercise.id()); });
    if (!problem.empty()) return refuse(problem);
  }
  fmt::print("\n{} of {} exercises pass.\n", passed, asked);
  return passed == asked ? 0 : 1;
}

int hint(const ExerciseOptions& which) {
  const Course course;
  const std::optional<Exercise> exercise = exercise_of(course, which.number, which.ptx);
  if (!exercise) return 2;
  if (!course.error.empty()) return refuse(course.error);
  const fs::path path = exercise->hints();
  const std::vector<std::string> hints = guide::hints_of(guide::contents_of(path).value_or(""));
  if (hints.empty()) return refuse(fmt::format("there are no hints in {}", shown(path)));
  const int count = static_cast<int>(hints.size());
  int step = 0;
  const std::string problem =
      guide::change_progress(progress_file(), [&](guide::Progress& progress) {
        const int before = progress.hints(exercise->id());
        step = before >= count || before < 0 ? 0 : before;
        progress.set_hints(exercise->id(), step + 1);
      });
  print("Hint {} of {} for lesson {}{}:\n\n{}\n\n", step + 1, count, which.number,
        which.ptx ? " in PTX" : "",
        joined_paragraphs(hints[static_cast<std::size_t>(step)], terminal_columns()));
  if (step + 1 < count)
    print("Still stuck? {} hint {} shows the next one.\n", learn(), exercise->typed());
  else
    print("That was the last one; {} hint {} begins again.\n", learn(), exercise->typed());
  return problem.empty() ? 0 : refuse(problem);
}

int solution(const ExerciseOptions& which) {
  const Course course;
  const std::optional<Exercise> exercise = exercise_of(course, which.number, which.ptx);
  if (!exercise) return 2;
  if (!course.error.empty()) return refuse(course.error);
  if (!course.progress.passed(exercise->id()))
    return refuse(fmt::format("the solution comes after a pass: {} check {}, or {} hint {}",
                              learn(), exercise->typed(), learn(), exercise->typed()),
                  1);
  const fs::path path = exercise->solution();
  const std::optional<guide::Parts> parts =
      guide::take_apart(guide::contents_of(path).value_or(""));
  if (!parts) return no_gap(path);
  fmt::print("One way to fill the gap, from {}:\n\n{}", shown(path), parts->gap);
  return 0;
}

int reset(const ExerciseOptions& which) {
  const Course course;
  const std::optional<Exercise> exercise = exercise_of(course, which.number, which.ptx);
  if (!exercise) return 2;
  const fs::path file = exercise->file();
  const fs::path solved = exercise->solution();
  const std::optional<guide::Parts> parts =
      guide::take_apart(guide::contents_of(solved).value_or(""));
  if (!parts) return no_gap(solved);
  const std::string fresh = parts->before + parts->after;
  const std::optional<std::string> old = guide::contents_of(file);
  if (old == fresh) {
    fmt::print("{} is as it was shipped already.\n", shown(file));
    return 0;
  }
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    return refuse(fmt::format("{} is no file; move it away first", shown(file)));
  if (!old && fs::exists(file, error))
    return refuse(fmt::format("{} cannot be read, so there is no backup of it; move it away first",
                              shown(file)));
  const fs::path backup = backup_of(file);
  if (old) fs::copy_file(file, backup, error);
  if (error) return refuse(fmt::format("cannot write {}: {}", shown(backup), error.message()));
  // Beside it first: a disk that is full leaves what was there.
  if (const auto problem = trace::replace_file(file.string(), fresh)) return refuse(*problem);
  fmt::print("{} is as it was shipped.\n", shown(file));
  if (old) fmt::print("What you had is in {}\n", shown(backup));
  return 0;
}

}  // namespace lanescope::cli
