// SPDX-License-Identifier: MIT
#include "cudart/binary/kernel_alone.hpp"

#include <algorithm>

namespace lanescope::cudart {
namespace {

/// Behind what `open` begins at `at`.
std::size_t past(std::string_view text, std::size_t at, std::string_view open,
                 std::string_view close) {
  const std::size_t found = text.find(close, at + open.size());
  return found == text.npos ? text.size() : found + close.size();
}

/// The next of `marks` from `at` on that stands in no comment and no string.
std::size_t next_mark(std::string_view text, std::size_t at, std::string_view marks) {
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//"))
      at = past(text, at, "//", "\n");
    else if (rest.starts_with("/*"))
      at = past(text, at, "/*", "*/");
    else if (rest.starts_with("\""))
      at = past(text, at, "\"", "\"");
    else if (marks.find(rest.front()) != marks.npos)
      return at;
    else
      ++at;
  }
  return text.size();
}

/// Behind the body that begins at `at` or further on, or behind the `;` of a declaration.
std::size_t end_of_kernel(std::string_view text, std::size_t at) {
  int depth = 0;
  while ((at = next_mark(text, at, "{};")) < text.size()) {
    const char mark = text[at++];
    if (mark != ';') depth += mark == '{' ? 1 : -1;
    if (depth <= 0) break;
  }
  return at;
}

}  // namespace

std::string kernel_alone(std::string_view ptx, std::string_view kernel) {
  constexpr std::string_view kEntry = ".entry", kBlanks = " \t\r\n";
  std::string alone;
  std::size_t kept = 0;  // the text before it is in `alone`, or left out
  for (std::size_t at = 0; (at = next_mark(ptx, at, ".{")) < ptx.size();) {
    if (ptx[at] == '{') {
      at = end_of_kernel(ptx, at);  // of a function
      continue;
    }
    const std::size_t name = ptx.find_first_not_of(kBlanks, at + kEntry.size());
    if (!ptx.substr(at).starts_with(kEntry) || name == ptx.npos || name == at + kEntry.size()) {
      ++at;
      continue;
    }
    const std::size_t name_end = std::min(ptx.find_first_of(" \t\r\n(.;{", name), ptx.size());
    const std::size_t end = end_of_kernel(ptx, name_end);
    if (ptx.substr(name, name_end - name) != kernel) {
      // .visible or .weak stands before it, in its line
      const std::size_t line = ptx.rfind('\n', at);
      alone += ptx.substr(kept, std::max(kept, line == ptx.npos ? 0 : line + 1) - kept);
      kept = end;
    }
    at = end;
  }
  return alone += ptx.substr(kept);
}

}  // namespace lanescope::cudart
