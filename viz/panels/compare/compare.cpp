// SPDX-License-Identifier: MIT
// See compare.hpp.
#include "panels/compare/compare.hpp"

#include <fmt/format.h>

#include <set>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "numeric/format.hpp"
#include "panels/matrix/model.hpp"
#include "panels/memory/memory_tile.hpp"

namespace lanescope::viz {
namespace {

using trace::Access;
using trace::Event;
using trace::Fragment;
using trace::Memory;
using trace::Step;

// Nobody reads more, and every one has its words.
constexpr std::size_t kMost = 1000;
// Larger tiles have words only.
constexpr int kMostCells = 1 << 22;

std::uint64_t bits_at(std::uint64_t word, int bit, int bits) {
  return bits >= 64 ? word : word >> bit & ((std::uint64_t{1} << bits) - 1);
}

// The map that shows a fragment as its matrix: every element in one place.
const layout::Fragment* plain_map(const Fragment& f) {
  const layout::Instruction* instruction = layout::find_recorded(f.instruction);
  if (instruction == nullptr || f.operand.size() != 1 || operand_index(f.operand[0]) < 0)
    return nullptr;
  const layout::Fragment* map = instruction->operand(f.operand[0]);
  if (map == nullptr || map->values == 0 || map->register_bits != f.register_bits) return nullptr;
  const bool fits = map->registers() == static_cast<int>(f.registers.size()) &&
                    !f.registers.empty() &&
                    map->threads() == static_cast<int>(f.registers[0].size());
  const bool one_holder =
      map->matrices == 1 && map->rows * map->cols == map->threads() * map->values;
  return fits && one_holder ? map : nullptr;
}

// The word of a lane in one of the registers of an event that is shown by lanes.
std::uint64_t word_of(const Event& event, const ComparedCell& cell) {
  const auto reg = static_cast<std::size_t>(cell.register_index);
  const auto lane = static_cast<std::size_t>(cell.lane);
  if (const auto* f = std::get_if<Fragment>(&event)) return f->registers[reg][lane];
  if (const auto* s = std::get_if<Step>(&event)) return s->writes[reg].lanes[lane];
  return std::get<Access>(event).addresses[lane];
}

int word_bits(const Event& event, const ComparedCell& cell) {
  if (const auto* f = std::get_if<Fragment>(&event)) return f->register_bits;
  if (const auto* s = std::get_if<Step>(&event))
    return s->writes[static_cast<std::size_t>(cell.register_index)].bits;
  return 32;
}

void note(Compared& c, ComparedCell cell, bool differs) {
  cell.differs = differs;
  c.differing += differs;
  c.cells.push_back(cell);
}

void fill_matrix(Compared& c, const layout::Fragment& map) {
  c.as = ComparedAs::matrix;
  c.map = &map;
  c.rows = map.rows;
  c.cols = map.cols;
  c.threads = map.threads();
  const auto& a = std::get<Fragment>(*c.of[0]).registers;
  const auto& b = std::get<Fragment>(*c.of[1]).registers;
  for (const layout::Held& held : layout::matrix_layout(map)) {
    const layout::Holder& h = held.holder;
    const auto reg = static_cast<std::size_t>(h.register_index);
    const auto lane = static_cast<std::size_t>(h.thread);
    note(c, {h.thread, h.register_index, h.bit, false},
         bits_at(a[reg][lane], h.bit, map.element_bits) !=
             bits_at(b[reg][lane], h.bit, map.element_bits));
  }
}

// `count` registers of `threads` lanes, four lanes a row as the warp is drawn. differ(reg, lane)
template <class Differ>
void fill_lanes(Compared& c, int threads, int count, Differ differ) {
  c.as = ComparedAs::lanes;
  c.threads = threads;
  c.cols = 4;
  c.rows_in_group = threads / 4;
  c.rows = c.rows_in_group * count;
  for (int reg = 0; reg < count; ++reg)
    for (int lane = 0; lane < threads; ++lane) {
      const ComparedCell cell{lane, reg, 0, false};
      note(c, cell, word_of(*c.of[0], cell) != word_of(*c.of[1], cell) && differ(reg, lane));
    }
}

bool always(int, int) { return true; }

void fill(Compared& c, const Fragment& a, const Fragment& b) {
  c.subject = a.name;
  if (a.instruction != b.instruction || a.operand != b.operand ||
      a.register_bits != b.register_bits || a.registers.size() != b.registers.size() ||
      a.registers.empty() || a.registers[0].size() != b.registers[0].size())
    return;
  if (const layout::Fragment* map = plain_map(a)) fill_matrix(c, *map);
  if (c.differing > 0) return;
  // No map, or bits that belong to no element.
  c.cells.clear();
  for (std::size_t r = 0; r < a.registers.size(); ++r)
    c.groups.push_back(fmt::format("{}.r{}", a.operand, r));
  fill_lanes(c, static_cast<int>(a.registers[0].size()), static_cast<int>(a.registers.size()),
             always);
}

void fill(Compared& c, const Memory& a, const Memory& b) {
  c.subject = a.name;
  if (a.type != b.type || a.rows != b.rows || a.cols != b.cols ||
      a.bytes.size() != b.bytes.size() || !is_whole(a) || a.rows > kMostCells / a.cols)
    return;
  c.as = ComparedAs::tile;
  c.rows = a.rows;
  c.cols = a.cols;
  for (int row = 0; row < c.rows; ++row)
    for (int col = 0; col < c.cols; ++col)
      note(c, {}, element_pattern(a, row, col) != element_pattern(b, row, col));
}

void fill(Compared& c, const Step& a, const Step& b, const trace::Addresses& addresses) {
  c.subject = fmt::format("step {}", a.step);
  if (a.ptx != b.ptx || a.writes.size() != b.writes.size()) return;
  for (std::size_t w = 0; w < a.writes.size(); ++w) {
    if (a.writes[w].name != b.writes[w].name || a.writes[w].bits != b.writes[w].bits ||
        a.writes[w].lanes.size() != 32 || b.writes[w].lanes.size() != 32)
      return;
    const trace::Write& write = a.writes[w];
    c.groups.push_back(write.watch.empty() ? write.name
                                           : fmt::format("{} {}", write.name, write.watch));
  }
  if (a.writes.empty()) return;
  fill_lanes(c, 32, static_cast<int>(a.writes.size()), [&](int reg, int lane) {
    return !addresses.are_alike(a, static_cast<std::size_t>(reg), static_cast<std::size_t>(lane),
                                b);
  });
}

void fill(Compared& c, const Access& a, const Access& b) {
  c.subject = fmt::format("step {}", a.step);
  if (a.addresses.size() != 32 || b.addresses.size() != 32) return;
  c.groups = {"address"};
  fill_lanes(c, 32, 1, always);
}

}  // namespace

Comparison compare(trace::Trace a, trace::Trace b, std::string a_path, std::string b_path) {
  Comparison made;
  made.traces = {std::move(a), std::move(b)};
  made.paths = {std::move(a_path), std::move(b_path)};
  made.addresses = trace::Addresses(made.traces[0], made.traces[1]);
  made.all =
      trace::differences(made.traces[0], made.traces[1], kMost + 1, made.addresses, made.moved);
  made.more = made.all.size() > kMost;
  if (made.more) made.all.pop_back();
  return made;
}

Compared look_at(const Comparison& comparison, std::size_t index) {
  Compared c;
  if (index >= comparison.all.size()) return c;
  if (comparison.of_maps()) return look_at(comparison.maps[index]);
  const trace::Difference& d = comparison.all[index];
  c.events = {d.a_event, d.b_event};
  for (std::size_t side = 0; side < 2; ++side)
    if (c.events[side] >= 0)
      c.of[side] = &comparison.traces[side].events[static_cast<std::size_t>(c.events[side])];
  if (c.of[0] == nullptr || c.of[1] == nullptr) return c;
  const Event& a = *c.of[0];
  const Event& b = *c.of[1];
  if (std::holds_alternative<Fragment>(a)) fill(c, std::get<Fragment>(a), std::get<Fragment>(b));
  if (std::holds_alternative<Memory>(a)) fill(c, std::get<Memory>(a), std::get<Memory>(b));
  if (std::holds_alternative<Step>(a))
    fill(c, std::get<Step>(a), std::get<Step>(b), comparison.addresses);
  if (std::holds_alternative<Access>(a)) fill(c, std::get<Access>(a), std::get<Access>(b));
  if (c.differing == 0) {  // they differ in something that no cell shows
    c.as = ComparedAs::words;
    c.rows = c.cols = 0;
    c.cells.clear();
  }
  std::set<int> lanes;
  for (const ComparedCell& cell : c.cells)
    if (cell.differs && cell.lane >= 0) lanes.insert(cell.lane);
  c.lanes.assign(lanes.begin(), lanes.end());
  return c;
}

std::string Compared::bits(int side, int row, int col) const {
  if (as == ComparedAs::maps) return layout::place_of(map_of(side), element(row, col));
  const Event& event = *of[static_cast<std::size_t>(side)];
  if (as == ComparedAs::tile) {
    const Memory& tile = std::get<Memory>(event);
    return hex(element_pattern(tile, row, col), element_bits(tile));
  }
  const ComparedCell& c = cell(row, col);
  if (as == ComparedAs::matrix)
    return hex(bits_at(word_of(event, c), c.bit, map->element_bits), map->element_bits);
  return hex(word_of(event, c), word_bits(event, c));
}

std::string Compared::value(int side, int row, int col) const {
  if (as == ComparedAs::maps) return holder(side, row, col, true);
  const Event& event = *of[static_cast<std::size_t>(side)];
  if (as == ComparedAs::tile) return element_text(std::get<Memory>(event), row, col);
  if (as == ComparedAs::lanes) return bits(side, row, col);
  const ComparedCell& c = cell(row, col);
  return numeric::to_text(layout::name(map->type),
                          bits_at(word_of(event, c), c.bit, map->element_bits))
      .value_or(bits(side, row, col));
}

std::string Compared::place(int row, int col) const {
  if (as == ComparedAs::maps) {
    const layout::Element e = element(row, col);
    return fmt::format("{}{}[{}][{}]", subject,
                       beside.matrices > 1 ? fmt::format(", matrix {}, ", e.matrix) : "", e.row,
                       e.col);
  }
  const ComparedCell& c = cell(row, col);
  const char* holder = threads > 32 ? "thread" : "lane";
  if (as == ComparedAs::tile) return fmt::format("{}[{}][{}]", subject, row, col);
  if (as == ComparedAs::lanes)
    return fmt::format("{} {}, {}", holder, c.lane,
                       groups[static_cast<std::size_t>(c.register_index)]);
  return fmt::format("{}[{}][{}], {} {}, {}.r{}, bits {}..{}", map->operand, row, col, holder,
                     c.lane, map->operand, c.register_index, c.bit, c.bit + map->element_bits - 1);
}

std::string Compared::shape(int side) const {
  if (as == ComparedAs::maps) return layout::shape_of(*map_of(side).map);
  if (as == ComparedAs::words) return {};
  if (as == ComparedAs::lanes)
    return fmt::format("{} register{} of {} lanes", groups.size(), groups.size() == 1 ? "" : "s",
                       threads);
  return fmt::format("{} × {} {}", rows, cols,
                     as == ComparedAs::matrix ? layout::name(map->type)
                                              : std::string_view(std::get<Memory>(*of[0]).type));
}

std::string Compared::words(int row, int col) const {
  if (as == ComparedAs::maps) return words_before() + fmt::format("{},{}", row, col);
  if (as == ComparedAs::tile) return fmt::format("{},{}", row, col);
  if (as == ComparedAs::matrix) return fmt::format("{} {},{}", map->operand, row, col);
  const ComparedCell& c = cell(row, col);
  const auto* f = std::get_if<Fragment>(of[0]);
  return f == nullptr ? "" : fmt::format("lane {} {}.r{}", c.lane, f->operand, c.register_index);
}

void next_differing(const Compared& c, int by, int& row, int& col) {
  const int count = static_cast<int>(c.cells.size());
  int at = row < 0 ? -1 : row * c.cols + col + by;
  if (row < 0) at = 0, by = 1;
  for (; at >= 0 && at < count; at += by)
    if (c.differing == 0 || c.cells[static_cast<std::size_t>(at)].differs) {
      row = at / c.cols;
      col = at % c.cols;
      return;
    }
}

}  // namespace lanescope::viz
