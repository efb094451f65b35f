// SPDX-License-Identifier: MIT
#include "panels/atlas/atlas_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "layout/query.hpp"
#include "layout/rows.hpp"

namespace lanescope::viz {
namespace {

std::vector<Entry> matching(std::string_view words) {
  std::vector<Entry> all;
  const layout::Found found = layout::look_up(words);
  for (const layout::Instruction* i : found.instructions) all.push_back({i, nullptr});
  for (const layout::Mover* m : found.movers) all.push_back({nullptr, m});
  return all;
}

bool passes_filter(const Entry& e, const AtlasFilter& f) {
  return (f.family.empty() || e.family() == f.family) &&
         (f.type.empty() || layout::names_type(e.mnemonic(), f.type)) &&
         (f.arch.empty() || layout::runs_on(e.target(), f.arch));
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<Choice> counted(std::vector<Choice> choices, AtlasFilter (*ask)(std::string)) {
  for (Choice& choice : choices) choice.count = static_cast<int>(entries(ask(choice.name)).size());
  choices.erase(std::remove_if(choices.begin(), choices.end(),
                               [](const Choice& choice) { return choice.count == 0; }),
                choices.end());
  return choices;
}

// "sm_90a" after "sm_90", "sm_100a" after both.
bool target_less(const Choice& a, const Choice& b) {
  const auto number = [](const std::string& name) {
    int value = 0;
    for (const char c : name)
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) value = value * 10 + (c - '0');
    return value;
  };
  return number(a.name) != number(b.name) ? number(a.name) < number(b.name) : a.name < b.name;
}

std::string operand_line(const layout::OperandMap& map, std::size_t selectors) {
  const layout::Fragment& f = *map.fragment;
  std::string text =
      fmt::format("{}  {} x {} {}: {} register{}, {} value{}", layout::operand_name(f.operand),
                  f.rows, f.cols, layout::name(f.type), f.registers(),
                  f.registers() == 1 ? "" : "s", f.values, f.values == 1 ? "" : "s");
  if (map.selector >= 0 && selectors > 1) text += fmt::format(", {} selectors", selectors);
  return text;
}

}  // namespace

std::string_view Entry::mnemonic() const {
  return instruction != nullptr ? std::string_view(instruction->mnemonic)
         : mover != nullptr     ? std::string_view(mover->mnemonic)
                                : std::string_view();
}
std::string_view Entry::family() const {
  return instruction != nullptr ? instruction->family
         : mover != nullptr     ? mover->family
                                : std::string_view();
}
std::string_view Entry::ptx() const {
  return instruction != nullptr ? instruction->ptx
         : mover != nullptr     ? mover->ptx
                                : std::string_view();
}
std::string_view Entry::target() const {
  return instruction != nullptr ? instruction->target
         : mover != nullptr     ? mover->target
                                : std::string_view();
}
std::string_view Entry::source() const {
  return instruction != nullptr ? instruction->source
         : mover != nullptr     ? mover->source
                                : std::string_view();
}
layout::Standing Entry::standing() const {
  if (instruction != nullptr) return instruction->standing;
  return mover != nullptr ? mover->standing : layout::Standing::derived;
}

std::vector<Entry> entries(const AtlasFilter& filter) {
  std::vector<Entry> found = matching(filter.words);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const Entry& e) { return !passes_filter(e, filter); }),
              found.end());
  return found;
}

std::size_t entry_count() { return layout::instructions().size() + layout::movers().size(); }

const std::vector<Choice>& families() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> names;
    for (const Entry& e : matching(""))
      if (std::none_of(names.begin(), names.end(),
                       [&](const Choice& c) { return c.name == e.family(); }))
        names.push_back({std::string(e.family()), 0});
    return counted(names, [](std::string name) {
      return AtlasFilter{"", std::move(name), "", ""};
    });
  }();
  return all;
}

const std::vector<Choice>& types() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> names;
    for (const layout::ElementTypeInfo& type : layout::kElementTypes)
      names.push_back({std::string(type.name), 0});
    return counted(names, [](std::string name) {
      return AtlasFilter{"", "", std::move(name), ""};
    });
  }();
  return all;
}

