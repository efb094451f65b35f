// SPDX-License-Identifier: MIT
// Every mistake between the sums and the store of D that diagnose knows, made by
// epilogue_mistakes.cu on the emulator and named from its steps; what is right is called right, and
// what may be either is not compared.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

// Rows 64 to 95, columns 32 to 63: a tile of the second warp begins at row 80.
const tests::RecordedSteps kSteps{"epilogue_mistakes", "block=1,2,0"};

struct Made {
  const char* name;
  int wrong;  // of the block's eight sums
  const char *kind, *words;
};

const Made kMade[] = {
    {"first-next", 6, "epilogue-place",
     "columns 32 to 39 of D are given elements 33 to 40 of parameter 3, which has one for each "
     "column"},
    {"bias-next", 6, "epilogue-place",
     "columns 32 to 39 of D are given elements 33 to 40 of parameter 3, which has one for each "
     "column"},
    {"bias-tile", 6, "epilogue-place",
     "columns 40 to 47 of D are given elements 32 to 39 of parameter 3, which has one for each "
     "column"},
    {"bias-block", 8, "epilogue-place",
     "columns 32 to 39 of D are given elements 0 to 7 of parameter 3, which has one for each "
     "column"},
    {"bias-lanes", 8, "epilogue-order",
     "2 columns of D are given one element of parameter 3, which has one for each"},
    {"bias-pairs", 8, "epilogue-order",
     "2 columns of D are given one element of parameter 3, which has one for each"},
    {"scale-warp", 4, "epilogue-place",
     "rows 80 to 95 of D are given elements 64 to 79 of parameter 4, which has one for each row"},
    {"scale-block", 8, "epilogue-place",
     "rows 64 to 79 of D are given elements 32 to 47 of parameter 4, which has one for each row"},
    {"scale-half", 8, "epilogue-order",
     "rows 0 and 8 of a tile of D are given the same element of parameter 4"},
    {"scales", 8, "epilogue-axis",
     "parameter 5 has 64 elements, as many as D has columns, and D is given them row by row"},
    {"residual-row", 4, "epilogue-place",
     "D's tile at row 80, column 32 is given that at row 64, column 32 of parameter 2"},
    {"residual-length", 8, "epilogue-rows",
     "parameter 2 is read row after row, 224 bytes apart; it has as many elements as D, which has "
     "128 rows of 64"},
    {"residual-turned", 8, "epilogue-axis",
     "parameter 2 is read column after column, 256 bytes apart; it has as many elements as D, "
     "which has 128 rows of 64"},
    {"residual-registers", 8, "epilogue-order",
     "what D is given of parameter 2 is not its own: registers D.r1 and D.r2 are exchanged"},
    {"residual-halves", 8, "epilogue-order",
     "what D is given of parameter 2 is not its own: lane 0, D.r0: D[0][0] belongs there, it is "
     "D[8][0]"},
    {"begun-turned", 8, "c-transposed",
     "C is read column after column, D is stored row after row: one of them is transposed"},
    {"padded-row", 4, "epilogue-place",
     "D's tile at row 80, column 32 is given that at row 64, column 32 of parameter 2"},
    {"padded-length", 8, "epilogue-rows",
     "parameter 2 is read row after row, 272 bytes apart; its memory has as many as D has rows, if "
     "they are 288 bytes apart"},
    {"residual-again", 8, "added-again",
     "what D[0][0] is given of parameter 2 is added to it before product 2, and once more behind "
     "the last product"},
};

// A right kernel, and what it says of the residual and of the bias.
struct Right {
  const char *name, *words;
};
const Right kRight[] = {
    {"right",
     "sums of k 0 to 31, scaled by parameter 5 by column and parameter 4 by row and parameter 6, "
     "parameter 3 by column added, parameter 2 (row after row, 256 bytes apart) and parameter 7 "
     "added"},
    {"staged",
     "sums of k 0 to 31, scaled by parameter 5 by column and parameter 6 and parameter 4 by row, "
     "parameter 3 by column added, parameter 2 (row after row, 256 bytes apart) and parameter 7 "
     "added"},
    {"padded", "parameter 2 (row after row, 288 bytes apart) and parameter 7 added"},
    {"columns", "parameter 2 (column after column, 512 bytes apart) and parameter 7 added"},
    {"header", ", parameter 3 by column, behind 4 others added, "},
    {"heads", ", parameter 3 by column, anew every 32 added, "},
    {"first", "sums of k 0 to 31, begun with parameter 3 by column, scaled by parameter 5"},
    {"begun", ", begun with parameter 2 (row after row, 256 bytes apart), scaled by parameter 5"},
    {"begun-columns", ", begun with parameter 2 (column after column, 512 bytes apart), scaled"},
};

