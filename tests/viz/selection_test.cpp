// SPDX-License-Identifier: MIT
// The words of the search box, the arrow keys and Tab, without a window.
#include "panels/matrix/facts.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

const Multiplication& f16() {
  static const Multiplication in = bare(*layout::find(synthetic::kF16));
  return in;
}
const Multiplication& e4m3() {
  static const Multiplication in = bare(*layout::find(synthetic::kE4m3));
  return in;
}

TEST_CASE("an element is found by its operand, row and column, however they are written") {
  for (const char* words : {"A 9,5", "a 9 5", "A[9][5]", "A(9,5)", "  A 9 , 5 ", "A9,5",
                            "A row 9 col 5", "a[ 9 ][ 5 ]"}) {
    CAPTURE(words);
    const Parsed parsed = parse_selection(words, f16());
    REQUIRE(parsed.error == "");
    CHECK(parsed.selection.picked == Picked::element);
    CHECK(parsed.selection.operand == 'A');
    CHECK(parsed.selection.element == layout::Element{9, 5, 0});
    // By hand: groupID 9 - 8 = 1, threadID_in_group (5 % 8) / 2 = 2: lane 6, register 1 (row + 8).
    CHECK(parsed.selection.thread == 6);
    CHECK(parsed.selection.register_index == 1);
  }
}

TEST_CASE("a lane, a register, a part of it") {
  CHECK(parse_selection("lane 13", f16()).selection == select_lane(13));
  CHECK(parse_selection("LANE13", f16()).selection == select_lane(13));
  CHECK(parse_selection("13", f16()).selection == select_lane(13));
  const Selection reg = parse_selection("A.r1.hi", f16()).selection;
  CHECK(reg.picked == Picked::reg);
  CHECK(reg.thread == -1);
  CHECK(reg.register_index == 1);
  CHECK(reg.part == 1);
  // Lane 13: group 3, thread 1. A.r1 is row + 8, its high half the odd column: A[11][3].
  const Selection element = parse_selection("lane 13 A.r1.hi", f16()).selection;
  CHECK(element.picked == Picked::element);
  CHECK(element.element == layout::Element{11, 3, 0});
  CHECK(parse_selection("13 a.r1.high", f16()).selection == element);
  // A register of one element is that element.
  CHECK(parse_selection("lane 13 D.r0", f16()).selection.picked == Picked::element);
  CHECK(parse_selection("A.r1.b2", e4m3()).selection.part == 2);
}

TEST_CASE("a warpgroup has threads, a warp has lanes, and either word is understood") {
  const Multiplication in =
      bare(*layout::find("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16"));
  for (const char* words : {"thread 68", "lane 68", "68"}) {
    CAPTURE(words);
    const Selection selection = parse_selection(words, in).selection;
    CHECK(selection == select_lane(68));
    CHECK(words_of(selection, in) == "thread 68");
  }
  CHECK(words_of(select_lane(13), f16()) == "lane 13");
  const Model model;
  CHECK(facts(model, in, parse_selection("D 41,9", in).selection).where ==
        "thread 68 (lane 4 of warp 2), D.r7, all 32 bits");
  CHECK(facts(model, in, select_lane(68)).where == "lane 4 of warp 2: group 1, thread 0 of 4");
}

