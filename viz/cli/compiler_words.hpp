// SPDX-License-Identifier: MIT
// What the compilers said in a build's output, for a learner: without ninja's own lines, the nvcc
// command and CMake's account of itself. Knows no lesson and runs nothing.
#pragma once

#include <string>

namespace lanescope::cli {

/// All of it, where the build failed; where it worked, the warnings alone. A file `of_build` names
/// from the build folder ("../../lessons/...") gets the name the reader uses, `of_reader`.
std::string compiler_words(const std::string& output, bool failed, const std::string& of_build,
                           const std::string& of_reader);

/// The line of the first error that they tell of `file`, "exercise.cu"; 0: of none.
int first_error_line(const std::string& words, const std::string& file);

/// What kept the compiler from its work, where it is not what it was given to compile.
enum class Keeps { nothing, build, room, folder, host, newer_host, toolkit, older_toolkit, memory };
struct NotCompiled {
  std::string why;  // in the words of who found out
  Keeps keeps = Keeps::nothing;
};
NotCompiled not_compiled(const std::string& output);

/// The first function that nobody has defined; "" when the linker missed none.
std::string not_linked(const std::string& output);
/// The first that two have defined.
std::string linked_twice(const std::string& output);

}  // namespace lanescope::cli
