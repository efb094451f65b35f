// SPDX-License-Identifier: MIT
// The list of matrix movers, and what they look like as CSV, JSON and text.
#include "layout/mover.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout/formula.hpp"
#include "layout/match.hpp"
#include "layout/mover_table.hpp"
#include "layout/picture.hpp"
#include "layout/result.hpp"
#include "layout/tables.hpp"
#include "layout/tensor_metadata.hpp"
#include "layout/tensor_scales.hpp"

namespace lanescope::layout {
namespace {

Mover mover(const MoverLine& line, int count) {
  Mover m;
  m.mnemonic = fmt::format("{}.sync.aligned{}.x{}{}.shared{}", line.family, line.shape, count,
                           line.trans, line.types);
  m.family = line.family;
  Map map = line.map;
  for (int matrices = 1; matrices < count; matrices *= 2)
    map.value.bits[static_cast<std::size_t>(map.value.count++)] = matrix(matrices);
  m.registers = typed('D', line.element, line.rows, line.cols, map, line.container_bits);
  m.registers.matrices = count;
  m.source = line.source;
  m.ptx = line.ptx;
  m.target = line.target;
  m.standing = line.standing;
  return m;
}

// Every column becomes two, of which a register takes the low halves.
Map packed_columns(const Map& map) {
  Map out{map.thread, {col(1)}};
  for (Move& move : out.thread.bits) move.col *= 2;
  for (int bit = 0; bit < map.value.count; ++bit) {
    Move move = map.value.bits[static_cast<std::size_t>(bit)];
    move.col *= 2;
    out.value.bits[static_cast<std::size_t>(out.value.count++)] = move;
  }
  return out;
}

Mover tensor_memory_mover(std::string_view family, const TensorMemoryLine& line, int count,
                          bool packed) {
  Mover m;
  const std::string_view pack = !packed ? "" : family == "tcgen05.ld" ? kPack : kUnpack;
  m.mnemonic = fmt::format("{}.sync.aligned{}.x{}{}.b32", family, line.shape, count, pack);
  m.memory = MoverMemory::tensor;
  m.family = family;
  Map map = line.map;
  for (int times = 1; times < count; times *= 2)
    map.value.bits[static_cast<std::size_t>(map.value.count++)] = col(times * line.cols);
  if (packed) map = packed_columns(map);
  const int columns = line.cols * count * (packed ? 2 : 1);
  m.registers = packed ? typed('D', ElementType::b16, line.rows, columns, map, 16)
                       : typed('D', ElementType::b32, line.rows, columns, map, 32);
  m.registers.matrices = line.matrices;
  m.source = kTensorMemory;
  m.ptx = "8.6";
  m.target = kTensorMemoryTargets;
  m.standing = packed ? Standing::derived : line.standing;
  if (packed) m.note = "of each 32-bit column only the low 16 bits are moved";
  return m;
}

std::vector<Mover> build() {
  std::vector<Mover> all;
  for (const MoverLine& line : kMoverLines)
    for (int count : line.counts)
      if (count != 0) all.push_back(mover(line, count));
  Mover m;
  m.memory = MoverMemory::registers;
  m.mnemonic = "movmatrix.sync.aligned.m8n8.trans.b16";
  m.family = "movmatrix";
  m.registers = typed('D', ElementType::b16, 8, 8, kColumnsOf16, 16);
  m.source_registers = typed('A', ElementType::b16, 8, 8, kRowsOf16, 16);
  m.source = "PTX ISA 9.2, 9.7.14.5.17 (figures 109, 110)";
  m.ptx = "7.8";
  m.target = "sm_75";
  all.push_back(m);
  for (std::string_view family : {"tcgen05.ld", "tcgen05.st"})
    for (const TensorMemoryLine& line : kTensorMemoryLines)
      for (bool packed : {false, true})
        for (int count = 1; count * line.values <= kMostTensorMemoryRegisters; count *= 2)
          all.push_back(tensor_memory_mover(family, line, count, packed));
  append_results(all);
  append_factors(all);
  append_metadata(all);
  for (Mover& each : all)
    if (runs_on(each.target, kRecordedArch)) each.standing = Standing::verified;
  return all;
}

// Its qualifiers in one order: .x4.m8n8 is as good as .m8n8.x4 to ptxas, and as usual. Without the
// state space, which may be left out.
std::string in_order(std::string_view mnemonic) {
  std::vector<std::string_view> parts;
  while (!mnemonic.empty()) {
    const std::size_t end = std::min(mnemonic.find('.'), mnemonic.size());
    const std::string_view part = mnemonic.substr(0, end);
    if (part != "shared" && part != "shared::cta") parts.push_back(part);
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
  }
  if (!parts.empty()) std::sort(parts.begin() + 1, parts.end());
  return fmt::format("{}", fmt::join(parts, "."));
}

// tcgen05.ld.red fills the registers of the tcgen05.ld without .red, and one more, with the least
// or greatest of a lane's. "" of what is none: two columns at least, .32x32b or .16x32bx2.
std::string without_reduction(std::string_view mnemonic) {
  constexpr std::string_view kFamily = "tcgen05.ld.red.";
  if (mnemonic.substr(0, kFamily.size()) != kFamily) return {};
  std::string rest = "tcgen05.ld";
  int extremes = 0, types = 0, absolute = 0;
  for (const std::string_view part : split(mnemonic.substr(kFamily.size()), ".")) {
    if (part == "min" || part == "max")
      ++extremes;
    else if (part == "f32" || part == "u32" || part == "s32")
      types += part == "f32" ? 1 : 16;
    else if (part == "abs" || part == "NaN")
      absolute = 1;
    else if (part == "x1" || part.substr(0, 6) == "pack::" ||
             (part.find('b') != part.npos && part != "32x32b" && part != "16x32bx2"))
      return {};
    else
      rest += fmt::format(".{}", part);
  }
  const bool is_one = extremes == 1 && (types == 1 || (types == 16 && absolute == 0));
  return is_one ? rest + ".b32" : std::string();
}

bool chosen(const MoverSelection& s, const Holder& h, const Element& e) {
  return h.thread == s.thread.value_or(h.thread) &&
         h.register_index == s.register_index.value_or(h.register_index) &&
         e == s.element.value_or(e);
}

template <typename Emit>
void each_row(const Mover& m, const MoverSelection& s, Emit&& emit) {
  const auto offer = [&](const char* side, const Holder& h, const Element& e) {
    if (chosen(s, h, e)) emit(side, h, e);
  };
  for (int lane = 0; lane < 32 && !s.register_index; ++lane)
    if (const std::optional<Element> e = m.addressed_row(lane)) offer("addr", Holder{lane}, *e);
  if (m.source_registers.operand != '?')
    for (const Held& held : register_layout(m.source_registers))
      offer("src", held.holder, held.element);
  for (const Held& held : register_layout(m.registers)) offer("reg", held.holder, held.element);
}

}  // namespace

std::span<const Mover> movers() {
  static const std::vector<Mover> all = build();
  return all;
}

const Mover* find_mover(std::string_view mnemonic) {
  static const std::unordered_map<std::string, const Mover*> known = [] {
    std::unordered_map<std::string, const Mover*> all;
    for (const Mover& m : movers()) all.emplace(in_order(m.mnemonic), &m);
    return all;
  }();
  const std::string reduced = without_reduction(mnemonic);
  const auto found = known.find(in_order(reduced.empty() ? mnemonic : reduced));
  return found == known.end() ? nullptr : found->second;
}

std::string csv(const Mover& m, const MoverSelection& selection) {
  std::string out = "side,thread,value,register,bit,matrix,row,col\n";
  each_row(m, selection, [&](const char* side, const Holder& h, const Element& e) {
    out += fmt::format("{},{},{},{},{},{},{},{}\n", side, h.thread, h.value, h.register_index,
                       h.bit, e.matrix, e.row, e.col);
  });
  return out;
}

std::string markdown(const Mover& m, const MoverSelection& selection) {
  const Fragment& f = m.registers;
  std::string out =
      fmt::format("`{}`\n\n{} (PTX {}, {}, {})\n\nrow = `{}`, col = `{}`", m.mnemonic, m.source,
                  m.ptx, m.target, name(m.standing), formula(f, Axis::row), formula(f, Axis::col));
  if (f.matrices > 1) out += fmt::format(", matrix = `{}`", formula(f, Axis::matrix));
  out += "\n\n| side | thread | value | register | bit | matrix | row | col |\n";
  out += "|--|--|--|--|--|--|--|--|\n";
  each_row(m, selection, [&](const char* side, const Holder& h, const Element& e) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", side, h.thread, h.value,
                       h.register_index, h.bit, e.matrix, e.row, e.col);
  });
  return out;
}

