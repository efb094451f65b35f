// SPDX-License-Identifier: MIT
#include "layout/cute_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "layout/cute_build.hpp"
#include "layout/spellings.hpp"

namespace lanescope::layout::cute {

std::string_view Words::rest() {
  const auto passed = [this](std::string_view what) {
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  };
  while (at_ < text_.size()) {
    const bool blank = std::isspace(static_cast<unsigned char>(text_[at_])) != 0;
    if (blank)
      ++at_;
    else if (!passed("{}"))
      break;
  }
  return text_.substr(at_);
}

bool Words::taken(std::string_view sign) {
  if (rest().substr(0, sign.size()) != sign) return false;
  at_ += sign.size();
  return true;
}

void Words::expect(std::string_view sign, std::string_view behind) {
  if (!taken(sign))
    throw Problem(rest().empty()
                      ? fmt::format("it ends where a '{}' is missing behind {}", sign, behind)
                      : fmt::format("'{}' stands where a '{}' is missing behind {}",
                                    rest().substr(0, 12), sign, behind));
}

std::string_view Words::word() {
  for (;;) {
    const std::string_view left = rest();
    const auto end = std::find_if_not(left.begin(), left.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    const auto length = static_cast<std::size_t>(end - left.begin());
    at_ += length;
    if (left.substr(length, 2) != "::") return left.substr(0, length);
    at_ += 2;
  }
}

std::optional<std::int64_t> Words::number_in(std::string_view word) {
  if (!word.empty() && word.front() == '_') word.remove_prefix(1);
  if (!all_digits(word)) return std::nullopt;
  if (word.size() > 9) throw Problem(fmt::format("the number {} is too large", word));
  std::int64_t number = 0;
  for (const char c : word) number = number * 10 + (c - '0');
  return number;
}

std::int64_t Words::number() {
  const bool negative = taken("-");
  if (const auto found = number_in(word())) return negative ? -*found : *found;
  throw Problem("a number is missing");
}

std::string_view without_namespaces(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  for (const std::string_view space : {"cute::", "auto "})
    if (words.substr(0, space.size()) == space) words.remove_prefix(space.size());
  return words;
}

// What stands between the commas that are in no brackets; without the last bracket.
std::vector<std::string_view> arguments(std::string_view words) {
  std::vector<std::string_view> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const char c = words[at];
    if (c == '(' || c == '<' || c == '{') ++depth;
    const bool closes = c == ')' || c == '>' || c == '}';
    if (closes && depth == 0) {
      all.push_back(words.substr(begin, at - begin));
      return all;
    }
    if (closes) --depth;
    if (c != ',' || depth > 0) continue;
    all.push_back(words.substr(begin, at - begin));
    begin = at + 1;
  }
  return {};  // its last bracket is missing
}

}  // namespace lanescope::layout::cute
