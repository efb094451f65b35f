// SPDX-License-Identifier: MIT
// D of tcgen05.mma in tensor memory: which lane and column of which CTA of the pair has
// D[row][col]. The table is mover_table.hpp's; here its lines become maps, and maps become words.
//
//   tensor memory of a CTA: 128 lanes x 512 columns of 32 bits, one element of D in each (of f16
//   the low half). Warp w of a warpgroup reads lanes 32w to 32w + 31 by tcgen05.ld.
#include "layout/result.hpp"

#include <fmt/format.h>

#include <map>

#include "layout/mover_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr int kLanes = 128;  // of tensor memory

Moves lane_moves(const ResultLine& line, int N) {
  Moves moves;
  const auto push = [&](const Move& move) {
    moves.bits[static_cast<std::size_t>(moves.count++)] = move;
  };
  const int in_cta = line.M / line.ctas;
  int rows = 1;
  for (; rows < line.rows_a_lane_run; rows *= 2) push(row(rows));
  if (line.rows_a_lane_run == 16) push(stay());  // the upper half of each warp's lanes is free
  for (; rows < in_cta; rows *= 2) push(row(rows));
  for (int parts = line.col_parts; parts > 1; parts /= 2) push(col(N / parts));
  if (line.ctas > 1) push(row(in_cta));
  return moves;
}

std::string filled(std::string_view rule, int columns) {
  std::string text(rule);
  for (std::size_t at = 0; (at = text.find("{}", at)) != std::string::npos;)
    text.replace(at, 2, fmt::to_string(columns));
  return text;
}

Mover result(const ResultLine& line, int N, ElementType type) {
  Mover m;
  m.mnemonic = fmt::format("tcgen05.mma{}.m{}n{}.{}", line.form, line.M, N, name(type));
  m.memory = MoverMemory::result;
  m.family = "tcgen05.mma";
  Map map{lane_moves(line, N), {}};
  const int columns = N / line.col_parts;
  for (int right = 1; right < columns; right *= 2)
    map.value.bits[static_cast<std::size_t>(map.value.count++)] = col(right);
  m.registers = typed('D', type, line.M, N, map, 32);
  m.registers.values = columns;
  if (line.rows_a_lane_run == 16) m.registers.thread_mask = 16;
  m.source = kResultSource;
  m.ptx = "8.6";
  m.target = kTensorMemoryTargets;
  m.note = line.rows_a_lane_run == 16
               ? "M, N and the types are in the instruction descriptor, not in PTX's name; with an "
                 "address 16 lanes further on D lies in the upper lanes of each warp"
               : "M, N and the types are in the instruction descriptor, not in PTX's name";
  m.rules = {std::string(line.cta), filled(line.lane, columns), filled(line.column, columns)};
  return m;
}

int cta_of(int thread) { return thread / kLanes; }
int lane_of(int thread) { return thread % kLanes; }
bool is_pair(const Mover& m) { return m.registers.threads() > kLanes; }

std::string range(const char* one, const char* several, int first, int last) {
  return first == last ? fmt::format("{} {}", one, first)
                       : fmt::format("{} {} to {}", several, first, last);
}

// How many lanes from `thread` on have the rows below each other and the same columns.
int run_of(const Fragment& f, int thread) {
  const Element first = f.element(thread, 0);
  int count = 1;
  while (lane_of(thread + count) != 0 && f.provided_by(thread + count) &&
         f.element(thread + count, 0) == Element{first.row + count, first.col, 0})
    ++count;
  return count;
}

}  // namespace

void append_results(std::vector<Mover>& all) {
  for (const ResultLine& line : kResultLines)
    for (ElementType type : {ElementType::f32, ElementType::f16})
      for (int N = line.n_first; N <= 256; N += line.n_step == 0 ? N : line.n_step)
        all.push_back(result(line, N, type));
}

const Instruction* find_recorded(std::string_view mnemonic) {
  static const std::map<std::string_view, Instruction> results = [] {
    std::map<std::string_view, Instruction> all;
    for (const Mover& m : movers()) {
      if (m.memory != MoverMemory::result || is_pair(m)) continue;
      Instruction& i = all[m.mnemonic];
      i.mnemonic = m.mnemonic, i.family = m.family;
      i.M = m.registers.rows, i.N = m.registers.cols;
      i.D = m.registers;
      i.source = m.source, i.ptx = m.ptx, i.target = m.target, i.note = m.note;
      i.standing = m.standing;
    }
    return all;
  }();
  if (const Instruction* instruction = find(mnemonic)) return instruction;
  const auto found = results.find(mnemonic);
  return found == results.end() ? nullptr : &found->second;
}

