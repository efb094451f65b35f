// SPDX-License-Identifier: MIT
#include "recording.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/golden/unpack.hpp"

namespace lanescope::golden::random {
namespace {

std::istringstream opened(const std::string& file) {
  const Unpacked packed = unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/" + file);
  REQUIRE_MESSAGE(packed.problem.empty(), packed.problem);
  return std::istringstream(packed.bytes);
}

}  // namespace

Recording read_recording() {
  Recording recording;
  std::istringstream text = opened("random/h200.txt.zst");
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("# text: ", 0) == 0)
      recording.text = std::strtoull(line.c_str() + 8, nullptr, 16);
    else if (line.rfind("# ", 0) == 0)
      recording.provenance.push_back(line.substr(2));
    else {
      const std::size_t behind = line.find(' ', 17);
      recording.programs.push_back(
          {std::strtoull(line.c_str(), nullptr, 16), std::strtoull(line.c_str() + 17, nullptr, 10),
           behind != std::string::npos && line.substr(behind + 1) == "-O0"});
    }
  }
  return recording;
}

std::vector<std::string> form_lines() {
  std::vector<std::string> lines;
  std::istringstream scalar = opened("scalar/h200.txt.zst");
  for (std::string line; std::getline(scalar, line);)
    if (line[0] != '#') lines.push_back(line.substr(line.find(' ', 17) + 1));
  std::ifstream tensor(LANESCOPE_SOURCE_DIR "/tests/golden/instructions.txt");
  for (std::string line; std::getline(tensor, line);)
    if (line[0] != '#') lines.push_back(line);
  return lines;
}

}  // namespace lanescope::golden::random
