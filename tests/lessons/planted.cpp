// SPDX-License-Identifier: MIT
// See planted.hpp.
#include "tests/lessons/planted.hpp"
#include "tests/build_folder.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace lanescope::lessons_test {

namespace fs = std::filesystem;

Ran run_lesson(const std::string& lesson, const std::string& arguments, const std::string& arch) {
  const fs::path program = tests::build_folder() / "lessons" / lesson / lesson;
  return run_on_emulator(shell_word(program) + " " + arguments,
                         arch.empty() ? arch_for(lesson) : arch);
}

namespace {

Ran run_with(const std::string& option, const std::string& lesson, const std::string& arguments) {
  const fs::path build = tests::build_folder();
  return run(shell_word(build / "bin" / "lanescope") + " run " + option + " -- " +
             shell_word(build / "lessons" / lesson / lesson) + " " + arguments);
}

}  // namespace

Ran run_checked(const std::string& lesson, const std::string& arguments) {
  return run_with("--check", lesson, arguments);
}

Ran run_with_banks(const std::string& lesson) { return run_with("--banks", lesson, ""); }

namespace {

fs::path broken_sources(const std::string& lesson, const std::string& name,
                        const std::vector<Replaced>& replaced) {
  // All of the lesson's sources into one folder: whichever of them has a text.
  const fs::path folder = fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson;
  const fs::path broken = scratch() / (lesson + "_" + name);
  fs::create_directories(broken);
  std::vector<int> found(replaced.size());
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path file = entry.path().filename();
    if (file != "lesson.cu" && file.extension() != ".cuh") continue;
    std::string source = read(entry.path());
    for (std::size_t i = 0; i < replaced.size(); ++i) {
      if (!replaced[i].file.empty() && replaced[i].file != file) continue;
      const std::size_t at = source.find(replaced[i].from);
      if (at == std::string::npos) continue;
      source.replace(at, replaced[i].from.size(), replaced[i].to);
      ++found[i];
    }
    write(broken / file, source);
  }
  for (std::size_t i = 0; i < replaced.size(); ++i)
    REQUIRE_MESSAGE(found[i] == 1, found[i] << " files of the lesson have: " << replaced[i].from);
  return broken;
}

}  // namespace

Ran run_broken(const std::string& lesson, const std::string& name,
               const std::vector<Replaced>& replaced) {
  const fs::path broken = broken_sources(lesson, name, replaced);
  const Ran compiled = compile_program(broken / "lesson.cu", broken / "lesson", lesson);
  REQUIRE_MESSAGE(compiled.status == 0, compiled.output);
  return run_on_emulator(shell_word(broken / "lesson"), arch_for(lesson));
}

Ran run_broken(const std::string& lesson, const std::string& name, const std::string& from,
               const std::string& to) {
  return run_broken(lesson, name, {{from, to}});
}

std::string hollow(std::string source) {
  const std::string kernel = "__global__", body = "{\n";
  for (std::size_t at = 0; (at = source.find(kernel, at)) != std::string::npos;) {
    at = source.find(body, at);
    REQUIRE(at != std::string::npos);
    source.insert(at + body.size(), "  return;\n");
  }
  return source;
}

std::string own_kernels(const std::string& lesson) {
  const fs::path ptx = ptx_of(lesson, "", arch_for(lesson), scratch());
  return "LANESCOPE_PTX=" + shell_word(ptx.parent_path()) + " ";
}

BrokenHost::BrokenHost(const std::string& lesson, const std::vector<Replaced>& replaced)
    : kernels_(own_kernels(lesson)) {
  const fs::path broken = broken_sources(lesson, "host", replaced), source = broken / "lesson.cu";
  for (const fs::directory_entry& entry : fs::directory_iterator(broken))
    write(entry.path(), hollow(read(entry.path())));
  write(source, R"(#include <cstdlib>
#include <cstring>
inline bool broken(const char* name) {
  static const char* const asked_for = std::getenv("BROKEN");
  return asked_for != nullptr && std::strcmp(asked_for, name) == 0;
}
)" + read(source));
  program_ = broken / "lesson";
  const Ran compiled = compile_program(source, program_, lesson, kHollow);
  REQUIRE_MESSAGE(compiled.status == 0, compiled.output);
}

Ran BrokenHost::run(const std::string& name) const {
  return lessons_test::run("BROKEN=" + name + " " + kernels_ + lanescope_command() + " run -- " +
                           shell_word(program_));
}

std::string kernels_of(const fs::path& source, const std::string& lesson) {
  const fs::path place = source.parent_path();
  const Ran compiled = compile_kernels(source, place / "0.ptx", lesson);
  REQUIRE_MESSAGE(compiled.status == 0, compiled.output);
  return "LANESCOPE_PTX=" + shell_word(place) + " ";
}

std::string broken_kernels(const std::string& lesson, const std::string& name,
                           const std::vector<Replaced>& replaced) {
  return kernels_of(broken_sources(lesson, name, replaced) / "lesson.cu", lesson);
}

Ran run_broken_kernel(const std::string& lesson, const std::string& name, const std::string& from,
                      const std::string& to) {
  return run(broken_kernels(lesson, name, {{from, to}}) + lanescope_command() + " run -- " +
             shell_word(tests::build_folder() / "lessons" / lesson / lesson));
}

