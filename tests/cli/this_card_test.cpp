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

TEST_CASE(
    "a card's driver knows PTX up to its CUDA, and a card PTX for itself and for older ones") {
  const auto ptx = [](const char* version, const char* target) {
    return launcher::PtxText{version, target, false, {}};
  };
  const auto h200 = with_driver_of(12040);
  CHECK(obstacle(ptx("8.4", "sm_90a"), h200).empty());
  CHECK(obstacle(ptx("8.5", "sm_80"), h200) ==
        "has a driver of CUDA 12.4, and PTX 8.5 is of CUDA 12.5");
  CHECK(obstacle(ptx("8.6", "sm_80"), with_driver_of(12060)) ==
        "has a driver of CUDA 12.6, and PTX 8.6 is of CUDA 12.7");
  CHECK(obstacle(ptx("9.0", "sm_80"), with_driver_of(12090)) ==
        "has a driver of CUDA 12.9, and PTX 9.0 is of CUDA 13.0");
  CHECK(obstacle(ptx("9.0", "sm_80"), with_driver_of(13000)).empty());
  CHECK(obstacle(ptx("7.8", "sm_80"), with_driver_of(11080)).empty());
  CHECK(obstacle(ptx("8.0", "sm_100a"), h200) == "is sm_90a and cannot run PTX for sm_100a");
  CHECK(obstacle(ptx("8.0", "sm_100"), h200) == "is sm_90a and cannot run PTX for sm_100");
  // What neither is: the driver says what is wrong with it.
  CHECK(obstacle(ptx("", ""), h200).empty());
  CHECK(obstacle(ptx("x", "sm_"), h200).empty());
}
