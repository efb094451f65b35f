// SPDX-License-Identifier: MIT
// Source in a panel narrower than its lines: a line in rows, so that nothing of it is out of sight.
//
//     for (int pair = 0; pair <
//         kBlock / 16; ++pair) {
//
// What continues a line stands deeper than the line begins.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::viz {

struct CodeRow {
  std::string_view text;   // a part of the line
  std::size_t indent = 0;  // columns before it
};

/// A line in rows of at most `columns` bytes, broken at blanks, else behind punctuation, else
/// within a word; one row for an empty line.
std::vector<CodeRow> code_rows(std::string_view line, std::size_t columns);

}  // namespace lanescope::viz
