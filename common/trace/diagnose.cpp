// SPDX-License-Identifier: MIT
// See diagnose.hpp: one fragment after the other, its matrix (sources.hpp), the mistake that
// explains it (mistakes.hpp), and the words for both.
#include "trace/diagnose.hpp"

#include <fmt/format.h>

#include <optional>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "numeric/format.hpp"
#include "trace/compared.hpp"
#include "trace/mistakes.hpp"
#include "trace/sources.hpp"

namespace lanescope::trace {
namespace {

using layout::Element;
using layout::Held;

bool shaped(const Case& c) {
  const auto& registers = c.fragment->registers;
  if (static_cast<int>(registers.size()) != c.map->registers()) return false;
  for (const auto& reg : registers)
    if (static_cast<int>(reg.size()) != c.map->threads()) return false;
  return c.map->register_bits == c.fragment->register_bits;
}

std::string place_of(const Case& c, const Held& slot) {
  const layout::Holder& h = slot.holder;
  std::string part;
  if (c.parts() == 2) part = part_of(c, slot) == 0 ? ", low half" : ", high half";
  if (c.parts() > 2) part = fmt::format(", part b{}", part_of(c, slot));
  return fmt::format("lane {}, {}.r{}{}", h.thread, c.fragment->operand, h.register_index, part);
}

std::string text_of(const Case& c, std::uint64_t bits) {
  return numeric::to_text(layout::name(c.map->type), bits).value_or(fmt::format("0x{:x}", bits));
}

std::vector<const Held*> wrong_slots(const Case& c) {
  std::vector<const Held*> wrong;
  for (const Held& slot : c.slots) {
    const Element home = c.home(slot.element);
    if (c.matrix->at(home.row, home.col) != c.found(slot)) wrong.push_back(&slot);
  }
  return wrong;
}

void set(Diagnosis& d, const Mistake& mistake) {
  d.verdict = Verdict::mistake;
  d.kind = mistake.kind;
  d.mistake = mistake.words;
  d.advice = mistake.advice;
}

/// A tile may be written down as it lies, swizzled, and be read through its swizzle.
bool is_meant(const Mistake& mistake, const std::string& name) {
  return std::string_view(mistake.kind) == "swizzle-one-side" &&
         name.find("swizzled") != std::string::npos;
}

void set_right(Diagnosis& d) {
  const Diagnosis was = d;
  d = {};
  d.fragment = was.fragment;
  d.matrix = was.matrix;
  d.elements = was.elements;
  d.verdict = Verdict::right;
}

/// Every wrong element is the same pattern: memory that nobody has written.
std::optional<Mistake> never_written(const Case& c, const std::vector<const Held*>& wrong) {
  const std::uint64_t pattern = c.found(*wrong.front());
  for (const Held* slot : wrong)
    if (c.found(*slot) != pattern) return {};
  const bool poison = low_bits(~pattern, c.map->element_bits) == 0;
  if (wrong.size() < 8 || (!poison && pattern != 0)) return {};
  const std::string value = text_of(c, pattern);  // of integers no NaN
  return Mistake{
      "stale",
      fmt::format("{} of {} elements are {}{}: nothing was loaded, or it was read before "
                  "anybody had written it",
                  wrong.size(), c.slots.size(), value == "nan" ? "NaNs" : value,
                  poison ? ", all bits 1" : ""),
      "are these registers loaded at all? From shared memory: is there a wait "
      "(cp.async.wait_group) and a barrier before the read?",
      nullptr};
}

/// What else would explain a fragment that is right: then the matrix cannot tell the two apart.
std::string cannot_tell(const Case& c) {
  for (const Mistake& mistake : hidden_by_symmetry(c))
    if (explains(c, mistake.places, *c.matrix))
      return fmt::format("this matrix cannot tell: it would look the same if {}", mistake.words);
  return {};
}

void judge(Diagnosis& d, Case& c, const std::vector<Source>& sources) {
  d.elements = static_cast<int>(c.slots.size());
  const std::vector<const Held*> wrong = wrong_slots(c);
  d.wrong = static_cast<int>(wrong.size());
  if (wrong.empty()) {
    d.verdict = Verdict::right;
    d.note = cannot_tell(c);
    return;
  }
  for (const Held* slot : wrong) d.misplaced.push_back(slot->element);
  const Held& first = *wrong.front();
  const Element home = c.home(first.element);
  d.lane = first.holder.thread;
  d.register_index = first.holder.register_index;
  d.first = fmt::format(
      "{}: expected {}[{}][{}] = {}, found {}", place_of(c, first), c.fragment->operand, home.row,
      home.col,
      c.matrix->at(home.row, home.col) ? text_of(c, *c.matrix->at(home.row, home.col)) : "nothing",
      text_of(c, c.found(first)));
  if (const auto poison = never_written(c, wrong)) return set(d, *poison);
  for (const Mistake& mistake : mistakes_for(c)) {
    if (!explains(c, mistake.places, *c.matrix)) continue;
    if (is_meant(mistake, c.matrix->memory().name)) return set_right(d);
    return set(d, mistake);
  }
  for (const Source& other : sources) {
    if (other.event == d.matrix || !explains(c, right_place, other.matrix)) continue;
    return set(
        d, {"stale",
            fmt::format("it is another tile: \"{}\", not \"{}\"", other.matrix.memory().name,
                        c.matrix->memory().name),
            "shared memory still holds the tile before: is there a wait and a barrier?", nullptr});
  }
  if (const auto address = wrong_addresses(c)) return set(d, *address);
  d.verdict = Verdict::unknown;
  d.mistake = "not one of the known mistakes";
  d.advice = "begin with the element above: by which address did its lane get what is there?";
}

const layout::Fragment* map_of(const Fragment& fragment) {
  const layout::Instruction* instruction = layout::find_recorded(fragment.instruction);
  return instruction != nullptr && fragment.operand.size() == 1
             ? instruction->operand(fragment.operand[0])
             : nullptr;
}

Diagnosis diagnose_one(const Trace& trace, const std::vector<int>& tiles, int index,
                       const layout::Fragment* map) {
  Diagnosis d;
  d.fragment = index;
  const Fragment& fragment = std::get<Fragment>(trace.events[static_cast<std::size_t>(index)]);
  if (fragment.operand == "SFA" || fragment.operand == "SFB") {
    d.mistake = "scale factors are not followed";
    return d;
  }
  Case c;
  c.fragment = &fragment;
  c.map = map;
  if (c.map == nullptr || !shaped(c)) {
    d.mistake = "the atlas has no map of it";
    return d;
  }
  c.slots = layout::register_layout(*c.map);
  const std::vector<Source> sources = sources_for(trace, tiles, fragment, *c.map);
  if (sources.empty()) {
    d.mistake = fmt::format("the trace has no matrix {} of type {} to compare it with",
                            fragment.operand, layout::name(c.map->type));
    return d;
  }
  // Right by any of them is right, but a matrix in global memory says what was meant.
  for (const Source& source : sources) {
    c.matrix = &source.matrix;
    d.matrix = source.event;
    find_beginning(c);
    if (explains(c, right_place, source.matrix)) break;
    if (source.matrix.memory().space == "global") break;
  }
  if (!explains(c, right_place, *c.matrix)) {
    c.matrix = &sources.front().matrix;
    d.matrix = sources.front().event;
    find_beginning(c);
  }
  judge(d, c, sources);
  return d;
}

}  // namespace

std::vector<Diagnosis> diagnose(const Trace& trace) {
  std::vector<Diagnosis> all;
  const std::vector<int> tiles = tiles_of(trace);
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (const auto* fragment = std::get_if<Fragment>(&trace.events[i]))
      all.push_back(diagnose_one(trace, tiles, static_cast<int>(i), map_of(*fragment)));
  return all;
}

Diagnosis diagnose(const Trace& trace, int fragment, const layout::Fragment& map) {
  return diagnose_one(trace, tiles_of(trace), fragment, &map);
}

}  // namespace lanescope::trace
