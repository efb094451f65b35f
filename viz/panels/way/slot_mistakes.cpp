// SPDX-License-Identifier: MIT
// Registers, or parts of them, that are wrong in all lanes alike. See places.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "layout/rows.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

// What a value of a thread, a register's part, is off by, where that is the same in all lanes.
struct Slot {
  bool is_uniform = true;
  Element by{};
  bool is_wrong() const { return !(by == Element{}); }
};

// By the elements that are somewhere: at a matrix's edge others are not.
std::vector<Slot> slots_of(const layout::Fragment& map, const OriginCheck& check) {
  std::vector<Slot> slots(static_cast<std::size_t>(map.values));
  std::vector<bool> seen(slots.size());
  for (const layout::Held& held : layout::register_layout(map)) {
    const Element& home = held.element;
    const auto at = static_cast<std::size_t>(home.row * map.cols + home.col);
    if (at < check.nowhere.size() && check.nowhere[at]) continue;
    const Element& from = check.came_from[at];
    const auto value = static_cast<std::size_t>(held.holder.value);
    Slot& slot = slots[value];
    if (from.row >= kElsewhere || from.col >= kElsewhere) slot.is_uniform = false;
    const Element by{from.row - home.row, from.col - home.col, 0};
    if (seen[value] && !(slot.by == by)) slot.is_uniform = false;
    slot.by = by;
    seen[value] = true;
  }
  return slots;
}

std::string apart_text(const Element& by) {
  const auto one = [](int count, const char* what) {
    return fmt::format("{} {}{} {}", std::abs(count), what, std::abs(count) == 1 ? "" : "s",
                       count > 0 ? "farther on" : "before");
  };
  return by.col == 0   ? one(by.row, "row")
         : by.row == 0 ? one(by.col, "column")
                       : one(by.row, "row") + " and " + one(by.col, "column");
}

// "A.r1", or "A.r1.hi" where the other parts of the register are right.
std::vector<std::string> names_of(const std::vector<Slot>& slots, const layout::Fragment& map,
                                  char operand) {
  std::vector<std::string> names;
  const int parts = map.values_per_register();
  for (int first = 0; first < map.values; first += parts) {
    const auto wrong = [&](int part) {
      return slots[static_cast<std::size_t>(first + part)].is_wrong();
    };
    int count = 0;
    for (int part = 0; part < parts; ++part) count += wrong(part) ? 1 : 0;
    const std::string name = fmt::format("{}.r{}", operand, first / parts);
    if (count == parts) names.push_back(name);
    for (int part = 0; part < parts && count < parts; ++part)
      if (wrong(part)) names.push_back(name + "." + layout::part_name(map, part));
  }
  return names;
}

// Each part of a wrong register is what belongs into another part of it.
bool only_within_registers(const std::vector<Slot>& slots, const layout::Fragment& map) {
  const int parts = map.values_per_register();
  for (int value = 0; value < map.values; ++value) {
    const Element home = map.element(0, value), by = slots[static_cast<std::size_t>(value)].by;
    const Element from{home.row + by.row, home.col + by.col, home.matrix};
    bool found = false;
    for (int part = 0; part < parts; ++part)
      found = found || map.element(0, value / parts * parts + part) == from;
    if (!found) return false;
  }
  return true;
}

}  // namespace

void name_slots(const Multiplication& in, char operand, OriginCheck& check) {
  if (check.diagnosis.verdict != trace::Verdict::unknown || check.came_from.empty() ||
      in.map(operand) == nullptr)
    return;
  const ByteMap bytes = in_bytes(*in.map(operand));
  const layout::Fragment& map = bytes.map;
  const std::vector<Slot> slots = slots_of(map, check);
  const auto is_right = [](const Slot& slot) { return slot.is_uniform && !slot.is_wrong(); };
  const auto is_uniform = [](const Slot& slot) { return slot.is_uniform; };
  const auto wrong = std::find_if_not(slots.begin(), slots.end(), is_right);
  if (wrong == slots.end() || !std::all_of(slots.begin(), slots.end(), is_uniform) ||
      std::none_of(slots.begin(), slots.end(), is_right))
    return;
  const std::vector<std::string> names = names_of(slots, map, operand);
  constexpr std::size_t kMostNames = 4;
  if (names.size() > kMostNames) return;
  const bool one = names.size() == 1;
  if (only_within_registers(slots, map))
    return name_mistake(check.diagnosis, "wrong-half",
                        fmt::format("the parts of register{} {} are exchanged", one ? "" : "s",
                                    fmt::join(names, ", ")),
                        "the element with the smaller index belongs into the low bits");
  if (!std::all_of(slots.begin(), slots.end(),
                   [&](const Slot& slot) { return !slot.is_wrong() || slot.by == wrong->by; }))
    return;
  const std::string apart = apart_text({wrong->by.row * bytes.row, wrong->by.col * bytes.col, 0});
  if (operand == 'D')
    return name_mistake(check.diagnosis, "register-apart",
                        fmt::format("in every lane {} {} stored {}", fmt::join(names, ", "),
                                    one ? "is" : "are", apart),
                        "which row and column does this register hold? `lanescope layout` says it; "
                        "the address of its store has another one");
  name_mistake(
      check.diagnosis, "register-apart",
      fmt::format("in every lane {} {} what lies {}", fmt::join(names, ", "),
                  one ? "holds" : "hold", apart),
      "which row and column belong into it? `lanescope layout` says it; the address of its "
      "load has another one");
}

}  // namespace lanescope::viz
