// SPDX-License-Identifier: MIT
// Convolutions whose rows of A come in pieces, by convolution_mistakes.cu on the emulator: what is
// right is called right, or not compared; a row's address that is off is seen, in D as in A.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "panels/way/verdicts.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

const tests::RecordedSteps kSteps{"convolution_mistakes", "block=1"};

struct Counts {
  int right = 0, wrong = 0, not_compared = 0;
};

struct Judged {
  Counts a, b, d;
  std::string said_of_a, said_of_d;  // of the first A without zeros, of the last D
  std::set<int> wrong_a;             // warps
  int products = 0;
};

void count(Counts& counts, const viz::OperandVerdict& words) {
  ++(words.is_wrong()                         ? counts.wrong
     : words.verdict == trace::Verdict::right ? counts.right
                                              : counts.not_compared);
}

Judged judged(const char* block, const char* mistake,
              const tests::RecordedSteps& steps_of = kSteps) {
  const std::string said = steps_of.record_told({block, mistake}).out;
  CHECK((said.substr(0, 2) == "0 ") == (std::string(mistake) == "right"));
  const viz::Model model = steps_of.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  Judged found;
  for (const viz::SumCheck& one : verdicts.sums()) {
    const viz::OperandVerdict words = viz::in_words(one.check, 'D', false);
    count(found.d, words);
    found.said_of_d = words.headline;
  }
  found.products = static_cast<int>(model.multiplications.size());
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    const viz::ProductCheck& product = verdicts.product(k);
    const viz::OperandVerdict words = viz::in_words(product.a, 'A', product.in_order);
    count(found.a, words);
    count(found.b, viz::in_words(product.b, 'B', product.in_order));
    if (words.is_wrong()) found.wrong_a.insert(model.multiplications[k].place.warp);
    if (found.said_of_a.empty() && words.headline.find("zeros") == std::string::npos)
      found.said_of_a = words.headline;
  }
  return found;
}

}  // namespace

TEST_CASE("a convolution is right, whatever part of the image a block has") {
  struct Right {
    const char* block;
    int zeros;  // of 36 products: A is nothing but zeros there
    const char *a, *d;
  };
  for (const Right& one : {
           Right{"4x8", 0, "in pieces, cut before row 8", "in pieces, cut before row 8"},
           {"8x4", 0, "in pieces, cut before rows 4, 8, 12", "in pieces, cut before rows 4, 8, 12"},
           {"4x8s2", 0, "in pieces, cut before row 8", "in pieces, cut before row 8"},
           {"4x8d2", 6, "in pieces, cut before row 8", "in pieces, cut before row 8"},
           {"2x16", 6, " on", " on"},
           {"2x16s2", 6, " on", " on"},
           {"1x32", 12, " on", " on"},
       }) {
    CAPTURE(one.block);
    const Judged found = judged(one.block, "right");
    CHECK(found.products == 36);
    CHECK(found.a.wrong == 0);
    CHECK(found.a.not_compared == one.zeros);
    CHECK(found.b.right == 36);
    CHECK(found.d.right == 2);
    CHECK(found.said_of_a.ends_with(one.a));
    CHECK(found.said_of_d.ends_with(one.d));
  }
}

// Its rows of D are neighbours everywhere: nothing says where those of X end.
TEST_CASE("where D lies in one piece, and A's rows do not, A is not compared") {
  const Judged found = judged("linear", "right");
  CHECK(found.a.wrong == 0);
  CHECK(found.a.not_compared == 36);
  CHECK(found.d.right == 2);
  CHECK(
      found.said_of_a.find("A lies in pieces, cut before row 10: right if that is where rows of an "
                           "image end, wrong in a matrix") != std::string::npos);
}

// An image ends in a tile's 16 rows, or its padding is as wide as the filter; padding is all of
// some rows; a tile hangs over; filters have one pixel.
TEST_CASE("a convolution of any size is not called wrong, in any of its blocks") {
  for (const char* block : {"odd", "full", "partial", "pixel", "wide-pixel"})
    for (const char* which : {"block=0", "block=1", "block=2"}) {
      CAPTURE(block);
      CAPTURE(which);
      const Judged found = judged(block, "right", {"convolution_mistakes", which});
      CHECK(found.a.wrong == 0);
      CHECK(found.b.wrong == 0);
      CHECK(found.d.wrong == 0);
      CHECK(found.d.right == 2);
    }
  CHECK(judged("odd", "right")
            .said_of_a.starts_with("not compared: A lies in pieces, cut before row"));
}

// Half of a warp's rows are padding: D's lie in pieces, and nothing of A says so.
TEST_CASE("lines of D that are made of nothing but zeros may lie anywhere") {
  const Judged found = judged("padded-pixel", "right");
  CHECK(found.d.wrong == 0);
  CHECK(found.d.right == 1);
  CHECK(found.d.not_compared == 1);
}

// They jump on, and the next warp's rows jump back: no row of an image ends there.
TEST_CASE(
    "half of a warp's rows in the next line of the image are seen where D lies in one piece") {
  for (const char* block : {"linear", "1x32", "2x16", "odd"}) {
    CAPTURE(block);
    CHECK(judged(block, "half-below").a.wrong >= 4);
  }
  for (const char* block : {"linear", "1x32", "2x16"}) {
    CAPTURE(block);
    CHECK(judged(block, "line-below").wrong_a == std::set<int>{0});
  }
}

// Its pixels are in their order: only the other taps say that they are the wrong ones.
TEST_CASE("a tap that is off is named, where A lies in pieces and where it does not") {
  for (const char* block : {"4x8", "8x4", "4x8s2", "4x8d2", "2x16", "1x32", "linear"}) {
    CAPTURE(block);
    const Judged found = judged(block, "tap-off");
    CHECK(found.a.wrong == 0);
    CHECK(found.d.wrong == 2);
    CHECK(found.said_of_d ==
          "k 160 to 191 of A begins 64 bytes too soon: tap 1,2 of a filter of 3 x 3 whose others "
          "are equally far apart");
  }
  CHECK(std::string(viz::known_tap_mistakes().front().kind) == "tap-off");
}

TEST_CASE("a row of A that is another pixel's is seen, in pieces as without") {
  for (const char* block : {"4x8", "8x4", "4x8s2", "4x8d2", "2x16", "1x32"}) {
    CAPTURE(block);
    const Judged found = judged(block, "neighbour");
    CHECK(found.wrong_a == std::set<int>{0});
    CHECK(found.a.wrong >= 8);  // others have that row, or all, filled with zeros
  }
}

TEST_CASE("a row of D that is stored as another pixel is seen, in pieces as without") {
  for (const char* block : {"4x8", "8x4", "4x8s2", "2x16", "linear"}) {
    CAPTURE(block);
    const Judged found = judged(block, "stored-as-neighbour");
    CHECK(found.d.wrong == 1);
    CHECK(found.a.wrong == 0);
  }
}

// One of two warps jumps farther in A than the other, and D does not, or the other way round.
TEST_CASE("pieces of A that jump farther than those of D are wrong") {
  for (const char* block : {"4x8", "8x4", "4x8s2", "4x8d2"}) {
    CAPTURE(block);
    CHECK(judged(block, "line-below").a.wrong > 0);
    CHECK(judged(block, "stored-below").d.wrong > 0);
  }
}
