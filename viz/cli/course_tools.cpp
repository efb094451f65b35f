// SPDX-License-Identifier: MIT
// See course_tools.hpp.
#include "cli/course_tools.hpp"
#include "guide/ending.hpp"
#include "guide/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/commands.hpp"
#include "cli/project.hpp"
#include "cli/terminal.hpp"
#include "cli/this_card.hpp"
#include "panels/look/shell_word.hpp"

namespace lanescope::cli {

namespace fs = std::filesystem;

// ---- Paths, as the reader would type them -----------------------------------------------------

std::string relative_if_below(const fs::path& path) {
  std::error_code error;
  const fs::path relative = path.lexically_proximate(fs::current_path(error));
  const bool outside = relative.empty() || relative.begin()->string() == "..";
  return (error || outside ? path : relative).string();
}
std::string shown(const fs::path& path) { return viz::shell_word(relative_if_below(path)); }

std::string learn() {
  const std::string script = shown(fs::path(project_folder()) / "learn");
  return script == "learn" ? "./learn" : script;
}

fs::path progress_file() { return fs::path(project_folder()) / "progress.txt"; }

fs::path lesson_folder(const guide::Lesson& lesson) {
  return fs::path(project_folder()) / "lessons" / lesson.name;
}

std::string steps_asked_for(const guide::Lesson& lesson) {
  return guide::steps_of(guide::contents_of(lesson_folder(lesson) / "lesson.cu").value_or(""));
}

fs::path trace_path(const fs::path& name) { return fs::path(traces_folder()) / name; }

std::string not_writable(const fs::path& trace) {
  std::error_code error, ignored;
  fs::create_directories(trace.parent_path(), error);  // fails where there is none, and says why
  const fs::path touched = fs::exists(trace, ignored) ? trace : trace.parent_path();
  if (!error && access(touched.c_str(), W_OK) != 0) error.assign(errno, std::generic_category());
  return error ? fmt::format("cannot write {}: {}", shown(trace), error.message()) : "";
}

// ---- The learner --------------------------------------------------------------------------------

Course::Course()
    : lessons(guide::course(fs::path(project_folder()) / "lessons")),
      progress(guide::read_progress(progress_file(), error)) {
  if (std::string gone = missing_checkout(); !gone.empty()) error = std::move(gone);
}

/// Whether the checkout is there; if not, that is said.
static bool has_lessons() {
  const std::string gone = missing_checkout();
  if (!gone.empty()) refuse(gone);
  return gone.empty();
}

const guide::Lesson* choose_lesson(const Course& course, int number) {
  if (!has_lessons()) return nullptr;
  const guide::Lesson* lesson = number == 0 ? course.next() : guide::find(course.lessons, number);
  if (number == 0 && lesson == nullptr) lesson = &course.lessons.front();
  if (lesson == nullptr)
    refuse(fmt::format("there is no lesson {}; `{}` alone lists them", number,
                       shown(build_folder() / "bin" / "lanescope")));
  return lesson;
}

fs::path Exercise::file() const { return lesson_folder(lesson) / kind.exercise; }
fs::path Exercise::solution() const { return lesson_folder(lesson) / kind.solution; }
fs::path Exercise::hints() const { return lesson_folder(lesson) / kind.hints; }
fs::path Exercise::trace() const {
  return trace_path(fs::path("check") / (id() + (is_ptx() ? ".lanes.zst" : ".lanes")));
}

bool has_ptx(const guide::Lesson& lesson) {
  std::error_code error;
  return fs::exists(lesson_folder(lesson) / guide::kPtx.solution, error);
}

std::optional<Exercise> exercise_of(const Course& course, int number, bool ptx) {
  if (!has_lessons()) return {};
  const guide::Lesson* lesson = guide::find(course.lessons, number);
  if (lesson == nullptr) {
    refuse(
        fmt::format("there is no exercise {}; `{} progress` lists the lessons", number, learn()));
    return {};
  }
  if (!ptx) return Exercise{*lesson, guide::kCuda};
  if (has_ptx(*lesson)) return Exercise{*lesson, guide::kPtx};
  std::vector<int> others;
  for (const guide::Lesson& other : course.lessons)
    if (has_ptx(other)) others.push_back(other.number);
  refuse(fmt::format("lesson {} has no exercise in PTX; lessons {} do", number,
                     fmt::join(others, ", ")));
  return {};
}

bool has_exercise(const Exercise& exercise) {
  const fs::path file = exercise.file();
  std::error_code error;
  if (fs::is_regular_file(file, error)) return true;
  if (fs::exists(file, error)) {
    refuse(fmt::format("{} is no file; move it away, then {} reset {} brings the exercise back",
                       shown(file), learn(), exercise.typed()));
    return false;
  }
  refuse(fmt::format("{} is not there; {} reset {} brings it back", shown(file), learn(),
                     exercise.typed()));
  return false;
}

bool can_record(const fs::path& trace) {
  const std::string why = not_writable(trace);
  if (!why.empty()) fmt::print("There will be no picture of it: {}\n", why);
  return why.empty();
}

/// Of a check: whatever code the exercise ends with, 2 is for what was never begun.
static int code_of_check(const Ending& ran) { return ran.begun && ran.code != 0 ? 1 : ran.code; }

/// What was right on the emulator, on the card of this machine, if it has one that can run it. Not
/// the card first: there a wait that is missing may do no harm, and a barrier that never completes
/// says nothing (docs/decisions/0007_check_on_both.md).
static int check_on_card(const fs::path& program, const Stopped& stopped) {
  const std::optional<ThisCard> card = this_card();
  if (!card || !obstacle(program, *card).empty()) return 0;
  fmt::print("\nAnd on this machine's card, {}:\n", card->name);
  std::fflush(stdout);
  unsetenv("LANESCOPE_CHECK_TRACE");  // the picture is the emulator's
  const int result =
      code_of_check(run_program({program.string()}, "gpu", "", {}, bounds_of_checks(stopped)));
  if (result != 0 && !(stopped && stopped())) wrong_on_card(card->name);
  return result;
}

int wrong_on_card(const std::string& card) {
  return refuse(fmt::format("right on the emulator and wrong on {}: what comes out depends on who "
                            "is first; look for a wait, a barrier or a fence that is missing",
                            card),
                1);
}

/// Runs the check of an exercise in CUDA, which has been built.
static int run_cuda_check(const Exercise& exercise, const Stopped& stopped) {
  const guide::Lesson& lesson = exercise.lesson;
  fmt::print("Checking {} ...\n", shown(exercise.file()));
  const fs::path program = build_folder() / "lessons" / lesson.name / "check_exercise";
  const fs::path trace = exercise.trace();
  if (can_record(trace))
    setenv("LANESCOPE_CHECK_TRACE", relative_if_below(trace).c_str(), 1);
  else
    unsetenv("LANESCOPE_CHECK_TRACE");
  setenv("LANESCOPE_CHECK_LEARN", learn().c_str(), 1);
  std::error_code error;
  const auto before = fs::last_write_time(trace, error);
  int result = code_of_check(
      run_program({program.string()}, "cpu", lesson.arch, {}, bounds_of_checks(stopped)));
  // An attempt that left no picture shall not be looked at in the one before it.
  if (!error && fs::last_write_time(trace, error) == before && !error) fs::remove(trace, error);
  if (result == 0 && lesson.arch == guide::kLessonArch) result = check_on_card(program, stopped);
  return result;
}

int run_check(const Exercise& exercise, const Stopped& stopped) {
  if (!exercise.is_ptx() && !has_toolkit()) return no_toolkit(exercise.lesson);
  if (!has_exercise(exercise)) return 1;
  const OneAtATime alone(stopped);
  if (stopped && stopped()) return 1;  // while it waited: then it is not alone
  if (!exercise.is_ptx())
    if (const int code = build(exercise.lesson.name + "_check_exercise", exercise.file(), stopped);
        code != 0)
      return code;
  const int result = (exercise.is_ptx() ? run_ptx_check : run_cuda_check)(exercise, stopped);
  if (result != 0 && stopped && stopped()) return 1;
  if (result == 2) return 2;  // it was never begun: no hint helps
  if (result != 0)
    return refuse(
        fmt::format("lesson {}{} is not passed yet; `{} hint {}` helps", exercise.lesson.number,
                    exercise.is_ptx() ? " in PTX" : "", learn(), exercise.typed()),
        1);
  return 0;
}

std::optional<Exercise> next_in_ptx(const Course& course) {
  for (const guide::Lesson& lesson : course.lessons)
    if (const Exercise one{lesson, guide::kPtx};
        has_ptx(lesson) && !course.progress.passed(one.id()))
      return one;
  return {};
}

int check_and_note(Course& course, const Exercise& exercise, const Stopped& stopped) {
  const int result = run_check(exercise, stopped);
  if (result != 0) return result;
  const std::string problem =
      guide::change_progress(progress_file(), [&](guide::Progress& progress) {
        progress.pass(exercise.id());
        course.progress = progress;
      });
  if (!problem.empty()) return refuse(problem);
  const guide::Lesson& lesson = exercise.lesson;
  fmt::print("\nPassed: lesson {}{}, {}\nOurs, to compare with: {} solution {}\n", lesson.number,
             exercise.is_ptx() ? " in PTX" : "", lesson.title, learn(), exercise.typed());
  if (exercise.is_ptx()) {
    if (const std::optional<Exercise> next = next_in_ptx(course))
      fmt::print("Next in PTX: {} watch {}\n", learn(), next->typed());
    else
      fmt::print("That was the last one in PTX: all have passed.\n");
    return 0;
  }
  fmt::print("Five questions on it: {} quiz {}\n", learn(), lesson.number);
  if (has_ptx(lesson))
    fmt::print("The same idea in PTX alone: {} watch {}\n", learn(),
               Exercise{lesson, guide::kPtx}.typed());
  if (const guide::Lesson* next = course.next())
    fmt::print("Next: {} lesson {}\n", learn(), next->number);
  else
    fmt::print("\n{}", guide::ending(course.lessons, course.progress));
  return 0;
}

}  // namespace lanescope::cli
