// SPDX-License-Identifier: MIT
// How the moves of a map become the words of a formula.
#include "layout/formula.hpp"

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

int along(const Move& move, Axis axis) {
  switch (axis) {
    case Axis::row:
      return move.row;
    case Axis::col:
      return move.col;
    case Axis::matrix:
      return move.matrix;
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
  const bool whole = (term.mask + 1) << term.shift == 1 << index_bits;
  const std::string shifted = term.shift > 0 ? fmt::format("({} >> {})", index, term.shift) : index;
  return whole ? shifted : fmt::format("({} & {})", shifted, term.mask);
}

// The index a term reads: a warp's lanes, a warpgroup's threads, or a thread's values.
std::string index_name(const Fragment& fragment, const Term& term) {
  if (!term.of_thread) return "i";
  return std::string(thread_word(fragment));
}

int index_bits(const Fragment& fragment, const Term& term) {
  return term.of_thread ? fragment.thread.count : fragment.value.count;
}

// The ISA's own names for the two parts of a lane index.
std::string isa_name(const Fragment& fragment, const Term& term) {
  if (fragment.thread.count == 5 && term.shift == 2 && term.mask == 7) return "groupID";
  if (fragment.thread.count == 5 && term.shift == 0 && term.mask == 3) return "threadID_in_group";
  return {};
}

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
    std::string part = term.of_thread ? isa_name(fragment, term) : "";
    if (part.empty()) part = bits_of(index_name(fragment, term), term, index_bits(fragment, term));
    if (term.stride != 1) part = fmt::format("{}*{}", part, term.stride);
    text = text.empty() ? part : fmt::format("{} + {}", text, part);
  }
  return text.empty() ? "0" : text;
}

std::string formula_with_numbers(const Fragment& fragment, Axis axis, int thread, int value) {
  std::string text;
  int sum = 0;
  for (const Term& term : terms(fragment, axis)) {
    const int index = term.of_thread ? thread : value;
    const int number = (index >> term.shift) & term.mask;
    const bool named = term.of_thread && !isa_name(fragment, term).empty();
    std::string part = named ? fmt::format("{}", number)
                             : bits_of(fmt::format("{}", index), term, index_bits(fragment, term));
    if (term.stride != 1) part = fmt::format("{}*{}", part, term.stride);
    text = text.empty() ? part : fmt::format("{} + {}", text, part);
    sum += number * term.stride;
  }
  if (text.empty()) return "0";
  const std::string result = fmt::format("{}", sum);
  return text == result ? text : fmt::format("{} = {}", text, result);
}

std::vector<std::string> derivation(const Fragment& fragment, Axis axis, int thread, int value) {
  const char* name = axis == Axis::row ? "row" : axis == Axis::col ? "col" : "matrix";
  const std::string words = formula(fragment, axis);
  const std::string numbers = formula_with_numbers(fragment, axis, thread, value);
  std::vector<std::string> lines{fmt::format("{} = {}", name, words)};
  if (numbers != words) lines.push_back("    = " + numbers);
  return lines;
}

std::string expression(const Fragment& fragment, Axis axis) {
  std::string text;
  for (const Term& term : terms(fragment, axis)) {
    std::string part = bits_of(index_name(fragment, term), term, index_bits(fragment, term));
    if (term.stride != 1) part = fmt::format("{} * {}", part, term.stride);
    text = text.empty() ? part : fmt::format("{} + {}", text, part);
  }
  return text.empty() ? "0" : text;
}

