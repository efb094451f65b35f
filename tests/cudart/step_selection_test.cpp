// SPDX-License-Identifier: MIT
// The words of `lanescope run --steps`: what they mean, that they come back, that no others pass.
#include "cudart/step_selection.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lanescope::cudart;

TEST_CASE("every part of a selection, in any order, with commas inside of a block") {
  StepSelection s;
  CHECK(read_selection("", s) == "");
  CHECK(s == StepSelection{});
  CHECK(read_selection("all", s) == "");
  CHECK(s == StepSelection{});
  CHECK(read_selection("count=50,block=1,2,3,kernel=gemm,warp=7,launch=2,from=100", s) == "");
  CHECK(s == StepSelection{"gemm", 2, {1, 2, 3}, 7, 100, 50});
  CHECK(read_selection("block=4", s) == "");
  CHECK(s.block == std::array<int, 3>{4, 0, 0});
  CHECK(s.kernel == "");  // nothing is left of the selection before
  CHECK(read_selection("block=4,5", s) == "");
  CHECK(s.block == std::array<int, 3>{4, 5, 0});
  CHECK(read_selection("warp=all", s) == "");
  CHECK(s.warp == -1);
  CHECK_FALSE(s.mma);
  CHECK(read_selection("mma", s) == "");
  CHECK(s.mma);
  CHECK(read_selection("block=1,2,mma,warp=3", s) == "");
  CHECK(s == StepSelection{"", -1, {1, 2, 0}, 3, 0, 100'000, true});
}

TEST_CASE("what is no selection is told by name, and leaves the old one") {
  StepSelection s{"old", 1, {0, 0, 0}, 3, 0, 9};
  for (const char* wrong : {"gemm",
                            "mma=1",
                            "mma,gemm",
                            "kernel=",
                            "block=",
                            "block=1,2,3,4",
                            "block=1,,2",
                            "block=-1",
                            "block=x",
                            "warp=32",
                            "warp=-1",
                            "warp=",
                            "launch=99999999999",
                            "from=1e3",
                            "count=0",
                            "count=-5",
                            "count=99999999999999999999",
                            "Kernel=a",
                            "=3",
                            ",",
                            "block=1 "}) {
    CAPTURE(wrong);
    const std::string why = read_selection(wrong, s);
    CHECK(why.find("write kernel=NAME,launch=N,block=X,Y,Z,warp=W,from=STEP,count=STEPS") !=
          std::string::npos);
    CHECK(s.kernel == "old");
  }
}

TEST_CASE("selections come back from their words") {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    const auto pick = [&](int most) { return static_cast<int>(random() % (most + 1)); };
    StepSelection s;
    if (pick(1) != 0) s.kernel = "gemm";
    if (pick(1) != 0) s.launch = pick(100);
    if (pick(1) != 0) s.block = {pick(9), pick(9), pick(9)};
    if (pick(1) != 0) s.warp = pick(31);
    if (pick(1) != 0) s.from = pick(1000);
    if (pick(1) != 0) s.count = 1 + pick(1000);
    s.mma = pick(1) != 0;
    StepSelection back;
    CHECK(read_selection(words_of(s), back) == "");
    CHECK(back == s);
  }
}

TEST_CASE("no words break it") {
  std::mt19937 random(5);
  const std::string letters = "kernelblockwarpfromcount=,,==0123456789- \x01\xff";
  int good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string words;
    for (int k = static_cast<int>(random() % 24); k > 0; --k)
      words += letters[random() % letters.size()];
    StepSelection s;
    good += read_selection(words, s).empty();
    CHECK(s.count > 0);
    CHECK(s.warp < 32);
  }
  CHECK(good > 0);  // the empty ones at least
}

TEST_CASE("a kernel is called by a part of its name, as the PTX or as the source has it") {
  const std::string mangled = "_Z8multiplyILi3ELi2EEvPKtS1_PfiPx14DeviceRecorder";
  const auto chosen = [&](const std::string& words, bool multiplies, int launch) {
    StepSelection selection;
    REQUIRE(read_selection(words, selection) == "");
    return selects(selection, mangled, multiplies, launch);
  };
  CHECK(chosen("", false, 0));
  for (const char* words : {"kernel=multiply", "kernel=multiply<3", "kernel=ILi3E"})
    CHECK(chosen(words, false, 5));
  CHECK(!chosen("kernel=multiply<2", false, 5));
  CHECK(chosen("kernel=multiply<3,launch=5", false, 5));
  CHECK(!chosen("kernel=multiply,launch=5", false, 6));
  CHECK(chosen("mma,kernel=multiply", true, 0));
  CHECK(!chosen("mma,kernel=multiply", false, 0));
}