std::vector<viz::SumCheck> recorded(const char* name, bool is_right) {
  CHECK((kSteps.record(name).out == "0 of 8192 elements of D are wrong\n") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  return viz::Verdicts(model, steps).sums();
}

int count_of(const std::vector<viz::SumCheck>& all, trace::Verdict verdict) {
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const viz::SumCheck& one) {
    return one.check.diagnosis.verdict == verdict;
  }));
}

}  // namespace

TEST_CASE("what is added to sums and scales them is told where it is right" *
          doctest::test_suite("twice")) {
  for (const Right& right : kRight) {
    CAPTURE(right.name);
    const std::vector<viz::SumCheck> all = recorded(right.name, true);
    REQUIRE(all.size() == 8);
    CHECK(count_of(all, trace::Verdict::right) == 8);
    CAPTURE(all[0].check.lies);
    CHECK(all[0].check.lies.find(right.words) != std::string::npos);
  }
}

TEST_CASE("each mistake between a sum and its store makes D wrong, and is named") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    const std::vector<viz::SumCheck> all = recorded(made.name, false);
    CHECK(count_of(all, trace::Verdict::mistake) == made.wrong);
    CHECK(count_of(all, trace::Verdict::unknown) == 0);
    const auto first = std::find_if(all.begin(), all.end(), [](const viz::SumCheck& one) {
      return one.check.diagnosis.verdict == trace::Verdict::mistake;
    });
    REQUIRE(first != all.end());
    CHECK(first->check.diagnosis.kind == made.kind);
    CHECK(first->check.diagnosis.mistake == made.words);
    kinds.insert(made.kind);
  }
  for (const trace::KnownMistake& known : viz::known_epilogue_mistakes()) {
    CAPTURE(known.kind);
    CHECK(kinds.count(known.kind) == 1);
  }
}

TEST_CASE("which of two factors is alpha nobody knows but who wrote the kernel") {
  const std::vector<viz::SumCheck> all = recorded("alpha-beta", false);
  CHECK(count_of(all, trace::Verdict::right) == 8);
  REQUIRE(count_of(all, trace::Verdict::not_compared) == 1);
  CHECK(all[0].check.diagnosis.mistake ==
        "the sums are scaled by parameter 7, what is added to them by parameter 6: right if beta "
        "comes before alpha, wrong if they are exchanged");
}

// As of layers one behind the other, each with its scales: the second one's rows are not D's.
TEST_CASE("where A has more rows than D nothing is concluded from how large a vector is") {
  kSteps.record("scales");
  viz::Model model = kSteps.model();
  constexpr std::uint64_t kBytesOfA = 128 * 32 * 2;
  for (trace::Event& event : model.trace.events)
    if (auto* launch = std::get_if<trace::Launch>(&event))
      for (trace::Allocation& one : launch->allocations)
        if (one.bytes == kBytesOfA) one.bytes *= 2;
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  CHECK(count_of(verdicts.sums(), trace::Verdict::right) == 8);
  CHECK(count_of(verdicts.sums(), trace::Verdict::mistake) == 0);
}

TEST_CASE("docs/own_kernel.md has what diagnose says of a bias that has lost its block") {
  recorded("bias-block", false);
  const std::string said =
      tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", kSteps.file}).out;
  const std::size_t begin = said.find("D of product 2");
  REQUIRE(begin != std::string::npos);
  const std::string text = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  const std::size_t end = said.find('\n', said.find('\n', begin) + 1) + 1;
  CHECK(text.find("```text\n" + said.substr(begin, end - begin) + "```") != std::string::npos);
  CHECK(text.find("makes nineteen\nsuch mistakes") != std::string::npos);
  CHECK(std::size(kMade) == 19);
}
