// SPDX-License-Identifier: MIT
// What an H200 answered (h200/*.txt; docs/experiments says how it was asked) against the emulator:
// where it gives the same, line by line. Where it does not: card_alone_test.cpp.
#include <doctest/doctest.h>

#include <string>

#include "tests/lines_of.hpp"
#include "tests/programs/experiments/answers.hpp"

using namespace lanescope::tests;

namespace {

struct Answers {
  int done = 0, refused = 0, maps = 0;
};
Answers count(const std::string& name) {
  Answers all;
  for (const std::string& line : lines_of(answer(name))) {
    const bool is_illegal = line.find("illegal instruction") != std::string::npos;
    ++(line.rfind("map ", 0) == 0 ? all.maps : is_illegal ? all.refused : all.done);
  }
  return all;
}

}  // namespace

TEST_CASE("wgmma fetches on the card what it fetches here, whatever the base offset" *
          doctest::test_suite("twice")) {
  check_same("base_offset");
}

TEST_CASE("zeros of a cp.async that copies nothing are there on the card when they are here") {
  check_same("zero_copies");
}

TEST_CASE("boxes narrower than their swizzle lie on the card as they lie here") {
  check_same("narrow_box");
}

TEST_CASE("wgmma reads of a descriptor on the card what it reads here, bit by bit") {
  check_same("descriptor_bits");
}

TEST_CASE("lanes meet at collectives on the card where they meet here") { check_same("who_meets"); }

TEST_CASE("NaNs come out on the card as they come out here") { check_same("nan_patterns"); }

TEST_CASE("CUDA's mathematical functions have the card's bits") { check_same("math_functions"); }

TEST_CASE("mul and add become one fma where ptxas makes one") { check_same("contraction"); }

TEST_CASE("numbers that ptxas knows are the card's") { check_same("known_numbers"); }

TEST_CASE("tensor copies round and fill on the card as they do here") {
  check_same("tensor_formats");
}

TEST_CASE(
    "tensor copies write behind the ends of rows what an H200 writes, and reduce what it reduces") {
  check_same("ragged_rows");
}

TEST_CASE("across a cluster the card's mbarriers hear of what they hear of here") {
  check_same("cluster_barriers");
}

TEST_CASE("im2col copies the pixels on the card that it copies here") {
  check_same("im2col");
  const Answers answers = count("im2col");
  CHECK(answers.done > 300);
  CHECK(answers.refused > 100);
  CHECK(answers.maps > 200);
}

TEST_CASE("interleaved tensors are copied on the card as they are copied here") {
  check_same("interleaved");
  const Answers answers = count("interleaved");
  CHECK(answers.done > 1100);
  CHECK(answers.refused > 200);
  CHECK(answers.maps > 400);
}

TEST_CASE("a tensor map of another rank is refused on the card where it is refused here") {
  check_same("map_ranks");
  const Answers answers = count("map_ranks");
  CHECK(answers.done == 24);
  CHECK(answers.refused == 120);
}

TEST_CASE("an mbarrier answers on the card what it answers here") { check_same("mbarrier_phases"); }
