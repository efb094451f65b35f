// SPDX-License-Identifier: MIT
// The words of a map say what the map does: every formula and every expression is evaluated for
// every lane and value, by a calculator that knows nothing of the table.
#include <doctest/doctest.h>

#include <set>

#include "layout/formula.hpp"
#include "layout/rows.hpp"
#include "tests/layout/evaluate.hpp"
#include "tests/layout/maps.hpp"

using namespace lanescope::layout;

namespace {

std::map<std::string, int> names(int thread, int value) {
  return {{"lane", thread},
          {"thread", thread},
          {"i", value},
          {"groupID", thread >> 2},
          {"threadID_in_group", thread % 4}};
}

int along(const Element& e, Axis axis) {
  return axis == Axis::row ? e.row : axis == Axis::col ? e.col : e.matrix;
}

}  // namespace

TEST_CASE("the calculator reads as C does") {
  const std::map<std::string, int> n{{"a", 6}};
  CHECK(evaluate::value("1 + 2*3", n) == 7);
  CHECK(evaluate::value("(1 + 2)*3", n) == 9);
  CHECK(evaluate::value("a >> 1 & 1", n) == 1);
  CHECK(evaluate::value("a & 1 + 1", n) == 2);
  CHECK(evaluate::value("7 % 4 + (a >> 2)*8", n) == 11);
  CHECK_THROWS(evaluate::value("1 +", n));
  CHECK_THROWS(evaluate::value("(1", n));
  CHECK_THROWS(evaluate::value("b", n));
  CHECK_THROWS(evaluate::value("1 2", n));
}

TEST_CASE("formula and expression, evaluated, are the map" * doctest::test_suite("twice")) {
  std::set<std::string> seen;  // many entries share a map: each map once, but that one everywhere
  int evaluated = 0;
  for (const Instruction& i : instructions()) {
    for (const OperandMap& map : operands(i)) {
      const Fragment& f = *map.fragment;
      if (!seen.insert(fingerprint(f)).second) continue;
      for (Axis axis : {Axis::row, Axis::col, Axis::matrix}) {
        for (const std::string& text : {formula(f, axis), expression(f, axis)}) {
          bool differs = false;
          for (int thread = 0; thread < f.threads(); ++thread) {
            for (int value = 0; value < f.values; ++value) {
              differs = differs || evaluate::value(text, names(thread, value)) !=
                                       along(f.element(thread, value), axis);
              ++evaluated;
            }
          }
          CHECK_MESSAGE(!differs, i.mnemonic << " " << f.operand << ": " << text);
        }
      }
    }
  }
  CHECK(seen.size() >= 30);
  CHECK(evaluated > 80000);
}

TEST_CASE("with numbers: the left side evaluates to the right side, which is the place" *
          doctest::test_suite("twice")) {
  std::set<std::string> seen;
  for (const Instruction& i : instructions()) {
    for (const OperandMap& map : operands(i)) {
      const Fragment& f = *map.fragment;
      if (!seen.insert(fingerprint(f)).second) continue;
      bool right = true;
      for (int thread = 0; thread < f.threads(); thread += 5) {
        for (int value = 0; value < f.values; value += 3) {
          for (Axis axis : {Axis::row, Axis::col}) {
            const std::string text = formula_with_numbers(f, axis, thread, value);
            const std::string left = text.substr(0, text.find(" = "));
            const int place = along(f.element(thread, value), axis);
            right = right && evaluate::value(left, {}) == place &&
                    (left == text || text == left + " = " + std::to_string(place));
          }
        }
      }
      CHECK_MESSAGE(right, i.mnemonic << " " << f.operand);
    }
  }
}

TEST_CASE("the words are the ISA's") {
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  CHECK(formula(i->A, Axis::row) == "groupID + ((i >> 1) & 1)*8");
  CHECK(formula(i->A, Axis::col) == "threadID_in_group*2 + (i & 1) + (i >> 2)*8");
  CHECK(formula(i->B, Axis::row) == "threadID_in_group*2 + (i & 1) + (i >> 1)*8");
  CHECK(formula(i->B, Axis::col) == "groupID");
  CHECK(formula(i->D, Axis::matrix) == "0");
  CHECK(formula_with_numbers(i->A, Axis::row, 6, 3) == "1 + ((3 >> 1) & 1)*8 = 9");
  CHECK(formula_with_numbers(i->B, Axis::col, 20, 3) == "5");
  CHECK(expression(i->A, Axis::row) == "(lane >> 2) + ((i >> 1) & 1) * 8");
}

TEST_CASE("a derivation has its formula, and the numbers where there are some to fill in") {
  const Instruction& mma = *find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK(derivation(mma.A, Axis::row, 6, 3) ==
        std::vector<std::string>{"row = groupID + ((i >> 1) & 1)*8",
                                 "    = 1 + ((3 >> 1) & 1)*8 = 9"});
  const Instruction& scaled = *find(
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32"
      ".ue8m0");
  CHECK(derivation(scaled.SFA, Axis::col, 6, 0) == std::vector<std::string>{"col = 0"});
}
