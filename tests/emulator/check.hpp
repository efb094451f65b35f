// SPDX-License-Identifier: MIT
// Pieces of PTX under the checker: the kinds of its reports, and what they say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {

struct Checked {
  Error error;
  std::vector<CheckReport> reports;

  /// Of all reports, in their order: "a, b".
  std::string kinds() const;
  /// Whether some report has this in its sentence or its details.
  bool says(std::string_view part) const;
};

/// Runs a body (snippet.hpp) on `arch` with the checker on; `threads` threads in each of `ctas`
/// CTAs, which are one cluster.
Checked check_body(std::string_view body, int threads = 32, int ctas = 1, bool strict = false,
                   std::string_view arch = "sm_90a");

/// The same with a grid of CTAs that are no cluster.
Checked check_grid(std::string_view body, int threads, int ctas, bool strict = false);

}  // namespace lanescope::emulator::test
