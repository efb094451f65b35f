// SPDX-License-Identifier: MIT
// Damage to the text of a trace: bits, bytes, pieces, lines, and numbers that stay numbers.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace lanescope::tests {

struct Damage {
  std::mt19937_64 random;
  std::vector<std::string> tokens{"\"",
                                  "\\",
                                  "\\u0000",
                                  "\\ud800",
                                  "{",
                                  "}",
                                  "[",
                                  "]",
                                  ",",
                                  ":",
                                  "null",
                                  "true",
                                  "1e308",
                                  "-1",
                                  "18446744073709551616",
                                  "NaN",
                                  "0.0",
                                  "\n",
                                  "\r\n",
                                  "\"event\":",
                                  "\"fragment\"",
                                  "\"registers\":[",
                                  "[[[[[[[[",
                                  "00000000 ",
                                  "ffffffffffffffff",
                                  "\xff",
                                  "\xc3\xa9",
                                  std::string(1, '\0'),
                                  "\"launch\":0,",
                                  "\"rows\":1048576,",
                                  "\"bits\":64,"};

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random() % count; }

  std::string damaged(std::string text) {
    const std::size_t times = 1 + below(4);
    for (std::size_t i = 0; i < times; ++i) damage(text);
    return text;
  }

  void damage(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(40), text.size() - at);
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        return;
      case 2:
        text.erase(at, length);
        return;
      case 3:
        text.insert(at, text.substr(at, length));
        return;
      case 4:
        text.insert(at, tokens[below(tokens.size())]);
        return;
      case 5:
        text.insert(at, text.substr(below(text.size() + 1), length));
        return;
      case 6:
        lines(text);
        return;
      case 7:
        digit(text, at);
        return;
    }
  }

  // Whole lines, or the file's end: cut, doubled, moved.
  void lines(std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      all.push_back(text.substr(at, end - at));
      at = end;
    }
    if (all.empty()) return;
    const std::size_t one = below(all.size()), other = below(all.size());
    switch (below(4)) {
      case 0:
        all.erase(all.begin() + static_cast<long>(one));
        break;
      case 1:
        all.push_back(all[one]);
        break;
      case 2:
        std::swap(all[one], all[other]);
        break;
      case 3:
        all.back().resize(below(all.back().size() + 1));
        break;
    }
    text.clear();
    for (const std::string& line : all) text += line;
  }

  // Numbers and hexadecimal words stay such, so that many damaged files are accepted.
  void digit(std::string& text, std::size_t at) {
    at = text.find_first_of("0123456789abcdef", at);
    if (at != std::string::npos) text[at] = "0123456789"[below(10)];
  }
};

}  // namespace lanescope::tests
