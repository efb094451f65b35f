// SPDX-License-Identifier: MIT
// A recorded file as it was before `zstd` packed it.
#pragma once

#include <string>

namespace lanescope::golden {

struct Unpacked {
  std::string bytes;
  std::string problem;  // "" when all is well, else the path and what is wrong with it
};

Unpacked unpacked(const std::string& path);

}  // namespace lanescope::golden
