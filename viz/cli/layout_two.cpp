// SPDX-License-Identifier: MIT
#include "cli/layout_two.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/beside.hpp"
#include "layout/handover.hpp"
#include "layout/rows.hpp"

namespace lanescope::cli {

using layout::Instruction;
using layout::MapOf;

std::string choose(const AtlasEntry& entry, const std::string& words, const LayoutOptions& options,
                   const Instruction*& chosen) {
  const char operand = layout::operand_letter(options.operand).value_or(0);
  if (entry.several.empty() || (!options.operand.empty() && operand == 0)) return entry.problem;
  const std::vector<Alike> maps = by_map(entry.several, operand);
  if (maps.size() > 1)
    return operand == 0 ? entry.problem : several_maps(words, maps, options.operand);
  chosen = maps.front().front();
  const bool asks = operand == 0 || chosen->operand(operand) != nullptr;
  if (asks && options.format == "table")  // the others are for programs, and name it themselves
    print("{} instructions match, the same in all of them; shown: {}\n\n", entry.several.size(),
          chosen->mnemonic);
  return {};
}

std::string find_side(const std::string& words, const std::string& operand, MapOf& side) {
  const AtlasEntry entry = find_entry(words);
  side.mover = entry.mover;
  side.instruction = entry.instruction;
  if (side.mover != nullptr || side.instruction != nullptr) return {};
  LayoutOptions about;
  about.operand = operand;
  about.format = "quiet";
  const std::string problem = choose(entry, words, about, side.instruction);
  if (side.instruction != nullptr || !operand.empty()) return problem;
  // Where the matrices are the same in all, the first answers for them: others may scale them.
  for (const char matrix : {'A', 'B', 'C', 'D'})
    if (by_map(entry.several, matrix).size() != 1) return problem;
  side.instruction = entry.several.front();
  return {};
}

namespace {

constexpr int kSampleLane = 5;  // one whose rows and columns are not 0

// One of two, by what was asked for: its operand, or why not.
std::string party(const std::string& words, const std::string& operand, layout::Party& party) {
  const std::optional<char> letter = layout::operand_letter(operand);
  if (!letter) return fmt::format("operand '{}': operands are A, B, C and D", operand);
  const AtlasEntry entry = find_entry(words);
  if (entry.mover != nullptr)
    return fmt::format("{}: it has no operands that become others", entry.mover->mnemonic);
  LayoutOptions about;
  about.operand = operand;
  about.format = "quiet";  // what is printed in the end names both instructions
  party.instruction = entry.instruction;
  if (entry.instruction == nullptr)
    if (const std::string problem = choose(entry, words, about, party.instruction);
        party.instruction == nullptr)
      return problem;
  layout::Selection selection;
  selection.operand = *letter;
  if (const std::string problem = layout::problem(*party.instruction, selection); !problem.empty())
    return problem;
  party.map = party.instruction->operand(*letter);
  return {};
}

/// Who holds one element in both; "" where neither has it.
std::string element_text(const layout::Pair& pair, const layout::Element& e) {
  const std::string a = layout::place_of(pair.a, e), b = layout::place_of(pair.b, e);
  if (a.empty() && b.empty()) return {};
  const std::string name = fmt::format("{}[{}][{}]", layout::name_of(pair.a), e.row, e.col);
  const layout::Beside both = layout::beside(*pair.a.map, *pair.b.map);
  return fmt::format("{}  a  {}\n{:{}}  b  {}\n{:{}}     {}\n", name, a.empty() ? "-" : a, "",
                     name.size(), b.empty() ? "-" : b, "", name.size(),
                     layout::words_of(both.at(e)));
}

/// What both say of one operand; one of them may not have it in registers.
std::string operand_text(const layout::Pair& pair, const LayoutOptions& options) {
  int row = 0, col = 0;
  const bool element = read_pair(options.element, row, col);
  if (!pair.whole()) {
    if (element) return {};
    const auto line = [](const char* side, const MapOf& of) {
      return fmt::format("  {}  {}\n", side,
                         of.map == nullptr ? "not in registers" : layout::shape_of(*of.map));
    };
    return fmt::format("{}\n", layout::operand_name(pair.operand)) + line("a", pair.a) +
           line("b", pair.b);
  }
  if (element) return element_text(pair, {row, col, 0});
  std::string out = layout::text(pair.a, pair.b, options.lane.value_or(kSampleLane));
  if (!options.operand.empty() || pair.a.mover != nullptr || pair.b.mover != nullptr)
    out += "\n" + layout::grids(pair.a, pair.b, terminal_columns());
  return out;
}

/// Why that cannot be asked of these two, or "".
std::string problem(const MapOf& a, const MapOf& b, const std::vector<layout::Pair>& pairs,
                    const LayoutOptions& options) {
  int row = 0, col = 0;
  const bool element = !options.element.empty();
  if (element && !read_pair(options.element, row, col))
    return fmt::format("'{}': want an element as ROW,COL such as 9,5", options.element);
  int most = 0;
  bool there = !element;
  for (const layout::Pair& pair : pairs)
    for (const layout::Fragment* map : {pair.a.map, pair.b.map}) {
      if (!pair.whole()) continue;
      most = std::max(most, map->threads());
      there = there || map->contains({row, col, 0});
    }
  if (most == 0)
    return fmt::format("{} and {}: there is no {} that both have in registers", a.mnemonic(),
                       b.mnemonic(), options.operand.empty() ? "operand" : options.operand);
  if (!there) return fmt::format("element {}: in neither of both", options.element);
  if (options.lane && *options.lane >= most)
    return fmt::format("--lane {}: there are 0 to {}", *options.lane, most - 1);
  return {};
}

/// A drawing has one operand: of several, the first that is held otherwise.
int draw(const std::vector<layout::Pair>& pairs) {
  const layout::Pair* shown = nullptr;
  for (const layout::Pair& pair : pairs) {
    if (!pair.whole()) continue;
    const bool other = !layout::beside(*pair.a.map, *pair.b.map).one_map();
    if (shown == nullptr || other) shown = &pair;
    if (other) break;
  }
  fmt::print("{}", layout::svg(shown->a, shown->b));
  return 0;
}

}  // namespace

int hand_over(const std::string& words, const LayoutOptions& options) {
  layout::Party from, to;
  const std::vector<std::string> others(options.becomes.begin() + 1, options.becomes.end());
  std::string why = party(words, options.operand.empty() ? "D" : options.operand, from);
  if (why.empty())
    why =
        party(others.empty() ? from.instruction->mnemonic : joined(others), options.becomes[0], to);
  if (why.empty()) why = layout::problem(from, to);
  const int lane = options.lane.value_or(0);
  if (why.empty() && lane >= to.map->threads())
    why = fmt::format("--lane {}: there are 0 to {}", lane, to.map->threads() - 1);
  if (!why.empty()) return refuse(why);
  print("{}", layout::text(layout::handover(from, to), lane));
  return 0;
}

int lay_beside(const std::string& words, const LayoutOptions& options) {
  const std::optional<char> operand = layout::operand_letter(options.operand);
  if (!options.operand.empty() && !operand)
    return refuse(fmt::format("operand '{}': operands are A, B, C, D, E (metadata), SFA and SFB",
                              options.operand));
  MapOf a, b;
  std::string why = find_side(words, options.operand, a);
  if (why.empty()) why = find_side(joined(options.beside), options.operand, b);
  if (!why.empty()) return refuse(why);
  const std::vector<layout::Pair> pairs = layout::pairs(a, b, operand.value_or(0));
  if (why = problem(a, b, pairs, options); !why.empty()) return refuse(why);
  if (options.format == "svg") return draw(pairs);
  print("a  {}\nb  {}\n", a.mnemonic(), b.mnemonic());
  for (const layout::Pair& pair : pairs)
    if (const std::string text = operand_text(pair, options); !text.empty()) print("\n{}", text);
  return 0;
}

}  // namespace lanescope::cli