TEST_CASE("nonsense is refused with the ranges") {
  const auto why = [](const char* words) { return parse_selection(words, f16()).error; };
  CHECK(why("A 16,0") == "A has no row 16: A has rows 0 to 15 and columns 0 to 15");
  CHECK(why("B 0,8") == "B has no column 8: B has rows 0 to 15 and columns 0 to 7");
  CHECK(why("A -1,3") == "A has no row -1: A has rows 0 to 15 and columns 0 to 15");
  CHECK(why("lane 32") == "there is no lane 32: lanes are 0 to 31");
  CHECK(why("lane -1") == "there is no lane -1: lanes are 0 to 31");
  CHECK(why("lane") == "which lane? lanes are 0 to 31");
  CHECK(why("lane x") == "'x' is no lane: lanes are 0 to 31");
  CHECK(why("A.r4") == "A has no register r4: A here has r0 to r3");
  CHECK(why("A.r1.b2") == "'b2' is no part of A.r1: a register has parts .lo and .hi");
  CHECK(why("D.r0.hi") == "'hi' is no part of D.r0: a register holds one element, it has no parts");
  CHECK(why("A 99999999999999999999,0").find("A has no row") == 0);
  for (const char* words :
       {"",   "   ", "hello", "A",         "A 1",      "A 1,2,3",    "A x,y",    "E 0,0",
        "A.", "A.r", "A.r-1", "A.rx",      "A.r1.",    "A.r1.hi.lo", "lane 3 A", "lane 3 A.r0.lo x",
        "-",  "--",  ",,,",   "A.r1 A.r2", "\xff\xfe", "lane 1 2"}) {
    CAPTURE(words);
    const Parsed parsed = parse_selection(words, f16());
    CHECK(parsed.error != "");
    CHECK(parsed.error.find('\n') == std::string::npos);
    CHECK(parsed.selection == Selection{});
  }
}

// Every selection has words, and the words mean that selection.
TEST_CASE("words and selections agree in both directions") {
  for (const Multiplication* in : {&f16(), &e4m3()})
    for (const char operand : kOperands) {
      const layout::Fragment& map = *in->map(operand);
      for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col) {
          const Selection s = select_element(*in, operand, row, col);
          CHECK(parse_selection(words_of(s, *in), *in).selection == s);
        }
      for (int thread = -1; thread < 32; ++thread)
        for (int reg = 0; reg < map.registers(); ++reg)
          for (int part = -1; part < map.values_per_register(); ++part) {
            if (thread >= 0 && (part >= 0 || map.values_per_register() == 1)) continue;
            if (map.values_per_register() == 1 && part >= 0) continue;  // the part is the whole
            const Selection s{Picked::reg, operand, {}, thread, reg, part};
            CHECK(parse_selection(words_of(s, *in), *in).selection == s);
          }
    }
}

TEST_CASE("random words never do anything but parse or say why not") {
  std::mt19937 random(20240607);  // any seed: the property is about every input
  const std::string letters = "AaBbCcDd.rlohi0123456789, -[]()/lane \t\n\xc3\xa9";
  int parsed_count = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    std::string words;
    for (std::size_t length = random() % 12; length > 0; --length)
      words += letters[random() % letters.size()];
    const Parsed parsed = parse_selection(words, f16());
    CAPTURE(words);
    if (!parsed.ok()) continue;
    ++parsed_count;
    REQUIRE(parsed.selection.picked != Picked::nothing);
    const std::string again = words_of(parsed.selection, f16());
    REQUIRE(parse_selection(again, f16()).selection.picked == parsed.selection.picked);
  }
  CHECK(parsed_count > 100);  // the letters do make words
}

TEST_CASE("arrows move by one and stop at the edges") {
  const Multiplication& in = f16();
  Selection s = select_element(in, 'B', 0, 7);
  CHECK(words_of(moved(s, in, -1, 0), in) == "B 0,7");
  CHECK(words_of(moved(s, in, 0, 1), in) == "B 0,7");
  CHECK(words_of(moved(s, in, 1, -1), in) == "B 1,6");
  CHECK(words_of(moved(Selection{}, in, 1, 0), in) == "A 0,0");
  // Lanes lie in 8 groups of 4.
  CHECK(moved(select_lane(5), in, 1, 0) == select_lane(9));
  CHECK(moved(select_lane(5), in, 0, -1) == select_lane(4));
  CHECK(moved(select_lane(4), in, 0, -1) == select_lane(4));
  CHECK(moved(select_lane(31), in, 1, 1) == select_lane(31));
  const Selection reg = parse_selection("lane 3 A.r1", in).selection;
  CHECK(words_of(moved(reg, in, 1, 0), in) == "lane 3 A.r2");
  CHECK(words_of(moved(reg, in, 0, 1), in) == "lane 4 A.r1");
  CHECK(words_of(moved(parse_selection("A.r1.lo", in).selection, in, 0, 1), in) == "A.r1.hi");
}