const std::vector<Choice>& arches() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> names;
    for (const Entry& e : matching("")) {
      const std::string_view targets = e.target();
      for (std::size_t at = 0; at < targets.size();) {
        const std::size_t end = std::min(targets.find(' ', at), targets.size());
        const std::string_view name = targets.substr(at, end - at);
        if (std::none_of(names.begin(), names.end(),
                         [&](const Choice& c) { return c.name == name; }))
          names.push_back({std::string(name), 0});
        at = end + 1;
      }
    }
    std::sort(names.begin(), names.end(), target_less);
    return counted(names, [](std::string name) {
      return AtlasFilter{"", "", "", std::move(name)};
    });
  }();
  return all;
}

std::vector<std::string> near_misses(const std::string& words, std::size_t count) {
  std::vector<std::string> names;
  // Nobody types more than a name, and the distance to every name grows with what is typed.
  for (const std::string_view name : layout::nearest(lower(words.substr(0, 160)), count))
    names.emplace_back(name);
  return names;
}

Entry only_entry(const std::string& words) {
  if (words.empty()) return {};
  if (const layout::Instruction* i = layout::find(words)) return {i, nullptr};
  if (const layout::Mover* m = layout::find_mover(words)) return {nullptr, m};
  const std::vector<Entry> found = entries({words, "", "", ""});
  return found.size() == 1 ? found.front() : Entry{};
}

std::string shortened_mnemonic(std::string_view mnemonic, std::size_t characters) {
  static constexpr std::string_view kDots = "\u2026";
  std::string words(mnemonic);
  std::size_t dots = 0;
  const auto too_long = [&] { return words.size() - dots * (kDots.size() - 1) > characters; };
  for (const std::string_view little :
       {"sync.aligned.", "row.col.", "block_scale.", "scale_vec::", "kind::"}) {
    const std::size_t at = words.find(little);
    if (!too_long() || at == words.npos || at == 0) continue;
    if (words[at - 1] == '.')
      words.replace(at - 1, little.size() + 1, kDots), ++dots;
    else  // behind an ellipsis
      words.erase(at, little.size());
  }
  if (!too_long()) return words;
  if (characters == 0) return {};
  const std::size_t head = (characters - 1) / 3, tail = characters - 1 - head;
  words = mnemonic.substr(0, head);
  return words.append(kDots).append(mnemonic.substr(mnemonic.size() - tail));
}

std::vector<Known> known_of(const Entry& e) {
  if (e.empty()) return {};
  std::vector<Known> all{{"family", std::string(e.family())},
                         {"since", fmt::format("PTX {}, {}", e.ptx(), e.target())},
                         {"source", std::string(e.source())}};
  if (e.mover != nullptr && !e.mover->note.empty())
    all.push_back({"note", std::string(e.mover->note)});
  if (e.instruction == nullptr) return all;
  const layout::Instruction& i = *e.instruction;
  all.insert(all.begin() + 1, {"shape", fmt::format("M {}, N {}, K {}", i.M, i.N, i.K)});
  if (!i.modifiers.empty())
    all.push_back({"also with", fmt::format("{}: the maps stay the same", i.modifiers)});
  if (!i.note.empty()) all.push_back({"note", std::string(i.note)});
  return all;
}

std::vector<std::string> operand_lines(const Entry& e) {
  std::vector<std::string> lines;
  if (e.instruction != nullptr)
    for (const layout::OperandMap& map : layout::operands(*e.instruction))
      if (map.selector <= 0 && map.fragment->values > 0)
        lines.push_back(operand_line(map, e.instruction->E.size()));
  if (e.mover != nullptr) {
    const layout::Fragment& f = e.mover->registers;
    if (e.mover->in_tensor_lanes()) return layout::tensor_memory_lines(*e.mover);
    if (e.mover->memory == layout::MoverMemory::tensor)
      lines.push_back(fmt::format("{}{} lanes x {} columns of tensor memory",
                                  f.matrices > 1 ? "2 times " : "", f.rows, f.cols));
    else
      lines.push_back(fmt::format("{} matri{} of {} x {} elements in memory", f.matrices,
                                  f.matrices == 1 ? "x" : "ces", f.rows, f.cols));
    lines.push_back(fmt::format("{} register{} a lane, {} element{} of {} bits in each",
                                f.registers(), f.registers() == 1 ? "" : "s",
                                f.values_per_register(), f.values_per_register() == 1 ? "" : "s",
                                f.element_bits));
  }
  return lines;
}

}  // namespace lanescope::viz
