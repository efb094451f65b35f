// SPDX-License-Identifier: MIT
#include "tests/golden/unpack.hpp"

#include <zstd.h>

#include <fstream>
#include <iterator>

namespace lanescope::golden {

Unpacked unpacked(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  // What is not there, not zstd's, or without a size has one that is larger than any.
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size >= 1ull << 28) return {"", path + ": not there, or not compressed with zstd"};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != bytes.size()) return {"", path + ": damaged"};
  return {std::move(bytes), ""};
}

}  // namespace lanescope::golden
