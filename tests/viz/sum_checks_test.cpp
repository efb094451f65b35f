// SPDX-License-Identifier: MIT
// Sums of two mma, in made-up traces: what is wrong with them is named, and what only looks so is
// not. tests/programs/sum_test.cpp has programs of nvcc.
#include "panels/way/sum_checks.hpp"

#include <doctest/doctest.h>

#include "tests/viz/recorded_sums.hpp"

namespace lanescope::viz {
namespace {

using recorded::kApart;
using recorded::kDApart;
using recorded::right_a;
using recorded::Summed;
using recorded::summed;
using trace::Verdict;

struct JudgedSums {
  std::vector<SumCheck> sums;
  SumChecks::Cut cut;  // operands that are wrong unless their rows come in pieces: whether they do
};

JudgedSums judged_sums(trace::Trace trace, std::size_t left_out = 0) {
  Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 2);
  model.left_out = left_out;
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  Origins origins(model.trace, history);
  SumChecks sums(model, history);
  for (int k = 0; k < 2; ++k) {
    const Multiplication& in = model.multiplications[static_cast<std::size_t>(k)];
    const OriginCheck a = origins.check(in, 'A'), b = origins.check(in, 'B');
    sums.add(k, a, b, same_order_of_k(in, a, b));
  }
  std::vector<SumCheck> all = sums.judged();
  return {std::move(all), sums.cut()};
}

std::vector<SumCheck> sums_of(trace::Trace trace, std::size_t left_out = 0) {
  return judged_sums(std::move(trace), left_out).sums;
}

// Whether it is known that they come in pieces.
using Known = std::map<std::pair<int, char>, bool>;
Known cut_of(const Summed& how) {
  Known known;
  for (const auto& [which, decided] : judged_sums(summed(how)).cut) known[which] = decided.is_known;
  return known;
}

// Rows of A and columns of B of 48 elements, of which 32 are multiplied.
Summed part_of_rows() {
  Summed part;
  part.a = [](int lane, int reg) {
    return right_a(lane, reg) / kApart * 96 + right_a(lane, reg) % kApart;
  };
  part.b = [](int lane, int reg) {
    return recorded::right_b(lane, reg) / kApart * 96 + recorded::right_b(lane, reg) % kApart;
  };
  return part;
}

// Of the only sum there is.
trace::Diagnosis diagnosis(const Summed& how) {
  const std::vector<SumCheck> all = sums_of(summed(how));
  REQUIRE(all.size() == 1);
  return all[0].check.diagnosis;
}

}  // namespace

TEST_CASE("a sum is followed from its zeros to where it is stored") {
  const std::vector<SumCheck> all = sums_of(summed({}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].product == 1);
  CHECK(all[0].operand == 'D');
  CHECK(all[0].check.diagnosis.verdict == Verdict::right);
  CHECK(all[0].check.lies ==
        "row after row, 64 bytes apart, from byte 0 behind parameter 2 on, sums of k 0 to 31");
}

TEST_CASE("a sum is followed through what lanes choose and give each other") {
  CHECK(diagnosis(recorded::exchanged()).verdict == Verdict::right);
  Summed exchanged = recorded::exchanged();
  exchanged.d = [](int lane, int reg) { return Summed().d(lane, reg); };  // as if it had not
  CHECK(diagnosis(exchanged).verdict != Verdict::right);
}

TEST_CASE("what is wrong along k") {
  Summed twice;
  twice.next_a = twice.next_b = 0;
  CHECK(diagnosis(twice).kind == "k-twice");
  Summed one;
  one.next_b = 0;
  CHECK(diagnosis(one).mistake == "A is at k 16 to 31, but B at k 0 to 15");
  Summed rows;
  rows.next_a = 16 * kApart;
  CHECK(diagnosis(rows).mistake ==
        "from one step of k to the next A goes on by 16 rows, it should go on by 16 columns");
  Summed mixed;
  mixed.next_a = 16 * kApart;
  mixed.next_b = 0;
  CHECK(diagnosis(mixed).mistake == "rows 16 to 31 of A are added to the sums of rows 0 to 15");
  Summed never;
  never.from_zero = false;
  CHECK(diagnosis(never).kind == "sum-never-set");
  Summed again;
  again.goes_on = false;
  const std::vector<SumCheck> two = sums_of(summed(again));
  REQUIRE(two.size() == 2);
  CHECK(two[0].check.diagnosis.kind == "sum-dropped");
  CHECK(two[1].check.diagnosis.verdict == Verdict::right);
}

