// SPDX-License-Identifier: MIT
#include "emulator/ptx/kernels_in.hpp"

#include <algorithm>

#include "emulator/ptx/ptx_string.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::string_view kEntry = ".entry", kBlanks = " \t\r\n";

/// Behind the comment or string that begins at `at`, or behind that character alone.
std::size_t past(std::string_view text, std::size_t at) {
  const auto behind = [&](std::size_t found, std::size_t bytes) {
    return found == text.npos ? text.size() : found + bytes;
  };
  if (text[at] == '"') return behind(end_of_string(text, at), 1);
  if (text.substr(at, 2) == "//") return behind(text.find('\n', at), 1);
  if (text.substr(at, 2) == "/*") return behind(text.find("*/", at + 2), 2);
  return at + 1;
}

/// The next of `marks` from `at` on that stands in no comment and no string.
std::size_t next_mark(std::string_view text, std::size_t at, std::string_view marks) {
  bool stops[256] = {};  // bodies are megabytes
  for (const char mark : marks) stops[static_cast<unsigned char>(mark)] = true;
  while (at < text.size() && !stops[static_cast<unsigned char>(text[at])])
    at = text[at] == '/' || text[at] == '"' ? past(text, at) : at + 1;
  return std::min(at, text.size());
}

/// Behind the brace that closes the one at `at`.
std::size_t past_braces(std::string_view text, std::size_t at) {
  int depth = 0;
  while ((at = next_mark(text, at, "{}")) < text.size()) {
    depth += text[at++] == '{' ? 1 : -1;
    if (depth == 0) break;
  }
  return at;
}

}  // namespace

std::vector<KernelText> kernels_in(std::string_view ptx) {
  std::vector<KernelText> all;
  for (std::size_t at = 0; (at = next_mark(ptx, at, ".{")) < ptx.size();) {
    if (ptx[at] == '{') {
      at = past_braces(ptx, at);  // of a function, of initial values
      continue;
    }
    const std::size_t name = ptx.find_first_not_of(kBlanks, at + kEntry.size());
    if (!ptx.substr(at).starts_with(kEntry) || name == ptx.npos || name == at + kEntry.size()) {
      ++at;
      continue;
    }
    const std::size_t name_end = std::min(ptx.find_first_of(" \t\r\n(.;{", name), ptx.size());
    KernelText kernel{ptx.substr(name, name_end - name), at};
    kernel.body = next_mark(ptx, name_end, "{;");
    const bool has_body = kernel.body < ptx.size() && ptx[kernel.body] == '{';
    kernel.end = has_body ? past_braces(ptx, kernel.body) : std::min(kernel.body + 1, ptx.size());
    if (!has_body) kernel.body = kernel.end;
    at = kernel.end;
    all.push_back(kernel);
  }
  return all;
}

}  // namespace lanescope::emulator
