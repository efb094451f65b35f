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

}  // namespace lanescope::cli
