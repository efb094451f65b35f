// SPDX-License-Identifier: MIT
// Looking into executables: this very test, and damaged copies of it.
#include "cudart/binary/elf_file.hpp"
#include "tests/contents.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

using namespace lanescope::cudart;

namespace {

std::vector<std::byte> this_program() {
  const std::string text = lanescope::tests::contents_of("/proc/self/exe");
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

}  // namespace

TEST_CASE("the libraries of a program") {
  const ElfFile file = read_elf(this_program());
  CHECK(file.is_elf);
  CHECK_FALSE(file.has_fat_binary);
  CHECK(std::count(file.libraries.begin(), file.libraries.end(), "libc.so.6") == 1);
  CHECK(std::count(file.libraries.begin(), file.libraries.end(), "libstdc++.so.6") == 1);
}

TEST_CASE("what is no program has none") {
  const std::string script =
      "#!/bin/sh\necho this is longer than any header of an ELF file is: 64\n";
  std::vector<std::byte> bytes(script.size());
  std::memcpy(bytes.data(), script.data(), script.size());
  CHECK_FALSE(read_elf(bytes).is_elf);
  CHECK_FALSE(read_elf({}).is_elf);
}

TEST_CASE("damaged programs are survived") {
  const std::vector<std::byte> whole = this_program();
  std::mt19937 random(7);
  int different = 0;
  const ElfFile original = read_elf(whole);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> bytes = whole;
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    // The first kilobyte holds the headers that everything else is found through.
    for (int count = 0; count < 20 && bytes.size() > 1024; ++count)
      bytes[random() % 1024] = static_cast<std::byte>(random());
    bytes.shrink_to_fit();
    different += read_elf(bytes).libraries != original.libraries;
  }
  CHECK(different > 100);
}
