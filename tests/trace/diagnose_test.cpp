// SPDX-License-Identifier: MIT
// diagnose never calls a right fragment wrong, finds the matrix that it is compared with, and says
// so where it knows no mistake or has nothing to compare. What mistakes it names:
// mistakes_test.cpp.
#include "trace/diagnose.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "tests/trace/mistaken.hpp"

using namespace lanescope;
using namespace lanescope::trace_test;

TEST_CASE("what is right is right, for every mma of 8 bits and more") {
  int tried = 0;
  for (const layout::Instruction& instruction : layout::instructions()) {
    if (instruction.family != "mma") continue;
    for (const char operand : {'A', 'B'}) {
      const layout::Fragment* map = instruction.operand(operand);
      if (map == nullptr || map->element_bits < 8 || map->matrices > 1) continue;
      if (map->payload_bits() != map->element_bits) continue;
      trace::Trace trace;
      trace.events.push_back(fragment(instruction.mnemonic.c_str(), operand, kRight));
      trace.events.push_back(matrix(std::string(1, operand), *map, map->rows, map->cols));
      const Diagnosis d = only(trace);
      CAPTURE(instruction.mnemonic);
      CAPTURE(d.mistake);
      CHECK(d.verdict == Verdict::right);
      CHECK(d.wrong == 0);
      CHECK(d.elements == map->threads() * map->values);
      ++tried;
    }
  }
  CHECK(tried > 40);
}

TEST_CASE("an honest no: what no known mistake explains") {
  const Diagnosis shuffled = planted(kF16, 'A', 16, 16, [](int, int, int, Place e) {
    return Place{(e.row * 5 + 3) % 16, (e.col * 3 + e.row) % 16};
  });
  CHECK(shuffled.verdict == Verdict::unknown);
  CHECK(shuffled.kind.empty());
  CHECK(shuffled.mistake == "not one of the known mistakes");
  CHECK(shuffled.advice.find("by which address did its lane get what is there?") !=
        std::string::npos);
  CHECK(shuffled.first.find("lane 0, A.r0, low half: expected A[0][0] = ") == 0);
  const Diagnosis one = planted(kF16, 'A', 16, 16, [](int lane, int reg, int part, Place e) {
    return lane == 13 && reg == 1 && part == 0 ? Place{0, 0} : e;
  });
  CHECK(one.verdict == Verdict::unknown);
  CHECK(one.wrong == 1);
  CHECK(one.lane == 13);
  CHECK(one.register_index == 1);
}

TEST_CASE("nothing to compare with is no verdict") {
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', kRight));
  CHECK(only(trace).verdict == Verdict::not_compared);
  CHECK(only(trace).mistake == "the trace has no matrix A of type f16 to compare it with");
  trace.events.push_back(matrix("B", layout::find(kF16)->B, 16, 16));  // another operand's
  CHECK(only(trace).verdict == Verdict::not_compared);
  trace.events.push_back(matrix("Alpha", layout::find(kF16)->A, 16, 16));  // no operand's
  CHECK(only(trace).verdict == Verdict::not_compared);
  std::get<trace::Fragment>(trace.events[0]).instruction = "mma.of.my.own";
  CHECK(only(trace).mistake == "the atlas has no map of it");
  std::get<trace::Fragment>(trace.events[0]).operand = "SFA";
  CHECK(only(trace).mistake == "scale factors are not followed");
  trace::Trace short_one;
  short_one.events.push_back(fragment(kF16, 'A', kRight));
  std::get<trace::Fragment>(short_one.events[0]).registers.pop_back();
  CHECK(only(short_one).verdict == Verdict::not_compared);
}

TEST_CASE("a name with an absurd step, and a matrix that lacks bytes, are no reason to stop") {
  const layout::Fragment& map = layout::find(kF16)->A;
  for (const char* name : {"A k=99999999999999999999", "A k=2147483647", "A m=-5", "A k="}) {
    trace::Trace trace;
    trace.events.push_back(fragment(kF16, 'A', kRight, name));
    trace.events.push_back(matrix("A", map, 16, 16));
    CAPTURE(name);
    CHECK(only(trace).verdict != Verdict::not_compared);
  }
  trace::Trace cut;
  cut.events.push_back(fragment(kF16, 'A', kRight));
  cut.events.push_back(matrix("A", map, 16, 16));
  std::get<trace::Memory>(cut.events[1]).bytes.resize(7);
  CHECK(only(cut).verdict == Verdict::unknown);
}

