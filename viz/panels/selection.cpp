// SPDX-License-Identifier: MIT
#include "panels/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace lanescope::viz {
namespace {

constexpr const char* kExamples = "try: A 9,5   lane 13   A.r1   lane 13 A.r1.hi";

bool is_number(const std::string& word) {
  const std::size_t sign = word[0] == '-' ? 1 : 0;
  return word.size() > sign && std::all_of(word.begin() + static_cast<long>(sign), word.end(),
                                           [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Saturates: every number too large for an index is out of range, whatever it is.
int number(const std::string& word) {
  int value = 0;
  for (const char c : word)
    if (c != '-') value = std::min(value * 10 + (c - '0'), 1'000'000);
  return word[0] == '-' ? -value : value;
}

// "A[9][5]" -> a 9 5; "lane13 A.r1.hi" -> lane 13 a.r1.hi
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    if (std::isspace(c) || raw == ',' || raw == '[' || raw == ']' || raw == '(' || raw == ')' ||
        raw == '/' || c < 32) {
      end_word();
      continue;
    }
    const bool digit = std::isdigit(c) != 0;
    if (digit && (word == "lane" || word == "thread" || word == "a" || word == "b" || word == "c" ||
                  word == "d"))
      end_word();
    word += static_cast<char>(std::tolower(c));
  }
  end_word();
  std::erase_if(words, [](const std::string& w) {
    return w == "row" || w == "col" || w == "column" || w == "register";
  });
  return words;
}

Parsed fail(std::string why) { return {{}, std::move(why)}; }

char operand_letter(const std::string& word) {
  return word.size() == 1 && word[0] >= 'a' && word[0] <= 'd'
             ? static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])))
             : '\0';
}

std::string missing_operand(char operand, const Multiplication& in) {
  return fmt::format("{} is not in registers in {}", operand, in.instruction->mnemonic);
}

Parsed element_words(const std::vector<std::string>& words, const Multiplication& in) {
  const char operand = operand_letter(words[0]);
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr) return fail(missing_operand(operand, in));
  const auto ranges =
      fmt::format("{} has rows 0 to {} and columns 0 to {}", operand, map->rows - 1, map->cols - 1);
  if (words.size() < 3)
    return fail(fmt::format("{} needs a row and a column: {}, such as {} {},{}", operand, ranges,
                            operand, map->rows - 1, map->cols - 1));
  for (std::size_t at = 1; at < words.size(); ++at)
    if (!is_number(words[at]) || at > 2)
      return fail(fmt::format("cannot read '{}' after {}; {}", words[at], operand, ranges));
  const int row = number(words[1]);
  const int col = number(words[2]);
  if (row < 0 || row >= map->rows)
    return fail(fmt::format("{} has no row {}: {}", operand, words[1], ranges));
  if (col < 0 || col >= map->cols)
    return fail(fmt::format("{} has no column {}: {}", operand, words[2], ranges));
  return {select_element(in, operand, row, col), {}};
}

// The part called `word`, or -1.
int part_of(const layout::Fragment& map, const std::string& word) {
  const int parts = map.values_per_register();
  for (int part = 0; part < parts; ++part)
    if (!word.empty() && part_name(map, part) == word) return part;
  if (parts == 2 && word == "low") return 0;
  if (parts == 2 && word == "high") return 1;
  return -1;
}

std::string part_names(const layout::Fragment& map) {
  const int parts = map.values_per_register();
  if (parts == 1) return "holds one element, it has no parts";
  if (parts == 2) return "has parts .lo and .hi";
  return fmt::format("has parts .b0 to .b{}", parts - 1);
}

// "a.r1.hi", of `thread` or of every lane (-1).
Parsed register_word(const std::string& word, int thread, const Multiplication& in) {
  const char operand = operand_letter(word.substr(0, 1));
  if (operand == '\0' || word.size() < 4 || word.compare(1, 2, ".r") != 0)
    return fail(fmt::format("cannot read '{}'; {}", word, kExamples));
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr) return fail(missing_operand(operand, in));
  const std::size_t dot = std::min(word.find('.', 2), word.size());
  const std::string digits = word.substr(3, dot - 3);
  const int registers = map->registers();
  if (digits.empty() || digits[0] == '-' || !is_number(digits))
    return fail(fmt::format("cannot read '{}'; {}", word, kExamples));
  const int index = number(digits);
  if (index >= registers)
    return fail(fmt::format("{} has no register r{}: {} here has {}", operand, digits, operand,
                            registers == 1 ? "only r0" : fmt::format("r0 to r{}", registers - 1)));
  Selection selection{Picked::reg, operand, {}, thread, index, -1};
  if (dot < word.size()) {
    const std::string part = word.substr(dot + 1);
    selection.part = part_of(*map, part);
    if (selection.part < 0)
      return fail(fmt::format("'{}' is no part of {}.r{}: a register {}", part, operand, index,
                              part_names(*map)));
  }
  if (thread >= 0 && (selection.part >= 0 || map->values_per_register() == 1)) {
    const int value = index * map->values_per_register() + std::max(selection.part, 0);
    if (value >= map->values || !map->provided_by(thread))
      return fail(fmt::format("{} has no element in {}", holder_name(in, thread), word));
    const layout::Element element = map->element(thread, value);
    if (element.matrix != in.matrix)
      return fail(fmt::format("{} holds matrix {} there, matrix {} is shown",
                              holder_name(in, thread), element.matrix + 1, in.matrix + 1));
    return {{Picked::element, operand, element, thread, index, -1}, {}};
  }
  return {selection, {}};
}

