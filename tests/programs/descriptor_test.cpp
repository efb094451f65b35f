// SPDX-License-Identifier: MIT
// Every mistake of descriptors and tensor copies that diagnose knows, made by
// descriptor_mistakes.cu on the emulator and named from its steps; what is right, in other programs
// too, is called right.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace fs = std::filesystem;

namespace {

const std::string kLanescope = build_folder() / "bin/lanescope";

// The second tile of A: its first coordinate is not its second.
const tests::RecordedSteps kSteps{"descriptor_mistakes", "block=1,0,0"};
const std::string& kFile = kSteps.file;

// Of each product A and B, in their order.
std::vector<viz::OriginCheck> checks() {
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::RegisterHistory history(steps);
  viz::DescriptorOrigins origins(model.trace, history);
  std::vector<viz::OriginCheck> all;
  for (const viz::Multiplication& in : model.multiplications) {
    const auto [a, b] = origins.check(in);
    REQUIRE(a.has_value());
    REQUIRE(b.has_value());
    all.push_back(*a);
    all.push_back(*b);
  }
  REQUIRE(all.size() == 4);  // two steps of k
  return all;
}

// The same by tcgen05.mma: A and B of all steps of k together.
const tests::RecordedSteps kTensor{"descriptor_mistakes", "block=1,0,0", "sm_100a"};
std::vector<viz::OriginCheck> tensor_checks() {
  const viz::Model model = kTensor.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::RegisterHistory history(steps);
  viz::DescriptorOrigins origins(model.trace, history);
  const std::vector<viz::TensorSum> sums = viz::tensor_sums(history);
  REQUIRE(sums.size() == 1);
  CHECK(sums[0].size() == 8);
  CHECK(sums[0][3].nth == 3);
  CHECK(sums[0][4].nth == 0);
  const auto [a, b] = origins.check(sums[0]);
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  return {*a, *b};
}

struct Made {
  const char* name;
  bool of_a, of_b;
  const char *kind, *words;
  bool later = false;  // the first step of k does not show it
};

const Made kMade[] = {
    {"sbo", true, false, "descriptor-stride",
     "the descriptor's SBO is 512 bytes, it should be 1024"},
    {"sbo-b", false, true, "descriptor-stride",
     "the descriptor's SBO is 2048 bytes, it should be 1024"},
    {"plain-lbo", false, true, "descriptor-stride",
     "the descriptor's LBO is 1024 bytes, it should be 2048"},
    {"plain-strides", true, false, "descriptor-stride",
     "the descriptor's LBO and SBO are exchanged: 128 and 1024 bytes"},
    {"mn-strides", false, true, "descriptor-stride",
     "the descriptor's LBO and SBO are exchanged: 1024 and 8192 bytes"},
    {"mode", false, true, "descriptor-swizzle",
     "the tensor map has swizzle 128B, the descriptor reads 64B"},
    {"mode-sbo", true, false, "descriptor-swizzle",
     "the tensor map has swizzle 128B, the descriptor reads 64B, with SBO 512 bytes, not 1024"},
    {"map", true, false, "descriptor-swizzle",
     "the tensor map has swizzle none, the descriptor reads 128B"},
    {"advance", true, false, "descriptor-advance",
     "from one wgmma to the next the descriptor goes on by 256 bytes, it should go on by 32"},
    {"advance-both", true, true, "descriptor-advance",
     "from one wgmma to the next the descriptor goes on by 16 bytes, it should go on by 32"},
    {"transposed", false, true, "descriptor-transposed", "imm-trans-b is 1, it should be 0"},
    {"mn-transposed", false, true, "descriptor-transposed", "imm-trans-b is 0, it should be 1"},
    {"exchanged", true, true, "descriptors-exchanged", "the descriptors of A and B are exchanged"},
    {"base", true, false, "descriptor-start", "the descriptor's base offset is 4, it should be 0"},
    {"start", true, false, "descriptor-start", "the descriptor begins 1024 bytes behind its tile"},
    {"coordinates", true, false, "tensor-coordinates",
     "the copy's first two coordinates are exchanged: {64, 0}, they should be {0, 64}", true},
    {"coordinates-both", true, true, "tensor-coordinates",
     "the copy's first two coordinates are exchanged", true},
    {"plain-box", true, false, "tensor-box",
     "the box's first two sizes are exchanged: {64, 8}, they should be {8, 64}"},
    {"no-wait", true, true, "stale", "it was read before the copy that brings it had landed"},
};

}  // namespace

