// SPDX-License-Identifier: MIT
// A file of the course, as text. Nothing here knows what is in it.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace lanescope::guide {

/// All of a file; nothing where it cannot be read.
inline std::optional<std::string> contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace lanescope::guide