std::string json(const Mover& m, const MoverSelection& selection) {
  std::string out = fmt::format(
      "{{\"instruction\":\"{}\",\"family\":\"{}\",\"source\":\"{}\",\"ptx\":\"{}\","
      "\"target\":\"{}\",\"standing\":\"{}\",\"matrices\":{},\"rows\":{},\"cols\":{},"
      "\"element_bits\":{},\"elements\":[",
      m.mnemonic, m.family, m.source, m.ptx, m.target, name(m.standing), m.registers.matrices,
      m.registers.rows, m.registers.cols, m.registers.element_bits);
  const char* comma = "\n";
  each_row(m, selection, [&](const char* side, const Holder& h, const Element& e) {
    out += fmt::format(
        "{}{{\"side\":\"{}\",\"thread\":{},\"value\":{},\"register\":{},\"bit\":{},"
        "\"matrix\":{},\"row\":{},\"col\":{}}}",
        comma, side, h.thread, h.value, h.register_index, h.bit, e.matrix, e.row, e.col);
    comma = ",\n";
  });
  return out + "]}\n";
}

std::vector<std::string> tensor_memory_lines(const Mover& m) {
  if (m.memory == MoverMemory::result) return result_blocks(m);
  return m.memory == MoverMemory::factors ? factor_lines(m) : metadata_blocks(m);
}

