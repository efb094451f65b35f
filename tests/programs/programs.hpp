// SPDX-License-Identifier: MIT
// The programs of this folder on the emulator, for the tests that say what they must print.
#pragma once

#include <string>
#include <vector>

#include "tests/programs/run_process.hpp"

namespace lanescope::tests::programs {

extern const std::string kLanescope, kPrograms;  // the command; the folder of what was built

/// No `arch`: what the emulator takes by itself.
Finished emulate(const std::string& program, const std::vector<std::string>& arguments = {},
                 const std::string& arch = "sm_90a");

bool contains(const std::string& text, const std::string& part);
int lines(const std::string& text);

/// The program ran, was right, and the emulator had nothing to say.
void check_right(const Finished& run, const std::string& out);
/// Right, with the checker too, which had nothing to say, not even where PTX promises less than
/// cards do. `bits`: of results that are exact, as a card gives them, too.
void check_kernel(const std::string& name, const std::string& bits, const std::string& arch);

}  // namespace lanescope::tests::programs
