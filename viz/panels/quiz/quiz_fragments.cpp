// SPDX-License-Identifier: MIT
// See quiz_fragments.hpp.
//
// Source: the atlas (common/layout) for fragments and addresses.
#include "panels/quiz/quiz_fragments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "layout/explain.hpp"
#include "layout/mover.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kM16n8k16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

/// The lines of layout::explain that give the numbers: from the first holder to the C++.
std::string derivation(const layout::Instruction& instruction, layout::Element e, char operand) {
  std::istringstream lines(layout::explain(instruction, e.row, e.col, operand));
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("C++") != std::string::npos) break;
    if (inside) text += line.substr(std::min<std::size_t>(line.size(), 2)) + "\n";
    if (line.rfind("  lane", 0) == 0 || line.rfind("  thread", 0) == 0) inside = true;
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

QuizQuestion ask_fragment(const Below& below, const char* mnemonic, std::string_view operands) {
  QuizQuestion q;
  const layout::Instruction& instruction = *layout::find(mnemonic);
  const char operand = operands[static_cast<std::size_t>(below(operands.size()))];
  const layout::Fragment& map = *instruction.operand(operand);
  const layout::Element e{below(static_cast<std::size_t>(map.rows)),
                          below(static_cast<std::size_t>(map.cols))};
  const int parts = map.values_per_register();
  q.about = fmt::format("{}, {} is {} x {}", instruction.mnemonic, operand, map.rows, map.cols);
  const char* who = map.threads() > 32 ? "thread" : "lane";  // of a warpgroup, of a warp
  q.parts = {who, "register"};
  q.limits = {map.threads(), map.registers()};
  if (parts > 1) {
    q.parts.push_back(parts == 2 ? "half" : "part");
    q.limits.push_back(parts);
  }
  const char* what = parts == 1   ? " and which register hold"
                     : parts == 2 ? ", which register and which half hold"
                                  : ", which register and which part hold";
  q.asks = fmt::format("Which {}{} {}[{}][{}]?", who, what, operand, e.row, e.col);
  q.expects = who + std::string(parts == 1   ? " and register, such as 6 r1"
                                : parts == 2 ? ", register and half, such as 6 r1 hi"
                                             : ", register and part from the low bits, such as "
                                               "6 r1 b2");
  for (const layout::Holder& h : layout::holders(map, e)) {
    std::vector<int> answer{h.thread, h.register_index};
    if (parts > 1) answer.push_back(h.value % parts);
    if (q.answers.empty())
      q.reveal = fmt::format(
          "{0}[{1}][{2}]: {3} {4}, {0}.r{5}{6}\n"
          "  i = {7}{8}: which of the {3}'s values it is, from 0\n{9}",
          operand, e.row, e.col, who, h.thread, h.register_index, half_name(parts, h.value % parts),
          parts == 1 ? "" : fmt::format("{}*{} + {} = ", h.register_index, parts, h.value % parts),
          h.value, derivation(instruction, e, operand));
    q.answers.push_back(answer);
  }
  q.matrix = {&map, e, std::string(1, operand)};
  return q;
}

QuizQuestion ask_address(const Below& below, std::string_view operands) {
  QuizQuestion q;
  const char operand = operands[static_cast<std::size_t>(below(operands.size()))];
  const layout::Fragment& map = *layout::find(kM16n8k16)->operand(operand);
  const bool by_column = operand == 'B' && below(2) == 0;
  const layout::Element e{below(static_cast<std::size_t>(map.rows)),
                          below(static_cast<std::size_t>(map.cols))};
  const layout::Holder h = layout::holders(map, e).front();
  const int within = by_column ? e.col % 8 : e.row % 8;
  const int first = h.register_index * 8, lane = first + within;
  q.about = fmt::format("ldmatrix.sync.aligned.m8n8.{}.shared.b16 of B, 16 x 8, f16, stored {}",
                        by_column ? "x2" : "x2.trans",
                        by_column ? "column after column" : "row after row");
  if (operand == 'A')
    q.about = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 of a row-major A, 16 x 16, f16";
  q.asks = fmt::format("Which lane's address serves {}[{}][{}]? (Not: which lane gets it.)",
                       operand, e.row, e.col);
  q.expects = "a lane, such as 9";
  q.parts = {"lane"};
  q.limits = {32};
  q.answers = {{lane}};
  const char* line = by_column ? "column" : "row";
  q.reveal = fmt::format(
      "{0}[{1}][{2}]: lane {3} names its {4}\nregister {0}.r{5} holds the 8 x 8 block from row "
      "{6}, column "
      "{7}; lanes {8} to {9} name that block's {4}s, and this is {4} {10} of it\nit is lane {11} "
      "that "
      "gets it",
      operand, e.row, e.col, lane, line, h.register_index, e.row / 8 * 8, e.col / 8 * 8, first,
      first + 7, within, h.thread);
  q.matrix = {&map, e, std::string(1, operand)};
  q.matrix.lanes = by_column ? QuizLanes::name_columns : QuizLanes::name_rows;
  return q;
}