namespace {

// What the numbers of a picture mean, before it.
std::string places(const Mover& m, int width) {
  if (m.memory == MoverMemory::tensor)
    return "\n  rows are lanes and columns 32-bit columns of tensor memory, from the address on\n";
  if (m.memory == MoverMemory::registers)
    return fmt::format("\n  source: row = {}, col = {} ({})\n{}",
                       formula(m.source_registers, Axis::row),
                       formula(m.source_registers, Axis::col), legend(m.source_registers),
                       grid(m.source_registers, width));
  std::string out = "\n  whose address points at which row\n";
  for (int lane = 0; lane < 32; ++lane) {
    const std::optional<Element> e = m.addressed_row(lane);
    if (e) out += fmt::format("    lane {:>2}  matrix {} row {}\n", lane, e->matrix, e->row);
  }
  return out;
}

}  // namespace

std::string picture(const Mover& m, int width) {
  if (m.memory == MoverMemory::result) return result_picture(m);
  if (m.memory == MoverMemory::factors) return factors_picture(m);
  if (m.memory == MoverMemory::metadata) return metadata_picture(m);
  const Fragment& f = m.registers;
  std::string out = fmt::format(
      "{}\n  {} matri{} of {} x {}, {} bits each in the register; PTX {}, {}; {} ({})\n",
      m.mnemonic, f.matrices, f.matrices == 1 ? "x" : "ces", f.rows, f.cols, f.element_bits, m.ptx,
      m.target, m.source, name(m.standing));
  if (!m.note.empty()) out += fmt::format("  note: {}\n", m.note);
  out += places(m, width);
  out += fmt::format("\n  registers: row = {}, col = {}", formula(f, Axis::row),
                     formula(f, Axis::col));
  if (f.matrices > 1 || m.memory == MoverMemory::shared)
    out += ", matrix = " + formula(f, Axis::matrix);
  out += m.memory == MoverMemory::tensor ? "\n" : " of the stored matrix\n";
  return out + both_ways(f, width);
}

}  // namespace lanescope::layout