TEST_CASE("Tab stays with the lane and goes round the operands") {
  const Multiplication& in = f16();
  const Selection a = parse_selection("lane 13 A.r1.hi", in).selection;  // value 3 of lane 13
  Selection s = a;
  for (const char operand : {'B', 'C', 'D', 'A'}) {
    s = next_operand(s, in);
    CHECK(s.operand == operand);
    CHECK(s.thread == 13);
    CHECK(in.map(operand)->element(13, 3) == s.element);
  }
  CHECK(s == a);
  CHECK(next_operand(next_operand(a, in), in, -1) == a);
  // A has 8 values a lane, B 4: the last.
  const Selection last = select_element(in, 'A', 15, 15);
  CHECK(next_operand(last, in).element == in.map('B')->element(31, 3));
}

TEST_CASE("what is selected is carried over to another instruction where it exists") {
  const Selection far = select_element(e4m3(), 'A', 9, 20);
  CHECK(carried_over(far, f16()) == Selection{});
  const Selection near = select_element(f16(), 'A', 9, 5);
  const Selection there = carried_over(near, e4m3());
  CHECK(words_of(there, e4m3()) == "A 9,5");
  CHECK(there.thread == 5);  // four elements a lane: column 5 is thread 1 of group 1
  CHECK(carried_over(select_lane(31), e4m3()) == select_lane(31));
}

TEST_CASE("a selected element lights its lane, its row and its column") {
  const Multiplication& in = f16();
  const Selection d = select_element(in, 'D', 4, 3);  // lane 17
  CHECK(d.thread == 17);
  CHECK(emphasis(in, d, {}, 'D', 4, 3) == Emphasis::selected);
  for (int k = 0; k < 16; ++k) {
    CHECK(on_line(in, d, {}, 'A', 4, k));
    CHECK(on_line(in, d, {}, 'B', k, 3));
    CHECK_FALSE(on_line(in, d, {}, 'A', 5, k));
    CHECK_FALSE(on_line(in, d, {}, 'B', k, 4));
  }
  int lit = 0;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col)
      if (emphasis(in, d, {}, 'A', row, col) == Emphasis::lane) {
        ++lit;
        CHECK(in.holder('A', row, col).thread == 17);
      }
  CHECK(lit == 8);  // all that a lane holds of A
  CHECK(emphasis(in, d, {}, 'A', 0, 0) == Emphasis::back);
  CHECK(emphasis(in, {}, {}, 'A', 0, 0) == Emphasis::plain);
  // Hovering D wins over the selection's own lines.
  CHECK(on_line(in, d, {'D', 7, 1}, 'A', 7, 0));
  CHECK_FALSE(on_line(in, d, {'D', 7, 1}, 'A', 4, 0));
}

// Sparse A keeps half of its columns: column 3 of A is not row 3 of B.
TEST_CASE("a sparse A claims no row of B") {
  const layout::Instruction* sparse = nullptr;
  for (const layout::Instruction& i : layout::instructions())
    if (i.family == "mma.sp" && sparse == nullptr) sparse = &i;
  REQUIRE(sparse != nullptr);
  const Multiplication in = bare(*sparse);
  const Selection a = select_element(in, 'A', 2, 3);
  CHECK_FALSE(on_line(in, a, {}, 'B', 3, 0));
  CHECK(on_line(in, a, {}, 'D', 2, 0));
  CHECK(on_line(f16(), select_element(f16(), 'A', 2, 3), {}, 'B', 3, 0));
}

}  // namespace
}  // namespace lanescope::viz
