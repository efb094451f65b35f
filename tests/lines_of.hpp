// SPDX-License-Identifier: MIT
// A text's lines, without their ends, for tests that look at one after the other.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace lanescope::tests {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace lanescope::tests
