// SPDX-License-Identifier: MIT
// What ptxas is told and what is understood of its answers. That it is really asked:
// tests/programs/runtime_test.cpp.
#include "cudart/binary/ask_ptxas.hpp"

#include <doctest/doctest.h>

using namespace lanescope::cudart;

TEST_CASE("ptxas is told the card, the kernel and what the program was built with") {
  CHECK(words_for_ptxas({90, 'a'}, "_Z4gemmv", " -maxrregcount=64  -O2 ") ==
        std::vector<std::string>{"ptxas", "-v", "-arch=sm_90a", "-e", "_Z4gemmv",
                                 "-maxrregcount=64", "-O2"});
  CHECK(words_for_ptxas({80, 0}, "k", "") ==
        std::vector<std::string>{"ptxas", "-v", "-arch=sm_80", "-e", "k"});
}

TEST_CASE("registers are read where ptxas says them") {
  const AskedRegisters found = registers_said(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Used 252 registers, used 1 barriers, 16 bytes cumulative stack size\n"
      "ptxas info    : Compile time = 1020.778 ms\n");
  CHECK(found.count == 252);
  CHECK(found.problem == "");
}

TEST_CASE("another answer is a problem of one line") {
  CHECK(registers_said("ptxas fatal   : Unresolved extern function 'f'\nmore\n").problem ==
        "ptxas fatal   : Unresolved extern function 'f'");
  CHECK(registers_said("").problem == "ptxas said nothing");
  for (const char* said : {"Used ", "Used -3 registers", "Used 0 registers", "Used 99999999999999",
                           "Used 12 barriers", "Used"}) {
    CAPTURE(said);
    CHECK(registers_said(said).count == 0);
    CHECK(registers_said(said).problem == said);
  }
}
