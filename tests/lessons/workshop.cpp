// SPDX-License-Identifier: MIT
// See workshop.hpp.
#include "tests/lessons/workshop.hpp"
#include "guide/course.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace lanescope::lessons_test {

namespace fs = std::filesystem;

std::string shell_word(const fs::path& path) {
  std::string word = "'";
  for (const char c : path.string()) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

Ran run(const std::string& command) {
  const std::string line =
      "cd " + shell_word(LANESCOPE_SOURCE_DIR) + " && ( " + command + " ) 2>&1";
  Ran ran;
  FILE* pipe = popen(line.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[4096];
  while (const std::size_t count = std::fread(part, 1, sizeof part, pipe))
    ran.output.append(part, count);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

bool says(const Ran& ran, const std::string& text) {
  return ran.output.find(text) != std::string::npos;
}

int count(const Ran& ran, const std::string& text) {
  int found = 0;
  for (std::size_t at = 0; (at = ran.output.find(text, at)) != std::string::npos; ++at) ++found;
  return found;
}

std::string lanescope_command() { return shell_word(tests::build_folder() / "bin" / "lanescope"); }

Ran run_on_emulator(const std::string& program_and_arguments, const std::string& arch) {
  return run(lanescope_command() + " run --arch " + arch + " -- " + program_and_arguments);
}

std::string with_driver(const std::string& arch) {
  return "LD_LIBRARY_PATH=" + shell_word(tests::build_folder() / "lib/lanescope") +
         " LANESCOPE_ARCH=" + arch + " ";
}

std::string read(const fs::path& path) { return tests::contents_of(path); }

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  REQUIRE_MESSAGE(file.good(), path.string());
}

fs::path scratch() {
  // A folder a process, because ctest runs two of them side by side; it goes when the process ends.
  struct Folder {
    fs::path path = tests::build_folder() / "tests" / "lessons_scratch" /
                    std::to_string(static_cast<long>(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

fs::path scratch_project(const std::string& name) {
  const fs::path project = scratch() / name;
  fs::create_directories(project);
  fs::create_directory_symlink(fs::path(LANESCOPE_SOURCE_DIR) / "lessons", project / "lessons");
  return project;
}

std::string shipped(const std::string& path) {
  const Ran ran = run("git show HEAD:" + shell_word(path) + " 2>/dev/null");
  return ran.status == 0 && !ran.output.empty() ? ran.output
                                                : read(fs::path(LANESCOPE_SOURCE_DIR) / path);
}

std::string arch_for(const std::string& lesson) {
  for (const guide::Lesson& one : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons"))
    if (one.name == lesson) return one.arch;
  return guide::kLessonArch;
}

bool for_hopper(const std::string& lesson) {
  return (lesson >= "09" && lesson < "14") || lesson == "16_sums" ||
         lesson == "22_hopper_attention";
}

namespace {

/// A lesson may have headers of its own.
std::string include_of(const std::string& lesson) {
  return " -I " + shell_word(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson) + " ";
}

/// nvcc's options for PTX that has all of a lesson: `otherwise` where no architecture is alone in
/// that.
std::string gencode(const std::string& lesson, const std::string& otherwise) {
  const std::string named = arch_for(lesson);
  const std::string arch =
      for_hopper(lesson) || named != guide::kLessonArch ? named.substr(3) : otherwise;
  return " -gencode arch=compute_" + arch + ",code=compute_" + arch;
}

Ran compile(const std::string& lesson, const std::string& what) {
  return run(std::string(LANESCOPE_TEST_NVCC LANESCOPE_TEST_STRICT) + gencode(lesson, "89") +
             include_of(lesson) + what);
}

}  // namespace

Answer take_apart(const std::string& source) {
  const std::size_t begins = source.find("// ---- your code begins");
  std::size_t ends = source.find("// ---- your code ends");
  REQUIRE(begins != std::string::npos);
  REQUIRE(ends != std::string::npos);
  REQUIRE(begins < ends);
  const std::size_t gap = source.find('\n', begins) + 1;
  ends = source.rfind('\n', ends) + 1;
  return {source.substr(0, gap), source.substr(gap, ends - gap), source.substr(ends)};
}

Ran compile_answers(const fs::path& source, const fs::path& to, const std::string& lesson,
                    const std::string& options) {
  // As an exercise is compiled, lessons/CMakeLists.txt: where wgmma is waited for, optimised.
  const bool waits = for_hopper(lesson) && lesson != "11_wgmma_types";
  return run(std::string(LANESCOPE_TEST_NVCC LANESCOPE_TEST_STRICT) +
             (waits ? "" : " " LANESCOPE_TEST_EXERCISE_FLAGS) + gencode(lesson, "80") +
             include_of(lesson) + options + " " + shell_word(source) + " -o " + shell_word(to));
}

Ran link_check(const fs::path& check, const fs::path& answer, const std::string& options,
               const fs::path& program) {
  const fs::path main = tests::build_folder() / "lessons" / "CMakeFiles" /
                        "lanescope_check_main.dir" / "guide" / "check_main.cpp.o";
  return run(std::string(LANESCOPE_TEST_LINK) + " " + options + " " + shell_word(check) + " " +
             shell_word(main) + " " + shell_word(answer) + " " + LANESCOPE_TEST_LIBRARIES + " -o " +
             shell_word(program));
}

Ran compile_program(const fs::path& source, const fs::path& program, const std::string& lesson,
                    const std::string& options) {
  return compile(lesson, options + shell_word(source) + " -o " + shell_word(program));
}

Ran compile_kernels(const fs::path& source, const fs::path& ptx, const std::string& lesson) {
  return compile(lesson, "-ptx " + shell_word(source) + " -o " + shell_word(ptx));
}

fs::path ptx_of(const std::string& lesson, const std::string& arguments, const std::string& arch,
                const fs::path& folder) {
  const fs::path to = folder / (lesson + "_" + arch);
  fs::remove_all(to);
  fs::create_directories(to);
  const fs::path program = tests::build_folder() / "lessons" / lesson / lesson;
  const Ran ran = run("LANESCOPE_PTX=" + shell_word(to) + " " + lanescope_command() +
                      " run --arch " + arch + " -- " + shell_word(program) + " " + arguments);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  return to / "0.ptx";
}

Ran assemble(const fs::path& source, const std::string& arch) {
  const std::string number = arch.substr(3);  // sm_90a
  return run(std::string(LANESCOPE_TEST_NVCC) + " -gencode arch=compute_" + number +
             ",code=" + arch + " -Xptxas -v -cubin " + shell_word(source) + " -o " +
             shell_word(scratch() / "assembled.cubin"));
}

}  // namespace lanescope::lessons_test
