// SPDX-License-Identifier: MIT
// Takes hints.md apart; see hints.hpp.
#include "guide/hints.hpp"

#include <sstream>

namespace lanescope::guide {

std::vector<std::string> hints_of(const std::string& text) {
  std::vector<std::string> hints;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.rfind("## ", 0) == 0)
      hints.emplace_back();
    else if (!hints.empty())
      hints.back() += line + "\n";
  }
  for (std::string& hint : hints) {
    hint.erase(0, hint.find_first_not_of('\n'));
    hint.erase(hint.find_last_not_of('\n') + 1);
  }
  return hints;
}

}  // namespace lanescope::guide
