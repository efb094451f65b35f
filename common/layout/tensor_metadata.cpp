// SPDX-License-Identifier: MIT
// The metadata of tcgen05.mma.sp in tensor memory: which lane, column and bits have the index of
// which kept element. The table is mover_table.hpp's; here its lines become maps and words.
//
//   E[row][k]   two bits: which of four the kept element k of a row of A was (tf32: four bits,
//               which of two; mxf4, mxf4nvf4: k counts pairs). A's kept column k, as mma.sp's E
//               has it.
//
//   8 bits and less      f16, bf16; tf32 likewise with 4 and 8 for 8 and 16
//   column 0   column 1                 bits 0 to 15        16 to 31
//   lane m     row m      row m         lane l      row l, k 0 to 7    row l + 8, k 0 to 7
//              k 0..15    k 16..31      lane l + 8  row l, k 8 to 15   row l + 8, k 8 to 15
//                                       of each 16 lanes; one column, of two that sel names
#include "layout/tensor_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "layout/mover_table.hpp"
#include "layout/result.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr int kLanesOfWarp = 32, kLanesOfCta = 128;

// A square of f16's and tf32's: 8 rows in 8 lanes, and 16 bits of each; four of them make 16 rows.
constexpr int kSquare = 8, kSquareRows = 16;

Map map_of(const MetadataLine& line, const MetadataKind& kind) {
  Map map;
  const auto push = [](Moves& moves, const Move& move) {
    moves.bits[static_cast<std::size_t>(moves.count++)] = move;
  };
  const bool in_squares = kind.columns == 1;
  const int rows = line.M / line.ctas;
  for (int lanes = 1; lanes < kLanesOfCta; lanes *= 2) {
    // Of half the lanes the next 16 rows are in the next warp.
    const int row_of = line.halved && lanes > kSquareRows ? lanes / 2 : lanes;
    if (line.halved && lanes == kSquareRows)
      push(map.thread, stay());
    else if (in_squares && lanes == kSquare)
      push(map.thread, col(kind.kept / 2));
    else
      push(map.thread, row_of < rows ? row(row_of) : stay());
  }
  if (line.ctas == 2) push(map.thread, row(rows));
  for (int k = 1; k < (in_squares ? kind.kept / 2 : kind.kept); k *= 2) push(map.value, col(k));
  if (in_squares) push(map.value, row(kSquare));
  return map;
}

// Row m's lane, of those of its CTA.
std::string lane_rule(const MetadataLine& line, bool in_squares, int half_kept) {
  const int rows = line.M / line.ctas;
  const std::string own = line.ctas == 1 ? "row" : fmt::format("row % {}", rows);
  const std::string of_warp = line.halved  ? fmt::format("{} / 16 * 32", own)
                              : in_squares ? fmt::format("{} / 16 * 16", own)
                                           : "";
  std::string rule = !in_squares ? (line.halved ? fmt::format("row % 16 + {}", of_warp) : own)
                                 : fmt::format("row % 8 + col / {} * 8 + {}", half_kept, of_warp);
  if (rows < kLanesOfCta && !line.halved)
    rule += fmt::format(", and the same again {} lanes on", rows);
  return rule;
}

Mover metadata_of(const MetadataLine& line, const MetadataKind& kind) {
  const bool in_squares = kind.columns == 1;
  Mover m;
  m.mnemonic = fmt::format("tcgen05.mma{}.metadata.m{}.{}", line.form, line.M, kind.name);
  m.memory = MoverMemory::metadata;
  m.family = "tcgen05.mma";
  const int bits = kind.index_bits;
  m.registers = typed('E', bits == 4 ? ElementType::b4 : ElementType::b2, line.M, kind.kept,
                      map_of(line, kind), bits);
  m.registers.values = 32 * kind.columns / bits;
  if (line.halved) m.registers.thread_mask = kSquareRows;
  m.source = kMetadataSource;
  m.ptx = kind.name == "mxf4nvf4" ? "8.7" : "8.6";
  m.target = kind.name == "i8" ? kTensorMemoryIntegers : kTensorMemoryTargets;
  m.standing = Standing::derived;
  m.note = in_squares
               ? "sel of the instruction descriptor, 0 or 1, names the column; where 2 and 3 "
                 "lead nobody says"
               : "sel of the instruction descriptor is 0";
  m.rules = {line.ctas == 1 ? "0" : fmt::format("row / {}", line.M / 2),
             lane_rule(line, in_squares, kind.kept / 2),
             in_squares ? "sel" : fmt::format("col / {}", kind.kept / 2)};
  return m;
}

// How many lanes from `thread` on continue its rows.
int metadata_run(const Fragment& f, int thread) {
  int count = 1;
  while ((thread + count) % kLanesOfWarp != 0 && f.provided_by(thread + count)) ++count;
  return count;
}

}  // namespace

void append_metadata(std::vector<Mover>& all) {
  for (const MetadataLine& line : kMetadataLines)
    for (const MetadataKind& kind : kMetadataKinds)
      if (!kind.scaled || line.scaled) all.push_back(metadata_of(line, kind));
}

std::vector<std::string> metadata_blocks(const Mover& m) {
  const Fragment& f = m.registers;
  std::vector<std::string> lines;
  for (int thread = 0; thread < f.threads(); thread += kLanesOfWarp) {
    const int count = metadata_run(f, thread);
    int first = f.rows, last = 0;
    for (int lane = thread; lane < thread + count; ++lane)
      for (int value = 0; value < f.values; ++value) {
        const int row = f.element(lane, value).row;
        first = std::min(first, row), last = std::max(last, row);
      }
    lines.push_back(
        fmt::format("{}lanes {} to {}{}: rows {} to {} of A",
                    f.threads() > kLanesOfCta ? fmt::format("CTA {} ", thread / kLanesOfCta) : "",
                    thread % kLanesOfCta, thread % kLanesOfCta + count - 1,
                    f.registers() > 1 ? ", columns 0 to 1" : "", first, last));
  }
  return lines;
}

std::string metadata_picture(const Mover& m) {
  const Fragment& f = m.registers;
  const Holder below = holders(f, {f.rows > 8 ? 8 : 0, 0, 0}).front();
  std::string body = fmt::format(
      "    lane   = {}\n    column = {}\n    bit    = {}\n\n  what lies where\n", m.rules.lane,
      m.rules.column,
      f.registers() == 1
          ? fmt::format("col % {} * {} + row / 8 % 2 * {}", f.cols / 2, f.element_bits, below.bit)
          : fmt::format("col % {} * {}", f.cols / 2, f.element_bits));
  for (const std::string& line : metadata_blocks(m)) body += "    " + line + "\n";
  const bool of_pairs = m.mnemonic.find(".mxf4") != std::string::npos;
  return tensor_picture(
      m, fmt::format("E, {} x {} indices of {} bits", f.rows, f.cols, f.element_bits),
      fmt::format("E[row][col] is, of the kept element{} col of a row of A",
                  of_pairs ? " pair" : ""),
      body);
}

}  // namespace lanescope::layout