namespace {

using Sources = std::vector<std::pair<std::string, std::string>>;

/// A line of the check whose "expected" and "found" are the same words, which say nothing; "":
/// there is none. They stand in one line, or below each other.
std::string says_nothing(const Ran& ran) {
  constexpr const char* kExpected = "expected ";
  std::istringstream lines(ran.output);
  std::string expected;  // of the line before
  for (std::string line; std::getline(lines, line);) {
    const std::size_t found = line.find("found ");
    const std::size_t at = line.find(kExpected);
    const auto words = [](std::string text) {
      text.erase(0, text.find_first_not_of(' '));
      return text.substr(0, text.find_last_not_of(" ,") + 1);
    };
    if (found != std::string::npos) {
      const std::string is = words(line.substr(found + 6));
      if (at < found) expected = words(line.substr(at + 9, found - at - 9));
      if (is == expected) return line;
    }
    expected = at == std::string::npos ? "" : words(line.substr(at + 9));
  }
  return "";
}

Sources sources_of(const Answer& exercise, const Answer& solution,
                   const std::vector<Planted>& planted, const std::vector<Planted>& right) {
  Sources sources{{"solution", solution.before + solution.gap + solution.after},
                  {"as_shipped", exercise.before + exercise.gap + exercise.after}};
  for (const std::vector<Planted>* some : {&planted, &right})
    for (const Planted& one : *some)
      sources.push_back({one.name, solution.before + one.gap + "\n" + solution.after});
  return sources;
}

}  // namespace

ExerciseTest::ExerciseTest(const std::string& lesson, const std::string& function,
                           const std::vector<Planted>& planted, const std::vector<Planted>& right)
    : planted_(planted),
      right_(right),
      lesson_(lesson),
      exercise_(take_apart(shipped("lessons/" + lesson + "/exercise.cu"))),
      solution_(take_apart(shipped("lessons/" + lesson + "/solution.cu"))),
      answers_(lesson, function, sources_of(exercise_, solution_, planted, right)) {}

Ran ExerciseTest::check(const std::string& name, const std::string& arch) const {
  return run(answers_.command(name, "--arch " + (arch.empty() ? arch_for(lesson_) : arch)));
}

std::string ExerciseTest::trace_of(const std::string& name) const {
  return shell_word(scratch() / (lesson_ + "." + name + ".lanes"));
}

Ran ExerciseTest::traced(const std::string& name) const {
  return run("LANESCOPE_CHECK_TRACE=" + trace_of(name) + " " +
             answers_.command(name, "--arch " + arch_for(lesson_)));
}

Ran ExerciseTest::diagnosed(const std::string& name) const {
  traced(name);
  return run(lanescope_command() + " diagnose " + trace_of(name));
}

void ExerciseTest::same_outside_the_gap() const {
  CHECK(exercise_.before == solution_.before);
  CHECK(exercise_.after == solution_.after);
  CHECK(exercise_.gap.empty());  // `reset` makes the one of the other
  CHECK(solution_.gap.find_first_not_of(" \n") != std::string::npos);
}

void ExerciseTest::fails_as_shipped(const std::string& message) const {
  const Ran ran = check("as_shipped");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, message));
  CHECK(says(ran, "What to do: lessons/"));  // where; `check` says that `hint` helps
  CHECK(says(ran, "/exercise.cu, between the two `your code` lines"));
  CHECK(!says(ran, " right\n"));
}

void ExerciseTest::solution_passes() const {
  std::vector<std::string> archs{arch_for(lesson_)};
  if (!for_hopper(lesson_) && archs[0] == "sm_90a") archs = {"sm_80", "sm_89", "sm_90a"};
  for (const std::string& arch : archs) {
    const Ran ran = check("solution", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, " right\n"));
    CHECK(!says(ran, "WRONG"));
    CHECK(!says(ran, "One thing more"));
  }
}

void ExerciseTest::solution_is_checked() const {
  const Ran ran = run(answers_.command("solution", "--check --arch " + arch_for(lesson_)));
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "checked, nothing to report"));
}

void ExerciseTest::planted_answers_fail() const {
  CHECK(planted_.size() >= 10);
  for (const Planted& planted : planted_) {
    const Ran ran = check(planted.name);
    CAPTURE(planted.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, planted.message));
    // Beyond its registers or its matrix, or at a barrier for ever, it is stopped, not compared:
    // that line says where, and what to do.
    const bool compared = !says(ran, " bytes at local address ") &&
                          !says(ran, " threads have arrived") && !says(ran, " is out of bounds") &&
                          !says(ran, " is not a multiple of ") && !says(ran, "trap");
    CHECK(says(ran, "expected ") == compared);
    CHECK(says(ran, "What to do: ") == compared);
    CHECK(!says(ran, "?."));              // advice is a sentence
    CHECK(says_nothing(ran) == "");       // what was expected is not what was found
    CHECK(count(ran, "expected ") <= 4);  // the first few differences, not all
  }
}

void ExerciseTest::right_answers_pass() const {
  for (const Planted& right : right_) {
    const Ran ran = check(right.name);
    CAPTURE(right.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(!says(ran, "WRONG"));
    CHECK(says(ran, right.message));
    CHECK(says(ran, "One thing more") == (*right.message != '\0'));
  }
}

}  // namespace lanescope::lessons_test
