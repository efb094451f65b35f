// SPDX-License-Identifier: MIT
// The length of one UTF-8 character, strictly: no overlong forms, no surrogates, nothing above
// U+10FFFF. Source: RFC 3629, section 4.
#pragma once

#include <cstddef>
#include <string_view>

namespace lanescope::trace {

/// Bytes of the character that `text` begins with; 0 when it begins with none.
constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (text.empty()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (first == 0xe0 && second < 0xa0) return 0;  // overlong
    if (first == 0xed && second > 0x9f) return 0;  // surrogates
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (first == 0xf0 && second < 0x90) return 0;
    if (first == 0xf4 && second > 0x8f) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace lanescope::trace
