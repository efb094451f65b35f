// SPDX-License-Identifier: MIT
// The scale factors of a block-scaled tcgen05.mma in tensor memory: which lane, column and byte has
// which row's (of SFB: column's) factor. The table is mover_table.hpp's; here its lines become maps
// and words.
//
//   32 lanes of tensor memory     column 0     column 1     column 2 ...    a word: byte 0 chunk 0,
//   lane l                        row l        row l + 32   row l + 64        byte 1 chunk 1, ...
//   the next 32 lanes             the same
//
// An instruction takes 1, 2 or 4 of the chunks, from byte SFA_ID or SFB_ID of the instruction
// descriptor on: the map is that of four chunks.
#include "layout/tensor_scales.hpp"

#include <fmt/format.h>

#include "layout/mover_table.hpp"
#include "layout/result.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr int kChunks = 4, kCopyLanes = 32;

// `along` is row() for SFA, col() for SFB; `count` rows lie in the lanes of a CTA, a half of them
// in each 64 lanes where `halves`.
Map map_of(const FactorLine& line, int count, Move (*along)(int), Move (*chunk)(int)) {
  Map map;
  const auto push = [](Moves& moves, const Move& move) {
    moves.bits[static_cast<std::size_t>(moves.count++)] = move;
  };
  for (int rows = 1; rows < kCopyLanes; rows *= 2) push(map.thread, along(rows));
  push(map.thread, stay());
  push(map.thread, line.halves && line.operand == 'T' ? along(count) : stay());
  if (line.ctas == 2) push(map.thread, line.operand == 'S' ? along(count) : stay());
  for (int chunks = 1; chunks < kChunks; chunks *= 2) push(map.value, chunk(chunks));
  for (int rows = kCopyLanes; rows < count; rows *= 2) push(map.value, along(rows));
  return map;
}

Mover factors(const FactorLine& line, int N) {
  const bool of_a = line.operand == 'S';
  const int parts = of_a ? line.ctas : line.halves ? 2 : 1, all = of_a ? line.M : N;
  const int count = all / parts;
  Mover m;
  m.mnemonic = fmt::format("tcgen05.mma.cta_group::{}.block_scale.{}.m{}{}", line.ctas,
                           of_a ? "sfa" : "sfb", line.M, of_a ? "" : fmt::format(".n{}", N));
  m.memory = MoverMemory::factors;
  m.family = "tcgen05.mma";
  m.registers =
      of_a ? typed('S', ElementType::ue8m0, all, kChunks, map_of(line, count, row, col), 8)
           : typed('T', ElementType::ue8m0, kChunks, all, map_of(line, count, col, row), 8);
  m.registers.values = kChunks * (count / kCopyLanes);
  m.source = kFactorSource;
  m.ptx = "8.6";
  m.target = kTensorMemoryTargets;
  m.note =
      "which chunks count, the instruction descriptor says: 1X byte SFA_ID (SFB_ID), 2X that and "
      "the next, 4X all; M and N are in it, too";
  const std::string index = of_a ? "row" : "col";
  const std::string own = parts == 1 ? index : fmt::format("{} % {}", index, count);
  m.rules = {of_a && line.ctas == 2 ? fmt::format("row / {}", count) : "0 and 1",
             fmt::format("{} % 32{}", index,
                         of_a || !line.halves ? "" : fmt::format(" + col / {} * 64", count)),
             fmt::format("{} / 32", own)};
  return m;
}

}  // namespace

void append_factors(std::vector<Mover>& all) {
  for (const FactorLine& line : kFactorLines)
    for (int N = line.n_first; N <= (line.n_first == 0 ? 0 : 256); N += line.n_first)
      if (all.push_back(factors(line, N)); N == 0) break;
}

std::vector<std::string> factor_lines(const Mover& m) {
  const Fragment& f = m.registers;
  const bool of_a = f.operand == 'S', is_pair = f.threads() > 128;
  const int columns = f.registers();
  std::vector<std::string> lines;
  for (int cta = 0; cta < f.threads() / 128; ++cta)
    for (int half = 0; half < 2; ++half) {
      const Element first = f.element(128 * cta + 64 * half, 0);
      const int from = of_a ? first.row : first.col;
      const bool same = f.element(128 * cta, 0) == f.element(128 * cta + 64, 0);
      if (half == 1 && same) continue;
      lines.push_back(fmt::format(
          "{}lanes {} to {}, columns 0 to {}: {} {} to {} of {}, the same in each 32 lanes",
          is_pair ? fmt::format("CTA {} ", cta) : "", 64 * half, same ? 127 : 64 * half + 63,
          columns - 1, of_a ? "rows" : "columns", from, from + 32 * columns - 1, of_a ? "A" : "B"));
    }
  return lines;
}

std::string factors_picture(const Mover& m) {
  const Fragment& f = m.registers;
  std::string body = fmt::format(
      "    lane   = {}, and the same again 32 lanes on\n    column = {}\n    byte   = chunk of K "
      "(ue8m0 or ue4m3)\n\n  what lies where\n",
      m.rules.lane, m.rules.column);
  for (const std::string& line : factor_lines(m)) body += "    " + line + "\n";
  body +=
      "    tcgen05.cp.32x128b.warpx4 leaves 128 of them so: 512 bytes, row r at r % 32 * 16 + r / "
      "32 "
      "* 4\n";
  return tensor_picture(
      m,
      fmt::format("{}, {} x {} scale factors of a byte", operand_name(f.operand), f.rows, f.cols),
      f.operand == 'S' ? "SFA[row][chunk] is" : "SFB[chunk][col] is", body);
}

}  // namespace lanescope::layout
