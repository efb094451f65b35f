// SPDX-License-Identifier: MIT
// Every mistake on the way through shared memory that diagnose knows, made by tile_mistakes.cu on
// the emulator and named from its steps; what is right is called right.
#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using lanescope::tests::Finished;

namespace {

const tests::RecordedSteps kSteps{"tile_mistakes", "block=1,1,0"};

struct Made {
  const char* name;
  char operand;
  int wrong;  // of the block's 64 products
  const char *kind, *words;
};

const Made kMade[] = {
    {"no-wait", 'A', 16, "in-flight",
     "256 of 256 elements are read from shared memory while a copy to their place is under way: "
     "the first is A[0][0], byte 0x"},
    {"no-barrier", 'B', 32, "too-soon",
     "B[4][0] is read from byte 0x640 of shared memory "
     "before it is written there; so are 64 of 128 elements"},
    {"overwritten", 'B', 24, "overtaken",
     "64 of 128 elements are of another tile that came later to the same place in shared memory: "
     "it "
     "was overwritten before it was read"},
    {"pitch", 'A', 64, "shared-rows",
     "its rows are read 32 bytes apart in shared memory, they lie 48 bytes apart there"},
    {"half-stored", 'A', 64, "unwritten",
     "A[0][8] is read from byte 0xc10 of shared memory, which nothing writes; so are 128 of 256 "
     "elements"},
    {"unswizzled", 'B', 64, "swizzle-one-side",
     "its units of 16 bytes are exchanged as by the 128B swizzle: swizzled on one side only"},
    {"no-trans", 'B', 64, "transposed", "every 8 x 8 matrix is transposed"},
    {"other-register", 'B', 64, "lane-address",
     "lane 8 names a wrong row to ldmatrix: it begins at 0,8 instead of 8,0; 7 others do so too"},
    {"lanes-of-rows", 'A', 64, "lane-address",
     "lane 1 names a wrong row to ldmatrix: it begins at 0,8 instead of 1,0; 29 others do so too"},
    {"k-order", 'A', 64, "k-order",
     "its k is in another order than that of B: k 4 is multiplied by B's k 2"},
    {"pairs-by-index", 'B', 64, "transposed", "every 8 x 8 matrix is transposed"},
    {"one-register", 'A', 64, "register-apart",
     "in every lane A.r1 holds what lies 2 columns farther on"},
};

}  // namespace

TEST_CASE("a kernel that makes no mistake with its tiles is called right, a convolution too") {
  for (const char* name : {"right", "plain", "window"}) {
    CAPTURE(name);
    CHECK(kSteps.record(name).out.substr(0, 2) == "0 ");
    const viz::Model model = kSteps.model();
    const viz::StepList steps = viz::make_steps(model.trace);
    viz::Verdicts verdicts(model, steps);
    CHECK(verdicts.sums().size() == (model.multiplications.size() == 3 ? 1 : 16));
    for (const viz::SumCheck& one : verdicts.sums())
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
    for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
      CHECK(verdicts.product(k).a.diagnosis.verdict == trace::Verdict::right);
      CHECK(verdicts.product(k).b.diagnosis.verdict == trace::Verdict::right);
    }
  }
}

TEST_CASE("each mistake with a tile makes its operand wrong, and is named") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    CHECK(kSteps.record(made.name).out.substr(0, 2) != "0 ");
    const viz::Model model = kSteps.model();
    const viz::StepList steps = viz::make_steps(model.trace);
    viz::Verdicts verdicts(model, steps);
    verdicts.sums();
    CHECK(model.multiplications.size() == 64);
    int wrong = 0;
    for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
      const viz::ProductCheck& product = verdicts.product(k);
      const trace::Diagnosis& d = (made.operand == 'A' ? product.a : product.b).diagnosis;
      if (d.verdict == trace::Verdict::right) continue;
      CHECK(d.verdict == trace::Verdict::mistake);
      if (++wrong == 1) {
        CHECK(d.kind == made.kind);
        CHECK(d.mistake.substr(0, std::string(made.words).size()) == made.words);
      }
      kinds.insert(d.kind);
    }
    CHECK(wrong == made.wrong);
  }
  for (const trace::KnownMistake& known : viz::known_origin_mistakes())
    if (std::string(known.kind) != "row-offset") {  // sum_test.cpp makes it
      CAPTURE(known.kind);
      CHECK(kinds.count(known.kind) == 1);
    }
}

