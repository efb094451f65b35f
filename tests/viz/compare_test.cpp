// SPDX-License-Identifier: MIT
// Two traces beside each other: which cells differ, who holds them, what each side has there.
#include "panels/compare/compare.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "tests/viz/recorded.hpp"
#include "tests/viz/synthetic.hpp"

using namespace lanescope;
using namespace lanescope::viz;
using recorded::nth;

namespace {

trace::Trace both() {
  trace::Trace made = synthetic::trace_of({synthetic::kF16});
  made.events.emplace_back(recorded::tile());
  return made;
}

Comparison with(const std::function<void(trace::Trace&)>& change) {
  trace::Trace b = both();
  change(b);
  return compare(both(), b, "traces/one.lanes", "traces/two.lanes");
}

}  // namespace

TEST_CASE("the same trace twice has no differences, and says what was compared") {
  const Comparison c = with([](trace::Trace&) {});
  CHECK(c.all.empty());
  CHECK(c.verdict() == "The same, bit for bit: 0 launches, 4 fragments, 1 tile of memory");
  CHECK(look_at(c, 0).rows == 0);
  CHECK(lines_of(c, look_at(c, 0), 1).front() == "program  01_fragment_layout");
}

TEST_CASE("traces of different programs begin where what the kernels left behind differs") {
  const auto launched = [](const char* kernel) {
    trace::Trace made = both();
    trace::Launch launch;
    launch.kernel = kernel;
    made.events.insert(made.events.begin(), launch);
    return made;
  };
  trace::Trace b = launched("multiply");
  Comparison c = compare(launched("ask"), b, "a.lanes", "b.lanes");
  REQUIRE(c.all.size() == 1);
  CHECK(c.first_to_show() == 0);  // there is nothing but the launch
  b.header.program = "another";
  nth<trace::Fragment>(b, 3).registers[0][0] ^= 1;
  c = compare(launched("ask"), b, "a.lanes", "b.lanes");
  REQUIRE(c.all.size() == 2);
  CHECK(c.verdict() == "2 differences, of different programs");
  CHECK(c.first_to_show() == 1);
  CHECK(look_at(c, c.first_to_show()).subject == "D");
  // Only b has it: there is nothing to stand beside it.
  b = launched("multiply");
  b.events.push_back(b.events[1]);
  CHECK(compare(launched("ask"), b, "a.lanes", "b.lanes").first_to_show() == 0);
}

TEST_CASE("one half of one register of one lane is one element of the matrix") {
  // Lane 6 is group 1, thread 2: A.r1 has A[9][4] in its low half, A[9][5] in its high half.
  const Comparison c =
      with([](trace::Trace& t) { nth<trace::Fragment>(t, 0).registers[1][6] ^= 0x00010000; });
  REQUIRE(c.all.size() == 1);
  CHECK(c.verdict() == "1 difference");
  const Compared a = look_at(c, 0);
  CHECK(a.as == ComparedAs::matrix);
  CHECK(a.shape() == "16 × 16 f16");
  CHECK(a.subject == "A");
  CHECK(a.differing == 1);
  CHECK(a.lanes == std::vector<int>{6});
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col) CHECK(a.cell(row, col).differs == (row == 9 && col == 5));
  CHECK(a.place(9, 5) == "A[9][5], lane 6, A.r1, bits 16..31");
  CHECK(a.words(9, 5) == "A 9,5");
  CHECK(a.value(0, 9, 5) == "74.5");  // 0.5 * (9 * 16 + 5)
  CHECK(a.bits(0, 9, 5) == "0x54a8");
  CHECK(a.bits(1, 9, 5) == "0x54a9");
  CHECK(a.value(1, 9, 4) == a.value(0, 9, 4));
}

TEST_CASE("registers without a map are shown by lanes") {
  trace::Trace one = both(), other = both();
  for (trace::Trace* t : {&one, &other}) nth<trace::Fragment>(*t, 0).instruction = "mma.unknown";
  nth<trace::Fragment>(other, 0).registers[2][13] ^= 1;
  const Comparison c = compare(one, other, "a", "b");
  REQUIRE(c.all.size() == 1);
  const Compared a = look_at(c, 0);
  CHECK(a.as == ComparedAs::lanes);
  CHECK(a.shape() == "4 registers of 32 lanes");
  CHECK(a.cols == 4);
  CHECK(a.rows == 4 * 8);
  CHECK(a.differing == 1);
  CHECK(a.cell(2 * 8 + 3, 1).differs);  // lane 13 = 3 * 4 + 1
  CHECK(a.place(2 * 8 + 3, 1) == "lane 13, A.r2");
  CHECK(a.words(2 * 8 + 3, 1) == "lane 13 A.r2");
  CHECK(a.value(0, 19, 1) != a.value(1, 19, 1));
}

