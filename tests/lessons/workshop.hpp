// SPDX-License-Identifier: MIT
// What the tests of lessons share: running commands, and compiling lessons and answers to exercises
// as the build does it, at test time and away from the learner's own files.
#pragma once

#include <filesystem>
#include <string>

namespace lanescope::lessons_test {

struct Ran {
  int status = -1;     // exit code, or 128 + signal
  std::string output;  // stdout and stderr together
};

/// Runs a shell command in the project's folder.
Ran run(const std::string& command);

bool says(const Ran& ran, const std::string& text);
int count(const Ran& ran, const std::string& text);

/// The command that was built, as a shell takes it.
std::string lanescope_command();

/// Runs a CUDA program on the emulator.
Ran run_on_emulator(const std::string& program_and_arguments, const std::string& arch = "sm_90a");

/// Before a command: this machine's card is the emulator, which stands in its driver's place, for
/// the architecture `arch`.
std::string with_driver(const std::string& arch);

std::string shell_word(const std::filesystem::path& path);
std::string read(const std::filesystem::path& path);
void write(const std::filesystem::path& path, const std::string& text);

/// A folder of this process, empty at its start, gone at its end.
std::filesystem::path scratch();

/// A project folder, for LANESCOPE_PROJECT, with the real lessons and nothing else in it.
std::filesystem::path scratch_project(const std::string& name);

/// A file of the project as it was committed, so that a learner's edits change no test; as it is on
/// disk where there is no git.
std::string shipped(const std::string& path);

/// An exercise or solution, taken apart at the two `your code` lines (which belong to the outside).
struct Answer {
  std::string before, gap, after;
};
Answer take_apart(const std::string& source);

/// Compiles answers to the exercise of `lesson`, with warnings as errors, for one architecture that
/// has all of it; `options`: of nvcc, what to make of them. See answers.hpp.
Ran compile_answers(const std::filesystem::path& source, const std::filesystem::path& to,
                    const std::string& lesson, const std::string& options);

/// Links a lesson's check, an object file, with the object of an answer.
Ran link_check(const std::filesystem::path& check, const std::filesystem::path& answer,
               const std::string& options, const std::filesystem::path& program);

/// What the emulator is for a lesson: "sm_90a", or what its lesson.cu says.
std::string arch_for(const std::string& lesson);

/// Lessons 09 to 13 and 16 are about Hopper's instructions and run on sm_90a only.
bool for_hopper(const std::string& lesson);

/// nvcc as the build calls it for `lesson`, from `source` to `program`; but with PTX for one
/// architecture that has all of the lesson.
Ran compile_program(const std::filesystem::path& source, const std::filesystem::path& program,
                    const std::string& lesson = "01", const std::string& options = "");

/// Its kernels alone, to PTX: the host's half is two thirds of nvcc's work.
Ran compile_kernels(const std::filesystem::path& source, const std::filesystem::path& ptx,
                    const std::string& lesson);

/// The PTX for `arch` in a lesson's program, written into `folder`; the program runs for it, with
/// `arguments`.
std::filesystem::path ptx_of(const std::string& lesson, const std::string& arguments,
                             const std::string& arch, const std::filesystem::path& folder);

/// What ptxas says, with -v, of the kernels in a .ptx or a .cu: no code of the host is compiled.
Ran assemble(const std::filesystem::path& source, const std::string& arch);

}  // namespace lanescope::lessons_test