TEST_CASE("tiles of three kinds, each right") {
  for (const char* right : {"right", "plain", "mn"}) {
    CAPTURE(right);
    CHECK(kSteps.record(right).out == "0 of 16384 elements of D are wrong\n");
    for (const viz::OriginCheck& one : checks()) {
      CHECK(one.diagnosis.verdict == trace::Verdict::right);
      CHECK(one.diagnosis.note == "");
    }
  }
  kSteps.record("mn");
  const std::vector<viz::OriginCheck> all = checks();
  CHECK(all[2].lies ==
        "row after row, 256 bytes apart, from {64, 64} of the tensor of parameter 0 on");
  CHECK(all[3].lies ==
        "row after row, 256 bytes apart, from {0, 64} of the tensor of parameter 1 on");
}

TEST_CASE("what other programs do is right: a cluster's multicast, fp8, groups of any size") {
  for (const char* program : {"tma_gemm", "fp8_gemm", "grouped_gemm"}) {
    CAPTURE(program);
    fs::remove(kFile);
    run_process({kLanescope, "run", "--steps", "launch=0", "--trace", kFile, "--",
                 build_folder() / "tests/programs/built" / program});
    const Finished said = run_process({kLanescope, "diagnose", kFile});
    CHECK(said.exit_code == 0);
    CHECK(said.out.find("operands compared, by where their elements came from; all are right") !=
          std::string::npos);
    CHECK(said.out.find("; but") == std::string::npos);
  }
}

TEST_CASE("each mistake makes D wrong, and is named where it is") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    CHECK(kSteps.record(made.name).out.substr(0, 2) != "0 ");
    const std::vector<viz::OriginCheck> all = checks();
    for (std::size_t k = made.later ? 2 : 0; k < all.size(); ++k) {
      CAPTURE(k);
      const trace::Diagnosis& d = all[k].diagnosis;
      if (!(k % 2 == 0 ? made.of_a : made.of_b)) {
        CHECK(d.verdict == trace::Verdict::right);
        continue;
      }
      CHECK(d.verdict == trace::Verdict::mistake);
      CHECK(d.kind == made.kind);
      CHECK(d.mistake.substr(0, std::string(made.words).size()) == made.words);
      CHECK(d.wrong > 0);
      CHECK(all[k].first.find(" belongs there, it is ") != std::string::npos);
      kinds.insert(d.kind);
    }
  }
  for (const trace::KnownMistake& known : viz::known_descriptor_mistakes()) {
    CAPTURE(known.kind);
    CHECK(kinds.erase(known.kind) == 1);
  }
  CHECK(kinds == std::set<std::string>{"stale"});  // in the other list
}

TEST_CASE("tcgen05.mma: tiles of three kinds, each right") {
  for (const char* right : {"right", "plain", "mn", "store"}) {
    CAPTURE(right);
    CHECK(kTensor.record(right).out == "0 of 16384 elements of D are wrong\n");
    for (const viz::OriginCheck& one : tensor_checks()) {
      CHECK(one.diagnosis.verdict == trace::Verdict::right);
      CHECK(one.diagnosis.note == "");
    }
  }
}

TEST_CASE("tcgen05.mma: each mistake is named in its own words") {
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    // Multiplied when somebody waits for D: what comes until then is there.
    const bool lands_all_the_same = std::string(made.name) == "no-wait";
    CHECK((kTensor.record(made.name).out.substr(0, 2) == "0 ") == lands_all_the_same);
    std::string words = made.words;
    for (const auto& [of_wgmma, of_tensor] :
         {std::pair{"one wgmma", "one tcgen05.mma"},
          {"imm-trans-b", "bit 16 of the instruction descriptor"}})
      if (const std::size_t at = words.find(of_wgmma); at != std::string::npos)
        words.replace(at, std::string(of_wgmma).size(), of_tensor);
    const std::vector<viz::OriginCheck> all = tensor_checks();
    for (std::size_t k = 0; k < 2; ++k) {
      CAPTURE(k);
      const trace::Diagnosis& d = all[k].diagnosis;
      if (!(k == 0 ? made.of_a : made.of_b)) {
        CHECK(d.verdict == trace::Verdict::right);
        continue;
      }
      CHECK(d.verdict == trace::Verdict::mistake);
      CHECK(d.kind == made.kind);
      CHECK(d.mistake.substr(0, words.size()) == words);
      CHECK(d.wrong > 0);
    }
  }
}

// Of D, of the sums of all steps of k.
std::vector<viz::SumCheck> sums() {
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  return viz::Verdicts(model, steps).sums();
}

