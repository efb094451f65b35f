// SPDX-License-Identifier: MIT
// What the inspector, the terminal and Ctrl+C say. Expected numbers are worked out by hand from the
// ISA's formulas (PTX ISA, "Matrix fragments for mma.m16n8k16").
#include "panels/matrix/facts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

Facts about(const Model& model, const char* words, const Hover& hover = {}) {
  const Multiplication& in = model.multiplications[0];
  const Parsed parsed = parse_selection(words, in);
  REQUIRE(parsed.error == "");
  return facts(model, in, parsed.selection, hover);
}

TEST_CASE("an element: who, where, bits, value, formula") {
  const Model model = make_model(synthetic::trace_of({synthetic::kF16}));
  const Facts f = about(model, "A 13,11");
  CHECK(f.title == "A[13][11]");
  CHECK(f.where == "lane 21, A.r3, high half, bits 16..31");
  REQUIRE(f.registers.size() == 1);
  CHECK(f.part == 1);
  // A[13][10] = 109 is 0x56d0, A[13][11] = 109.5 is 0x56d8.
  CHECK(f.registers[0].bits == "0x56d856d0");
  CHECK(f.registers[0].parts[1].bits == "0x56d8");
  CHECK(f.registers[0].parts[1].value == "109.5");
  CHECK(f.registers[0].parts[0].name == "A[13][10]");
  CHECK(f.cute == std::vector<std::string>{"((4,8),(2,2,2)):((32,1),(16,8,128))",
                                           "lane 21 is 1,5; value 7 is 1,1,1",
                                           "1*32 + 5*1 + 1*16 + 1*8 + 1*128 = 189 = 13 + 16*11"});
  CHECK(has(f.why, "groupID = 21 >> 2 = 5"));
  CHECK(has(f.why, "threadID_in_group = 21 % 4 = 1"));
  CHECK(has(f.why, "i = 3*2 + 1 = 7"));
  CHECK(has(f.why, "row = groupID + ((i >> 1) & 1)*8"));
  CHECK(has(f.why, "    = 5 + ((7 >> 1) & 1)*8 = 13"));
  CHECK(has(f.makes, "D[13][n] += A[13][11] * B[11][n]"));
}

TEST_CASE("a part of a register names its matrix where an instruction multiplies several") {
  trace::Trace trace;
  synthetic::add(trace, *layout::find("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"));
  const Model model = make_model(std::move(trace));
  // Lane 5 is of the second quad-pair; its A is row 1: a0 to a3 are the four columns.
  const std::vector<RegisterFacts> registers = lane_registers(model.multiplications[0], 5);
  REQUIRE(registers.size() > 1);
  REQUIRE(registers[1].parts.size() == 2);
  CHECK(registers[1].parts[0].place == "m1 1,2");
  CHECK(registers[1].parts[0].name == "A[1][2] of matrix 1");
  const Model one = make_model(synthetic::trace_of({synthetic::kF16}));
  CHECK(lane_registers(one.multiplications[0], 21)[3].parts[1].place == "13,11");
}

TEST_CASE("D of tcgen05.mma: the thread that has it, and its lane of tensor memory") {
  const Model model = make_model(synthetic::trace_of({"tcgen05.mma.cta_group::1.m64n16.f32"}));
  CHECK(model.remarks.empty());
  REQUIRE(model.multiplications.size() == 1);
  CHECK(short_name(model.multiplications[0]) == "tensor memory  m64n16  f32");
  const Facts f = about(model, "D 41,9");
  CHECK(f.where == "thread 73 (lane 9 of warp 2), D.r9, all 32 bits");
  CHECK(has(f.why, "fetched from lane 73 of tensor memory, column 9 of D"));
  CHECK(has(f.why, "    = (73 & 15) + (73 >> 5)*16 = 41"));
  CHECK(has(f.makes, "summed over k"));
  CHECK(f.standing == "specified, not verified on a card");
  CHECK(about(model, "thread 73").where == "lane 9 of warp 2: it fetches lane 73 of tensor memory");
  CHECK(about(model, "thread 89").where ==
        "lane 25 of warp 2: it fetches lane 89 of tensor memory, where nothing of D is");
}

