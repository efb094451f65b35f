// SPDX-License-Identifier: MIT
// Rows of the atlas as CSV, JSON and markdown, and as pictures.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "layout/picture.hpp"
#include "layout/rows.hpp"

using namespace lanescope::layout;

namespace {

const Instruction& hmma() {
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  return *i;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

}  // namespace

TEST_CASE("CSV: the header, a row a place, nothing else") {
  const std::vector<std::string> csv_lines = lines(csv(hmma()));
  CHECK(csv_lines[0] == "operand,thread,value,register,bit,row,col");
  CHECK(csv_lines.size() == 1 + 256 + 128 + 128 + 128);
  CHECK(csv_lines[1] == "A,0,0,0,0,0,0");
  CHECK(csv_lines[1 + 8 * 6 + 3] == "A,6,3,1,16,9,5");
  CHECK(csv_lines[1 + 256 + 4 * 20 + 3] == "B,20,3,1,16,9,5");
  CHECK(csv_lines.back() == "D,31,3,3,0,15,7");
}

TEST_CASE("a selection restricts the rows") {
  Selection s;
  s.row = 9;
  s.col = 5;
  CHECK(csv(hmma(), s) ==
        "operand,thread,value,register,bit,row,col\n"
        "A,6,3,1,16,9,5\nB,20,3,1,16,9,5\nC,6,3,3,0,9,5\nD,6,3,3,0,9,5\n");
  s.operand = 'B';
  CHECK(rows(hmma(), s).size() == 1);
  Selection lane;
  lane.operand = 'A';
  lane.thread = 5;
  lane.register_index = 3;
  CHECK(csv(hmma(), lane) ==
        "operand,thread,value,register,bit,row,col\nA,5,6,3,0,9,10\nA,5,7,3,16,9,11\n");
}

TEST_CASE("JSON parses and says the same as the CSV") {
  const auto parsed = nlohmann::json::parse(json(hmma()));
  CHECK(parsed["instruction"] == hmma().mnemonic);
  CHECK(parsed["operands"].size() == 4);
  CHECK(parsed["operands"][0]["row"] == "groupID + ((i >> 1) & 1)*8");
  std::ostringstream rebuilt;
  rebuilt << "operand,thread,value,register,bit,row,col\n";
  for (const auto& operand : parsed["operands"])
    for (const auto& e : operand["elements"])
      rebuilt << operand["operand"].get<std::string>() << ',' << e["thread"] << ',' << e["value"]
              << ',' << e["register"] << ',' << e["bit"] << ',' << e["row"] << ',' << e["col"]
              << '\n';
  CHECK(rebuilt.str() == csv(hmma()));
  Selection corner;
  corner.operand = 'D';
  corner.thread = 0;
  for (const Instruction& i : instructions()) CHECK(nlohmann::json::accept(json(i, corner)));
}

TEST_CASE("markdown has a table row a place") {
  Selection s;
  s.operand = 'D';
  const std::vector<std::string> text = lines(markdown(hmma(), s));
  CHECK(std::count_if(text.begin(), text.end(),
                      [](const std::string& line) { return line.rfind("| D |", 0) == 0; }) == 128);
}

TEST_CASE("what cannot be selected is said with the range") {
  const auto why = [](Selection s) { return problem(hmma(), s); };
  CHECK(why({}) == "");
  Selection s;
  s.thread = 32;
  CHECK(why(s) == "lane 32: lanes are 0 to 31");
  s.thread = -1;
  CHECK(why(s) == "lane -1: lanes are 0 to 31");
  s = {};
  s.operand = 'B';
  s.register_index = 2;
  CHECK(why(s).find("registers 0 to 1") != std::string::npos);
  s = {};
  s.row = 9;
  s.col = 16;
  CHECK(why(s).find("columns 0 to 15") != std::string::npos);
  s.col = 8;  // in A only: A answers
  CHECK(why(s) == "");
  s.operand = 'D';
  CHECK(why(s).find("D is 16 x 8") != std::string::npos);
  s = {};
  s.operand = 'E';
  CHECK(why(s).find("has A, B, C, D in registers") != std::string::npos);
  s.operand = 'B';  // only wgmma's is anywhere else
  CHECK(
      problem(*find("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"), s) ==
      "operand B: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 has A, D in registers; B lies "
      "in shared memory, as its descriptor says");
}

TEST_CASE("the grid says lane:register.part in every cell") {
  const std::vector<std::string> g = lines(grid(hmma().A));
  REQUIRE(g.size() == 17);
  CHECK(g[1 + 9].find("6:1.1") != std::string::npos);
  std::istringstream row(g[1 + 9]);
  std::vector<std::string> cells;
  for (std::string cell; row >> cell;) cells.push_back(cell);
  REQUIRE(cells.size() == 17);
  CHECK(cells[0] == "9");
  CHECK(cells[1 + 5] == "6:1.1");
  CHECK(cells[1 + 15] == "7:3.1");
}

TEST_CASE("a register's elements are joined where they are neighbours") {
  CHECK(element_ranges(hmma().A, 6, 1) == "(9,4..5)");
  CHECK(element_ranges(hmma().B, 20, 1) == "(8..9,5)");
  CHECK(element_ranges(hmma().D, 6, 3) == "(9,5)");
}

TEST_CASE("pictures name the source and both directions, of every entry") {
  const std::string text = picture(hmma());
  CHECK(text.find(std::string(hmma().source)) != std::string::npos);
  CHECK(text.find("C and D: f32 16 x 8") != std::string::npos);
  CHECK(picture(hmma(), 'C').find("\nC: f32") != std::string::npos);
  for (const Instruction& i : instructions()) {
    if (i.N > 32 || i.K > 128) continue;  // the large ones are the same, only longer
    const std::string drawn = picture(i);
    CHECK(drawn.find(i.mnemonic) == 0);
    CHECK(drawn.find(std::string(i.source)) != std::string::npos);
    CHECK(drawn.find("D: ") != std::string::npos);
  }
}

TEST_CASE("the first and the last of everything can be selected, what is beyond is refused") {
  const Instruction* sparse = find("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(sparse != nullptr);
  const auto refused = [&](const Selection& s) { return !problem(*sparse, s).empty(); };
  const auto with = [](std::optional<int> Selection::*what, int number) {
    Selection s;
    s.operand = 'E';
    s.*what = number;
    return s;
  };
  const Fragment& E = sparse->E.front();
  for (const auto& [what, count] :
       {std::pair{&Selection::thread, E.threads()},
        std::pair{&Selection::register_index, E.registers()}, std::pair{&Selection::row, E.rows},
        std::pair{&Selection::col, E.cols},
        std::pair{&Selection::selector, static_cast<int>(sparse->E.size())}}) {
    CHECK_FALSE(refused(with(what, 0)));
    CHECK_FALSE(refused(with(what, count - 1)));
    CHECK(refused(with(what, -1)));
    CHECK(refused(with(what, count)));
  }
}

TEST_CASE("markdown has the selector of metadata, the first one, too, and of nothing else") {
  const Instruction* sparse = find("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(sparse != nullptr);
  Selection s;
  s.row = s.col = 0;
  s.selector = 0;
  const std::string text = markdown(*sparse, s);
  CHECK(text.find("\n| 0 | E | 0 | 0 | 0 | 0 | 0 | 0 |\n") != std::string::npos);
  CHECK(text.find("\n| | A | 0 | 0 | 0 | 0 | 0 | 0 |\n") != std::string::npos);
}

TEST_CASE("parts of a register have names, what is none has none") {
  CHECK(part_name(hmma().A, 0) == "lo");
  CHECK(part_name(hmma().A, 1) == "hi");
  CHECK(part_name(hmma().A, -1).empty());
  CHECK(part_name(hmma().D, 0).empty());
}