TEST_CASE("a tile: its elements") {
  const Comparison c = with([](trace::Trace& t) { nth<trace::Memory>(t, 0).bytes[2] ^= 1; });
  REQUIRE(c.all.size() == 1);
  const Compared tile = look_at(c, 0);
  CHECK(tile.as == ComparedAs::tile);
  CHECK(tile.differing == 1);
  CHECK(tile.cell(0, 1).differs);  // two bytes an element
  CHECK(tile.lanes.empty());
  CHECK(tile.place(0, 1).find("[0][1]") != std::string::npos);
  CHECK(tile.words(0, 1) == "0,1");
}

TEST_CASE("a step: the lanes of what it wrote") {
  trace::Trace one = recorded::steps();
  trace::Trace other = one;
  trace::Step* step = nullptr;
  for (trace::Event& event : other.events)
    if (auto* s = std::get_if<trace::Step>(&event); s != nullptr && !s->writes.empty() && !step)
      step = s;
  REQUIRE(step != nullptr);
  step->writes[0].lanes[17] ^= 1;
  const Comparison c = compare(one, other, "a", "b");
  REQUIRE(c.all.size() == 1);
  const Compared s = look_at(c, 0);
  CHECK(s.as == ComparedAs::lanes);
  CHECK(s.lanes == std::vector<int>{17});
  CHECK(s.cell(4, 1).differs);
  CHECK(s.groups[0].find(step->writes[0].name) == 0);
  CHECK(c.left_out() == "");  // of 32 bits: no address
}

TEST_CASE("addresses of the same byte are no difference, which is said") {
  const auto run = [](std::uint64_t base, std::uint64_t last) {
    trace::Launch launch;
    launch.allocations = {{base, 64}};
    trace::Step step;
    step.ptx = "add.s64 %rd1, %rd1, 4;";
    step.writes.push_back({"%rd1", "", 64, std::vector<std::uint64_t>(32, base)});
    step.writes[0].lanes[31] = last;
    trace::Trace made;
    made.events = {launch, step};
    return made;
  };
  Comparison c = compare(run(0x1000, 9), run(0x2000, 9), "a", "b");
  CHECK(c.all.empty());
  CHECK(c.verdict() ==
        "The same, but for addresses: 1 launch, 0 fragments, 0 tiles of memory, 1 step");
  CHECK(c.left_out() ==
        "1 step differs in addresses alone, each of the same byte of the same allocation: not "
        "counted");
  c = compare(run(0x1000, 9), run(0x2000, 8), "a", "b");
  REQUIRE(c.all.size() == 1);
  CHECK(look_at(c, 0).lanes == std::vector<int>{31});
  CHECK(c.left_out() == "");
  trace::Trace old = run(0x2000, 9);
  std::get<trace::Launch>(old.events[0]).allocations.clear();
  c = compare(run(0x1000, 9), old, "a", "b");
  CHECK(c.left_out() ==
        "addresses in registers count, too: not both traces say where memory lay (recorded anew, "
        "they do)");
}

TEST_CASE(
    "in the list a step has its instruction, which tells it from the next, not its place alone") {
  trace::Difference d;
  d.event = "step 4 of launch 0, block 0,0,0, warp 0 (ld.global.f32 %f1, [%rd2+(4)];)";
  CHECK(listed(d).name == "step 4");
  CHECK(listed(d).instruction == "ld.global.f32 %f1, [%rd2+(4)];");
  CHECK(listed(d).place == "launch 0, block 0,0,0, warp 0");
  d.event = "launch 1 of multiply (int)";
  CHECK(listed(d).instruction == "");
  CHECK(listed(d).place == "multiply (int)");
  d.event = "view";
  CHECK(listed(d).name == "view");
  CHECK(listed(d).place == "");
  const trace::Trace a = recorded::steps();
  trace::Trace b = a;
  nth<trace::Step>(b, 1).writes[0].lanes[6] = 7;
  const Comparison c = compare(a, b, "a", "b");
  REQUIRE(c.all.size() == 1);
  CHECK(listed(c.all[0]).instruction == "add.s32 %r1, %r1, %r2;");
}

