// SPDX-License-Identifier: MIT
// Two maps beside each other in words, as grids of characters and as a drawing. See beside.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "layout/beside.hpp"
#include "layout/formula.hpp"
#include "layout/picture.hpp"
#include "layout/rows.hpp"
#include "layout/svg.hpp"

namespace lanescope::layout {
namespace {

constexpr int kMostRegisters = 8;
constexpr int kWidest = 160;  // of lines into a file

// "8", "8 to 15".
std::string range(int first, int last) {
  return first == last ? fmt::to_string(first) : fmt::format("{} to {}", first, last);
}

// "D.r4 to D.r127", "A.r2, A.r3".
std::string register_names(const Fragment& f, const std::set<int>& all) {
  const auto name = [&](int reg) { return fmt::format("{}.r{}", operand_name(f.operand), reg); };
  if (all.size() > 2 && *all.rbegin() - *all.begin() + 1 == static_cast<int>(all.size()))
    return fmt::format("{} to {}", name(*all.begin()), name(*all.rbegin()));
  std::string out;
  for (const int reg : all) out += (out.empty() ? "" : ", ") + name(reg);
  return out;
}

// What `side` has alone: which rows and columns, and the threads and registers that hold nothing
// else.
std::string alone(const Beside& both, std::size_t side) {
  const Fragment &mine = *both.maps[side], &other = *both.maps[1 - side];
  const Alike of_mine = side == 0 ? Alike::a_alone : Alike::b_alone;
  const int count = both.count(of_mine);
  if (count == 0) return {};
  std::string out = fmt::format("{} in {} alone", count, side == 0 ? "a" : "b");
  if (mine.matrices > other.matrices)
    out += fmt::format(", matrix {}", range(other.matrices, mine.matrices - 1));
  if (mine.rows > other.rows) out += fmt::format(", rows {}", range(other.rows, mine.rows - 1));
  if (mine.cols > other.cols)
    out += fmt::format("{} columns {}", mine.rows > other.rows ? " and" : ",",
                       range(other.cols, mine.cols - 1));
  std::set<int> threads, registers, old_threads, old_registers;
  for (const Held& held : register_layout(mine)) {
    const bool new_one = !mine.contains(held.element) || both.at(held.element) == of_mine;
    (new_one ? threads : old_threads).insert(held.holder.thread);
    (new_one ? registers : old_registers).insert(held.holder.register_index);
  }
  for (const int thread : old_threads) threads.erase(thread);
  for (const int reg : old_registers) registers.erase(reg);
  std::string whole;
  if (!threads.empty() &&
      *threads.rbegin() - *threads.begin() + 1 == static_cast<int>(threads.size()))
    whole =
        fmt::format("all of {}s {}", thread_word(mine), range(*threads.begin(), *threads.rbegin()));
  if (!registers.empty() && mine.operand != '?')
    whole += (whole.empty() ? "all of " : ", ") + register_names(mine, registers);
  return whole.empty() ? out : out + ": " + whole;
}

std::string formulas(const Fragment& f) {
  std::string out =
      fmt::format("row = {}   col = {}", formula(f, Axis::row), formula(f, Axis::col));
  if (f.matrices > 1) out += "   matrix = " + formula(f, Axis::matrix);
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// One of the drawing's grids: of each matrix, what the other holds otherwise is framed.
std::vector<SvgGrid> framed(const MapOf& of, const Beside& both, const char* side) {
  std::vector<SvgGrid> all;
  const Fragment& f = *of.map;
  for (int matrix = 0; matrix < f.matrices; ++matrix) {
    const std::string which = f.matrices > 1 ? fmt::format(", matrix {}", matrix) : "";
    SvgGrid grid = svg_matrix(f, matrix, fmt::format("{}: {}{}", side, name_of(of), which));
    for (int row = 0; row < f.rows; ++row)
      for (int col = 0; col < f.cols; ++col) {
        const Alike here = both.at({row, col, matrix});
        grid.cells[static_cast<std::size_t>(row * f.cols + col)].picked =
            here == Alike::bits || here == Alike::place || here == Alike::threads;
      }
    all.push_back(std::move(grid));
  }
  return all;
}

}  // namespace

std::string_view words_of(Alike how) {
  switch (how) {
    case Alike::nobody:
      return "in neither";
    case Alike::a_alone:
      return "in a alone";
    case Alike::b_alone:
      return "in b alone";
    case Alike::same:
      return "the same place";
    case Alike::bits:
      return "other bits of the same register";
    case Alike::place:
      return "another register";
    case Alike::threads:
      return "another lane";
  }
  return "";
}

std::string name_of(const MapOf& of) {
  if (of.mover != nullptr)
    return of.mover->memory == MoverMemory::result ? "D"
           : of.mover->in_tensor_lanes()           ? std::string(operand_name(of.map->operand))
                                                   : std::string(of.mover->family);
  const std::string_view name = operand_name(of.map->operand);
  return of.selector < 0 ? std::string(name) : fmt::format("{}, selector {}", name, of.selector);
}

std::string shape_of(const Fragment& f) {
  return fmt::format("{}{} x {} {}, {} register{} a {}",
                     f.matrices > 1 ? fmt::format("{} of ", f.matrices) : "", f.rows, f.cols,
                     name(f.type), f.registers(), f.registers() == 1 ? "" : "s", thread_word(f));
}

std::string place_of(const MapOf& of, const Element& e) {
  const std::vector<Holder> all = holders(*of.map, e);
  if (all.empty()) return {};
  const Holder& h = all.front();
  if (of.mover != nullptr && of.mover->memory == MoverMemory::result)
    return fmt::format("{}, {}", of.mover->holder_name(h.thread),
                       of.mover->place_name(h.register_index));
  const int last = h.bit + of.map->payload_bits() - 1;
  const std::string operand =
      of.mover != nullptr ? "" : fmt::format("{}.", operand_name(of.map->operand));
  return fmt::format(
      "{} {}, {}{} ({}){}", thread_word(*of.map), h.thread, operand, register_name(*of.map, h),
      h.bit == last ? fmt::format("bit {}", h.bit) : fmt::format("bits {} to {}", h.bit, last),
      all.size() > 1 ? fmt::format(", and {} more", all.size() - 1) : "");
}

std::vector<std::string> sentences(const Beside& both) {
  const int in_both = both.in_both();
  const std::string word(thread_word(*both.maps[0]));
  if (both.one_map())
    return {fmt::format("the same map: each of {} elements at the same place", in_both)};
  std::vector<std::string> lines;
  std::string parts;
  const auto say = [&](Alike how, const std::string& words) {
    if (const int count = both.count(how); count > 0)
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
                           count == in_both ? "all" : fmt::to_string(count), words);
  };
  say(Alike::same, "at the same place");
  say(Alike::bits, "in other bits of the same register");
  say(Alike::place, fmt::format("in another register of the same {}", word));
  say(Alike::threads, fmt::format("in another {}", word));
  lines.push_back(fmt::format("{} elements in both: {}", in_both, parts.empty() ? "none" : parts));
  for (const std::size_t side : {0u, 1u})
    if (std::string more = alone(both, side); !more.empty()) lines.push_back(std::move(more));
  return lines;
}

std::vector<std::string> register_lines(const MapOf& of, int thread) {
  const Fragment& f = *of.map;
  if (thread >= f.threads())
    return {fmt::format("there are {}s 0 to {}", thread_word(f), f.threads() - 1)};
  if (!f.provided_by(thread)) return {"nothing: taken from others"};
  std::vector<std::string> lines;
  const std::string operand =
      of.mover != nullptr ? "" : fmt::format("{}.", operand_name(f.operand));
  for (int reg = 0; reg < std::min(f.registers(), kMostRegisters); ++reg)
    lines.push_back(fmt::format("{}r{} {}", operand, reg, element_ranges(f, thread, reg)));
  if (f.registers() > kMostRegisters)
    lines.push_back(fmt::format("and {} more", f.registers() - kMostRegisters));
  return lines;
}

std::string text(const MapOf& a, const MapOf& b, int thread) {
  const Beside both = beside(*a.map, *b.map);
  const std::array<std::string, 2> shapes{shape_of(*a.map), shape_of(*b.map)};
  const std::size_t width = std::max(shapes[0].size(), shapes[1].size());
  std::string out = name_of(a) + "\n";
  if (both.one_map() && shapes[0] == shapes[1])
    return out + fmt::format("  {}   {}\n  {}\n", shapes[0], formulas(*a.map), sentences(both)[0]);
  for (const auto& [side, of, shape] : {std::tuple{"a", &a, shapes[0]}, {"b", &b, shapes[1]}})
    out += fmt::format("  {}  {:<{}}   {}\n", side, shape, width, formulas(*of->map));
  for (const std::string& line : sentences(both)) out += "  " + line + "\n";
  const std::string who = fmt::format("{} {}", thread_word(*a.map), thread);
  out += fmt::format("  {}  a  {}\n", who, fmt::join(register_lines(a, thread), "  "));
  return out + fmt::format("  {:{}}  b  {}\n", "", who.size(),
                           fmt::join(register_lines(b, thread), "  "));
}

std::string grids(const MapOf& a, const MapOf& b, int width) {
  const auto side = [width](const char* name, const Fragment& map) {
    return fmt::format("{}: {}\n", name, legend(map)) + grid(map, width);
  };
  const std::string in_a = side("a", *a.map), in_b = side("b", *b.map);
  const std::vector<std::string> left = lines_of(in_a), right = lines_of(in_b);
  std::size_t columns = 0, others = 0;
  for (const std::string& line : left) columns = std::max(columns, line.size());
  for (const std::string& line : right) others = std::max(others, line.size());
  if (columns + 3 + others > static_cast<std::size_t>(width > 0 ? width : kWidest))
    return in_a + in_b;
  std::string out;
  for (std::size_t at = 0; at < std::max(left.size(), right.size()); ++at) {
    std::string line = fmt::format("{:<{}}   {}", at < left.size() ? left[at] : "", columns,
                                   at < right.size() ? right[at] : "");
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string svg(const MapOf& a, const MapOf& b) {
  const Beside both = beside(*a.map, *b.map);
  std::vector<std::string> heading{fmt::format("a: {}", a.mnemonic()),
                                   fmt::format("b: {}", b.mnemonic()), "a: " + formulas(*a.map),
                                   "b: " + formulas(*b.map)};
  for (const std::string& line : sentences(both)) heading.push_back(line);
  heading.push_back(fmt::format("above: {}, below: register; framed: the other has it elsewhere",
                                thread_word(*a.map)));
  std::vector<SvgGrid> all = framed(a, both, "a");
  for (SvgGrid& grid : framed(b, both, "b")) all.push_back(std::move(grid));
  return svg_page(heading, all);
}

}  // namespace lanescope::layout
