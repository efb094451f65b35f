// SPDX-License-Identifier: MIT
// Random kernels of tensor copies, mbarriers, clusters and warpgroups (hopper.py), and of where
// programs keep things (../keeping.py): the emulator's results against those of an H200, in two
// orders of the warps, and what the checker says.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"

using namespace lanescope;

namespace {

const std::vector<std::string> kPrograms{"recorded_1", "recorded_2", "kept_1", "kept_2"};

std::vector<std::string> lines_of(std::istream& stream) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (line.rfind('#', 0) != 0) lines.push_back(line);
  return lines;
}

std::vector<std::string> of_card() {
  std::vector<std::string> lines;
  for (const std::string name : {"h200.txt", "keeping.txt"}) {
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/golden/random/hopper/" + name);
    REQUIRE(file.good());
    for (const std::string& line : lines_of(file)) lines.push_back(line);
  }
  return lines;
}

// A line for each kernel: a hash of what it left in global memory, and its name.
void check_all(const std::vector<tests::Finished>& ran) {
  std::vector<std::string> here;
  for (const tests::Finished& program : ran) {
    std::istringstream text(program.out);
    for (const std::string& line : lines_of(text)) here.push_back(line);
  }
  const std::vector<std::string> card = of_card();
  CHECK(card.size() == 40);
  REQUIRE(here.size() == card.size());
  for (std::size_t n = 0; n < card.size(); ++n) CHECK(here[n] == card[n]);
}

std::vector<tests::Finished> run_all(const std::vector<std::string>& options) {
  std::vector<tests::Finished> ran;
  for (const std::string& name : kPrograms)
    ran.push_back(
        tests::emulate(tests::build_folder() / "tests/golden/random/hopper/built" / name, options));
  return ran;
}

}  // namespace

TEST_CASE("random kernels of tensor copies, clusters and of where things are give an H200's bits" *
          doctest::test_suite("twice")) {
  check_all(run_all({}));
}

TEST_CASE("in another order of the warps, too, and the checker finds no race") {
  const std::vector<tests::Finished> ran = run_all({"--seed", "7", "--check"});
  check_all(ran);
  // Some have descriptors that begin anywhere, which it mentions.
  const std::string report = "lanescope: check: ";
  for (const tests::Finished& program : ran) {
    std::istringstream text(program.err);
    for (const std::string& line : lines_of(text))
      if (line.rfind(report, 0) == 0)
        CHECK_MESSAGE(line.rfind(report + "descriptor: ", 0) == 0, line);
  }
}
