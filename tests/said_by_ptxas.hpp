// SPDX-License-Identifier: MIT
// What ptxas says of a module, for tests that ask it which forms there are.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/has_ptxas.hpp"

namespace lanescope::tests {

/// Every choice of <a|b|c>.
inline void expand(const std::string& pattern, std::vector<std::string>& forms) {
  const std::size_t open = pattern.find('<'), close = pattern.find('>', open);
  if (open == std::string::npos) return forms.push_back(pattern);
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(pattern.find('|', at), close);
    expand(pattern.substr(0, open) + pattern.substr(at, end - at) + pattern.substr(close + 1),
           forms);
    at = end + 1;
  }
}

struct PtxasLine {
  int number = 0;  // of the module, from 1 on
  std::string text;
};

/// A last line that is no PTX stops it before it compiles anything, and shows that it came to the
/// end.
inline std::vector<PtxasLine> said_by_ptxas(const std::string& ptx, std::string_view target) {
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("lanescope_asked_{}_{}.ptx", target, getpid());
  std::ofstream(path) << ptx << ".entry last() { this_is_no_instruction; }\n";
  const std::string command =
      fmt::format("ptxas -arch={} -o /dev/null '{}' 2>&1", target, path.string());
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::vector<PtxasLine> said;
  char line[1024];
  bool reached_end = false;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const std::string text = line;
    reached_end = reached_end || text.find("this_is_no_instruction") != std::string::npos;
    const std::size_t at = text.find(", line ");
    if (at != std::string::npos) said.push_back({std::atoi(text.c_str() + at + 7), text});
  }
  pclose(pipe);
  std::filesystem::remove(path);
  CHECK(reached_end);
  return said;
}

}  // namespace lanescope::tests
