// SPDX-License-Identifier: MIT
#include "trace/hex.hpp"

#include <fmt/format.h>

#include <array>

namespace lanescope::trace {
namespace {

constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> digit_table() {
  std::array<std::uint8_t, 256> table{};
  for (std::uint8_t& entry : table) entry = kNoDigit;
  for (std::uint8_t i = 0; i < 16; ++i) table[static_cast<std::size_t>("0123456789abcdef"[i])] = i;
  return table;
}
constexpr std::array<std::uint8_t, 256> kDigits = digit_table();

std::uint8_t digit(char c) { return kDigits[static_cast<unsigned char>(c)]; }

// The first word that is not as it should be; slow, for files that are refused anyway.
std::string explain(std::string_view text, int digits) {
  int lane = 0;
  for (std::size_t at = 0; at <= text.size(); ++lane) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    bool good = word.size() == static_cast<std::size_t>(digits);
    for (const char c : word) good = good && digit(c) != kNoDigit;
    if (!good)
      return fmt::format("lane {}: not {} lower-case hexadecimal digits and a blank", lane, digits);
    at = end + 1;
  }
  return fmt::format("{} words, one for each of 32 or 128 lanes belong there", lane);
}

}  // namespace

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.empty() || text.size() > 16) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : text) {
    if (digit(c) == kNoDigit) return std::nullopt;
    number = number << 4 | digit(c);
  }
  return number;
}

std::string parse_words(std::string_view text, int digits, std::vector<std::uint64_t>& words) {
  const std::size_t width = static_cast<std::size_t>(digits) + 1;
  const std::size_t lanes = (text.size() + 1) / width;
  if ((text.size() + 1) % width != 0 || (lanes != 32 && lanes != 128)) return explain(text, digits);
  words.resize(lanes);
  std::uint8_t seen = 0;  // the high bits show whether any digit was none
  bool blanks = true;
  const char* at = text.data();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::uint64_t word = 0;
    for (int i = 0; i < digits; ++i) {
      const std::uint8_t value = digit(*at++);
      seen |= value;
      word = word << 4 | (value & 15u);
    }
    words[lane] = word;
    if (lane + 1 < lanes) blanks = *at++ == ' ' && blanks;
  }
  return seen > 15 || !blanks ? explain(text, digits) : std::string();
}

bool parse_bytes(std::string_view text, std::vector<std::uint8_t>& bytes) {
  if (text.size() % 2 != 0) return false;
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::uint8_t high = digit(text[i]), low = digit(text[i + 1]);
    seen |= high | low;
    bytes.push_back(static_cast<std::uint8_t>(high << 4 | (low & 15u)));
  }
  return seen <= 15;
}

}  // namespace lanescope::trace
