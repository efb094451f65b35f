// SPDX-License-Identifier: MIT
#include "layout/formula.hpp"

namespace lanescope::layout {
namespace {

int along(const Move& move, Axis axis) {
  switch (axis) {
    case Axis::row: return move.row;
    case Axis::col: return move.col;
    case Axis::matrix: return move.matrix;
  }
  return 0;
}

void append_terms(std::vector<Term>& all, const Moves& moves, bool of_thread, Axis axis) {
  for (int bit = 0; bit < moves.count;) {
    const int stride = along(moves.bits[static_cast<std::size_t>(bit)], axis);
    int run = 1;
    while (bit + run < moves.count &&
           along(moves.bits[static_cast<std::size_t>(bit + run)], axis) == stride << run)
      ++run;
    if (stride != 0) all.push_back({of_thread, bit, (1 << run) - 1, stride});
    bit += run;
  }
}

// ((index >> shift) & mask), leaving out the parts that change nothing.
std::string bits_of(const std::string& index, const Term& term, int index_bits) {
  std::string text = index;
  if (term.shift > 0) text = "(" + text + " >> " + std::to_string(term.shift) + ")";
  const bool whole = (term.mask + 1) << term.shift == 1 << index_bits;
  if (!whole) {
    if (term.shift > 0) return "(" + text + " & " + std::to_string(term.mask) + ")";
    return "(" + text + " & " + std::to_string(term.mask) + ")";
  }
  return text;
}

// The ISA's own names for the two parts of a lane index.
std::string isa_name(const Fragment& fragment, const Term& term) {
  if (fragment.thread.count == 5 && term.shift == 2 && term.mask == 7) return "groupID";
  if (fragment.thread.count == 5 && term.shift == 0 && term.mask == 3) return "threadID_in_group";
  return {};
}

int value_bits(const Fragment& fragment) { return fragment.value.count; }

}  // namespace

std::vector<Term> terms(const Fragment& fragment, Axis axis) {
  std::vector<Term> all;
  append_terms(all, fragment.thread, true, axis);
  append_terms(all, fragment.value, false, axis);
  return all;
}

std::string formula(const Fragment& fragment, Axis axis) {
  std::string text;
  for (const Term& term : terms(fragment, axis)) {
    if (!text.empty()) text += " + ";
    std::string part = term.of_thread ? isa_name(fragment, term) : "";
    if (part.empty())
      part = bits_of(term.of_thread ? "lane" : "i", term,
                     term.of_thread ? fragment.thread.count : value_bits(fragment));
    text += part;
    if (term.stride != 1) text += "*" + std::to_string(term.stride);
  }
  return text.empty() ? "0" : text;
}

std::string formula_with_numbers(const Fragment& fragment, Axis axis, int thread, int value) {
  std::string text;
  int sum = 0;
  int count = 0;
  for (const Term& term : terms(fragment, axis)) {
    if (!text.empty()) text += " + ";
    const int index = term.of_thread ? thread : value;
    const int part = (index >> term.shift) & term.mask;
    if (term.of_thread && !isa_name(fragment, term).empty())
      text += std::to_string(part);
    else
      text += bits_of(std::to_string(index), term,
                      term.of_thread ? fragment.thread.count : value_bits(fragment));
    if (term.stride != 1) text += "*" + std::to_string(term.stride);
    sum += part * term.stride;
    ++count;
  }
  if (count == 0) return "0";
  if (text != std::to_string(sum)) text += " = " + std::to_string(sum);
  return text;
}

std::string expression(const Fragment& fragment, Axis axis) {
  std::string text;
  for (const Term& term : terms(fragment, axis)) {
    if (!text.empty()) text += " + ";
    text += bits_of(term.of_thread ? "lane" : "i", term,
                    term.of_thread ? fragment.thread.count : value_bits(fragment));
    if (term.stride != 1) text += " * " + std::to_string(term.stride);
  }
  return text.empty() ? "0" : text;
}

}  // namespace lanescope::layout
