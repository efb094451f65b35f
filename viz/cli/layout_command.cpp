// SPDX-License-Identifier: MIT
// The atlas in the terminal: finds the instruction that the words mean, and prints what is asked
// about it. All it prints comes from common/layout; here is only the reading of the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/layout_list.hpp"
#include "cli/layout_two.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/explain.hpp"
#include "layout/formula.hpp"
#include "layout/picture.hpp"
#include "layout/query.hpp"
#include "layout/rows.hpp"
#include "layout/scales.hpp"
#include "layout/svg.hpp"
#include "layout/thread_value.hpp"

namespace lanescope::cli {
namespace {

using layout::Instruction;
using layout::Mover;

std::vector<std::string> reasons(const layout::Fragment& f, const layout::Holder& holder,
                                 bool as_cute) {
  if (as_cute) {
    std::vector<std::string> lines = layout::cute_reasons(f, holder.thread, holder.value);
    if (lines.empty()) lines.emplace_back("CuTe has no layout of it");
    return lines;
  }
  return {
      "row = " + layout::formula_with_numbers(f, layout::Axis::row, holder.thread, holder.value),
      "col = " + layout::formula_with_numbers(f, layout::Axis::col, holder.thread, holder.value)};
}

void print_rows(const Instruction& instruction, const layout::Selection& selection, bool as_cute) {
  const std::vector<layout::Row> rows = layout::rows(instruction, selection);
  for (const layout::Row& row : rows) {
    const layout::Fragment& f = *row.fragment;
    const auto& [holder, element] = row.held;
    print("{}{}[{}][{}]{}  {} {}, {}.{} (bits {} to {}), value {}\n",
          layout::operand_name(f.operand),
          row.selector >= 0 ? fmt::format(" (selector {})", row.selector) : "", element.row,
          element.col, f.matrices > 1 ? fmt::format(" of matrix {}", element.matrix) : "",
          f.thread.count > 5 ? "thread" : "lane", holder.thread, layout::operand_name(f.operand),
          layout::register_name(f, holder), holder.bit, holder.bit + f.payload_bits() - 1,
          holder.value);
    for (const std::string& line : reasons(f, holder, as_cute)) print("    {}\n", line);
  }
  if (rows.empty())
    print("nothing: {}\n", selection.row ? "that lane or register does not hold this element"
                                         : "the operand is taken from other lanes");
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

// The first option that names a place in a map; or nullptr.
const char* asks_place(const LayoutOptions& o) {
  if (o.lane) return "--lane";
  if (o.register_index) return "--register";
  return o.element.empty() ? nullptr : "--element";
}

// Layouts from (thread, value), or why there are none.
int show_cute(const std::string& lines, const std::string& heading, const std::string& mnemonic,
              const LayoutOptions& options) {
  if (lines.empty())
    return refuse(fmt::format("--cute: CuTe has no layout of {}{}",
                              options.operand.empty() ? "" : options.operand + " of ", mnemonic));
  print("{}{}\n{}", heading, mnemonic, lines);
  return 0;
}

int show(Instruction instruction, const LayoutOptions& options, const std::string& heading) {
  layout::Selection selection;
  if (!options.operand.empty()) {
    const std::optional<char> letter = layout::operand_letter(options.operand);
    if (!letter)
      return refuse(fmt::format("operand '{}': operands are A, B, C, D, E (metadata), SFA and SFB",
                                options.operand));
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
    print("{}{}", heading, layout::explain(instruction, row, col, selection.operand, selector));
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
  else if (options.format == "cute" && whole)
    return show_cute(layout::text(layout::named_layouts(instruction, selection.operand)), heading,
                     instruction.mnemonic, options);
  else if (whole)
    print("{}{}", heading,
          layout::picture(instruction, selection.operand, selector, terminal_columns()));
  else {
    print("{}", heading);
    print_rows(instruction, selection, options.format == "cute");
  }
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

// What is asked about one place of a mover; why it cannot be, or "".
std::string select(const Mover& m, const LayoutOptions& options, layout::MoverSelection& s) {
  const layout::Fragment& f = m.registers;
  if (!options.element.empty()) {
    s.element.emplace();
    if (!read_element(options.element, f, *s.element))
      return fmt::format("--element {}: {}rows are 0 to {}, columns 0 to {}", options.element,
                         f.matrices > 1
                             ? fmt::format("MATRIX,ROW,COL with matrices 0 to {}, ", f.matrices - 1)
                             : "",
                         f.rows - 1, f.cols - 1);
  }
  if (options.lane && *options.lane >= f.threads())
    return fmt::format("--lane {}: there are 0 to {}", *options.lane, f.threads() - 1);
  if (options.register_index && *options.register_index >= f.registers())
    return fmt::format("--register {}: there are 0 to {}", *options.register_index,
                       f.registers() - 1);
  s.thread = options.lane, s.register_index = options.register_index;
  return {};
}

std::string place_problem(const layout::MoverSelection& s) {
  return s.register_index && !s.thread && !s.element ? "--register of which lane? say --lane, too"
                                                     : "";
}

// In words: of an element who holds it, else what a lane holds.
std::string place_text(const Mover& m, const layout::MoverSelection& s) {
  std::string text;
  for (const std::string& line : s.element ? layout::who_holds(m, *s.element)
                                           : layout::what_holds(m, *s.thread, s.register_index))
    text += line + "\n";
  return text;
}

// What only instructions with operands can be asked.
std::string not_for_movers(const Mover& m, const LayoutOptions& options) {
  const char letter = layout::operand_letter(options.operand).value_or(0);
  const bool is_own = m.in_tensor_lanes() && letter == m.registers.operand;
  if (!options.operand.empty() && !is_own)
    return fmt::format("--operand {}: {} has {}", options.operand, m.mnemonic,
                       m.in_tensor_lanes()
                           ? fmt::format("{} alone", layout::operand_name(m.registers.operand))
                           : std::string("no operands to choose from"));
  const char* other = !options.explain.empty()    ? "--explain"
                      : !options.selector.empty() ? "--selector"
                                                  : nullptr;
  if (other == nullptr) return {};
  return fmt::format("{}: not for {}; --element, --lane and --register are", other, m.mnemonic);
}

int show(const Mover& mover, const LayoutOptions& options, const std::string& heading) {
  if (const std::string problem = not_for_movers(mover, options); !problem.empty())
    return refuse(problem);
  layout::MoverSelection selection;
  if (const std::string problem = select(mover, options, selection); !problem.empty())
    return refuse(problem);
  if (options.format == "csv")
    fmt::print("{}", layout::csv(mover, selection));
  else if (options.format == "json")
    fmt::print("{}", layout::json(mover, selection));
  else if (options.format == "markdown")
    fmt::print("{}", layout::markdown(mover, selection));
  else if (options.format == "svg")
    fmt::print("{}", layout::svg(mover));
  else if (const char* place = asks_place(options); options.format == "cute" && place != nullptr)
    return refuse(
        fmt::format("--cute: of {} it is of the whole map: without {}", mover.mnemonic, place));
  else if (options.format == "cute")
    return show_cute(layout::text(layout::named_layouts(mover)), heading, mover.mnemonic, options);
  else if (const std::string problem = place_problem(selection); !problem.empty())
    return refuse(problem);
  else
    print("{}{}", heading,
          selection.whole() ? layout::picture(mover, terminal_columns())
                            : place_text(mover, selection));
  return 0;
}

// The first option that is asked of one instruction, not of a list; or nullptr.
const char* asks_one(const LayoutOptions& o) {
  if (!o.operand.empty()) return "--operand";
  if (const char* place = asks_place(o); place != nullptr) return place;
  if (!o.selector.empty()) return "--selector";
  if (!o.explain.empty()) return "--explain";
  return o.becomes.empty() ? nullptr : "--becomes";
}

// Of instructions with the same map the one that is meant most often.
const Instruction* commonest(const Alike& alike) {
  return *std::min_element(
      alike.begin(), alike.end(), [](const Instruction* a, const Instruction* b) {
        return layout::rarity(a->mnemonic, a->standing) < layout::rarity(b->mnemonic, b->standing);
      });
}

// What was reckoned, where no fragment has it.
int show_result(const layout::CuteLayout& result, const LayoutOptions& options) {
  const char* const other = asks_one(options);
  if (other != nullptr || options.format != "table")
    return refuse(fmt::format("{}: {} asks of an instruction's operand, and none has this layout",
                              layout::text(result),
                              other != nullptr ? other : "--" + options.format));
  const bool swizzled = result.swizzle.bits != 0 || result.offset != 0;
  print("{}\n  {} coordinates, indices below {}{}\n", layout::text(result), layout::size(result),
        layout::cosize(result), swizzled ? " before the swizzle" : "");
  if (!swizzled) print("  {}\n", layout::cute_cxx(result));
  return 0;
}

// Which fragments a layout from (thread, value) is: a line for each map; or, where more is asked,
// that of the first.
int show_layout(const std::string& words, const LayoutOptions& options) {
  const layout::CuteReading reading = layout::read_cute_layout(words);
  if (!reading.problem.empty()) return refuse(reading.problem);
  const std::vector<layout::OperandOf> found = layout::with_layout(reading.layout);
  if (found.empty() && layout::is_calculation(words)) return show_result(reading.layout, options);
  if (found.empty()) return refuse(layout::why_none_has(reading.layout));
  const std::string heading =
      layout::text(reading.layout) + ", from (thread, value) to an index, is\n";
  LayoutOptions besides = options;
  besides.operand.clear();
  const bool asks = asks_one(besides) != nullptr || options.format != "table";
  std::string lines;
  for (const char letter : {'A', 'B', 'C', 'D'}) {
    if (!options.operand.empty() && layout::operand_letter(options.operand) != letter) continue;
    Alike all;
    for (const layout::OperandOf& each : found)
      if (each.operand == letter) all.push_back(each.instruction);
    for (const Alike& alike : by_map(all, letter)) {
      const Instruction& one = *commonest(alike);
      const layout::Fragment& f = *one.operand(letter);
      if (asks) {
        LayoutOptions of_operand = options;
        of_operand.operand = std::string(1, letter);
        return show(one, of_operand,
                    fmt::format("{}  {} of {}\n\n", heading, letter, one.mnemonic));
      }
      lines += fmt::format("  {} of {}{}: {} bits an element, index = {}\n", letter, one.mnemonic,
                           alike.size() > 1 ? fmt::format(" (and {} alike)", alike.size() - 1) : "",
                           f.element_bits, layout::index_means(f));
    }
  }
  if (lines.empty())
    return refuse(
        fmt::format("--operand {}: {} is none", options.operand, layout::text(reading.layout)));
  print("{}{}", heading, lines);
  return 0;
}

// "--svg map.svg": the name would be a word of the instruction's.
std::string file_problem(const LayoutOptions& o) {
  if (o.words.empty() || o.format == "table") return {};
  const std::string &last = o.words.back(), end = o.format == "markdown" ? ".md" : "." + o.format;
  if (last.size() <= end.size() || last.substr(last.size() - end.size()) != end) return {};
  return fmt::format("layout: --{} prints; into a file: lanescope layout {} --{} > {}", o.format,
                     joined({o.words.begin(), o.words.end() - 1}), o.format, last);
}

}  // namespace

int layout(const LayoutOptions& options) {
  if (const std::string problem = file_problem(options); !problem.empty()) return refuse(problem);
  const std::string words = joined(options.words);
  const bool restricted = !options.family.empty() || !options.type.empty() || !options.arch.empty();
  if (words.empty() && !options.list && !restricted)
    return refuse("layout of what; name an instruction, or see them all with --list");
  if (options.list || restricted) {
    if (const char* other = asks_one(options); other != nullptr)
      return refuse(
          fmt::format("layout: --list, --family, --type and --arch list instructions; "
                      "{} is asked of one, without them",
                      other));
    return list_instructions(options);
  }
  if (!options.becomes.empty()) return hand_over(words, options);
  if (!options.beside.empty()) return lay_beside(words, options);
  if (const char* place = asks_place(options); place != nullptr && options.format == "svg")
    return refuse(fmt::format("--svg is of a whole map: without {}", place));
  if (layout::is_cute_layout(words)) return show_layout(words, options);
  const AtlasEntry entry = find_entry(words);
  LayoutOptions asked = options;
  if (options.operand.empty() && entry.operand != 0) asked.operand = std::string(1, entry.operand);
  const std::string heading =
      entry.qualified == 0
          ? std::string()
          : fmt::format(
                "{} (the plain form; {} more: lanescope layout --list {})\n\n",
                entry.mover != nullptr ? entry.mover->mnemonic : entry.instruction->mnemonic,
                entry.qualified, words);
  if (entry.instruction != nullptr) return show(*entry.instruction, asked, heading);
  if (entry.mover != nullptr) return show(*entry.mover, asked, heading);
  const Instruction* chosen = nullptr;
  const std::string problem = choose(entry, words, asked, chosen);
  return chosen == nullptr ? refuse(problem) : show(*chosen, asked, "");
}

}  // namespace lanescope::cli
