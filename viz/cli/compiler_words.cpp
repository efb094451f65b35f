// SPDX-License-Identifier: MIT
// See compiler_words.hpp.
#include "cli/compiler_words.hpp"

#include <sstream>

namespace lanescope::cli {
namespace {

// Ninja: "[1/2] ...", "FAILED: ...", "ninja: ..."; CMake when it configures again: "-- ..."; nvcc's
// offer to silence it.
bool is_noise(const std::string& line) {
  for (const char* begin : {"[", "FAILED: ", "ninja: ", "-- ", "Remark: The warnings can be"})
    if (line.rfind(begin, 0) == 0) return true;
  return line.find("/nvcc ") != std::string::npos;
}

// "exercise.cu(31): warning #177-D: ..." of nvcc, "exercise.cu:31:7: warning: ..." of g++.
bool is_warning(const std::string& line) {
  return line.find("): warning ") != std::string::npos ||
         line.find(": warning: ") != std::string::npos;
}
bool is_error(const std::string& line) {
  return line.find("): error") != std::string::npos || line.find(": error: ") != std::string::npos;
}

}  // namespace

std::string compiler_words(const std::string& output, bool failed, const std::string& of_build,
                           const std::string& of_reader) {
  // The compiler quotes a macro of ours with all that is in it: kilobytes. What it says of an error
  // has the names of our functions, which are long.
  constexpr std::size_t kLongest = 160, kLongestMessage = 640, kShown = 72;
  std::istringstream lines(output);
  std::string words;
  bool wanted = failed, empty_before = true;
  for (std::string line; std::getline(lines, line);) {
    if (is_noise(line)) {
      wanted = failed;
      continue;
    }
    const bool message = is_warning(line) || is_error(line);
    wanted = wanted || is_warning(line);
    if (!wanted || (line.empty() && empty_before)) continue;
    empty_before = line.empty();
    for (std::size_t at = 0; (at = line.find(of_build, at)) != std::string::npos;
         at += of_reader.size())
      line.replace(at, of_build.size(), of_reader);
    if (line.size() > (message ? kLongestMessage : kLongest))
      line = line.substr(0, kShown) + " ...";
    words += line;
    words += '\n';
  }
  return words;
}

}  // namespace lanescope::cli