// Where the selected element lies in its holder's registers.
layout::Holder holder_of(const Selection& selection, const Multiplication& in) {
  const layout::Fragment* map = in.map(selection.operand);
  for (int value = 0; map != nullptr && value < map->values; ++value)
    if (map->element(selection.thread, value) == selection.element)
      return map->holder(selection.thread, value);
  return {-1, -1, -1, -1};
}

bool held_by(const Selection& selection, const Multiplication& in, char operand, int row, int col) {
  const layout::Holder holder = in.holder(operand, row, col);
  switch (selection.picked) {
    case Picked::nothing:
      return false;
    case Picked::element:
    case Picked::lane:
      return holder.thread == selection.thread;
    case Picked::reg: {
      if (operand != selection.operand || holder.register_index != selection.register_index)
        return false;
      if (selection.thread >= 0 && holder.thread != selection.thread) return false;
      const layout::Fragment* map = in.map(operand);
      return selection.part < 0 || holder.bit / map->element_bits == selection.part;
    }
  }
  return false;
}

bool meets(bool dense, char focus, int focus_row, int focus_col, char operand, int row, int col) {
  const bool result = operand == 'C' || operand == 'D';
  if (focus == 'C' || focus == 'D')  // C or D[r][c]: row r of A, column c of B
    return (operand == 'A' && row == focus_row) || (operand == 'B' && col == focus_col);
  if (focus == 'A')  // A[r][k]: row k of B, row r of D
    return (dense && operand == 'B' && row == focus_col) || (result && row == focus_row);
  if (focus == 'B')  // B[k][c]: column k of A, column c of D
    return (dense && operand == 'A' && col == focus_row) || (result && col == focus_col);
  return false;
}

}  // namespace

std::string part_name(const layout::Fragment& map, int part) {
  const int parts = map.values_per_register();
  if (parts <= 1 || part < 0) return {};
  if (parts == 2) return part == 0 ? "lo" : "hi";
  return fmt::format("b{}", part);
}

Selection select_element(const Multiplication& in, char operand, int row, int col) {
  const layout::Holder holder = in.holder(operand, row, col);
  if (holder.thread < 0) return {};
  return {Picked::element,       operand, {row, col, in.matrix}, holder.thread,
          holder.register_index, -1};
}

Selection select_lane(int thread) { return {Picked::lane, 'A', {}, thread, -1, -1}; }

Parsed parse_selection(std::string_view text, const Multiplication& in) {
  std::vector<std::string> words = split(text);
  if (words.empty()) return fail(kExamples);
  if (operand_letter(words[0]) != '\0') return element_words(words, in);
  if (words[0].size() > 1 && words[0][1] == '.') {
    if (words.size() > 1)
      return fail(fmt::format("cannot read '{}' after '{}'; {}", words[1], words[0], kExamples));
    return register_word(words[0], -1, in);
  }
  const bool named = words[0] == "lane" || words[0] == "thread";
  const auto ranges = fmt::format("lanes are 0 to {}", in.threads() - 1);
  if (named) words.erase(words.begin());
  if (named && words.empty()) return fail("which lane? " + ranges);
  if (!is_number(words[0])) {
    if (named) return fail(fmt::format("'{}' is no lane: {}", words[0], ranges));
    return fail(fmt::format("cannot read '{}'; {}", words[0], kExamples));
  }
  const int thread = number(words[0]);
  if (thread < 0 || thread >= in.threads())
    return fail(fmt::format("there is no lane {}: {}", words[0], ranges));
  if (words.size() == 1) return {select_lane(thread), {}};
  if (words.size() > 2)
    return fail(fmt::format("cannot read '{}' after '{}'; {}", words[2], words[1], kExamples));
  return register_word(words[1], thread, in);
}

