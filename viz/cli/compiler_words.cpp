// SPDX-License-Identifier: MIT
// See compiler_words.hpp.
#include "cli/compiler_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
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

bool has(const std::string& line, const char* words) {
  return line.find(words) != std::string::npos;
}

/// Behind `begin`, where a line begins so; else "".
std::string behind(const std::string& line, const std::string& begin) {
  return line.rfind(begin, 0) == 0 ? line.substr(begin.size()) : "";
}

NotCompiled not_compiled_by(const std::string& line) {
  for (const char* begin : {"ninja: error: ", "ninja: fatal: ", "CMake Error: ", "Error: "})
    if (const std::string why = behind(line, begin); !why.empty()) return {why, Keeps::build};
  if (line.empty() || line[0] == ' ') return {};  // a line of the source, quoted
  for (const char* words : {"No space left on device", "Disk quota exceeded"})
    if (has(line, words)) return {words, Keeps::room};
  // The toolkit's math_functions.h declares what newer C libraries have, too, in another way.
  if (has(line, "/mathcalls.h(") && has(line, "exception specification is incompatible")) {
    const std::size_t name = std::min(line.find('"'), line.size() - 1) + 1;
    return {"the toolkit does not know this C library's " +
                line.substr(name, line.find('"', name) - name),
            Keeps::older_toolkit};
  }
  const std::string fatal = behind(line, "nvcc fatal   : ");
  if (has(line, "Read-only file system") || has(fatal, "Could not open output file"))
    return {fatal.empty() ? line : fatal, Keeps::folder};
  constexpr const char* kLinkers = "cannot open output file ";
  if (has(line, kLinkers)) return {line.substr(line.find(kLinkers)), Keeps::folder};
  if (const std::string why = behind(line, "/bin/sh: 1: "); !why.empty())
    return {why, Keeps::toolkit};
  if (has(fatal, "Failed to preprocess host compiler")) return {fatal, Keeps::host};
  // host_config.h: "#error -- unsupported GNU version! gcc versions later than 15 are not
  // supported!"
  constexpr const char* kLater = "unsupported GNU version! gcc versions later than ";
  if (const std::size_t at = line.find(kLater); at != std::string::npos)
    return {"nvcc takes no g++ later than " +
                std::to_string(std::atoi(line.c_str() + at + std::strlen(kLater))),
            Keeps::newer_host};
  if (has(fatal, "Unsupported gpu architecture")) return {fatal, Keeps::older_toolkit};
  if (!fatal.empty()) return {fatal, Keeps::toolkit};
  if (line == "Killed" || has(line, "(Kill signal)") || has(line, "out of memory allocating"))
    return {"the compiler was killed", Keeps::memory};
  return {};
}

}  // namespace

int first_error_line(const std::string& words, const std::string& file) {
  const std::string name = file + "(";  // exercise.cu(33): error: expected a ";"
  for (std::size_t at = words.find(name); at != std::string::npos; at = words.find(name, at + 1)) {
    const std::size_t digits = at + name.size(), end = words.find("): ", digits);
    if (end == std::string::npos || words.compare(end + 3, 5, "error") != 0) continue;
    return std::atoi(words.c_str() + digits);
  }
  return 0;
}

NotCompiled not_compiled(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const NotCompiled found = not_compiled_by(line); found.keeps != Keeps::nothing)
      return found;
  return {};
}

/// The function that a linker names behind some words.
static std::string named_behind(const std::string& words, const std::string& output) {
  const std::size_t at = output.find(words);
  if (at == std::string::npos) return {};
  const std::size_t name = at + words.size();
  return output.substr(name, output.find_first_of("('\n", name) - name);
}

std::string not_linked(const std::string& output) {
  return named_behind("undefined reference to `", output);
}

std::string linked_twice(const std::string& output) {
  return named_behind("multiple definition of `", output);
}

std::string compiler_words(const std::string& output, bool failed, const std::string& of_build,
                           const std::string& of_reader) {
  // The compiler quotes a macro of ours with all that is in it: kilobytes. What it says of an error
  // has the names of our functions, which are long.
  constexpr std::size_t kLongest = 160, kLongestMessage = 640, kShown = 72;
  std::istringstream lines(output);
  std::string words;
  std::set<std::string>
      said;  // nvcc compiles a file for the host and for each card, and warns again
  bool wanted = failed, empty_before = true, again = false;
  for (std::string line; std::getline(lines, line);) {
    if (is_noise(line)) {
      wanted = failed;
      continue;
    }
    const bool message = is_warning(line) || is_error(line);
    wanted = wanted || is_warning(line);
    if (message) again = !said.insert(line).second;
    if (line.empty()) again = false;
    if (!wanted || again || (line.empty() && empty_before)) continue;
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
