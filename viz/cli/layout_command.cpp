// SPDX-License-Identifier: MIT
// The atlas in the terminal: finds the instruction that the words mean, and prints what is asked
// about it. All it prints comes from common/layout; here is only the reading of the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/explain.hpp"
#include "layout/formula.hpp"
#include "layout/picture.hpp"
#include "layout/query.hpp"
#include "layout/rows.hpp"
#include "layout/scales.hpp"
#include "layout/svg.hpp"
#include "panels/atlas_list.hpp"

namespace lanescope::cli {
namespace {

using layout::Instruction;

using layout::Mover;

bool listed(const LayoutOptions& options, std::string_view family, std::string_view mnemonic,
            std::string_view target) {
  if (!options.family.empty() && family != options.family) return false;
  if (!options.arch.empty() && !layout::runs_on(target, options.arch)) return false;
  return options.type.empty() || layout::names_type(mnemonic, options.type);
}

/// What a list says of an entry, whichever kind it is.
struct Line {
  std::string_view mnemonic, family;
  int M, N, K;
  std::string_view ptx, target, standing, source;
};

std::vector<Line> lines(const LayoutOptions& options, const std::string& words) {
  std::vector<Line> all;
  const layout::Found found = layout::look_up(words);
  for (const Instruction* i : found.instructions)
    if (listed(options, i->family, i->mnemonic, i->target))
      all.push_back({i->mnemonic, i->family, i->M, i->N, i->K, i->ptx, i->target,
                     layout::name(i->standing), i->source});
  for (const Mover* m : found.movers)
    if (listed(options, m->family, m->mnemonic, m->target))
      all.push_back({m->mnemonic, m->family, 0, 0, 0, m->ptx, m->target, layout::name(m->standing),
                     m->source});
  return all;
}

// Since when, where and how sure: behind the names, or where that is too long for a terminal,
// below.
std::string list_text(const std::vector<Line>& found, int columns) {
  std::string out;
  std::size_t width = 0, longest = 0;
  std::vector<std::string> facts;
  for (const Line& l : found) {
    facts.push_back(fmt::format("  PTX {}, {}, {}\n", l.ptx, l.target, l.standing));
    width = std::max(width, l.mnemonic.size());
    longest = std::max(longest, facts.back().size() - 1);
  }
  const bool below = columns > 0 && width + longest > static_cast<std::size_t>(columns);
  for (std::size_t k = 0; k < found.size(); ++k) {
    out += found[k].mnemonic;
    out += below ? "\n  " : std::string(width - found[k].mnemonic.size(), ' ');
    out += facts[k];
  }
  return out;
}

void print_list(const std::vector<Line>& found, const std::string& format) {
  if (format == "table") return print("{}", list_text(found, terminal_columns()));
  std::string out;
  if (format == "csv") out = "instruction,family,M,N,K,ptx,target,standing,source\n";
  if (format == "json") out = "[";
  if (format == "markdown")
    out = "| instruction | family | PTX | target | standing | source |\n|--|--|--|--|--|--|\n";
  const char* comma = "\n";
  for (const Line& l : found) {
    if (format == "csv") {
      out += fmt::format("{},{},{},{},{},{},{},{},\"{}\"\n", l.mnemonic, l.family, l.M, l.N, l.K,
                         l.ptx, l.target, l.standing, l.source);
    } else if (format == "json") {
      out += fmt::format(
          "{}{{\"instruction\":\"{}\",\"family\":\"{}\",\"M\":{},\"N\":{},\"K\":{},"
          "\"ptx\":\"{}\",\"target\":\"{}\",\"standing\":\"{}\",\"source\":\"{}\"}}",
          comma, l.mnemonic, l.family, l.M, l.N, l.K, l.ptx, l.target, l.standing, l.source);
      comma = ",\n";
    } else {  // markdown
      out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", l.mnemonic, l.family, l.ptx,
                         l.target, l.standing, l.source);
    }
  }
  if (format == "json") out += "]\n";
  fmt::print("{}", out);
}

void print_rows(const Instruction& instruction, const layout::Selection& selection) {
  const std::vector<layout::Row> rows = layout::rows(instruction, selection);
  for (const layout::Row& row : rows) {
    const layout::Fragment& f = *row.fragment;
    const auto& [holder, element] = row.held;
    print("{}{}[{}][{}]{}  {} {}, {} (bits {} to {}), value {}\n    row = {}\n    col = {}\n",
          layout::operand_name(f.operand),
          row.selector >= 0 ? fmt::format(" (selector {})", row.selector) : "", element.row,
          element.col, f.matrices > 1 ? fmt::format(" of matrix {}", element.matrix) : "",
          f.thread.count > 5 ? "thread" : "lane", holder.thread, layout::register_name(f, holder),
          holder.bit, holder.bit + f.payload_bits() - 1, holder.value,
          layout::formula_with_numbers(f, layout::Axis::row, holder.thread, holder.value),
          layout::formula_with_numbers(f, layout::Axis::col, holder.thread, holder.value));
  }
  if (rows.empty()) print("nothing: the operand is taken from other lanes\n");
}

// "1" chooses metadata, "1,2" scales: `instruction` becomes the one with those. Why not, or "".
std::string select(const std::string& text, Instruction& instruction,
                   layout::Selection& selection) {
  int first = 0;
  int second = 0;
  if (read_pair(text, first, second)) {
    const layout::ScaleSelector selector{first, second};
    const std::string problem = layout::problem(instruction, selection.operand, selector);
    if (problem.empty()) instruction = layout::with_scales(instruction, selector);
    return problem;
  }
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, first);
  if (error != std::errc() || last != end)
    return fmt::format("selector '{}': a number for metadata, THREAD-ID,BYTE-ID for scales", text);
  selection.selector = first;
  return {};
}

