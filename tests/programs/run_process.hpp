// SPDX-License-Identifier: MIT
// Runs a program to its end and keeps what it wrote, for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::tests {

struct Finished {
  int exit_code = -1;  // 128 + the signal when one ended it
  std::string out;
  std::string err;
};

/// `environment` entries "NAME=value" are added; nothing goes through a shell.
Finished run_process(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment = {});

/// `lanescope run OPTIONS -- PROGRAM ARGUMENTS`, by the command that was built.
Finished emulate(const std::filesystem::path& program, const std::vector<std::string>& options = {},
                 const std::vector<std::string>& arguments = {});

}  // namespace lanescope::tests