// What follows from an operand that is wrong in itself is not said of D, too.
TEST_CASE("of D nothing is said that follows from a mistake in A or B") {
  for (const char* name : {"pitch", "unswizzled", "no-trans", "other-register", "k-order"}) {
    CAPTURE(name);
    kSteps.record(name);
    const viz::Model model = kSteps.model();
    const viz::StepList steps = viz::make_steps(model.trace);
    viz::Verdicts verdicts(model, steps);
    for (const viz::SumCheck& one : verdicts.sums())
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
  }
}

TEST_CASE("which of two readings of an operand is meant the sum decides") {
  kSteps.record("no-trans");
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  CHECK(verdicts.product(0).b.diagnosis.kind == "lane-address");
  REQUIRE(verdicts.product(0).b.turned != nullptr);
  const viz::OperandVerdict one = viz::in_words(verdicts.product(0).b, 'B', false);
  CHECK(one.advice.find("Or, if B lies row after row there, every 8 x 8 matrix is transposed: an "
                        "ldmatrix has a .trans too many, or too few.") != std::string::npos);
  verdicts.sums();
  CHECK(verdicts.product(0).b.diagnosis.kind == "transposed");
  CHECK(verdicts.product(0).b.turned == nullptr);
}

TEST_CASE("a sum that reads another step's tile, in a race, is said to follow from it") {
  kSteps.record("no-wait");
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  int twice = 0;
  for (const viz::SumCheck& one : verdicts.sums()) {
    if (one.check.diagnosis.kind != "k-twice") continue;
    ++twice;
    CHECK(one.check.diagnosis.advice.find("shared memory is read too soon") == 0);
  }
  CHECK(twice > 0);
}

TEST_CASE("docs/own_kernel.md has what diagnose says of a wait that is missing") {
  kSteps.record("no-wait");
  const std::string said =
      tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", kSteps.file}).out;
  const std::size_t begin = said.find("A of product 49");
  REQUIRE(begin != std::string::npos);
  const std::string text = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  CHECK(text.find("```text\n" + said.substr(begin, said.find('\n', begin) - begin + 1) + "```") !=
        std::string::npos);
  CHECK(text.find("makes twelve such mistakes") != std::string::npos);
  CHECK(std::size(kMade) == 12);
}

TEST_CASE("diagnose tells what --check has found in the same run") {
  const std::string file = kSteps.file;
  const Finished ran =
      tests::emulate(tests::build_folder() / "tests/programs/built/tile_mistakes",
                     {"--check", "--steps", "block=1,1,0", "--trace", file}, {"no-wait"});
  const Finished said =
      tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", file});
  CHECK(said.exit_code == 1);
  CHECK(said.out.find("the check has found 2 things in the same run, first: "
                      "missing-cp-async-wait, tile_mistakes.cu:") != std::string::npos);
}

TEST_CASE("of a trace without products diagnose tells what stopped the launch, or a missing wait") {
  const std::string file = kSteps.file + ".none.lanes";
  const auto diagnosed = [&](const std::string& line) {
    std::ofstream(file) << R"({"lanescope_trace":1,"producer":"emulator","device":"d","arch":"a",)"
                        << R"("program":"p"})" << '\n'
                        << line << '\n';
    return tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", file});
  };
  const std::string place = R"(,"launch":0,"block":[0,0,0],"warp":0,)";
  const Finished stopped =
      diagnosed(R"({"event":"diagnostic")" + place +
                R"("kind":"deadlock","message":"nobody can go on","file":"a.cu","line":11})");
  CHECK(stopped.exit_code == 2);
  CHECK(stopped.err.find("has no product to look at, and this was found in the run: deadlock, "
                         "a.cu:11: nobody can go on") != std::string::npos);
  const Finished waits = diagnosed(
      R"({"event":"step")" + place +
      R"("step":0,"ptx":"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1;",)"
      R"("ptx_line":1,"active":"ffffffff","writes":[]})");
  CHECK(waits.exit_code == 2);
  CHECK(waits.err.find("has wgmma, but no wgmma.wait_group behind it") != std::string::npos);
}
