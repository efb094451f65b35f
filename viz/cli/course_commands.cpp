// SPDX-License-Identifier: MIT
// The commands of the course: what each takes.
#include <fmt/format.h>

#include <memory>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/lesson_names.hpp"

namespace lanescope::cli {
namespace {

constexpr const char* kWhichLesson =
    "Which lesson: its number, or a part of its name that no other has";

Command lesson_command() {
  auto o = std::make_shared<LessonOptions>();
  Command c{kCourse, "lesson", "Run a lesson and record its lanes"};
  c.options = {
      lesson_option(o->number, "Which lesson; none: the next one"),
      choice("--device", o->device, "auto (default), gpu or cpu", "DEVICE", "auto gpu cpu"),
      option("--arch", o->arch,
             "Which GPU the emulator is; without, the lesson's own; it runs there", "ARCH")};
  c.run = [o] { return lesson(*o); };
  return c;
}

constexpr const char* kInPtx = "Its exercise in PTX alone, which needs no CUDA toolkit";

Command check_command() {
  auto which = std::make_shared<std::string>();
  auto ptx = std::make_shared<bool>(false);
  Command c{kCourse, "check", "Check your exercise of a lesson, or all"};
  const Check lesson_or_all = [](const std::string& text) {
    return text == "all" ? std::string() : meant_lesson(text).problem;
  };
  c.options = {
      required(option("lesson", *which, "Which lesson, or \"all\"", "LESSON", lesson_or_all)),
      flag("--ptx", *ptx, kInPtx)};
  c.run = [which, ptx] {
    return *which == "all" ? check_all(*ptx) : check({meant_lesson(*which).number, *ptx});
  };
  return c;
}

/// A command that takes an exercise and nothing else.
Command turn_command(const char* name, const char* what, int (*command)(const ExerciseOptions&)) {
  auto which = std::make_shared<ExerciseOptions>();
  Command c{kCourse, name, what};
  c.options = {required(lesson_option(which->number, kWhichLesson)),
               flag("--ptx", which->ptx, kInPtx)};
  c.run = [which, command] { return command(*which); };
  return c;
}

Command quiz_command() {
  auto o = std::make_shared<QuizOptions>();
  auto seed = std::make_shared<std::optional<int>>();
  Command c{kCourse, "quiz", "Predict where elements are; scored, then shown"};
  Option answers =
      option("--answers", o->answers, "Instead of the keyboard: \"6 r1 hi; 3 r0 lo\"", "WORDS");
  answers.may_be_empty = true;
  answers.take = [o](const std::vector<std::string>& words) {
    o->answers_given = true;
    o->answers = words.front();
  };
  c.options = {lesson_option(o->number, "About which lesson; none: all of them"),
               option("--questions", o->questions, "How many (default 5)", "COUNT",
                      whole_number("a number of questions", 1, 100)),
               option("--seed", *seed, "The same seed asks the same; none: a new one", "SEED",
                      whole_number("a seed", 0, 99999999)),
               answers};
  c.run = [o, seed] {
    if (*seed) o->seed = static_cast<std::uint64_t>(**seed);
    return quiz(*o);
  };
  return c;
}

}  // namespace

std::vector<Command> course_commands() {
  Command begin{kCourse, "start", "Run the next lesson and say what to do (./learn alone)"};
  begin.run = start;
  Command where{kCourse, "progress", "What you have passed and what is next (as without command)"};
  where.run = progress;
  return {begin,
          lesson_command(),
          check_command(),
          turn_command("watch", "Check your exercise at every save, until it passes", watch),
          turn_command("hint", "The next hint for an exercise", hint),
          turn_command("solution", "The solution of an exercise you have passed", solution),
          turn_command("reset", "Put an exercise back as it was shipped; keeps a backup", reset),
          quiz_command(),
          where};
}

}  // namespace lanescope::cli