int show(Instruction instruction, const LayoutOptions& options) {
  layout::Selection selection;
  if (!options.operand.empty()) {
    const std::optional<char> letter = layout::operand_letter(options.operand);
    if (!letter)
      return refuse(
          fmt::format("operand '{}': operands are A, B, C, D, E, SFA and SFB", options.operand));
    selection.operand = *letter;
  }
  if (!options.selector.empty())
    if (const std::string problem = select(options.selector, instruction, selection);
        !problem.empty())
      return refuse(problem);
  selection.thread = options.lane;
  selection.register_index = options.register_index;
  const std::string& element = options.element.empty() ? options.explain : options.element;
  int row = 0;
  int col = 0;
  if (!element.empty()) {
    if (!read_pair(element, row, col))
      return refuse(fmt::format("'{}': want an element as ROW,COL such as 9,5", element));
    selection.row = row;
    selection.col = col;
  }
  if (const std::string problem = layout::problem(instruction, selection); !problem.empty())
    return refuse(problem);

  const int selector = selection.selector.value_or(-1);
  if (!options.explain.empty()) {
    print("{}", layout::explain(instruction, row, col, selection.operand, selector));
    return 0;
  }
  const bool whole = !selection.thread && !selection.register_index && !selection.row;
  if (options.format == "csv")
    fmt::print("{}", layout::csv(instruction, selection));
  else if (options.format == "json")
    fmt::print("{}", layout::json(instruction, selection));
  else if (options.format == "markdown")
    fmt::print("{}", layout::markdown(instruction, selection));
  else if (options.format == "svg")
    fmt::print("{}", layout::svg(instruction, selection.operand == 0 ? 'D' : selection.operand,
                                 selection.selector.value_or(0)));
  else if (whole)
    print("{}", layout::picture(instruction, selection.operand, selector, terminal_columns()));
  else
    print_rows(instruction, selection);
  return 0;
}

// "3,5", or "1,3,5" where there are several matrices.
bool read_element(const std::string& text, const layout::Fragment& f, layout::Element& e) {
  std::string rest = text;
  if (std::count(text.begin(), text.end(), ',') == 2) {
    const std::size_t comma = text.find(',');
    const auto [end, error] = std::from_chars(text.data(), text.data() + comma, e.matrix);
    if (error != std::errc() || end != text.data() + comma) return false;
    rest = text.substr(comma + 1);
  }
  return read_pair(rest, e.row, e.col) && f.contains(e);
}

