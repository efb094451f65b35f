// SPDX-License-Identifier: MIT
// The command line of the launcher: which kernel, how many threads, what its parameters are.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "launcher/argument.hpp"

namespace lanescope::launcher {

/// Options behind the file; all but the last have a value.
inline constexpr std::array kOptions{"--kernel", "--grid",  "--block", "--cluster",
                                     "--shared", "--write", "--like",  "--print"};

/// What stands behind the file: 0 and -1 are what nobody has said.
struct Wanted {
  std::string file, kernel;
  std::string shaped_by;  // the first option but --kernel: a saved launch takes none
  std::array<unsigned, 3> grid{1, 1, 1}, block{}, cluster{};
  long shared_bytes = -1;
  bool prints = false;
  std::string folder;  // where all memory goes as the kernel left it; "": nowhere
  std::string like;    // where memory is that it shall be as; "": nowhere
  std::vector<Parameter> parameters;
};

/// Stops (stop.hpp) where a word is wrong.
Wanted read_command(const std::vector<std::string>& words);

}  // namespace lanescope::launcher