// Of every four k the first mma has two, the second one the others: as where four numbers of a byte
// become two registers of f16.
TEST_CASE("two products may have every other pair of k") {
  Summed pairs;
  pairs.a = [](int lane, int reg) {
    return (lane / 4 + reg % 2 * 8) * kApart + lane % 4 * 8 + reg / 2 * 32;
  };
  pairs.b = [](int lane, int reg) { return lane / 4 * kApart + lane % 4 * 8 + reg * 32; };
  pairs.next_a = pairs.next_b = 4;
  const std::vector<SumCheck> all = sums_of(summed(pairs));
  REQUIRE(all.size() == 1);
  CHECK(all[0].check.diagnosis.verdict == Verdict::right);
  CHECK(all[0].check.lies == "row after row, 64 bytes apart, from byte 0 behind parameter 2 on");
  pairs.next_a = pairs.next_b = 0;
  CHECK(diagnosis(pairs).mistake == "k 0, 1, 4, 5, ... of A and B is added twice");
  pairs.next_a = pairs.next_b = 2;  // k 1 is in both
  CHECK(diagnosis(pairs).kind == "k-twice");
  pairs.next_a = 4;
  pairs.next_b = 0;
  CHECK(diagnosis(pairs).mistake == "A is at k 2, 3, 6, 7, ..., but B at k 0, 1, 4, 5, ...");
}

TEST_CASE("each element of a sum goes on as itself") {
  Summed swapped;
  swapped.c = "{%f0, %f2, %f1, %f3}";
  const std::vector<SumCheck> all = sums_of(summed(swapped));
  REQUIRE(all.size() == 1);
  CHECK(all[0].product == 1);
  CHECK(all[0].operand == 'C');
  CHECK(all[0].check.diagnosis.kind == "sums-exchanged");
  CHECK(all[0].check.diagnosis.mistake ==
        "registers C.r1 and C.r2 are exchanged: C.r1 brings D[8][0] of product 1, and D[0][1] "
        "belongs there");
  Summed turned;
  turned.c = "{%f0, %f2, %f3, %f1}";
  CHECK(diagnosis(turned).mistake == "C.r1 brings D[8][0] of product 1, and D[0][1] belongs there");
}

TEST_CASE("what only looks wrong along k is right") {
  Summed convolution;  // the next pixel's row, which is no k of A
  convolution.next_a = 3 * kApart;
  CHECK(diagnosis(convolution).verdict == Verdict::right);
  const Summed part = part_of_rows();  // the rest may be another block's
  CHECK(diagnosis(part).mistake ==
        "k 32 to 47 is never added: A's rows and B's columns have 48 elements, and these sums end "
        "at k 31");
  trace::Trace layers = summed(part);
  trace::Launch launch;
  launch.grid = {1, 1, 2};
  layers.events.insert(layers.events.begin(), launch);
  CHECK(sums_of(layers)[0].check.diagnosis.verdict == Verdict::right);
}

TEST_CASE("a sum is not called too short where products are left out, unless it is stored") {
  const trace::Trace stored = summed(part_of_rows());
  CHECK(sums_of(stored, 1)[0].check.diagnosis.kind == "k-short");
  trace::Trace cut = stored;
  std::erase_if(cut.events, [](const trace::Event& event) {
    const auto* step = std::get_if<trace::Step>(&event);
    return step != nullptr && step->ptx.starts_with("st.global");
  });
  CHECK(sums_of(cut)[0].check.diagnosis.kind == "k-short");
  CHECK(sums_of(cut, 1).empty());
}

