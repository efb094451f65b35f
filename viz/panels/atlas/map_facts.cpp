// SPDX-License-Identifier: MIT
// What is said of the element or lane that is picked in a map.
#include <fmt/format.h>

#include "layout/formula.hpp"
#include "layout/rows.hpp"
#include "panels/atlas/map_pick.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;
using layout::Fragment;
using Kind = MapPick::Kind;

std::string part_text(const Fragment& f, const layout::Holder& h) {
  const int last = h.bit + f.payload_bits() - 1;
  return fmt::format(
      "{} {}, r{}, {}", f.threads() > 32 ? "thread" : "lane", h.thread, h.register_index,
      h.bit == last ? fmt::format("bit {}", h.bit) : fmt::format("bits {} to {}", h.bit, last));
}

// Where D[row][col] of tcgen05.mma is.
std::vector<std::string> result_why(const layout::Mover& m) {
  std::vector<std::string> lines;
  if (m.registers.threads() > 128) lines.push_back("CTA = " + m.rules.cta);
  lines.push_back("lane = " + m.rules.lane);
  lines.push_back("column = " + m.rules.column);
  return lines;
}

void say_element(MapFacts& facts, const MapView& view, const Element& e) {
  const Fragment& f = *view.map;
  const bool is_named = view.mover == nullptr || view.mover->feeds_product();
  const auto prefix = is_named ? layout::operand_name(f.operand) : "";
  facts.title = f.matrices > 1 ? fmt::format("m{}[{}][{}]", e.matrix, e.row, e.col)
                               : fmt::format("{}[{}][{}]", prefix, e.row, e.col);
  const std::vector<layout::Holder> all = layout::holders(f, e);
  if (all.empty()) {
    facts.where = "no lane holds it";
    return;
  }
  const layout::Holder& h = all.front();
  if (view.memory() == layout::MoverMemory::result) {
    facts.title = fmt::format("D[{}][{}]", e.row, e.col);
    facts.where = layout::who_holds(*view.mover, e).front();
    facts.why = result_why(*view.mover);
    return;
  }
  if (view.mover != nullptr && view.mover->feeds_product()) {
    facts.lines = layout::who_holds(*view.mover, e);
    facts.where = facts.lines.front();
    facts.lines.erase(facts.lines.begin());
    facts.why = result_why(*view.mover);
    return;
  }
  facts.where = part_text(f, h);
  if (view.memory() == layout::MoverMemory::registers)
    for (const layout::Holder& from : layout::holders(view.mover->source_registers, e))
      facts.lines.push_back("from " + part_text(view.mover->source_registers, from));
  if (const int lane = address_lane(view, e); lane >= 0)
    facts.lines.push_back(fmt::format("its row: the address of lane {}", lane));
  for (std::size_t at = 1; at < all.size(); ++at)
    facts.lines.push_back("also in " + part_text(f, all[at]));
  facts.why.push_back(fmt::format("i = {}", h.value));
  for (const layout::Axis axis : {layout::Axis::row, layout::Axis::col, layout::Axis::matrix})
    if (axis != layout::Axis::matrix || f.matrices > 1)
      for (std::string& line : layout::derivation(f, axis, h.thread, h.value))
        facts.why.push_back(std::move(line));
}

void say_lane(MapFacts& facts, const MapView& view, int lane) {
  const Fragment& f = *view.map;
  facts.title = holder_name(view, lane);
  if (view.memory() == layout::MoverMemory::result) {
    facts.where = layout::what_holds(*view.mover, lane, std::nullopt).front();
    facts.why = result_why(*view.mover);
    return;
  }
  if (view.mover != nullptr && view.mover->feeds_product()) {
    facts.lines = layout::what_holds(*view.mover, lane, std::nullopt);
    facts.why = result_why(*view.mover);
    return;
  }
  if (view.addresses()) {
    const auto row = view.mover->addressed_row(lane);
    facts.where = row ? fmt::format("its address: row {} of matrix {}", row->row, row->matrix)
                      : "its address is not used";
  }
  if (!f.provided_by(lane)) {
    facts.where = "not read: other lanes hand in this operand";
    return;
  }
  for (int reg = 0; reg < f.registers(); ++reg) {
    std::string line = fmt::format("r{} ", reg);
    for (const layout::Held& held : layout::elements(f, lane, reg))
      line += f.matrices > 1 ? fmt::format(" m{}[{}][{}]", held.element.matrix, held.element.row,
                                           held.element.col)
                             : fmt::format(" [{}][{}]", held.element.row, held.element.col);
    facts.lines.push_back(line);
  }
  facts.why.push_back("row = " + layout::formula(f, layout::Axis::row));
  facts.why.push_back("col = " + layout::formula(f, layout::Axis::col));
  if (f.matrices > 1) facts.why.push_back("matrix = " + layout::formula(f, layout::Axis::matrix));
}

}  // namespace

MapFacts map_facts(const MapView& view, const MapPick& pick) {
  MapFacts facts;
  if (view.map == nullptr) return facts;
  if (pick.kind == Kind::element && view.map->contains(pick.element))
    say_element(facts, view, pick.element);
  if (pick.kind == Kind::lane) say_lane(facts, view, pick.lane);
  return facts;
}

std::string map_title(const MapView& view) {
  const Fragment& f = *view.map;
  if (view.mover != nullptr) return std::string(view.mover->family);
  if (f.operand == 'S' || f.operand == 'T')
    return fmt::format("{}, thread-id {}, byte-id {}", layout::operand_name(f.operand),
                       f.operand == 'S' ? f.thread_match / 2 : f.thread_match, f.low_padding / 8);
  return fmt::format("{}{}", layout::operand_name(f.operand),
                     view.selector >= 0 ? fmt::format(", selector {}", view.selector) : "");
}

}  // namespace lanescope::viz
