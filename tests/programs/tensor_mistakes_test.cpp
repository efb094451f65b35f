// SPDX-License-Identifier: MIT
// Every mistake of D in tensor memory, and of scale factors there, that diagnose knows, made by
// tensor_mistakes.cu on the emulator and named from its steps: of the operand that is laid wrongly,
// and of no other. What is right is called right. No card has been asked.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <tuple>

#include "panels/way/tensor_factors.hpp"
#include "panels/way/tensor_stored.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

// The second tile: its row is not 0.
const tests::RecordedSteps kTensorSteps{"tensor_mistakes", "block=1,0,0", "sm_100a"};

// By operand, 'A', 'B', 'S', 'T' and 'D', of the one sum that there is.
std::map<char, viz::OriginCheck> tensor_operands() {
  const viz::Model model = kTensorSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::RegisterHistory history(steps);
  viz::DescriptorOrigins origins(model.trace, history);
  const std::vector<viz::TensorSum> sums = viz::tensor_sums(history);
  REQUIRE(sums.size() == 1);
  viz::TensorStored stored(model, history, sums);
  viz::TensorFactors factors(model.trace, history);
  const auto [a, b] = origins.check(sums[0]);
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  std::map<char, viz::OriginCheck> all{{'A', *a}, {'B', *b}, {'D', stored.check(0, a, b)}};
  for (const char operand : {'S', 'T'})
    if (const auto one = factors.check(sums[0], operand)) all[operand] = *one;
  return all;
}

struct Laid {
  const char *name, *operands;  // those that are wrong
  const char *kind, *words;     // of the first
};
const Laid kLaid[] = {
    {"fragments", "D", "tensor-load",
     "the registers of tcgen05.ld.16x256b.x2 are stored as those of tcgen05.ld.32x32b.x8"},
    {"row-is-lane", "D", "tensor-load",
     "D is read as if row r were in lane r; with M 64 it is in lane row % 16 + row / 16 * 32"},
    {"column", "D", "tensor-load",
     "the first tcgen05.ld begins at column 4, D at column 0 of tensor memory"},
    {"tile", "D", "tile-misplaced",
     "D is stored at row 0, column 0; its rows of A begin at 128, its columns of B at 0"},
    {"unstored", "D", "sum-not-stored",
     "register 7 of tcgen05.ld.32x32b.x8, of warp 0 and 31 more are never stored"},
    {"same-id", "S", "factor-id", "SFA_ID of tcgen05.mma 2 of the sum is 0, it should be 1"},
    {"sbo", "S", "factor-descriptor",
     "the descriptor of tcgen05.cp has SBO 256 bytes, it should be 128"},
    {"rows", "ST", "factor-rows",
     "SFA lies row after row, four bytes each, in shared memory; tcgen05.cp.32x128b takes row r "
     "from r % 32 * 16 + r / 32 * 4"},
    {"stale", "ST", "factor-stale", "tcgen05.mma 5 of the sum takes the SFA of 1 once more"},
    {"one-warp", "ST", "factor-lanes", "SFA is in lanes 0 to 31 of tensor memory alone"},
};

}  // namespace

TEST_CASE("tcgen05.mma: D and scale factors that are right, by tcgen05.cp and by tcgen05.st") {
  for (const char* right : {"right", "half", "twice", "scaled", "pieces", "stored"}) {
    CAPTURE(right);
    CHECK(kTensorSteps.record(right).out.substr(0, 2) == "0 ");
    const std::map<char, viz::OriginCheck> all = tensor_operands();
    const bool is_plain = std::set<std::string>{"right", "half", "twice"}.count(right) == 1;
    CHECK(all.size() == (is_plain ? 3 : 5));
    for (const auto& [operand, check] : all) {
      CAPTURE(operand);
      CHECK(check.diagnosis.verdict == trace::Verdict::right);
    }
    const std::string lies = std::string(right) == "pieces" ? "in pieces of 512 bytes, row r at "
                                                            : "row after row, 8 bytes apart, from";
    if (!is_plain) CHECK(all.at('S').lies.substr(0, lies.size()) == lies);
  }
}

TEST_CASE("tcgen05.mma: D or scale factors laid wrongly are named, and no other operand is") {
  std::set<std::string> kinds;
  for (const Laid& laid : kLaid) {
    CAPTURE(laid.name);
    CHECK(kTensorSteps.record(laid.name).out.substr(0, 2) != "0 ");
    const std::map<char, viz::OriginCheck> all = tensor_operands();
    const std::string wrong = laid.operands;
    for (const auto& [operand, check] : all) {
      CAPTURE(operand);
      const bool is_wrong = wrong.find(operand) != std::string::npos;
      CHECK((check.diagnosis.verdict == trace::Verdict::mistake) == is_wrong);
      if (is_wrong) kinds.insert(check.diagnosis.kind);
      if (!is_wrong) CHECK(check.diagnosis.verdict == trace::Verdict::right);
    }
    const trace::Diagnosis& first = all.at(wrong[0]).diagnosis;
    CHECK(first.kind == laid.kind);
    CHECK(first.mistake == laid.words);
    CHECK(first.advice != "");
  }
  for (const auto* list : {&viz::known_tensor_mistakes(), &viz::known_factor_mistakes()})
    for (const trace::KnownMistake& known : *list) CHECK(kinds.erase(known.kind) == 1);
  CHECK(kinds == std::set<std::string>{"sum-not-stored", "tile-misplaced"});  // of wgmma's, too
}

// What one warp left in tensor memory another one brings: which of them are recorded, and how far.
TEST_CASE("of right programs nothing is wrong, whichever of their steps are recorded") {
  for (const auto& [program, mistake, steps] :
       {std::tuple{"tensor_memory", "", "launch=0,count=900"},
        {"tensor_memory", "", "launch=0,from=120,count=300"},
        {"tensor_memory", "", "launch=0,block=1,0,0,count=400"},
        {"tensor_memory", "", "launch=1"},  // tiles packed before, D as the lanes have it
        {"tensor_memory", "", "launch=1,warp=0"},
        {"tensor_mistakes", "half", "block=1,0,0,count=400"},
        {"tensor_mistakes", "stored", "warp=0"}}) {
    CAPTURE(program);
    CAPTURE(steps);
    const tests::RecordedSteps part{program, steps, "sm_100a"};
    part.record(mistake);
    const tests::Finished said =
        tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", part.file});
    CAPTURE(said.out);
    CHECK(said.exit_code != 1);
  }
}

TEST_CASE("tcgen05.mma: the first place of tensor memory that is laid wrongly") {
  kTensorSteps.record("row-is-lane");
  CHECK(tensor_operands().at('D').first.find(
            ": lane 16, column 0 of tensor memory, nothing of D, is stored where D[16][0] "
            "belongs") != std::string::npos);
  kTensorSteps.record("same-id");
  const viz::OriginCheck factors = tensor_operands().at('S');
  CHECK(factors.diagnosis.elements == 8 * 128);
  CHECK(factors.diagnosis.wrong == 6 * 128);
  CHECK(
      factors.first.find(": SFA[0][1] is taken from lane 0, column 64, byte 0 of tensor memory") !=
      std::string::npos);
}