TEST_CASE("a loop of wgmmas that ends too soon, or a stage's, is named") {
  for (const auto& [name, words] :
       {std::pair{"short",
                  "k 128 to 191 is never added: A's rows and B's columns have 192 elements, and "
                  "these sums end at k 127"},
        {"short-stage", "k 48 to 63 is never added: of every 64 of k the wgmmas multiply 48"}}) {
    CAPTURE(name);
    CHECK(kSteps.record(name).out.substr(0, 2) != "0 ");
    for (const viz::OriginCheck& one : checks())
      CHECK(one.diagnosis.verdict == trace::Verdict::right);
    const std::vector<viz::SumCheck> all = sums();
    REQUIRE(all.size() == 1);
    CHECK(all[0].operand == 'D');
    CHECK(all[0].products == std::vector<int>{0, 1});
    CHECK(all[0].check.diagnosis.kind == "k-short");
    CHECK(all[0].check.diagnosis.mistake == words);
  }
}

TEST_CASE("a register of a wgmma's D that is never stored is named") {
  CHECK(kSteps.record("one-unstored").out.substr(0, 2) != "0 ");
  const std::vector<viz::SumCheck> all = sums();
  REQUIRE(all.size() == 1);
  CHECK(all[0].check.diagnosis.kind == "sum-not-stored");
  CHECK(all[0].check.diagnosis.mistake == "D.r63 is never stored, or others are stored over it");
}

TEST_CASE("D is followed through shared memory and the tensor copy that stores it") {
  CHECK(kSteps.record("store").out == "0 of 16384 elements of D are wrong\n");
  const std::vector<viz::SumCheck> right = sums();
  REQUIRE(right.size() == 1);
  CHECK(right[0].check.diagnosis.verdict == trace::Verdict::right);
  CHECK(right[0].check.lies ==
        "row after row, 512 bytes apart, from {0, 64} of the tensor of parameter 4 on, sums of k 0 "
        "to 127");
  for (const auto& [name, kind, words] :
       {std::tuple{"store-rows", "", "not one of the known mistakes"},
        {"store-tile", "tile-misplaced",
         "D is stored at row 0, column 0; its rows of A begin at 64, its columns of B at 0"},
        {"store-exchanged", "tile-misplaced",
         "row and column of the tile are exchanged: D is stored at row 0, column 64; its rows of A "
         "begin at 64, its columns of B at 0"}}) {
    CAPTURE(name);
    CHECK(kSteps.record(name).out.substr(0, 2) != "0 ");
    const std::vector<viz::SumCheck> all = sums();
    REQUIRE(all.size() == 1);
    CHECK(all[0].check.diagnosis.kind == kind);
    CHECK(all[0].check.diagnosis.mistake == words);
  }
}

TEST_CASE("what is not followed is said to be not followed, and nothing is said against it") {
  const tests::RecordedSteps steps{"not_followed", "block=1,0,0"};
  constexpr const char* kCopies =
      "copies from another CTA, in im2col mode, of four rows, of interleaved tensors and of every "
      "other element are not followed";
  for (const auto& [way, why] :
       {std::pair{"load", "what lies in another CTA's shared memory is not followed"},
        {"store", "another CTA of the cluster sent it to byte 0x"},
        {"async", "another CTA of the cluster sent it to byte 0x"},
        {"bulk", "another CTA of the cluster sent it to byte 0x"},
        {"strided", kCopies},
        {"im2col", kCopies},
        {"interleaved", kCopies}}) {
    CAPTURE(way);
    CHECK(steps.record(way).out == "0 of 256 elements of D are wrong\n");
    const Finished said = run_process({kLanescope, "diagnose", steps.file});
    CHECK(said.exit_code == 0);
    const std::string line = said.out.substr(0, said.out.find('\n'));
    CAPTURE(line);
    CHECK(line.starts_with("A of product 1, "));
    CHECK(line.find("not compared: where A[0][0] came from is not known: ") != std::string::npos);
    CHECK(line.find(why) != std::string::npos);
  }
}

// The four warps of a warpgroup wait, and spin, each as long as it has to: the steps that are left
// out have more products in one of them than in another.
TEST_CASE("warps that begin at different places of a loop are not mixed up") {
  for (const auto& [program, from] : {std::pair{"grouped_gemm", 80},
                                      {"grouped_gemm", 140},
                                      {"wgmma_pipeline", 240},
                                      {"mixed_input", 180}}) {
    CAPTURE(program);
    CAPTURE(from);
    const std::string which = "launch=0,from=" + std::to_string(from);
    const tests::RecordedSteps steps{program, which};
    tests::emulate(build_folder() / "tests/programs/built" / program,
                   {"--steps", which, "--trace", steps.file});
    const Finished said = run_process({kLanescope, "diagnose", steps.file});
    CAPTURE(said.out);
    CHECK(said.exit_code == 0);
  }
}

