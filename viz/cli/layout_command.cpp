// SPDX-License-Identifier: MIT
// The atlas in the terminal: finds the instruction that the words mean, and prints what is asked
// about it. All it prints comes from common/layout; here is only the reading of the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "cli/commands.hpp"
#include "layout/formula.hpp"
#include "layout/picture.hpp"
#include "layout/rows.hpp"

namespace lanescope::cli {
namespace {

using layout::Instruction;

int refuse(const std::string& what) {
  fmt::print(stderr, "lanescope: {}\n", what);
  return 2;
}

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string names(const std::vector<const Instruction*>& found, std::size_t most) {
  std::vector<std::string> list;
  for (std::size_t n = 0; n < std::min(most, found.size()); ++n) list.push_back(found[n]->mnemonic);
  return joined(list, ", ");
}

std::string nothing_matches(const std::string& words) {
  return fmt::format("no instruction matches '{}'; near it: {} (lanescope layout --list)", words,
                     names(layout::nearest(words, 3), 3));
}

bool read_element(const std::string& text, layout::Selection& selection) {
  int row = 0;
  int col = 0;
  const char* end = text.data() + text.size();
  const auto [comma, row_error] = std::from_chars(text.data(), end, row);
  if (row_error != std::errc() || comma == end || *comma != ',') return false;
  const auto [last, col_error] = std::from_chars(comma + 1, end, col);
  if (col_error != std::errc() || last != end) return false;
  selection.row = row;
  selection.col = col;
  return true;
}

void print_list(const std::vector<const Instruction*>& found, const std::string& format) {
  if (format == "csv") fmt::print("instruction,family,M,N,K,ptx,target,standing,source\n");
  if (format == "json") fmt::print("[");
  const char* comma = "\n";
  std::size_t width = 0;
  for (const Instruction* i : found) width = std::max(width, i->mnemonic.size());
  if (format == "markdown")
    fmt::print(
        "| instruction | family | PTX | target | standing | source |\n|--|--|--|--|--|--|\n");
  for (const Instruction* i : found) {
    if (format == "csv") {
      fmt::print("{},{},{},{},{},{},{},{},\"{}\"\n", i->mnemonic, i->family, i->M, i->N, i->K,
                 i->ptx, i->target, layout::name(i->standing), i->source);
    } else if (format == "json") {
      fmt::print(
          "{}{{\"instruction\":\"{}\",\"family\":\"{}\",\"M\":{},\"N\":{},\"K\":{},"
          "\"ptx\":\"{}\",\"target\":\"{}\",\"standing\":\"{}\",\"source\":\"{}\"}}",
          comma, i->mnemonic, i->family, i->M, i->N, i->K, i->ptx, i->target,
          layout::name(i->standing), i->source);
      comma = ",\n";
    } else if (format == "markdown") {
      fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", i->mnemonic, i->family, i->ptx, i->target,
                 layout::name(i->standing), i->source);
    } else {
      fmt::print("{:<{}}  PTX {:<4} {:<7} {}\n", i->mnemonic, width, i->ptx, i->target,
                 layout::name(i->standing));
    }
  }
  if (format == "json") fmt::print("]\n");
}

void print_rows(const Instruction& instruction, const layout::Selection& selection) {
  const std::vector<layout::Row> rows = layout::rows(instruction, selection);
  for (const layout::Row& row : rows) {
    const layout::Fragment& f = *row.fragment;
    const auto& [holder, element] = row.held;
    fmt::print("{}{}[{}][{}]{}  {} {}, {} (bits {} to {}), value {}\n    row = {}\n    col = {}\n",
               layout::operand_name(f.operand),
               row.selector >= 0 ? fmt::format(" (selector {})", row.selector) : "", element.row,
               element.col, f.matrices > 1 ? fmt::format(" of matrix {}", element.matrix) : "",
               f.thread.count > 5 ? "thread" : "lane", holder.thread,
               layout::register_name(f, holder), holder.bit, holder.bit + f.payload_bits() - 1,
               holder.value,
               layout::formula_with_numbers(f, layout::Axis::row, holder.thread, holder.value),
               layout::formula_with_numbers(f, layout::Axis::col, holder.thread, holder.value));
  }
  if (rows.empty()) fmt::print("nothing: the operand is taken from other lanes\n");
}

int show(const Instruction& instruction, const LayoutOptions& options) {
  layout::Selection selection;
  if (!options.operand.empty()) {
    const std::optional<char> letter = layout::operand_letter(options.operand);
    if (!letter)
      return refuse(
          fmt::format("operand '{}': operands are A, B, C, D, E, SFA and SFB", options.operand));
    selection.operand = *letter;
  }
  selection.thread = options.lane;
  selection.register_index = options.register_index;
  if (!options.element.empty() && !read_element(options.element, selection))
    return refuse(fmt::format("--element '{}': want ROW,COL such as 9,5", options.element));
  if (const std::string problem = layout::problem(instruction, selection); !problem.empty())
    return refuse(problem);

  const bool whole = !selection.thread && !selection.register_index && !selection.row;
  if (options.format == "csv")
    fmt::print("{}", layout::csv(instruction, selection));
  else if (options.format == "json")
    fmt::print("{}", layout::json(instruction, selection));
  else if (options.format == "markdown")
    fmt::print("{}", layout::markdown(instruction, selection));
  else if (whole)
    fmt::print("{}", layout::picture(instruction, selection.operand));
  else
    print_rows(instruction, selection);
  return 0;
}

}  // namespace

int layout(const LayoutOptions& options) {
  const std::string words = joined(options.words);
  if (words.empty() && !options.list)
    return refuse("layout of what; name an instruction, or see them all with --list");
  if (const Instruction* exact = layout::find(words); exact != nullptr && !options.list)
    return show(*exact, options);
  const std::vector<const Instruction*> found = layout::search(words);
  if (found.empty()) return refuse(nothing_matches(words));
  if (options.list) {
    print_list(found, options.format);
    return 0;
  }
  if (found.size() == 1) return show(*found.front(), options);
  return refuse(fmt::format("'{}' matches {} instructions, such as {}; --list shows them all",
                            words, found.size(), names(found, 3)));
}

}  // namespace lanescope::cli
