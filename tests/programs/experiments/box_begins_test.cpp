// SPDX-License-Identifier: MIT
// At which coordinates a tensor copy's box may begin: an H200's answers, a program each where it
// refuses (docs/experiments/coordinates.md).
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/lines_of.hpp"
#include "tests/programs/experiments/answers.hpp"

using namespace lanescope::tests;

TEST_CASE("boxes begin on the card where they may begin here" * doctest::test_suite("twice")) {
  int refused = 0, done = 0;
  for (const std::string& line : lines_of(answer("coordinates"))) {
    // "load at -4,0: 0 0 0 0 0 1 2 ..."
    std::istringstream words(line);
    std::string way, at, place;
    words >> way >> at >> place;
    const std::size_t comma = place.find(',');
    REQUIRE(comma != std::string::npos);
    CAPTURE(line);
    const Finished ran = ask_emulator(
        "coordinates",
        {way, place.substr(0, comma), place.substr(comma + 1, place.size() - comma - 2)});
    CHECK(ran.exit_code == 0);
    CHECK(ran.out == line + "\n");
    const bool illegal = line.find("an illegal instruction was encountered") != std::string::npos;
    CHECK((ran.err.find("coordinate") != std::string::npos) == illegal);  // and says why
    ++(illegal ? refused : done);
  }
  CHECK(refused > 10);
  CHECK(done > 10);
}

TEST_CASE("boxes of every element size and dimension begin on the card where they may here" *
          doctest::test_suite("twice")) {
  std::vector<std::string> allowed, refused;
  std::string expected;
  for (const std::string& line : lines_of(answer("box_begins"))) {
    const std::string question = line.substr(0, line.find(' '));
    const bool illegal = line.find("an illegal instruction was encountered") != std::string::npos;
    (illegal ? refused : allowed).push_back(question);
    if (!illegal) expected += line + "\n";
  }
  CHECK(allowed.size() == 282);
  CHECK(refused.size() == 200);
  const Finished ran = ask_emulator("box_begins", allowed);
  CHECK(ran.exit_code == 0);
  CHECK(ran.out == expected);
  for (std::size_t i = 0; i < refused.size(); i += 9) {  // a program each: some of them will do
    CAPTURE(refused[i]);
    const Finished one = ask_emulator("box_begins", {refused[i]});
    CHECK(one.out == refused[i] + " an illegal instruction was encountered\n");
    CHECK(one.err.find("coordinate") != std::string::npos);  // and says why
  }
}