namespace {

// The four stored matrices of an .x4 one below the other, as lesson 03 stores them.
layout::Fragment one_tile(const char* mnemonic) {
  layout::Fragment tile = layout::find_mover(mnemonic)->registers;
  const auto below = [&](layout::Moves& moves) {
    for (layout::Move& move : moves.bits) move = {move.row + 8 * move.matrix, move.col, 0};
  };
  below(tile.thread);
  below(tile.value);
  tile.rows *= tile.matrices;
  tile.matrices = 1;
  return tile;
}

}  // namespace

QuizQuestion ask_moved(const Below& below) {
  static const layout::Fragment kPlain = one_tile("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  static const layout::Fragment kTrans = one_tile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  QuizQuestion q;
  const bool trans = below(2) == 0;
  const layout::Fragment& tile = trans ? kTrans : kPlain;
  const layout::Element e{below(32), below(8)};
  const layout::Holder h = layout::holders(tile, e).front();
  q.about = fmt::format(
      "ldmatrix.sync.aligned.m8n8.x4{}.shared.b16 of T, a tile of 32 x 8, f16; lane n names row n",
      trans ? ".trans" : "");
  q.asks =
      fmt::format("Which lane gets T[{}][{}], in which register and which half?", e.row, e.col);
  q.expects = "lane, register and half, such as 6 r1 hi";
  q.parts = {"lane", "register", "half"};
  q.limits = {32, 4, 2};
  q.answers = {{h.thread, h.register_index, h.value % 2}};
  const int row = e.row % 8, line = trans ? e.col : row, along = trans ? row : e.col;
  q.reveal = fmt::format(
      "T[{}][{}]: lane {}, T.r{}{}\nrows {} to {} are matrix {}, and so is the register\n{} {} of "
      "it "
      "goes to lanes {} to {}, two {} each: {} / 2 = {}",
      e.row, e.col, h.thread, h.register_index, half_name(2, h.value % 2), e.row / 8 * 8,
      e.row / 8 * 8 + 7, e.row / 8, trans ? "column" : "row", line, line * 4, line * 4 + 3,
      trans ? "rows" : "columns", along, along / 2);
  q.matrix = {&tile, e, "T"};
  return q;
}

QuizQuestion ask_tile(const Below& below) {
  QuizQuestion q;
  const layout::Fragment& map = *layout::find(kM16n8k16)->operand('D');
  const int rows = 50 + below(100), cols = 50 + below(100);
  const int row = below(static_cast<std::size_t>(rows));
  const int col = below(static_cast<std::size_t>(cols));
  const layout::Element e{row % 16, col % 8};
  const layout::Holder h = layout::holders(map, e).front();
  q.about =
      fmt::format("C is {} x {}, cut into tiles of 16 x 8, one mma.m16n8k16 wide", rows, cols);
  q.asks = fmt::format(
      "Which tile has C[{}][{}]: in which row and which column of tiles? And which "
      "lane of its warp stores the element?",
      row, col);
  q.expects = "row of tiles, column of tiles, lane, such as 2 0 6";
  q.parts = {"row of tiles", "column of tiles", "lane"};
  q.limits = {(rows + 15) / 16, (cols + 7) / 8, 32};
  q.answers = {{row / 16, col / 8, h.thread}};
  q.reveal = fmt::format(
      "tile {},{}; lane {}\n{} / 16 = {}, {} / 8 = {}; within the tile it is D[{}][{}]\nlane {}: "
      "groupID {} % 8 = {}, and {} / 2 = {} of its four lanes",
      row / 16, col / 8, h.thread, row, row / 16, col, col / 8, e.row, e.col, h.thread, e.row,
      e.row % 8, e.col, e.col / 2);
  return q;
}

}  // namespace lanescope::viz