TEST_CASE("each is told of its own fragment and of the matrix that it was compared with") {
  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Trace trace;
  trace.events = {trace::View{}, matrix("A", map, 16, 32), fragment(kF16, 'A', kRight),
                  matrix("C", map, 16, 16), fragment(kF16, 'A', kRight, "A k=16", 0, 16)};
  const std::vector<Diagnosis> all = trace::diagnose(trace);
  REQUIRE(all.size() == 2);
  CHECK(all[0].fragment == 2);
  CHECK(all[1].fragment == 4);
  for (const Diagnosis& d : all) CHECK(d.matrix == 1);
  CHECK(trace::diagnose(trace, 4, map).fragment == 4);
}

TEST_CASE("what explains nothing is compared with the first matrix, in word and number") {
  const layout::Fragment& map = layout::find(kF16)->A;
  const Plant shuffle = [](int, int, int, Place e) {
    return Place{(e.row * 5 + 3) % 16, (e.col * 3 + e.row) % 16};
  };
  trace::Trace one, two;
  one.events = {fragment(kF16, 'A', shuffle), matrix("A step 1", map, 16, 16)};
  two = one;
  two.events.push_back(matrix("A step 0", map, 16, 16, "shared", false, 5));
  CHECK(only(two).verdict == Verdict::unknown);
  CHECK(only(two).matrix == 1);
  CHECK(only(two).first == only(one).first);
}

TEST_CASE("a step of k is a word of its own in the name") {
  for (const char* name : {"A k=16", "A block=3 k=16", "A m=0 k=16", "A warp_m=1 rank=2 k=16"}) {
    trace::Trace trace;
    trace.events.push_back(fragment(kF16, 'A', kRight, name, 0, 16));
    trace.events.push_back(matrix("A", layout::find(kF16)->A, 16, 32));
    CAPTURE(name);
    CHECK(only(trace).verdict == Verdict::right);
  }
}

TEST_CASE("a matrix that lies transposed, by its name or by its shape") {
  const layout::Fragment& a = layout::find(kF16)->A;
  const layout::Fragment& b = layout::find(kF16)->B;
  trace::Trace by_name;
  by_name.events.push_back(fragment(kF16, 'A', kRight));
  by_name.events.push_back(matrix("a_t", a, 16, 16, "shared", true));
  CHECK(only(by_name).verdict == Verdict::right);
  trace::Trace by_shape;
  by_shape.events.push_back(fragment(kF16, 'B', kRight));
  by_shape.events.push_back(matrix("B by columns", b, 16, 8, "shared", true));  // 8 x 16
  CHECK(only(by_shape).verdict == Verdict::right);
}

TEST_CASE("a block's own part of a matrix in global memory") {
  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', kRight, "A", 32, 0));
  trace.events.push_back(matrix("A", map, 64, 16, "global"));
  CHECK(only(trace).verdict == Verdict::right);

  // Of D along both ways; what the name says, it says of the block's own part alone.
  const layout::Fragment& sums = layout::find(kF16)->D;
  for (const Place& at : {Place{0, 16}, Place{48, 0}, Place{32, 24}}) {
    trace::Trace both;
    both.events.push_back(fragment(kF16, 'D', kRight, "D", at.row, at.col));
    both.events.push_back(matrix("D", sums, 64, 32, "global"));
    CAPTURE(at.row);
    CAPTURE(at.col);
    CHECK(only(both).verdict == Verdict::right);
    both.events[1] = matrix("D", sums, 64, 32, "shared");  // of a block alone: there it has a place
    CHECK(only(both).verdict != Verdict::right);
  }
}

TEST_CASE("a symmetric matrix cannot tell, and that is said") {
  trace::Trace trace;
  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Memory zeros = matrix("A", map, 16, 16);
  std::fill(zeros.bytes.begin(), zeros.bytes.end(), std::uint8_t{0});
  trace::Fragment f = fragment(kF16, 'A', kRight);
  for (auto& reg : f.registers) std::fill(reg.begin(), reg.end(), 0);
  trace.events.push_back(f);
  trace.events.push_back(zeros);
  const Diagnosis d = only(trace);
  CHECK(d.verdict == Verdict::right);
  CHECK(d.note.find("this matrix cannot tell: it would look the same if") == 0);
  CHECK(planted(kF16, 'A', 16, 16, kRight).note.empty());
}

// That every kind it names is on the list, only() sees to.
TEST_CASE("the list names each kind once, in words") {
  std::set<std::string> kinds;
  for (const trace::KnownMistake& one : trace::known_mistakes()) {
    CHECK(kinds.insert(one.kind).second);
    CHECK(std::string(one.words).size() > 20);
  }
  CHECK(kinds.size() == 10);
}

TEST_CASE("a register of one element has no parts whose order a matrix could not tell") {
  const Diagnosis d = planted(kF16, 'D', 16, 8, kRight);
  CHECK((d.verdict == Verdict::right));
  CHECK(d.note == "");
}
