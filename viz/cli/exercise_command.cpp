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

int check(int number) {
  Course course;
  const Lesson* lesson = exercise_of(course, number);
  if (lesson == nullptr) return 2;
  if (!course.error.empty()) return refuse(course.error);
  return check_and_note(course, *lesson);
}

int check_all() {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  int passed = 0;
  for (const Lesson& lesson : course.lessons) {
    fmt::print("{:02} {}\n", lesson.number, lesson.title);
    const int result = run_check(lesson);
    if (result == 2) return result;  // no toolkit, no GPU: the others would say the same
    if (result != 0) continue;
    ++passed;
    const std::string problem = guide::change_progress(
        progress_file(), [&](guide::Progress& progress) { progress.pass(lesson.name); });
    if (!problem.empty()) return refuse(problem);
  }
  fmt::print("\n{} of {} exercises pass.\n", passed, course.lessons.size());
  return passed == static_cast<int>(course.lessons.size()) ? 0 : 1;
}

int hint(int number) {
  const Course course;
  const Lesson* lesson = exercise_of(course, number);
  if (lesson == nullptr) return 2;
  if (!course.error.empty()) return refuse(course.error);
  const fs::path path = lesson_folder(*lesson) / "hints.md";
  const std::vector<std::string> hints = guide::hints_of(guide::contents_of(path).value_or(""));
  if (hints.empty()) return refuse(fmt::format("there are no hints in {}", shown(path)));
  const int count = static_cast<int>(hints.size());
  int step = 0;
  const std::string problem =
      guide::change_progress(progress_file(), [&](guide::Progress& progress) {
        const int before = progress.hints(lesson->name);
        step = before >= count || before < 0 ? 0 : before;
        progress.set_hints(lesson->name, step + 1);
      });
  print("Hint {} of {} for lesson {}:\n\n{}\n\n", step + 1, count, number,
        joined_paragraphs(hints[static_cast<std::size_t>(step)], terminal_columns()));
  if (step + 1 < count)
    print("Still stuck? {} hint {} shows the next one.\n", learn(), number);
  else
    print("That was the last one; {} hint {} begins again.\n", learn(), number);
  return problem.empty() ? 0 : refuse(problem);
}

int solution(int number) {
  const Course course;
  const Lesson* lesson = exercise_of(course, number);
  if (lesson == nullptr) return 2;
  if (!course.error.empty()) return refuse(course.error);
  if (!course.progress.passed(lesson->name))
    return refuse(fmt::format("the solution comes after a pass: {} check {}, or {} hint {}",
                              learn(), number, learn(), number),
                  1);
  const fs::path path = lesson_folder(*lesson) / "solution.cu";
  const std::optional<guide::Parts> parts =
      guide::take_apart(guide::contents_of(path).value_or(""));
  if (!parts) return no_gap(path);
  fmt::print("One way to fill the gap, from {}:\n\n{}", shown(path), parts->gap);
  return 0;
}

int reset(int number) {
  const Course course;
  const Lesson* lesson = exercise_of(course, number);
  if (lesson == nullptr) return 2;
  const fs::path exercise = lesson_folder(*lesson) / "exercise.cu";
  const fs::path solved = lesson_folder(*lesson) / "solution.cu";
  const std::optional<guide::Parts> parts =
      guide::take_apart(guide::contents_of(solved).value_or(""));
  if (!parts) return no_gap(solved);
  const std::string fresh = parts->before + parts->after;
  const std::optional<std::string> old = guide::contents_of(exercise);
  if (old == fresh) {
    fmt::print("{} is as it was shipped already.\n", shown(exercise));
    return 0;
  }
  std::error_code error;
  if (fs::exists(exercise, error) && !fs::is_regular_file(exercise, error))
    return refuse(fmt::format("{} is no file; move it away first", shown(exercise)));
  if (!old && fs::exists(exercise, error))
    return refuse(fmt::format("{} cannot be read, so there is no backup of it; move it away first",
                              shown(exercise)));
  const fs::path backup = backup_of(exercise);
  if (old) fs::copy_file(exercise, backup, error);
  if (error) return refuse(fmt::format("cannot write {}: {}", shown(backup), error.message()));
  // Beside it first: a disk that is full leaves what was there.
  if (const auto problem = trace::replace_file(exercise.string(), fresh)) return refuse(*problem);
  fmt::print("{} is as it was shipped.\n", shown(exercise));
  if (old) fmt::print("What you had is in {}\n", shown(backup));
  return 0;
}

}  // namespace lanescope::cli
