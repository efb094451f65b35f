// SPDX-License-Identifier: MIT
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lanescope::cli {
namespace {

constexpr long kLeast = 40, kMost = 400, kUsual = 80;
constexpr long kLeastRows = 8, kUsualRows = 24;
constexpr std::size_t npos = std::string::npos;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }  // UTF-8

std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins_character));
}

/// Behind the blanks of the last column that begins in the first two fifths; or, where nothing but
/// the indent is before the words, two further in.
std::size_t hang_of(const std::string& line, std::size_t columns) {
  const std::size_t words = std::min(line.find_first_not_of(' '), line.size());
  std::size_t hang = words + 2;
  for (std::size_t at = line.find("  ", words); at != npos; at = line.find("  ", at)) {
    at = line.find_first_not_of(' ', at);
    if (at == npos || at > columns * 2 / 5) break;
    hang = at;
  }
  return std::min(hang, columns / 2);
}

/// Where the first `columns` characters of a line end that begins at `from`.
std::size_t end_of(const std::string& line, std::size_t from, std::size_t columns) {
  std::size_t at = from;
  for (std::size_t taken = 0; at < line.size(); ++at)
    if (begins_character(line[at]) && taken++ == columns) break;
  return at;
}

std::string wrapped_line(const std::string& line, std::size_t columns) {
  if (width_of(line) <= columns || line.find('\x1b') != npos)
    return line;  // coloured: rows of cells
  const std::string indent(hang_of(line, columns), ' ');
  std::string text;
  std::size_t from = 0, room = columns;
  while (true) {
    const std::size_t end = end_of(line, from, room);
    if (end == line.size()) return text + line.substr(from);
    // A word that is longer than the room stays whole.
    std::size_t blank = line.rfind(' ', end);
    const std::size_t words = line.find_first_not_of(' ', from);
    if (blank == npos || blank < words) blank = line.find(' ', end);
    const std::size_t next = blank == npos ? npos : line.find_first_not_of(' ', blank);
    if (next == npos) return text + line.substr(from);
    text += line.substr(from, line.find_last_not_of(' ', blank) + 1 - from) + "\n" + indent;
    from = next;
    room = columns - indent.size();
  }
}

}  // namespace

// What the environment says of the terminal's size, or the terminal itself; 0: neither.
static long size_said(const char* variable, unsigned short winsize::*of_terminal) {
  const char* words = std::getenv(variable);
  const long said = words == nullptr ? 0 : std::strtol(words, nullptr, 10);
  winsize size{};
  if (said <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) return size.*of_terminal;
  return said;
}

int terminal_columns() {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  const long columns = size_said("COLUMNS", &winsize::ws_col);
  return static_cast<int>(std::clamp(columns <= 0 ? kUsual : columns, kLeast, kMost));
}

int terminal_rows() {
  const long rows = size_said("LINES", &winsize::ws_row);
  return static_cast<int>(std::clamp(rows <= 0 ? kUsualRows : rows, kLeastRows, kMost));
}

std::string wrapped(const std::string& text, int columns) {
  if (columns <= 0) return text;
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    out += wrapped_line(text.substr(from, end - from), static_cast<std::size_t>(columns));
    if (end < text.size()) out += '\n';
    from = end + 1;
  }
  return out;
}

std::string joined_paragraphs(const std::string& text, int columns) {
  if (wrapped(text, columns) == text) return text;
  std::string out = text;
  for (std::size_t at = out.find('\n'); at != npos; at = out.find('\n', at + 1)) {
    const std::size_t begin = at == 0 ? 0 : out.rfind('\n', at - 1) + 1;
    const auto is_prose = [&](std::size_t first) {
      return first < out.size() && out[first] != ' ' && out[first] != '\n';
    };
    if (is_prose(begin) && is_prose(at + 1)) out[at] = ' ';
  }
  return out;
}

std::string first_rows(const std::string& text, int columns, int rows, const std::string& rest) {
  const std::string fitted = wrapped(text, columns);
  const auto lines = std::count(fitted.begin(), fitted.end(), '\n');
  if (lines <= rows) return fitted;
  std::size_t end = 0;
  for (int row = 1; row < rows; ++row) end = fitted.find('\n', end) + 1;
  return fitted.substr(0, end) +
         fmt::format("... and {} lines more: {}\n", lines - (rows - 1), rest);
}

void write_lines(const std::string& lines) {
  const std::string fitted = wrapped(lines, terminal_columns());
  std::fwrite(fitted.data(), 1, fitted.size(), stdout);
}

}  // namespace lanescope::cli
