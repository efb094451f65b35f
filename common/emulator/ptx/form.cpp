// SPDX-License-Identifier: MIT
#include "emulator/ptx/form.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/form_table.hpp"

namespace lanescope::emulator {
namespace {

/// A list without its first word, which is given.
std::string_view next_word(std::string_view& list, char separator) {
  const std::size_t end = std::min(list.find(separator), list.size());
  const std::string_view word = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return word;
}

bool is_among(std::string_view choices, std::string_view word) {
  while (!choices.empty())
    if (next_word(choices, '|') == word) return true;
  return false;
}

using RulesOf = std::unordered_map<std::string_view, std::vector<std::string_view>>;

template <std::size_t kCount>
RulesOf by_opcode(const FormRule (&rules)[kCount]) {
  RulesOf sorted;
  for (const FormRule& rule : rules)
    for (std::string_view opcodes = rule.opcodes; !opcodes.empty();)
      sorted[next_word(opcodes, ' ')].push_back(rule.words);
  return sorted;
}

/// Whether some form has this word: who has a newer one is told so by name (decode.cpp).
bool is_known(std::string_view modifier) {
  const auto has_it = [&](const FormRule& rule) {
    for (std::string_view words = rule.words; !words.empty();) {
      std::string_view choices = next_word(words, ' ');
      if (choices.front() == '[') choices = choices.substr(1, choices.size() - 2);
      if (choices.front() == '!') choices.remove_prefix(1);
      if (is_among(choices, modifier)) return true;
    }
    return false;
  };
  return std::any_of(std::begin(kForms), std::end(kForms), has_it) ||
         std::any_of(std::begin(kClashes), std::end(kClashes), has_it);
}

/// Marks in `used` a modifier that is one of `choices`; false where there is none.
bool take_one(const std::vector<std::string_view>& modifiers, std::string_view choices,
              std::uint64_t& used) {
  for (std::size_t k = 0; k < modifiers.size(); ++k) {
    if ((used >> k & 1) != 0 || !is_among(choices, modifiers[k])) continue;
    used |= std::uint64_t{1} << k;
    return true;
  }
  return false;
}

bool is_form(const std::vector<std::string_view>& modifiers, std::string_view words) {
  std::uint64_t used = 0;
  while (!words.empty()) {
    std::string_view choices = next_word(words, ' ');
    const bool is_optional = choices.front() == '[';
    if (is_optional) choices = choices.substr(1, choices.size() - 2);
    if (!take_one(modifiers, choices, used) && !is_optional) return false;
  }
  return used + 1 == std::uint64_t{1} << modifiers.size();
}

bool clashes(const std::vector<std::string_view>& modifiers, std::string_view words) {
  std::uint64_t used = 0;
  while (!words.empty()) {
    std::string_view choices = next_word(words, ' ');
    const bool is_unwanted = choices.front() == '!';
    if (is_unwanted) choices.remove_prefix(1);
    if (take_one(modifiers, choices, used) == is_unwanted) return false;
  }
  return true;
}

// The types are taken from the end; the words before them are those of a form.
bool is_pair(const PtxStatement& statement, const PairRule& rule) {
  const auto& all = statement.modifiers;
  return rule.opcode == statement.opcode && is_among(rule.to, all[all.size() - 2]) &&
         is_among(rule.from, all.back()) && is_form({all.begin(), all.end() - 2}, rule.words);
}

bool is_known_pair(const PtxStatement& statement) {
  const auto& all = statement.modifiers;
  if (all.size() < 2) return false;
  return statement.opcode == "set" ||
         (statement.opcode == "cvt" && all.front() != "pack" &&
          is_among(kConverted, all[all.size() - 2]) && is_among(kConverted, all.back()));
}

}  // namespace

bool is_no_form(const PtxStatement& statement) {
  static const RulesOf kFormsOf = by_opcode(kForms), kClashesOf = by_opcode(kClashes);
  const auto& modifiers = statement.modifiers;
  if (modifiers.size() > 60) return false;
  if (is_known_pair(statement))
    return std::none_of(std::begin(kPairs), std::end(kPairs),
                        [&](const PairRule& rule) { return is_pair(statement, rule); });
  if (const auto forms = kFormsOf.find(statement.opcode); forms != kFormsOf.end())
    return std::none_of(forms->second.begin(), forms->second.end(),
                        [&](std::string_view words) { return is_form(modifiers, words); }) &&
           std::all_of(modifiers.begin(), modifiers.end(), is_known);
  const auto found = kClashesOf.find(statement.opcode);
  return found != kClashesOf.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](std::string_view words) { return clashes(modifiers, words); });
}

}  // namespace lanescope::emulator
