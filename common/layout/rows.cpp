// SPDX-License-Identifier: MIT
// Rows of the atlas and their three spellings for machines and for documents.
#include "layout/rows.hpp"

#include <fmt/format.h>

#include <iterator>

#include "layout/formula.hpp"

namespace lanescope::layout {
namespace {

template <typename Out>
void append_number(Out& out, int number, char after) {
  fmt::format_int text(number);
  out.append(text.data(), text.size());
  out.push_back(after);
}

std::string problem(const Instruction& instruction, const Fragment& f, const Selection& s) {
  if (s.thread && (*s.thread < 0 || *s.thread >= f.threads()))
    return fmt::format("{0} {1}: {0}s are 0 to {2}", thread_word(f), *s.thread, f.threads() - 1);
  if (s.register_index && (*s.register_index < 0 || *s.register_index >= f.registers()))
    return fmt::format("register {}: operand {} of {} has registers 0 to {}", *s.register_index,
                       operand_name(f.operand), instruction.mnemonic, f.registers() - 1);
  if ((s.row && (*s.row < 0 || *s.row >= f.rows)) || (s.col && (*s.col < 0 || *s.col >= f.cols)))
    return fmt::format("element {},{}: {} is {} x {}, rows 0 to {}, columns 0 to {}",
                       s.row.value_or(0), s.col.value_or(0), operand_name(f.operand), f.rows,
                       f.cols, f.rows - 1, f.cols - 1);
  return {};
}

bool chosen(const OperandMap& map, const Selection& s) {
  if (s.operand != 0 && map.fragment->operand != s.operand) return false;
  return !s.selector || map.selector < 0 || map.selector == *s.selector;
}

bool chosen(const Held& held, const Selection& s) {
  return (!s.thread || held.holder.thread == *s.thread) &&
         (!s.register_index || held.holder.register_index == *s.register_index) &&
         (!s.row || held.element.row == *s.row) && (!s.col || held.element.col == *s.col);
}

}  // namespace

std::vector<OperandMap> operands(const Instruction& instruction) {
  std::vector<OperandMap> maps;
  for (const Fragment* f : {&instruction.A, &instruction.B, &instruction.C, &instruction.D,
                            &instruction.SFA, &instruction.SFB})
    if (f->operand != '?') maps.push_back({f, -1});
  for (std::size_t selector = 0; selector < instruction.E.size(); ++selector)
    maps.push_back({&instruction.E[selector], static_cast<int>(selector)});
  return maps;
}

bool has_selector(const Instruction& instruction) { return !instruction.E.empty(); }

std::string problem(const Instruction& instruction, const Selection& selection) {
  const int selectors = static_cast<int>(instruction.E.size());
  if (selection.selector && (*selection.selector < 0 || *selection.selector >= selectors))
    return selectors == 0 ? fmt::format("selector {}: {} has no metadata", *selection.selector,
                                        instruction.mnemonic)
                          : fmt::format("selector {}: {} has selectors 0 to {}",
                                        *selection.selector, instruction.mnemonic, selectors - 1);
  std::string names;
  std::string first_problem;
  bool there = selection.operand == 0;
  bool some_fits = false;
  for (const OperandMap& map : operands(instruction)) {
    const Fragment& f = *map.fragment;
    if (map.selector <= 0) {
      if (!names.empty()) names += ", ";
      names += operand_name(f.operand);
    }
    there = there || f.operand == selection.operand;
    if (!chosen(map, selection)) continue;
    const std::string found = problem(instruction, f, selection);
    if (found.empty()) some_fits = true;
    if (first_problem.empty()) first_problem = found;
  }
  if (!there)
    return fmt::format(
        "operand {}: {} has {} in registers{}", operand_name(selection.operand),
        instruction.mnemonic, names,
        selection.operand == 'B' ? "; B lies in shared memory, as its descriptor says" : "");
  return some_fits ? std::string() : first_problem;
}

std::vector<Row> rows(const Instruction& instruction, const Selection& selection) {
  std::vector<Row> all;
  for (const OperandMap& map : operands(instruction)) {
    if (!chosen(map, selection)) continue;
    for (const Held& held : register_layout(*map.fragment))
      if (chosen(held, selection)) all.push_back({map.fragment, map.selector, held});
  }
  return all;
}

std::string csv(const Instruction& instruction, const Selection& selection) {
  const bool selectors = has_selector(instruction);
  std::string out = selectors ? "selector,operand,thread,value,register,bit,row,col\n"
                              : "operand,thread,value,register,bit,row,col\n";
  for (const Row& row : rows(instruction, selection)) {
    if (selectors) {
      if (row.selector >= 0)
        append_number(out, row.selector, ',');
      else
        out += ',';  // the same for every selector
    }
    out += operand_name(row.fragment->operand);
    out += ',';
    const auto& [holder, element] = row.held;
    append_number(out, holder.thread, ',');
    append_number(out, holder.value, ',');
    append_number(out, holder.register_index, ',');
    append_number(out, holder.bit, ',');
    append_number(out, element.row, ',');
    append_number(out, element.col, '\n');
  }
  return out;
}

std::string part_name(const Fragment& fragment, int part) {
  const int parts = fragment.values_per_register();
  if (parts <= 1 || part < 0) return {};
  if (parts == 2) return part == 0 ? "lo" : "hi";
  return fmt::format("b{}", part);
}

std::string register_name(const Fragment& fragment, const Holder& holder) {
  const std::string part = part_name(fragment, holder.bit / fragment.element_bits);
  return fmt::format("r{}{}{}", holder.register_index, part.empty() ? "" : ".", part);
}

std::string json(const Instruction& i, const Selection& selection) {
  std::string out;
  auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "{{\"instruction\":\"{}\",\"family\":\"{}\",\"M\":{},\"N\":{},\"K\":{},"
                 "\"source\":\"{}\",\"ptx\":\"{}\",\"target\":\"{}\",\"standing\":\"{}\","
                 "\"modifiers\":\"{}\",\"operands\":[",
                 i.mnemonic, i.family, i.M, i.N, i.K, i.source, i.ptx, i.target, name(i.standing),
                 i.modifiers);
  const char* comma = "";
  for (const OperandMap& map : operands(i)) {
    if (!chosen(map, selection)) continue;
    const Fragment& f = *map.fragment;
    fmt::format_to(to, "{}\n{{\"operand\":\"{}\",", comma, operand_name(f.operand));
    if (map.selector >= 0) fmt::format_to(to, "\"selector\":{},", map.selector);
    fmt::format_to(to,
                   "\"type\":\"{}\",\"rows\":{},\"cols\":{},\"matrices\":{},\"registers\":{},"
                   "\"register_bits\":{},\"element_bits\":{},\"row\":\"{}\",\"col\":\"{}\","
                   "\"elements\":[",
                   name(f.type), f.rows, f.cols, f.matrices, f.registers(), f.register_bits,
                   f.element_bits, formula(f, Axis::row), formula(f, Axis::col));
    const char* between = "\n";
    for (const Held& held : register_layout(f)) {
      if (!chosen(held, selection)) continue;
      const auto& [h, e] = held;
      fmt::format_to(to,
                     "{}{{\"thread\":{},\"value\":{},\"register\":{},\"bit\":{},\"row\":{},"
                     "\"col\":{}",
                     between, h.thread, h.value, h.register_index, h.bit, e.row, e.col);
      if (f.matrices > 1) fmt::format_to(to, ",\"matrix\":{}", e.matrix);
      out += '}';
      between = ",\n";
    }
    out += "]}";
    comma = ",";
  }
  out += "]}\n";
  return out;
}