TEST_CASE("what is wrong with where D goes") {
  Summed exchanged;
  exchanged.d = [](int lane, int reg) { return Summed().d(lane, reg % 2 * 2 + reg / 2); };
  CHECK(diagnosis(exchanged).mistake == "registers D.r1 and D.r2 are exchanged");
  Summed half;
  half.registers = 2;
  CHECK(diagnosis(half).mistake == "D.r2, D.r3 are never stored, or others are stored over them");
  Summed before;  // the rows from 8 on alone, where the first ones belong
  before.from_register = 2;
  before.d = [](int lane, int reg) { return Summed().d(lane, reg) - 8 * kDApart; };
  CHECK(diagnosis(before).mistake ==
        "rows 0 to 7 of a tile are never stored, or others are stored over them");
  Summed edge;  // and rows 5 to 7, 13 to 15 lie outside
  edge.stores = 0xfffff;
  edge.d = [](int lane, int reg) { return Summed().d(lane, reg) + (reg == 3 ? 2 * kDApart : 0); };
  CHECK(diagnosis(edge).mistake == "in every lane D.r3 is stored 2 rows farther on");
  Summed over;
  over.d = [](int lane, int reg) { return Summed().d(lane, reg % 2); };
  CHECK(diagnosis(over).kind == "register-step");
  CHECK(diagnosis(over).wrong == 64);
}

TEST_CASE("what only looks wrong with where D goes is right, or not judged") {
  Summed edge;  // five rows
  edge.stores = 0xfffff;
  edge.registers = 2;
  edge.a = [](int lane, int reg) { return right_a(lane, reg / 2 * 2); };  // it has no more
  for (const SumCheck& one : sums_of(summed(edge)))
    CHECK(one.check.diagnosis.kind != "registers-exchanged");
  Summed masked;
  masked.stores = 0xfffff;
  CHECK(diagnosis(masked).verdict == Verdict::right);
  Summed few;  // columns of eight rows, 32 bytes apart
  few.registers = 2;
  few.d = [](int lane, int reg) { return (lane % 4 * 2 + reg % 2) * 32 + lane / 4 * 4; };
  few.a = edge.a;
  for (const SumCheck& one : sums_of(summed(few)))
    CHECK(one.check.diagnosis.mistake !=
          "D is stored neither row after row nor column after column");
  Summed columns;
  columns.d = [](int lane, int reg) {
    return (lane % 4 * 2 + reg % 2) * kDApart + (lane / 4 + reg / 2 * 8) * 4;
  };
  CHECK(diagnosis(columns).verdict == Verdict::right);
  Summed workspace;  // lane after lane
  workspace.d = [](int lane, int reg) { return lane * 16 + reg * 4; };
  for (const SumCheck& one : sums_of(summed(workspace))) {
    CHECK(one.check.diagnosis.verdict == Verdict::not_compared);
    CHECK(one.check.diagnosis.mistake ==
          "D is stored neither row after row nor column after column");
  }
}

// Rows 8 to 15 eight farther on: as many bytes as if a row of an image had 16.
TEST_CASE("rows of A in pieces are a mistake, unless D's are too, or A goes on along M") {
  const std::pair<int, char> first(0, 'A'), second(1, 'A');
  Summed far;
  far.a = [](int lane, int reg) { return right_a(lane, reg) + reg % 2 * 8 * kApart; };
  CHECK(cut_of(far).empty());
  Summed convolution = far;
  convolution.next_a = 3 * kApart;
  CHECK(cut_of(convolution) == Known{{first, false}, {second, false}});
  Summed stored = far;
  stored.d = [](int lane, int reg) { return Summed().d(lane, reg) + reg / 2 * 20 * kDApart; };
  CHECK(cut_of(stored) == Known{{first, true}, {second, true}});
  stored.d = [](int lane, int reg) { return Summed().d(lane, reg) + lane / 16 * 20 * kDApart; };
  CHECK(cut_of(stored).empty());
  CHECK(cut_of({}).empty());
}

TEST_CASE("rows of A behind the end of D may be others again") {
  Summed again;
  again.a = [](int lane, int reg) { return right_a(lane, reg / 2 * 2); };  // the first eight
  CHECK(cut_of(again).empty());
  again.registers = 2;  // of D: so many rows are stored
  CHECK(cut_of(again) == Known{{{0, 'A'}, true}, {{1, 'A'}, true}});
}

}  // namespace lanescope::viz
