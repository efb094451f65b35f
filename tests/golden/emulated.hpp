// SPDX-License-Identifier: MIT
// What a recording program writes when the emulator runs it, for comparison with what it wrote on
// a card. For tests whose CMakeLists.txt builds the program.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/build_folder.hpp"

namespace lanescope::golden {

/// The file that `program` writes, which takes the file's name and then `arguments`; "" when it
/// failed.
inline std::string recorded_on_emulator(const std::string& program, const std::string& arguments) {
  const std::string out = program + ".bin";
  const std::string command = "'" + (tests::build_folder() / "bin/lanescope").string() +
                              "' run -- '" + program + "' '" + out + "' " + arguments;
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream file(out, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace lanescope::golden
