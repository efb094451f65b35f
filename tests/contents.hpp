// SPDX-License-Identifier: MIT
// All bytes of a file, for tests that look at what was written or recorded.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lanescope::tests {

/// A file that cannot be read ends the test, which would otherwise find nothing to object to.
inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot be read: " << path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace lanescope::tests
