// SPDX-License-Identifier: MIT
// Every mistake of the loop along k, of C and of D that diagnose knows, made by sum_mistakes.cu on
// the emulator and named from its steps; what is right is called right.
#include <doctest/doctest.h>

#include <set>

#include "panels/way/sum_checks.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;

namespace {

const std::string kLanescope = build_folder() / "bin/lanescope";

// A block in the middle: its row and its column are not 0, nor the same.
const tests::RecordedSteps kSteps{"sum_mistakes", "block=1,1,0"};
const std::string& kFile = kSteps.file;

std::vector<viz::SumCheck> checks() {
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::RegisterHistory history(steps);
  viz::Origins origins(model.trace, history);
  viz::SumChecks sums(model, history);
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    // The others are placed by these: as of a trace with more products than are looked at.
    if (k % 4 >= 2) continue;
    const viz::Multiplication& in = model.multiplications[k];
    sums.add(static_cast<int>(k), origins.check(in, 'A'), origins.check(in, 'B'));
  }
  return sums.judged();
}

struct Made {
  const char* name;
  int wrong;  // of the block's four sums, or more where they fall into several
  char operand;
  const char *kind, *words;
};

const Made kMade[] = {
    {"never-set", 4, 'C', "sum-never-set", "nothing has set C.r0: these sums begin with what it"},
    {"zero-in-loop", 12, 'D', "sum-dropped", "nothing reads these sums: no mma adds to them"},
    {"one-short", 4, 'D', "k-short",
     "k 48 to 63 is never added: A's rows and B's columns have 64 elements, and these sums end at "
     "k 47"},
    {"twice", 4, 'D', "k-twice", "k 0 to 15 of A and B is added twice"},
    {"b-stays", 4, 'D', "k-advance", "A is at k 16 to 31, but B at k 0 to 15"},
    {"a-by-rows", 4, 'D', "k-advance",
     "from one step of k to the next A goes on by 16 rows, it should go on by 16 columns"},
    {"one-sum", 2, 'D', "sums-mixed",
     "columns 24 to 31 of B are added to the sums of columns 16 to 23"},
    {"registers", 4, 'D', "registers-exchanged", "registers D.r1 and D.r2 are exchanged"},
    {"same-rows", 4, 'D', "sum-not-stored",
     "D.r0, D.r1 are never stored, or others are stored over them"},
    {"half-stored", 4, 'D', "sum-not-stored", "D.r2, D.r3 are never stored"},
    {"no-warp", 2, 'D', "tile-misplaced",
     "D is stored at row 32, column 16; its rows of A begin at 48, its columns of B at 16"},
    {"exchanged", 4, 'D', "tile-misplaced",
     "row and column of the tile are exchanged: D is stored at row 16, column 32; its rows of A "
     "begin at 32, its columns of B at 16"},
    {"c-transposed", 4, 'C', "c-transposed",
     "C is read column after column, D is stored row after row: one of them is transposed"},
    {"d-transposed", 4, 'C', "c-transposed",
     "C is read row after row, D is stored column after column: one of them is transposed"},
    {"staged-rows", 4, 'D', "", "not one of the known mistakes"},
    {"operands", 4, 'D', "operands-exchanged",
     "A and B are exchanged: D is stored at row 32, column 16; its rows of A begin at 16, its "
     "columns of B at 32, and A comes from parameter 1, B from parameter 0"},
    {"c-order", 4, 'C', "sums-exchanged",
     "registers C.r1 and C.r2 are exchanged: C.r1 brings D[8][0] of product 1, and D[0][1] belongs "
     "there"},
    {"same-warp", 2, 'D', "made-twice",
     "warp 0 has made the same sums, and stores them at the same place; nobody in this block makes "
     "rows from 48 on"},
};

}  // namespace

TEST_CASE("sums that are stored from registers, and scaled through shared memory, are right" *
          doctest::test_suite("twice")) {
  for (const char* right : {"right", "ldmatrix", "staged"}) {
    CAPTURE(right);
    CHECK(kSteps.record(right).out == "0 of 4096 elements of D are wrong\n");
    const std::vector<viz::SumCheck> all = checks();
    REQUIRE(all.size() == 4);
    for (const viz::SumCheck& one : all) {
      CHECK(one.operand == 'D');
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
    }
    CHECK(all[3].check.tile->row == 48);
    CHECK(all[3].check.tile->col == 24);
  }
  // f16, 64 of them in a row: row 32, column 16.
  CHECK(checks()[0].check.lies ==
        "row after row, 128 bytes apart, from byte 4128 behind parameter 4 on, sums of k 0 to 63, "
        "begun with parameter 2 (row after row, 256 bytes apart)");
}

TEST_CASE("warps that do what others do are right where the blocks are enough for all of D") {
  CHECK(kSteps.record("shared-work").out == "0 of 4096 elements of D are wrong\n");
  const std::vector<viz::SumCheck> all = checks();
  REQUIRE(all.size() == 4);
  for (const viz::SumCheck& one : all) CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
}

