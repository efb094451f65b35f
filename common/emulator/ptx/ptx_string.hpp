// SPDX-License-Identifier: MIT
// Where a string of PTX ends. By itself, for who links PTX and needs nothing else of the lexer.
#pragma once

#include <cstddef>
#include <string_view>

namespace lanescope::emulator {

/// The last quote of the string that begins with the one at `from`; npos: there is none. ptxas
/// (13.0) knows no escapes, and a string may go over lines. nvcc writes a quote in a file's name as
/// \", which its ptxas refuses: here it is part of the string, where another quote follows on its
/// line.
inline std::size_t end_of_string(std::string_view text, std::size_t from) {
  const auto is_escaped = [&](std::size_t at) {
    std::size_t first = at;
    while (text[first - 1] == '\\') --first;
    return (at - first) % 2 == 1;
  };
  std::size_t end = text.find('"', from + 1);
  while (end != std::string_view::npos && is_escaped(end)) {
    const std::size_t next = text.find_first_of("\"\n", end + 1);
    if (next == std::string_view::npos || text[next] == '\n') break;
    end = next;
  }
  return end;
}

}  // namespace lanescope::emulator
