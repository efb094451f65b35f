// SPDX-License-Identifier: MIT
#include "tests/golden/recording.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/golden/unpack.hpp"

namespace lanescope::golden {
namespace {

void read_entry(Recording& recording, const std::string& line) {
  // the operands are the last words; a descriptor's name is made of words that look like them
  std::size_t at = line.size();
  std::map<std::string, int> operands;
  while (true) {
    const std::size_t blank = line.rfind(' ', at - 1);
    const std::size_t equals = line.find('=', blank);
    if (blank == std::string::npos || equals == std::string::npos || equals >= at) break;
    const std::string key = line.substr(blank + 1, equals - blank - 1);
    operands[key] = std::atoi(line.c_str() + equals + 1);
    at = blank;
    if (key == "from") break;
  }
  REQUIRE_MESSAGE(!operands.empty(), line);
  recording.entries[line.substr(0, at)] = operands;
}

}  // namespace

const std::string* Recording::map_of(const std::string& name, const std::string& operand) const {
  const auto entry = entries.find(name);
  if (entry == entries.end()) return nullptr;
  const auto found = entry->second.find(operand);
  if (found == entry->second.end()) return nullptr;
  return &maps.at(static_cast<std::size_t>(found->second));
}

Recording read_recording(const std::string& file) {
  const Unpacked packed = unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/" + file);
  REQUIRE_MESSAGE(packed.problem.empty(), packed.problem);
  const std::string& plain = packed.bytes;
  Recording recording;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    const std::string line = plain.substr(at, end - at);
    at = end + 1;
    if (line.rfind("# ", 0) == 0) {
      recording.provenance.push_back(line.substr(2));
    } else if (line.rfind("map ", 0) == 0) {
      const std::size_t blank = line.find(' ', 4);
      REQUIRE(std::atoi(line.c_str() + 4) == static_cast<int>(recording.maps.size()));
      recording.maps.push_back(line.substr(blank + 1));
    } else if (!line.empty()) {
      read_entry(recording, line);
    }
  }
  return recording;
}

std::string field(const std::string& name, const std::string& key) {
  const std::size_t at = (" " + name).find(" " + key + "=");
  if (at == std::string::npos) return {};
  const std::size_t from = at + key.size() + 1;
  return name.substr(from, name.find(' ', from) - from);
}

int number(const std::string& name, const std::string& key) {
  const std::string text = field(name, key);
  REQUIRE_MESSAGE(!text.empty(), name << " has no " << key);
  return std::atoi(text.c_str());
}

}  // namespace lanescope::golden
