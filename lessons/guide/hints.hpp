// SPDX-License-Identifier: MIT
// A lesson's hints, in steps: hints.md, each step under a line "## 1", "## 2", ... The first points
// at the idea, the last nearly writes the answer.
#pragma once

#include <string>
#include <vector>

namespace lanescope::guide {

/// The steps of a hints.md, without their headings and without blank lines around them.
std::vector<std::string> hints_of(const std::string& text);

}  // namespace lanescope::guide
