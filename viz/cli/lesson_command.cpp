// SPDX-License-Identifier: MIT
// Runs a lesson, says what comes next, shows the ladder.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/terminal.hpp"
#include "guide/ending.hpp"
#include "trace/beside.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using guide::Lesson;

/// What it asks for, to lie beside its trace.
StepsWanted steps_beside(const Lesson& lesson, const fs::path& trace) {
  const std::string words = steps_asked_for(lesson);
  return {words, words.empty() ? "" : trace::steps_path(trace.string())};
}

int build_program(const Lesson& lesson) {
  const OneAtATime alone;
  return build(lesson.name + "_program", lesson_folder(lesson) / "lesson.cu");
}

/// 2 is a lesson's own word for what it cannot do; any other code but 0 says that it went wrong.
int code_of(const Ending& ran) { return ran.code == 0 || ran.code == 2 ? ran.code : 1; }

/// Builds and runs `lesson`, without a word about what comes next. Without a trace, which is said,
/// where none can be written: then `trace` is "".
int run_lesson(const Lesson& lesson, const LessonOptions& options, fs::path& trace) {
  if (!options.arch.empty() && options.device == "gpu")
    return refuse("lesson: --arch says what the emulator is; a GPU is what it is (--device cpu)");
  if (options.arch.empty() && !has_device(options.device)) return 2;
  const std::string arch = options.arch.empty() ? lesson.arch : options.arch;
  if (!has_toolkit()) return no_toolkit(lesson);
  const fs::path program = build_folder() / "lessons" / lesson.name / lesson.name;
  std::error_code ignored;
  if (const int code = build_program(lesson); code != 0) return code;
  const std::string device = options.arch.empty() ? choose_device(options.device, program) : "cpu";
  trace = trace_path(fmt::format("{}.{}.lanes", lesson.name, device));
  if (const std::string why = not_writable(trace); !why.empty()) {
    fmt::print("There will be no trace of this run: {}; what {} view {} shows is older.\n\n", why,
               learn(), lesson.number);
    trace.clear();
    return code_of(run_program({program.string()}, device, arch));
  }
  const StepsWanted steps = steps_beside(lesson, trace);
  // Those of the last run are not of this one.
  if (device == "cpu") fs::remove(steps.path, ignored);
  const int result =
      code_of(run_program({program.string(), "--trace", relative_if_below(trace)}, device, arch));
  if (result != 0 || device != "cpu" || steps.words.empty()) return result;
  // Once more, without the recorder, which would be most of the steps.
  return code_of(run_program({program.string()}, device, arch, steps));
}

void say_what_to_try(const Lesson& lesson) {
  const fs::path folder = lesson_folder(lesson);
  fmt::print("\nThree things to try next:\n");
  fmt::print("  1. See it:   {} view {}          (in the terminal: {} view {} --text)\n", learn(),
             lesson.number, learn(), lesson.number);
  fmt::print("  2. Read it:  {}\n", shown(folder / "README.md"));
  fmt::print("  3. Do it:    fill the gap in {}, then {} check {}\n", shown(folder / "exercise.cu"),
             learn(), lesson.number);
}

}  // namespace

int lesson(const LessonOptions& options) {
  const Course course;
  const Lesson* lesson = choose_lesson(course, options.number);
  if (lesson == nullptr) return 2;
  fs::path trace;
  const int result = run_lesson(*lesson, options, trace);
  if (result != 0) return result;
  if (!trace.empty()) fmt::print("\nTrace: {}", shown(trace));
  fmt::print("\nThe page: {}\nLook at it: {} view {}, or {} view {} --text\n",
             shown(lesson_folder(*lesson) / "README.md"), learn(), lesson->number, learn(),
             lesson->number);
  if (std::error_code error; fs::exists(trace::steps_path(trace.string()), error))
    fmt::print("Step by step: {} view {} --panel steps\n", learn(), lesson->number);
  fmt::print("The exercise: {} watch {}\n", learn(), lesson->number);
  return 0;
}

int start() {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  const Lesson* lesson = choose_lesson(course, 0);
  if (lesson == nullptr) return 2;
  if (!has_toolkit()) {
    no_toolkit(*lesson);
    fmt::print("\nWithout it you can still:\n");
    fmt::print("  1. see what lesson {} records:  {} view {}\n", lesson->number, learn(),
               lesson->number);
    const fs::path recorded = lesson_folder(*lesson) / "recorded.lanes";
    if (std::error_code error; fs::exists(trace::steps_path(recorded.string()), error))
      fmt::print("     and its steps:               {} view {} --panel steps\n", learn(),
                 lesson->number);
    fmt::print("  2. ask the atlas:               {} layout --list\n", learn());
    fmt::print("  3. read the lesson:             {}\n",
               shown(lesson_folder(*lesson) / "README.md"));
    if (const std::optional<Exercise> next = next_in_ptx(course))
      fmt::print("  4. do an exercise in PTX:       {} watch {}\n", learn(), next->typed());
    return 0;
  }
  fmt::print("Lesson {}: {}\n\n", lesson->number, lesson->title);
  fs::path trace;
  const int result = run_lesson(*lesson, {}, trace);
  if (result != 0) return result;
  if (!trace.empty()) fmt::print("\nTrace: {}\n", shown(trace));
  say_what_to_try(*lesson);
  return 0;
}

constexpr int kTitleColumns = 52, kShortTitleColumns = 22, kStateColumns = 8;

int progress() {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  const Lesson* next = course.next();
  print("Lanescope shows which lane holds which matrix element.\n\n");
  // What is passed stands in a column of its own: where the titles leave no room for it, they lose
  // what is behind a colon or a comma.
  const int columns = terminal_columns();
  const bool narrow = columns > 0 && columns < kTitleColumns + 13;
  for (const Lesson& lesson : course.lessons) {
    const bool passed = course.progress.passed(lesson.name);
    std::string state = passed ? "passed" : &lesson == next ? "next" : "";
    // Behind that, of its exercise in PTX, once there is something to say.
    if (course.progress.passed(Exercise{lesson, guide::kPtx}.id()))
      state = fmt::format("{:<{}}PTX passed", state, kStateColumns);
    fmt::print("  {:02} {:<{}} {}\n", lesson.number,
               narrow ? lesson.title.substr(0, lesson.title.find_first_of(":,")) : lesson.title,
               narrow ? kShortTitleColumns : kTitleColumns, state);
  }
  if (next != nullptr)
    print("\nNext: {} lesson {}, then {} check {}\n", learn(), next->number, learn(), next->number);
  else
    fmt::print("\n{}", guide::ending(course.lessons, course.progress));
  if (const std::optional<Exercise> in_ptx = next_in_ptx(course))
    print("In PTX alone: {} watch {}\n", learn(), in_ptx->typed());
  fmt::print("Help: {} --help\n", learn());
  return 0;
}

}  // namespace lanescope::cli
