// SPDX-License-Identifier: MIT
// See code_rows.hpp.
#include "panels/lesson/code_rows.hpp"

#include <algorithm>

namespace lanescope::viz {
namespace {

constexpr std::size_t kDeeper = 4, kLeast = 8;  // columns: of what continues; of any row

/// Where a row of `room` bytes ends that begins with `rest`. Not before `least`: a row of a few
/// letters says less than a word that is broken.
std::size_t end_of_row(std::string_view rest, std::size_t room, std::size_t least) {
  const std::size_t blank = rest.substr(0, room + 1).rfind(' ');
  if (blank != rest.npos && blank > least) return blank;
  const std::size_t mark = rest.substr(0, room).find_last_of(",;.:()[]{}/");
  if (mark != rest.npos && mark + 1 > least) return mark + 1;
  std::size_t end = room;
  while (end > 1 && (static_cast<unsigned char>(rest[end]) & 0xc0) == 0x80) --end;  // UTF-8
  return end;
}

}  // namespace

std::vector<CodeRow> code_rows(std::string_view line, std::size_t columns) {
  columns = std::max(columns, kLeast);
  std::vector<CodeRow> rows;
  const std::size_t begins = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t indent = std::min(begins + kDeeper, columns / 2);
  std::size_t least = begins + columns / 4;  // of the first row, its own blanks do not count
  while (line.size() + (rows.empty() ? 0 : indent) > columns) {
    const std::size_t before = rows.empty() ? 0 : indent, room = columns - before;
    const std::size_t end = end_of_row(line, room, std::min(least, room - 1));
    rows.push_back({line.substr(0, end), before});
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    least = (columns - indent) / 4;
  }
  if (rows.empty() || !line.empty()) rows.push_back({line, rows.empty() ? 0 : indent});
  return rows;
}

}  // namespace lanescope::viz
