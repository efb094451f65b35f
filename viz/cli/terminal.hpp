// SPDX-License-Identifier: MIT
// Text for whoever reads it: in a terminal no line is longer than the terminal is wide. Into a file
// or a pipe text goes as it is, whatever the terminal behind it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace lanescope::cli {

/// How wide the terminal is that stdout goes to: COLUMNS, or what it says of itself; 0: to no
/// terminal.
int terminal_columns();

/// How high it is: LINES, or what it says of itself; 24 where nobody says, as terminals once were.
int terminal_rows();

/// `text` with its longer lines broken at blanks. What is broken off stands under the last column
/// of the line's beginning, columns being two blanks apart:
///
///       12    :34  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2},
///                  {%r1, %r2}  -> %f1 %f2
std::string wrapped(const std::string& text, int columns);

/// Text whose lines were broken by hand, for a terminal that is narrower than one of them: the
/// lines of a paragraph are one, to be broken anew. Indented lines, code, stay as they are.
std::string joined_paragraphs(const std::string& text, int columns);

/// The first `rows` lines of what a terminal so wide shows of `text`; the last of them says how
/// many more there are, and that `rest` shows them. A text that fits is left as it is.
std::string first_rows(const std::string& text, int columns, int rows, const std::string& rest);

/// Writes whole lines to stdout, wrapped.
void write_lines(const std::string& lines);

template <typename... Arguments>
void print(fmt::format_string<Arguments...> words, Arguments&&... arguments) {
  write_lines(fmt::format(words, std::forward<Arguments>(arguments)...));
}

}  // namespace lanescope::cli
