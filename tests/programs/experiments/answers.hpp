// SPDX-License-Identifier: MIT
// What an H200 answered (h200/NAME.txt), and the same program on the emulator.
#pragma once

#include <string>
#include <vector>

#include "tests/programs/run_process.hpp"

namespace lanescope::tests {

std::string answer(const std::string& name);
Finished ask_emulator(const std::string& name, const std::vector<std::string>& arguments = {});
/// Line by line, so that a difference is a line and not a page.
void check_same(const std::string& name);

}  // namespace lanescope::tests
