// SPDX-License-Identifier: MIT
#include "panels/lesson/markdown.hpp"

#include <algorithm>
#include <cctype>

namespace lanescope::viz {

static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Where `![words](file)` ends: the window has pictures of its own. `at`: it is none.
static std::size_t end_of_picture(std::string_view line, std::size_t at) {
  const std::size_t words_end = line.find(']', at);
  if (words_end == std::string_view::npos || line.substr(words_end, 2) != "](") return at;
  const std::size_t end = line.find(')', words_end);
  return end == std::string_view::npos ? at : end;
}

// What stands between the brackets of a link is read for its marks, too.
static void add_spans(std::string_view line, std::vector<Span>& spans) {
  bool strong = false, code = false;
  const auto at_or = [&](std::size_t at) { return at < line.size() ? line[at] : ' '; };
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char before = at > 0 ? line[at - 1] : ' ';
    if (line[at] == '`') {
      code = !code;
    } else if (!code && line.substr(at, 2) == "**") {
      ++at;
      strong = !strong;
    } else if (!code && line[at] == '*' && is_word(before) != is_word(at_or(at + 1))) {
      continue;
    } else if (!code && line.substr(at, 2) == "![" && end_of_picture(line, at) > at) {
      at = end_of_picture(line, at);
    } else if (const std::size_t close = line.find(']', at);
               !code && line[at] == '[' && close != std::string_view::npos &&
               at_or(close + 1) == '(' && line.find(')', close) != std::string_view::npos) {
      add_spans(line.substr(at + 1, close - at - 1), spans);
      at = line.find(')', close);
    } else {
      const Ink ink = code ? Ink::code : strong ? Ink::strong : Ink::text;
      if (spans.empty() || spans.back().ink != ink) spans.push_back({"", ink});
      spans.back().words += line[at];
    }
  }
}

std::vector<Span> spans_of(std::string_view line) {
  std::vector<Span> spans;
  add_spans(line, spans);
  return spans;
}

std::string plain(std::string_view line) {
  std::string words;
  for (const Span& span : spans_of(line)) words += span.words;
  return words;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    std::string_view cell = line.substr(at, end - at);
    while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
    while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
    if (end < line.size()) cells.emplace_back(cell);
    at = end + 1;
  }
  return cells;
}

std::string behind_first(const std::vector<std::string>& cells,
                         const std::vector<std::string>& columns) {
  std::string words;
  for (std::size_t at = 1; at < cells.size(); ++at) {
    if (!words.empty()) words += "; ";
    if (at < columns.size() && !columns[at].empty()) words += columns[at] + ": ";
    words += cells[at];
  }
  return words;
}

bool is_numbered(std::string_view line) {
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && line.substr(digits, 2) == ". ";
}

}  // namespace lanescope::viz