// It has fewer wgmmas than the next one, and no k of that.
TEST_CASE("a first stage that is recorded from its middle on is no stage that comes twice") {
  tests::RecordedSteps steps{"tma_gemm", "mma"};
  steps.record_told({});
  const viz::Model whole = steps.model();
  const viz::StepList all = viz::make_steps(whole.trace);
  int from = 0;  // behind the first wgmma of the second warpgroup
  for (const viz::StepItem& item : all.warps.at(4).items)
    if (from == 0 && item.step->ptx.starts_with("wgmma.mma_async")) from = item.step->step + 1;
  REQUIRE(from > 0);
  steps.which = fmt::format("mma,from={}", from);
  CHECK(steps.record_told({}).exit_code == 0);
  const viz::Model model = steps.model();
  const viz::StepList list = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, list);
  bool goes_on = false;  // of one sum all of these stages, one of them shorter
  for (const viz::SumCheck& one : verdicts.sums()) {
    CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
    goes_on = goes_on || one.products.size() > 1;
  }
  CHECK(goes_on);
}

TEST_CASE("the first wrong element, and how many, are those of the descriptor") {
  kSteps.record("sbo");  // rows 8 to 63 of A come from rows 4, 8, 12 ... on
  const std::vector<viz::OriginCheck> all = checks();
  CHECK(all[0].diagnosis.elements == 64 * 64);
  CHECK(all[0].diagnosis.wrong == 56 * 64);
  CHECK(all[0].first.find(": A[8][0] belongs there, it is A[4][0]") != std::string::npos);
}

TEST_CASE("docs/own_kernel.md has what diagnose says of an SBO of 512") {
  const std::string open = "```text\n";
  const std::string text = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  const std::size_t begin = text.find(open, text.find("with 512 for A's SBO")) + open.size();
  kSteps.record("sbo");
  CHECK(run_process({kLanescope, "diagnose", kFile})
            .out.starts_with(text.substr(begin, text.find("```", begin) - begin)));
  CHECK(text.find("makes twenty-five mistakes") != std::string::npos);
  CHECK(std::size(kMade) + 6 == 25);  // and those along k and of D
}

TEST_CASE("docs/own_kernel.md has what diagnose says of tcgen05.mma") {
  const std::string page = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  kTensor.record("sbo");
  const std::string out = run_process({kLanescope, "diagnose", kTensor.file}).out;
  CHECK(page.find("```text\n" + out.substr(0, out.find('\n') + 1) + "```") != std::string::npos);
}

TEST_CASE("diagnose says it in the terminal, once in full") {
  kSteps.record("mode");
  const Finished said = run_process({kLanescope, "diagnose", kFile});
  CHECK(said.exit_code == 1);
  CHECK(said.out.find("the tensor map has swizzle 128B, the descriptor reads 64B\n  7168 of 8192 "
                      "elements are not where they belong if B lies column after column") !=
        std::string::npos);
  CHECK(said.out.find("5 operands compared, by where their elements came from; 2 are wrong") !=
        std::string::npos);
  const std::string advice = "What to do: the tensor map's swizzle";
  CHECK(said.out.find(advice) == said.out.rfind(advice));
  kSteps.record("right");
  CHECK(run_process({kLanescope, "diagnose", kFile}).exit_code == 0);
}

TEST_CASE("diagnose follows tcgen05.mma of other programs, and says what it does not follow") {
  const auto said = [](const char* program, const char* which) {
    fs::remove(kTensor.file);
    run_process({kLanescope, "run", "--steps", which, "--trace", kTensor.file, "--",
                 build_folder() / "tests/programs/built" / program});
    return run_process({kLanescope, "diagnose", kTensor.file});
  };
  const auto holds = [](const Finished& run, const char* words) {
    return run.out.find(words) != std::string::npos;
  };
  for (const char* program : {"tensor_memory", "tensor_pair", "tensor_scale"}) {
    CAPTURE(program);
    const Finished run = said(program, "launch=0");
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(holds(run, "B of sum 1, of "));
    CHECK(holds(run, "row after row"));
    CHECK(holds(run, "operands compared, by where their elements came from; all are right"));
  }
}