// What is asked about one place of a mover; "" and the lines, or why not.
std::string ask(const Mover& m, const LayoutOptions& options, std::vector<std::string>& lines) {
  const layout::Fragment& f = m.registers;
  if (!options.element.empty()) {
    layout::Element e;
    if (!read_element(options.element, f, e))
      return fmt::format("--element {}: {}rows are 0 to {}, columns 0 to {}", options.element,
                         f.matrices > 1
                             ? fmt::format("MATRIX,ROW,COL with matrices 0 to {}, ", f.matrices - 1)
                             : "",
                         f.rows - 1, f.cols - 1);
    lines = layout::who_holds(m, e);
    return {};
  }
  if (!options.lane) return "--register of which lane? say --lane, too";
  if (*options.lane >= f.threads())
    return fmt::format("--lane {}: there are 0 to {}", *options.lane, f.threads() - 1);
  if (options.register_index && *options.register_index >= f.registers())
    return fmt::format("--register {}: there are 0 to {}", *options.register_index,
                       f.registers() - 1);
  lines = layout::what_holds(m, *options.lane, options.register_index);
  return {};
}

int show(const Mover& mover, const LayoutOptions& options) {
  if (!options.operand.empty() || !options.explain.empty() || !options.selector.empty())
    return refuse(
        fmt::format("{}: it has no operands to choose from; --element, --lane, "
                    "--register, --csv, --json and --svg can be asked",
                    mover.mnemonic));
  if (!options.element.empty() || options.lane || options.register_index) {
    std::vector<std::string> lines;
    if (const std::string problem = ask(mover, options, lines); !problem.empty())
      return refuse(problem);
    for (const std::string& line : lines) print("{}\n", line);
    return 0;
  }
  if (options.format == "csv")
    fmt::print("{}", layout::csv(mover));
  else if (options.format == "json")
    fmt::print("{}", layout::json(mover));
  else if (options.format == "svg")
    fmt::print("{}", layout::svg(mover));
  else if (options.format == "table")
    print("{}", layout::picture(mover, terminal_columns()));
  else
    return refuse(fmt::format("--{}: not for {}", options.format, mover.mnemonic));
  return 0;
}

// What of the restrictions the atlas has never heard of, and what it has instead; or "".
std::string unknown_restriction(const LayoutOptions& options) {
  const auto check = [](const char* name, const std::string& value,
                        const std::vector<viz::Choice>& all, bool known) {
    if (value.empty() || known) return std::string();
    std::vector<std::string> names;
    for (const viz::Choice& choice : all) names.push_back(choice.name);
    return fmt::format("{} '{}': the atlas has {}", name, value, joined(names, ", "));
  };
  const viz::AtlasFilter family{"", options.family, "", ""}, type{"", "", options.type, ""},
      arch{"", "", "", options.arch};
  for (const std::string& why :
       {check("--family", options.family, viz::families(), !viz::entries(family).empty()),
        check("--type", options.type, viz::types(), !viz::entries(type).empty()),
        check("--arch", options.arch, viz::arches(), !viz::entries(arch).empty())})
    if (!why.empty()) return why;
  return {};
}

}  // namespace

int layout(const LayoutOptions& options) {
  const std::string words = joined(options.words);
  const bool restricted = !options.family.empty() || !options.type.empty() || !options.arch.empty();
  if (words.empty() && !options.list && !restricted)
    return refuse("layout of what; name an instruction, or see them all with --list");
  if (const std::string why = unknown_restriction(options); !why.empty()) return refuse(why);
  if (options.list || restricted) {
    const std::vector<Line> found = lines(options, words);
    if (found.empty())
      return refuse(restricted ? "no instruction of the atlas is all of that; see layout --list"
                               : nothing_matches(words));
    print_list(found, options.format);
    return 0;
  }
  const AtlasEntry entry = find_entry(words);
  if (entry.instruction != nullptr) return show(*entry.instruction, options);
  if (entry.mover != nullptr) return show(*entry.mover, options);
  return refuse(entry.problem);
}

}  // namespace lanescope::cli