std::string markdown(const Instruction& i, const Selection& selection) {
  std::string out = fmt::format("`{}`\n\n{} (PTX {}, {}, {})\n\n", i.mnemonic, i.source, i.ptx,
                                i.target, name(i.standing));
  const bool selectors = has_selector(i);
  for (const OperandMap& map : operands(i)) {
    if (!chosen(map, selection)) continue;
    const Fragment& f = *map.fragment;
    out += fmt::format("{}{}: {} {} x {}, row = `{}`, col = `{}`\n\n", operand_name(f.operand),
                       map.selector >= 0 ? fmt::format(" (selector {})", map.selector) : "",
                       name(f.type), f.rows, f.cols, formula(f, Axis::row), formula(f, Axis::col));
  }
  out += selectors ? "| selector " : "";
  out += "| operand | thread | value | register | bit | row | col |\n";
  out += selectors ? "|--" : "";
  out += "|--|--|--|--|--|--|--|\n";
  for (const Row& row : rows(i, selection)) {
    const auto& [h, e] = row.held;
    if (selectors) out += row.selector >= 0 ? fmt::format("| {} ", row.selector) : "| ";
    out +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", operand_name(row.fragment->operand),
                    h.thread, h.value, h.register_index, h.bit, e.row, e.col);
  }
  return out;
}

}  // namespace lanescope::layout
