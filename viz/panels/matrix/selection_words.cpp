// SPDX-License-Identifier: MIT
// The words of the search box and of --select, read: selection.hpp says which there are.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "panels/matrix/selection.hpp"

namespace lanescope::viz {
namespace {

// "try: A 9,5   lane 13   A.r1   lane 13 A.r1.hi"
std::string examples(const Multiplication& in) {
  const std::string element = example_of(in);
  if (element.empty()) return {};
  const layout::Fragment& map = *in.map(element[0]);
  const std::string name = fmt::format("{}.r{}", element[0], std::min(1, map.registers() - 1));
  const std::string part = part_name(map, map.values_per_register() - 1);
  // Of several matrices, whoever holds something of the one that is shown.
  const std::string holder =
      holder_name(in, map.matrices > 1 ? in.holder(element[0], 0, 0).thread : 13);
  return fmt::format("try: {0}   {1}   {2}   {1} {2}{3}{4}", element, holder, name,
                     part.empty() ? "" : ".", part);
}

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
  const SharedShape shared = shared_shape(in, operand);
  if (map == nullptr && shared.rows == 0) return fail(missing_operand(operand, in));
  const int rows = map != nullptr ? map->rows : shared.rows;
  const int cols = map != nullptr ? map->cols : shared.cols;
  const auto ranges =
      fmt::format("{} has rows 0 to {} and columns 0 to {}", operand, rows - 1, cols - 1);
  if (words.size() < 3)
    return fail(fmt::format("{} needs a row and a column: {}, such as {} {},{}", operand, ranges,
                            operand, rows - 1, cols - 1));
  for (std::size_t at = 1; at < words.size(); ++at)
    if (!is_number(words[at]) || at > 2)
      return fail(fmt::format("cannot read '{}' after {}; {}", words[at], operand, ranges));
  const int row = number(words[1]);
  const int col = number(words[2]);
  if (row < 0 || row >= rows)
    return fail(fmt::format("{} has no row {}: {}", operand, words[1], ranges));
  if (col < 0 || col >= cols)
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
    return fail(fmt::format("cannot read '{}'; {}", word, examples(in)));
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr) return fail(missing_operand(operand, in));
  const std::size_t dot = std::min(word.find('.', 2), word.size());
  const std::string digits = word.substr(3, dot - 3);
  const int registers = map->registers();
  if (digits.empty() || digits[0] == '-' || !is_number(digits))
    return fail(fmt::format("cannot read '{}'; {}", word, examples(in)));
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
                              holder_name(in, thread), element.matrix, in.matrix));
    return {{Picked::element, operand, element, thread, index, -1}, {}};
  }
  return {selection, {}};
}

}  // namespace

Parsed parse_selection(std::string_view text, const Multiplication& in) {
  std::vector<std::string> words = split(text);
  if (words.empty()) return fail(examples(in));
  if (operand_letter(words[0]) != '\0') return element_words(words, in);
  if (words[0].size() > 1 && words[0][1] == '.') {
    if (words.size() > 1)
      return fail(fmt::format("cannot read '{}' after '{}'; {}", words[1], words[0], examples(in)));
    return register_word(words[0], -1, in);
  }
  const bool named = words[0] == "lane" || words[0] == "thread";
  const char* holder = holder_word(in);
  const auto ranges = fmt::format("{}s are 0 to {}", holder, in.threads() - 1);
  if (named) words.erase(words.begin());
  if (named && words.empty()) return fail(fmt::format("which {}? {}", holder, ranges));
  if (!is_number(words[0])) {
    if (named) return fail(fmt::format("'{}' is no {}: {}", words[0], holder, ranges));
    return fail(fmt::format("cannot read '{}'; {}", words[0], examples(in)));
  }
  const int thread = number(words[0]);
  if (thread < 0 || thread >= in.threads())
    return fail(fmt::format("there is no {} {}: {}", holder, words[0], ranges));
  if (words.size() == 1) return {select_lane(thread), {}};
  if (words.size() > 2)
    return fail(fmt::format("cannot read '{}' after '{}'; {}", words[2], words[1], examples(in)));
  return register_word(words[1], thread, in);
}

}  // namespace lanescope::viz
