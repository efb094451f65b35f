// SPDX-License-Identifier: MIT
// What a wrong use of the command looks like: one line on stderr, nothing on stdout, exit code 2.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/cli/process.hpp"

namespace lanescope::test {

inline void refuses(const Outcome& outcome, const std::string& reason) {
  CAPTURE(outcome.err);
  CHECK(outcome.signal == 0);
  CHECK(outcome.code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err.find("lanescope: ") == 0);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(has(outcome.err, reason));
}

/// The folder is the project, and there is no display.
inline Setting project(const Folder& folder) {
  return {{{"LANESCOPE_PROJECT", folder.path()}, {"DISPLAY", ""}}, "", false};
}

}  // namespace lanescope::test
