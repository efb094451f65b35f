// SPDX-License-Identifier: MIT
#include "panels/look/shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace lanescope::viz {

std::string shell_word(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./:=+-,@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false, quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (!quoted && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
      continue;
    }
    if (c == '\\' && !quoted && at + 1 < text.size()) c = text[++at];
    words.back() += c;
  }
  return words;
}

}  // namespace lanescope::viz