// What is left out may have been all that was missing.
TEST_CASE("of a right kernel nothing is wrong, whichever of its steps are recorded") {
  for (const char* right : {"right", "ldmatrix", "staged"})
    for (const char* which : {"count=100", "count=150", "count=200", "count=250", "from=30",
                              "from=60", "from=90", "from=60,count=120"}) {
      CAPTURE(right);
      CAPTURE(which);
      const tests::RecordedSteps steps{"sum_mistakes", "block=1,1,0," + std::string(which)};
      steps.record(right);
      const Finished said = run_process({kLanescope, "diagnose", steps.file});
      CAPTURE(said.out);
      CHECK(said.exit_code != 1);
    }
}

// Its tiles are counted from the first that is recorded, which may be in the middle of k.
TEST_CASE("tiles of stream-K whose matrices begin nobody knows where are not held together") {
  const tests::RecordedSteps steps{"stream_k", "launch=0,from=240"};
  steps.record("");
  const Finished said = run_process({kLanescope, "diagnose", steps.file});
  CAPTURE(said.out);
  CHECK(said.exit_code == 0);
}

TEST_CASE("each mistake of a sum makes D wrong, and is named") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    CHECK(kSteps.record(made.name).out.substr(0, 2) != "0 ");
    int wrong = 0;
    for (const viz::SumCheck& one : checks()) {
      const trace::Diagnosis& d = one.check.diagnosis;
      if (d.verdict == trace::Verdict::right) continue;
      CHECK(one.operand == made.operand);
      CHECK(d.kind == made.kind);
      if (++wrong == 1) CHECK(d.mistake.substr(0, std::string(made.words).size()) == made.words);
      kinds.insert(d.kind);
    }
    CHECK(wrong == made.wrong);
  }
  for (const trace::KnownMistake& known : viz::known_sum_mistakes()) {
    CAPTURE(known.kind);
    CHECK(kinds.count(known.kind) == 1);
  }
}

TEST_CASE("rows of a tile that ldmatrix reads half a row too far on are named") {
  CHECK(kSteps.record("half-row").out.substr(0, 2) != "0 ");
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::RegisterHistory history(steps);
  viz::Origins origins(model.trace, history);
  for (const viz::Multiplication& in : model.multiplications) {
    const viz::OriginCheck a = origins.check(in, 'A');
    CHECK(a.diagnosis.kind == viz::known_origin_mistakes()[0].kind);
    CHECK(a.diagnosis.mistake == "every row of it is read 16 bytes too far on in shared memory");
    CHECK(a.diagnosis.wrong == 256);
    CHECK(a.first == "lane 0, A.r0.lo: A[0][0] belongs there, it is A[0][8]");
    CHECK(origins.check(in, 'B').diagnosis.verdict == trace::Verdict::right);
  }
  kSteps.record("ldmatrix");
  const Finished said = run_process({kLanescope, "diagnose", kFile});
  CHECK(said.exit_code == 0);
}

TEST_CASE("an element that is stored in another's place is named with the line that stores it") {
  kSteps.record("staged-rows");
  const std::vector<viz::SumCheck> all = checks();
  CHECK(all[0].check.diagnosis.wrong == 128);
  CHECK(all[0].check.first.starts_with("step "));
  CHECK(all[0].check.first.find("sum_mistakes.cu:") != std::string::npos);
  CHECK(all[0].check.first.ends_with(": D[0][0] is stored where D[1][0] belongs"));
}

TEST_CASE("docs/own_kernel.md has what diagnose says of a loop that is one step too short") {
  const std::string open = "```text\n";
  const std::string text = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  const std::size_t begin = text.find(open) + open.size();
  kSteps.record("one-short");
  CHECK(run_process({kLanescope, "diagnose", kFile})
            .out.find(text.substr(begin, text.find("```", begin) - begin)) != std::string::npos);
  CHECK(text.find("makes nineteen such mistakes") != std::string::npos);
  CHECK(std::size(kMade) + 1 == 19);  // and half-row
}

TEST_CASE("diagnose says what is wrong with sums in the terminal, alike ones four times") {
  kSteps.record("zero-in-loop");
  const Finished said = run_process({kLanescope, "diagnose", kFile});
  CHECK(said.exit_code == 1);
  const std::string words = "nothing reads these sums";
  std::size_t times = 0;
  for (std::size_t at = 0; (at = said.out.find(words, at)) != std::string::npos; ++at) ++times;
  CHECK(times == 4);
  CHECK(said.out.find("12 are wrong") != std::string::npos);
  CHECK(said.out.find("sums of k 48 to 63") != std::string::npos);
  kSteps.record("right");
  CHECK(run_process({kLanescope, "diagnose", kFile}).exit_code == 0);
}
