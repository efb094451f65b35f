// SPDX-License-Identifier: MIT
// What ptxas makes of PTX, to be read by a test: the instructions of every kernel. They are read no
// further than the tests need, fields as ptxas 13.0 writes them for sm_90a.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/contents.hpp"

namespace lanescope::emulator::test {

struct Code {
  std::uint64_t low, high;
  std::uint32_t field(int at, int bits) const {
    const std::uint64_t value = at >= 64         ? high >> (at - 64)
                                : at + bits > 64 ? low >> at | high << (64 - at)
                                                 : low >> at;
    return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << bits) - 1));
  }
};
template <class T>
T read_at(const std::string& bytes, std::uint64_t at) {
  T value{};
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Of a cubin (an ELF file): the instructions of every kernel, by its name.
inline std::map<std::string, std::vector<Code>> machine_code(const std::string& cubin) {
  std::map<std::string, std::vector<Code>> kernels;
  const auto sections = read_at<std::uint64_t>(cubin, 0x28);
  const auto count = read_at<std::uint16_t>(cubin, 0x3c),
             names = read_at<std::uint16_t>(cubin, 0x3e);
  const auto name_table = read_at<std::uint64_t>(cubin, sections + 64u * names + 24);
  for (std::uint64_t s = 0; s < count; ++s) {
    const std::uint64_t header = sections + 64 * s;
    const std::string name(cubin.c_str() + name_table + read_at<std::uint32_t>(cubin, header));
    if (name.rfind(".text.", 0) != 0) continue;
    const auto first = read_at<std::uint64_t>(cubin, header + 24);
    const auto size = read_at<std::uint64_t>(cubin, header + 32);
    for (std::uint64_t at = first; at < first + size; at += 16)
      kernels[name.substr(6)].push_back(
          {read_at<std::uint64_t>(cubin, at), read_at<std::uint64_t>(cubin, at + 8)});
  }
  return kernels;
}

inline std::string assembled(const std::string& text, const std::string& name,
                             const std::string& arch = "sm_90a") {
  const auto stem = tests::build_folder() / "tests" / name;
  std::ofstream(stem.string() + ".ptx") << text;
  const std::string command =
      fmt::format("'{0}' -arch {2} '{1}.ptx' -o '{1}.cubin' >'{1}.log' 2>&1", LANESCOPE_PTXAS,
                  stem.string(), arch);
  REQUIRE(std::system(command.c_str()) == 0);
  return tests::contents_of(stem.string() + ".cubin");
}

}  // namespace lanescope::emulator::test