std::string Mover::holder_name(int thread) const {
  if (!in_tensor_lanes()) return fmt::format("lane {}", thread);
  return is_pair(*this) ? fmt::format("CTA {} lane {}", cta_of(thread), lane_of(thread))
                        : fmt::format("lane {}", thread);
}

std::string Mover::place_name(int register_index) const {
  return fmt::format("{}{}", in_tensor_lanes() ? "column " : "r", register_index);
}

std::vector<std::string> who_holds(const Mover& m, const Element& e) {
  const Fragment& f = m.registers;
  std::vector<std::string> lines;
  for (const Holder& h : holders(f, e)) {
    const int last = h.bit + f.element_bits - 1;
    std::string line =
        fmt::format("{}, {}", m.holder_name(h.thread), m.place_name(h.register_index));
    if (f.values_per_register() > 1) line += fmt::format(", bits {} to {}", h.bit, last);
    if (m.memory == MoverMemory::result) {
      if (f.type == ElementType::f16) line += ", bits 0 to 15";
      line += fmt::format(" (warp {} reads it: tcgen05.ld.32x32b, lane {})", lane_of(h.thread) / 32,
                          h.thread % 32);
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> what_holds(const Mover& m, int thread, std::optional<int> register_index) {
  const Fragment& f = m.registers;
  if (!f.provided_by(thread))
    return {fmt::format("{}: nothing of {}", m.holder_name(thread),
                        m.memory == MoverMemory::metadata ? "A's metadata" : "D")};
  if (m.memory == MoverMemory::result && !register_index) {
    const Element e = f.element(thread, 0);
    return {fmt::format("{}: D[{}][{} to {}] in columns 0 to {}", m.holder_name(thread), e.row,
                        e.col, e.col + f.values - 1, f.values - 1)};
  }
  std::vector<std::string> lines;
  for (int reg = register_index.value_or(0); reg < register_index.value_or(f.registers() - 1) + 1;
       ++reg) {
    std::string line = fmt::format("{}, {}:", m.holder_name(thread), m.place_name(reg));
    for (const Held& held : elements(f, thread, reg))
      line += f.matrices > 1 ? fmt::format(" m{}[{}][{}]", held.element.matrix, held.element.row,
                                           held.element.col)
                             : fmt::format(" [{}][{}]", held.element.row, held.element.col);
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> result_blocks(const Mover& m) {
  const Fragment& f = m.registers;
  std::vector<std::string> lines;
  for (int thread = 0; thread < f.threads();) {
    if (!f.provided_by(thread)) {
      ++thread;
      continue;
    }
    const int count = run_of(f, thread);
    const Element e = f.element(thread, 0);
    const int first_warp = lane_of(thread) / 32, last_warp = (lane_of(thread) + count - 1) / 32;
    lines.push_back(
        fmt::format("{}{}, columns 0 to {}: D rows {} to {}, columns {} to {}; {}",
                    is_pair(m) ? fmt::format("CTA {} ", cta_of(thread)) : "",
                    range("lane", "lanes", lane_of(thread), lane_of(thread) + count - 1),
                    f.values - 1, e.row, e.row + count - 1, e.col, e.col + f.values - 1,
                    range("warp", "warps", first_warp, last_warp)));
    thread += count;
  }
  return lines;
}

std::string tensor_picture(const Mover& m, std::string_view what, std::string_view where,
                           std::string_view body) {
  std::string out =
      fmt::format("{}\n  {} in tensor memory{}; PTX {}, {}; {} ({})\n  note: {}\n\n  where {}\n",
                  m.mnemonic, what, is_pair(m) ? " of two CTAs" : "", m.ptx, m.target, m.source,
                  name(m.standing), m.note, where);
  if (is_pair(m)) out += fmt::format("    CTA    = {}\n", m.rules.cta);
  return fmt::format(
      "{}{}\n  --element ROW,COL and --lane LANE ask for one (lane 128 + l: l of the second CTA)\n",
      out, body);
}

std::string result_picture(const Mover& m) {
  const Fragment& f = m.registers;
  std::string body = fmt::format(
      "    lane   = {}\n    column = {}\n\n  what lies where, and whose tcgen05.ld "
      "reaches it\n",
      m.rules.lane, m.rules.column);
  for (const std::string& line : result_blocks(m)) body += "    " + line + "\n";
  if (f.type == ElementType::f16)
    body +=
        "    an element has the low 16 bits of a column: tcgen05.ld .pack::16b puts two into a "
        "register\n";
  return tensor_picture(m, fmt::format("D {} x {} {}", f.rows, f.cols, name(f.type)),
                        "D[row][col] is", body);
}

}  // namespace lanescope::layout