TEST_CASE("a hovered D makes the product concrete") {
  const Model model = make_model(synthetic::trace_of({synthetic::kF16}));
  const Facts f = about(model, "A 13,11", {'D', 13, 3});
  CHECK(has(f.makes, "D[13][3] += A[13][11] * B[11][3]"));
  // B[11][3] is element 91: -32 + 45.5.
  CHECK(has(f.makes, "         += 109.5 * 13.5"));
  CHECK(has(f.makes, "lane 21 D.r3 <- lane 21 A.r3.hi, lane 13 B.r1.hi"));
  // A D of another row is not made by this element.
  CHECK(has(about(model, "A 13,11", {'D', 12, 3}).makes, "for every n = 0 to 7"));
}

TEST_CASE("an element of D: the row and the column, and whose they are") {
  const Model model = make_model(synthetic::trace_of({synthetic::kF16}));
  const Facts f = about(model, "D 4,3");
  CHECK(has(f.makes, "D[4][3] = C[4][3] + A[4][k] * B[k][3]"));
  CHECK(has(f.makes, "row 4 of A: lanes 16 to 19"));
  CHECK(has(f.makes, "column 3 of B: lanes 12 to 15"));
  CHECK(f.where == "lane 17, D.r1, all 32 bits");
}

TEST_CASE("a lane: every register it has, split") {
  const Model model = make_model(synthetic::trace_of({synthetic::kE4m3}));
  const Facts f = about(model, "lane 6");
  CHECK(f.title == "lane 6");
  CHECK(f.where == "group 1, thread 2 of 4");
  REQUIRE(f.registers.size() == 4 + 2 + 4 + 4);
  CHECK(f.registers[0].parts.size() == 4);
  CHECK(f.registers[0].parts[0].name == "A[1][8]");  // row groupID, col threadID_in_group*4
  CHECK(f.registers[0].parts[3].label == "b3");
}

TEST_CASE("what is not proved is said") {
  const Model emulator = make_model(synthetic::trace_of({synthetic::kF16}));
  const Facts f = about(emulator, "A 0,0");
  CHECK(f.verified);  // the map is, on a card; this trace is not one
  CHECK(f.standing == "verified on sm_90a");
  CHECK(f.agreement.find("agrees by construction") != std::string::npos);
  const Model card = make_model(synthetic::trace_of({synthetic::kF16}, "gpu"));
  CHECK(about(card, "A 0,0").agreement.empty());
  layout::Instruction unproved = *layout::find(synthetic::kF16);
  unproved.standing = layout::Standing::derived;
  CHECK(standing_text(unproved) == "derived, not verified on a card");
}

TEST_CASE("the text to copy holds the facts, and nothing is copied of nothing") {
  const Model model = make_model(synthetic::trace_of({synthetic::kF16}));
  const Multiplication& in = model.multiplications[0];
  const std::string text = selection_text(model, in, parse_selection("A 13,11", in).selection);
  for (const char* part : {"A[13][11]  lane 21, A.r3, high half", "0x56d856d0",
                           "> hi  A[13][11]  0x56d8 = 109.5", "verified on sm_90a"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(selection_text(model, in, {}).empty());
}

TEST_CASE("without data the map is still explained") {
  Model model;
  const Multiplication in = bare(*layout::find(synthetic::kF16));
  const Facts f = facts(model, in, select_element(in, 'A', 9, 5));
  CHECK(f.registers[0].bits.empty());
  CHECK(f.registers[0].parts[1].value.empty());
  CHECK(has(f.why, "groupID = 6 >> 2 = 1"));
}

TEST_CASE("the code to paste carries the table's own expressions") {
  const Model model = make_model(synthetic::trace_of({synthetic::kF16}));
  const Facts f = about(model, "B 3,4");
  CHECK(f.code.front() == "const int lane = threadIdx.x % 32;");
  CHECK(has(f.code, "  int col = (lane >> 2);"));
}

TEST_CASE("the code names the index that its expressions use") {
  const layout::Instruction group = synthetic::warpgroup(64);
  Model model;
  const Multiplication in = bare(group);
  const Facts f = facts(model, in, select_element(in, 'D', 40, 9));
  CHECK(f.code[0] == "const int thread = threadIdx.x % 128;");
  CHECK(f.code[2].find("thread") != std::string::npos);
  CHECK(f.code[2].find("lane") == std::string::npos);
}

}  // namespace
}  // namespace lanescope::viz