std::string holder_name(const Multiplication& in, int thread) {
  return fmt::format("{} {}", in.threads() > 32 ? "thread" : "lane", thread);
}

std::string words_of(const Selection& s, const Multiplication& in) {
  const layout::Fragment* map = in.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      return {};
    case Picked::lane:
      return holder_name(in, s.thread);
    case Picked::element:
      if (in.holder(s.operand, s.element.row, s.element.col).thread == s.thread)
        return fmt::format("{} {},{}", s.operand, s.element.row, s.element.col);
      break;
    case Picked::reg:
      break;
  }
  if (map == nullptr) return {};
  int part = s.part;
  if (s.picked == Picked::element) part = holder_of(s, in).bit / map->element_bits;
  const std::string name = part_name(*map, part);
  return fmt::format("{}{}.r{}{}", s.thread >= 0 ? holder_name(in, s.thread) + " " : "", s.operand,
                     s.register_index, name.empty() ? "" : "." + name);
}

Selection moved(const Selection& s, const Multiplication& in, int rows, int cols) {
  const auto clamped = [](int at, int by, int count) { return std::clamp(at + by, 0, count - 1); };
  const layout::Fragment* map = in.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      for (const char operand : kOperands)
        if (in.map(operand) != nullptr) return select_element(in, operand, 0, 0);
      return s;
    case Picked::element:
      return select_element(in, s.operand, clamped(s.element.row, rows, map->rows),
                            clamped(s.element.col, cols, map->cols));
    case Picked::lane:
      return select_lane(clamped(s.thread / 4, rows, in.threads() / 4) * 4 +
                         clamped(s.thread % 4, cols, 4));
    case Picked::reg: {
      Selection next = s;
      next.register_index = clamped(s.register_index, rows, map->registers());
      if (s.thread >= 0)
        next.thread = clamped(s.thread, cols, in.threads());
      else if (s.part >= 0)
        next.part = clamped(s.part, cols, map->values_per_register());
      return next;
    }
  }
  return s;
}

Selection next_operand(const Selection& s, const Multiplication& in, int step) {
  const int count = static_cast<int>(kOperands.size());
  int index = std::max(operand_index(s.operand), 0);
  if (s.picked == Picked::nothing || s.picked == Picked::lane) index = step > 0 ? -1 : 0;
  for (int tries = 0; tries < count; ++tries) {
    index = (index + step + count) % count;
    const char operand = kOperands[static_cast<std::size_t>(index)];
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr) continue;
    if (s.picked == Picked::nothing) return select_element(in, operand, 0, 0);
    if (s.picked == Picked::reg)
      return {Picked::reg, operand, {}, s.thread, std::min(s.register_index, map->registers() - 1),
              -1};
    const int value = s.picked == Picked::element ? std::max(holder_of(s, in).value, 0) : 0;
    const layout::Holder holder = map->holder(s.thread, std::min(value, map->values - 1));
    if (map->element(s.thread, holder.value).matrix != in.matrix) continue;
    return {Picked::element,       operand, map->element(s.thread, holder.value), s.thread,
            holder.register_index, -1};
  }
  return s;
}

Selection carried_over(const Selection& s, const Multiplication& to) {
  const layout::Fragment* map = to.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      return s;
    case Picked::lane:
      return s.thread < to.threads() ? s : Selection{};
    case Picked::element:
      if (map == nullptr || !map->contains(s.element)) return {};
      return select_element(to, s.operand, s.element.row, s.element.col);
    case Picked::reg:
      if (map == nullptr || s.register_index >= map->registers() || s.thread >= to.threads() ||
          s.part >= map->values_per_register())
        return {};
      return s;
  }
  return {};
}

bool on_line(const Multiplication& in, const Selection& s, const Hover& hover, char operand,
             int row, int col) {
  const bool dense = in.columns_of_A_are_k();
  if (hover.operand != 0)
    return meets(dense, hover.operand, hover.row, hover.col, operand, row, col);
  if (s.picked != Picked::element) return false;
  return meets(dense, s.operand, s.element.row, s.element.col, operand, row, col);
}

Emphasis emphasis(const Multiplication& in, const Selection& s, const Hover& hover, char operand,
                  int row, int col) {
  if (s.picked == Picked::element && s.operand == operand && s.element.row == row &&
      s.element.col == col)
    return Emphasis::selected;
  if (held_by(s, in, operand, row, col)) return Emphasis::lane;
  if (on_line(in, s, hover, operand, row, col)) return Emphasis::line;
  return s.picked == Picked::nothing ? Emphasis::plain : Emphasis::back;
}

}  // namespace lanescope::viz
