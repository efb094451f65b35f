// SPDX-License-Identifier: MIT
// Two maps of the atlas beside each other: what common/layout/beside.hpp says of them, as a
// comparison whose list has their operands. See compare.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "layout/formula.hpp"
#include "layout/rows.hpp"
#include "panels/compare/compare.hpp"

namespace lanescope::viz {
namespace {

using layout::Alike;
using layout::Pair;

std::string name_of(const Pair& pair) {
  return layout::name_of(pair.a.map != nullptr ? pair.a : pair.b);
}

// The largest change: "192 of 256 in another lane".
std::string in_short(const layout::Beside& both) {
  if (both.one_map()) return "the same map";
  for (const Alike how : {Alike::threads, Alike::place, Alike::bits})
    if (both.count(how) > 0)
      return fmt::format("{} of {} in {}", both.count(how), both.in_both(), layout::words_of(how));
  std::string words = fmt::format("{} in both, at the same place", both.in_both());
  for (const auto& [how, side] : {std::pair{Alike::a_alone, "a"}, {Alike::b_alone, "b"}})
    if (both.count(how) > 0) words += fmt::format("; {} more in {}", both.count(how), side);
  return words;
}

// An operand as a line of the list: its name, and below it, behind " of ", how much is alike.
trace::Difference line_of(const Pair& pair) {
  const std::string name = name_of(pair);
  trace::Difference line;
  if (!pair.whole()) {
    const char* side = pair.a.map == nullptr ? "a" : "b";
    line.event = fmt::format("{} of b alone: {} has it not in registers", name, side);
    if (pair.b.map == nullptr)
      line.event = fmt::format("{} of a alone: {} has it not in registers", name, side);
    line.text =
        line.event + ": " + layout::shape_of(pair.a.map != nullptr ? *pair.a.map : *pair.b.map);
    return line;
  }
  const layout::Beside both = layout::beside(*pair.a.map, *pair.b.map);
  const std::vector<std::string> said = layout::sentences(both);
  line.event = fmt::format("{} of {}", name, in_short(both));
  line.text = line.event + ": ";
  for (std::size_t at = 0; at < said.size(); ++at) line.text += (at == 0 ? "" : "\n") + said[at];
  return line;
}

}  // namespace

Comparison compare(const layout::MapOf& a, const layout::MapOf& b) {
  Comparison made;
  const std::vector<Pair> all = layout::pairs(a, b);
  if (std::none_of(all.begin(), all.end(), [](const Pair& pair) { return pair.whole(); }))
    return made;
  made.maps = all;
  made.paths = {a.mnemonic(), b.mnemonic()};
  for (const Pair& pair : made.maps) made.all.push_back(line_of(pair));
  return made;
}

Compared look_at(const Pair& pair) {
  Compared c;
  const bool moves = pair.a.mover != nullptr || pair.b.mover != nullptr;
  c.subject = moves ? name_of(pair) : std::string(layout::operand_name(pair.operand));
  c.pair = &pair;
  if (!pair.whole()) return c;
  c.as = ComparedAs::maps;
  c.beside = layout::beside(*pair.a.map, *pair.b.map);
  c.rows = c.beside.rows * c.beside.matrices;
  c.cols = c.beside.cols;
  c.threads = std::max(pair.a.map->threads(), pair.b.map->threads());
  for (int side = 0; side < 2; ++side) {
    auto& held = c.held[static_cast<std::size_t>(side)];
    held.assign(c.beside.cells.size(), {-1, -1, -1, -1});
    const layout::Fragment& map = *c.map_of(side).map;
    for (const layout::Held& at : layout::matrix_layout(map)) {
      const layout::Element& e = at.element;
      held[static_cast<std::size_t>((e.matrix * c.beside.rows + e.row) * c.cols + e.col)] =
          at.holder;
    }
  }
  for (const Alike how : c.beside.cells) {
    const bool differs = how == Alike::bits || how == Alike::place || how == Alike::threads;
    c.differing += differs ? 1 : 0;
    c.cells.push_back({-1, -1, 0, differs});
  }
  for (int thread = 0; thread < c.threads; ++thread) c.lanes.push_back(thread);
  return c;
}

layout::Element Compared::element(int row, int col) const {
  return {row % beside.rows, col, row / beside.rows};
}

std::string Compared::words_before() const {
  const bool moves = pair->a.mover != nullptr || pair->b.mover != nullptr;
  return moves ? "" : std::string(layout::operand_name(pair->operand)) + " ";
}

int Compared::lane(int side, int row, int col) const {
  if (as != ComparedAs::maps) return cell(row, col).lane;
  return held[static_cast<std::size_t>(side)][static_cast<std::size_t>(row * cols + col)].thread;
}

bool Compared::holds(int side, int thread, int row, int col) const {
  if (as != ComparedAs::maps || thread < 0) return false;
  const layout::Fragment& map = *map_of(side).map;
  if (lane(side, row, col) == thread) return true;
  if (map.rows * map.cols * map.matrices == map.threads() * map.values) return false;  // no copies
  for (const layout::Holder& h : layout::holders(map, element(row, col)))
    if (h.thread == thread) return true;
  return false;
}

std::string Compared::holder(int side, int row, int col, bool whole) const {
  const layout::Holder& h =
      held[static_cast<std::size_t>(side)][static_cast<std::size_t>(row * cols + col)];
  if (h.thread < 0) return {};
  return whole ? fmt::format("{} {}", h.thread, layout::register_name(*map_of(side).map, h))
               : fmt::format("{}", h.thread);
}

std::string command_of(const Comparison& of_maps) {
  return fmt::format("lanescope layout {} --beside {}", of_maps.paths[0], of_maps.paths[1]);
}

std::string read_words(const Comparison& of_maps, std::string_view words, std::size_t& index,
                       int& row, int& col, int& lane) {
  const std::string as_typed(words.substr(0, 60));
  std::string rest = as_typed;
  for (char& c : rest) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  char name[8] = "";
  int read = 0, number = -1;
  const auto take_name = [&] {
    read = 0;
    if (std::sscanf(rest.c_str(), " %7[A-Z] %n", name, &read) != 1) return false;
    rest.erase(0, static_cast<std::size_t>(read));
    return true;
  };
  const auto is_lane = [&name] {
    return name == std::string("LANE") || name == std::string("THREAD");
  };
  std::size_t chosen = index;
  bool named = take_name();
  if (named && !is_lane()) {  // the operand's, in front of all else
    for (chosen = 0; chosen < of_maps.maps.size(); ++chosen)
      if (layout::operand_name(of_maps.maps[chosen].operand) == name) break;
    if (chosen == of_maps.maps.size())
      return fmt::format("cannot read '{}': write A 9,5 or lane 5, or 2 for the second operand",
                         as_typed);
    if (rest.empty()) return index = chosen, std::string();
    named = take_name();
  }
  if (!named) {
    std::string problem = read_words(of_maps, rest, chosen, row, col);
    if (problem.empty()) index = chosen;
    return problem;
  }
  const Compared there = look_at(of_maps.maps[chosen]);
  read = 0;
  if (!is_lane() || std::sscanf(rest.c_str(), " %6d %n", &number, &read) != 1 ||
      read != static_cast<int>(rest.size()) || number < 0 || number >= there.threads)
    return fmt::format("no lane '{}': there are 0 to {}", as_typed, there.threads - 1);
  index = chosen;
  row = col = -1;
  lane = number;
  return {};
}

}  // namespace lanescope::viz
