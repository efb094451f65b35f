// SPDX-License-Identifier: MIT
// Words of lower-case hexadecimal digits, strictly: "3c003c00 40004000".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

/// All digits of `text`, of which there are 1 to 16, as one number.
std::optional<std::uint64_t> parse_hex(std::string_view text);

/// A word of `digits` digits for each lane, separated by single blanks. Returns what is wrong, or
/// "".
std::string parse_words(std::string_view text, int digits, std::vector<std::uint64_t>& words);

/// Two digits a byte, appended to `bytes`. False when a digit is none or one is left over.
bool parse_bytes(std::string_view text, std::vector<std::uint8_t>& bytes);

}  // namespace lanescope::trace