namespace {

// Every move goes along one axis by a power of two, and no two by the same: so each bit of an index
// is one bit of a coordinate. Neighbouring bits that come from neighbouring bits become one term.
struct Origin {
  Axis axis = Axis::row;
  int bit = -1;  // of the coordinate; -1: the index bit makes a copy
};
Origin origin(const Move& move) {
  for (Axis axis : {Axis::row, Axis::col, Axis::matrix})
    for (int bit = 0; bit < 10; ++bit)
      if (along(move, axis) == 1 << bit) return {axis, bit};
  return {};
}

// Bits `to` and up of an index are bits `from` and up of a coordinate, `count` of them.
struct Run {
  Axis axis;
  int from, to, count;
};
std::vector<Run> runs(const Moves& moves) {
  std::vector<Run> all;
  for (int bit = 0; bit < moves.count;) {
    const Origin from = origin(moves.bits[static_cast<std::size_t>(bit)]);
    int count = 1;
    while (from.bit >= 0 && bit + count < moves.count) {
      const Origin next = origin(moves.bits[static_cast<std::size_t>(bit + count)]);
      if (next.axis != from.axis || next.bit != from.bit + count) break;
      ++count;
    }
    if (from.bit >= 0) all.push_back({from.axis, from.bit, bit, count});
    bit += count;
  }
  return all;
}

constexpr const char* kAxisNames[] = {"row", "col", "matrix"};

std::string way_back(const Moves& moves, int match) {
  std::string text;
  for (const Run& run : runs(moves)) {
    const char* coordinate = kAxisNames[static_cast<std::size_t>(run.axis)];
    std::string part =
        run.from == 0 ? std::string(coordinate) : fmt::format("({} >> {})", coordinate, run.from);
    part = fmt::format("({} & {})", part, (1 << run.count) - 1);
    if (run.to > 0) part = fmt::format("({} << {})", part, run.to);
    text = text.empty() ? part : fmt::format("{} | {}", text, part);
  }
  if (match != 0)
    text = text.empty() ? fmt::format("{}", match) : fmt::format("{} | {}", text, match);
  return text.empty() ? "0" : text;
}

std::vector<std::string> ptx_way_back(const Moves& moves, int match, std::string_view index) {
  std::vector<std::string> lines{fmt::format("mov.b32 %{}, {};", index, match)};
  for (const Run& run : runs(moves)) {
    lines.push_back(fmt::format("bfe.u32 %t, %{}, {}, {};",
                                kAxisNames[static_cast<std::size_t>(run.axis)], run.from,
                                run.count));
    lines.push_back(fmt::format("bfi.b32 %{0}, %t, %{0}, {1}, {2};", index, run.to, run.count));
  }
  return lines;
}

}  // namespace

std::string thread_expression(const Fragment& fragment) {
  return way_back(fragment.thread, fragment.thread_match);
}

std::string value_expression(const Fragment& fragment) { return way_back(fragment.value, 0); }

std::vector<std::string> ptx_expression(const Fragment& fragment, Axis axis) {
  const char* result = kAxisNames[static_cast<std::size_t>(axis)];
  std::vector<std::string> lines;
  std::string sum = "0";
  for (const Term& term : terms(fragment, axis)) {
    int count = 0;
    while (term.mask >> count != 0) ++count;
    lines.push_back(
        fmt::format("bfe.u32 %t, %{}, {}, {};", index_name(fragment, term), term.shift, count));
    lines.push_back(fmt::format("mad.lo.u32 %{}, %t, {}, {};", result, term.stride, sum));
    sum = fmt::format("%{}", result);
  }
  if (lines.empty()) lines.push_back(fmt::format("mov.b32 %{}, 0;", result));
  return lines;
}

std::vector<std::string> ptx_thread_expression(const Fragment& fragment) {
  return ptx_way_back(fragment.thread, fragment.thread_match, thread_word(fragment));
}

std::vector<std::string> ptx_value_expression(const Fragment& fragment) {
  return ptx_way_back(fragment.value, 0, "i");
}

std::vector<std::string> ptx_place_expression(const Fragment& fragment) {
  int shift = 0;
  while (1 << shift < fragment.values_per_register()) ++shift;
  return {fmt::format("shr.u32 %reg, %i, {};", shift),
          fmt::format("and.b32 %t, %i, {};", fragment.values_per_register() - 1),
          fmt::format("mad.lo.u32 %bit, %t, {}, {};", fragment.element_bits, fragment.low_padding)};
}

}  // namespace lanescope::layout