TEST_CASE("what has no cells has lines, and what only one has") {
  const Comparison shape =
      with([](trace::Trace& t) { nth<trace::Fragment>(t, 0).registers.pop_back(); });
  REQUIRE(shape.all.size() == 1);
  const Compared words = look_at(shape, 0);
  CHECK(words.as == ComparedAs::words);
  CHECK(words.shape().empty());
  const auto a = lines_of(shape, words, 0), b = lines_of(shape, words, 1);
  REQUIRE(a.size() == b.size());
  CHECK(a[3] == "registers    4 of 32 bits");
  CHECK(b[3] == "registers    3 of 32 bits");
  CHECK(a[1] == b[1]);
  const Comparison gone = with([](trace::Trace& t) { t.events.erase(t.events.begin() + 1); });
  REQUIRE(gone.all.size() == 1);
  CHECK(look_at(gone, 0).events == std::array<int, 2>{1, -1});
  CHECK(lines_of(gone, look_at(gone, 0), 1).empty());
}

TEST_CASE("from one cell that differs to the next") {
  const Comparison c = with([](trace::Trace& t) {
    nth<trace::Fragment>(t, 0).registers[1][6] ^= 0x00010000;  // A[9][5]
    nth<trace::Fragment>(t, 0).registers[0][0] ^= 0x1;         // A[0][0]
  });
  const Compared a = look_at(c, 0);
  int row = -1, col = -1;
  next_differing(a, 1, row, col);
  CHECK(std::pair{row, col} == std::pair{0, 0});
  next_differing(a, -1, row, col);
  CHECK(std::pair{row, col} == std::pair{0, 0});
  next_differing(a, 1, row, col);
  CHECK(std::pair{row, col} == std::pair{9, 5});
  next_differing(a, 1, row, col);
  CHECK(std::pair{row, col} == std::pair{9, 5});
  next_differing(a, -1, row, col);
  CHECK(std::pair{row, col} == std::pair{0, 0});
}

TEST_CASE("words choose a difference and a cell, or say why not") {
  const Comparison c = with([](trace::Trace& t) {
    nth<trace::Fragment>(t, 0).registers[1][6] ^= 1;
    nth<trace::Fragment>(t, 1).registers[1][6] ^= 1;
  });
  REQUIRE(c.all.size() == 2);
  std::size_t index = 0;
  int row = -1, col = -1;
  CHECK(read_words(c, "2", index, row, col).empty());
  CHECK(index == 1);
  CHECK(row == -1);
  CHECK(read_words(c, " 3 , 4 ", index, row, col).empty());
  CHECK(std::pair{row, col} == std::pair{3, 4});
  CHECK(read_words(c, "1 9,5", index, row, col).empty());
  CHECK(index == 0);
  CHECK(std::pair{row, col} == std::pair{9, 5});
  CHECK(read_words(c, "3", index, row, col) == "no difference 3: there are 2");
  CHECK(read_words(c, "0", index, row, col).find("no difference") == 0);
  CHECK(read_words(c, "2 16,0", index, row, col) ==
        "no cell 16,0: rows are 0 to 15, columns 0 to 7");
  CHECK(read_words(c, "-1,2", index, row, col).find("no cell") == 0);
  for (const char* wrong : {"", "x", "1 2", "1,2,3", "9,5 1"})
    CHECK_MESSAGE(!read_words(c, wrong, index, row, col).empty(), wrong);
  CHECK(index == 0);  // what cannot be read changes nothing
  CHECK(std::pair{row, col} == std::pair{9, 5});
}

TEST_CASE("names of files: with a folder where they are the same, and for a lesson's own") {
  const auto names = [](const char* a, const char* b) {
    const Comparison c = compare({}, {}, a, b);
    return std::pair{c.name(0), c.name(1)};
  };
  CHECK(names("traces/a.lanes", "traces/b.lanes") ==
        std::pair<std::string, std::string>{"a.lanes", "b.lanes"});
  CHECK(names("p/01/recorded.lanes", "q.lanes") ==
        std::pair<std::string, std::string>{"01/recorded.lanes", "q.lanes"});
  CHECK(names("p/01/x.lanes", "p/02/x.lanes") ==
        std::pair<std::string, std::string>{"01/x.lanes", "02/x.lanes"});
  CHECK(names("x.lanes", "x.lanes") == std::pair<std::string, std::string>{"x.lanes", "x.lanes"});
  CHECK(names("", "/") == std::pair<std::string, std::string>{"", "/"});
}
