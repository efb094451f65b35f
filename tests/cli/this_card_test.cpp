// SPDX-License-Identifier: MIT
// What speaks against running a program on the card.
#include "cli/this_card.hpp"

#include <doctest/doctest.h>

using namespace lanescope;
using cli::obstacle;

namespace {

cudart::ElfFile loads(std::initializer_list<std::string> libraries) {
  cudart::ElfFile program;
  program.is_elf = true;
  program.libraries = libraries;
  return program;
}

cli::ThisCard with_driver_of(int cuda) { return {"NVIDIA H200", {90, 'a'}, cuda}; }

}  // namespace

TEST_CASE("a driver is too old for programs of a later CUDA, and for no others") {
  const auto of_12 = loads({"libc.so.6", "libcudart.so.12"}),
             of_13 = loads({"libcudart.so.13", "libc.so.6"}), of_none = loads({"libc.so.6"});
  const auto old = with_driver_of(12040), same = with_driver_of(13000);
  CHECK(obstacle(of_13, old) == "has a driver of CUDA 12.4, and this is a program of CUDA 13");
  CHECK(obstacle(of_12, with_driver_of(11080)) ==
        "has a driver of CUDA 11.8, and this is a program of CUDA 12");
  CHECK(obstacle(of_12, old).empty());
  CHECK(obstacle(of_12, same).empty());
  CHECK(obstacle(of_13, same).empty());
  CHECK(obstacle(of_none, old).empty());
}
