// SPDX-License-Identifier: MIT
#include "emulator/ptx/ptx_number.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

bool parse_hex(std::string_view digits, std::size_t count, std::uint64_t& bits) {
  if (digits.size() != count) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + count, bits, 16);
  return error == std::errc{} && end == digits.data() + count;
}

double as_double(const ParsedNumber& number) {
  if (number.real_bits == 64) {
    double value;
    std::memcpy(&value, &number.bits, 8);
    return value;
  }
  const auto low = static_cast<std::uint32_t>(number.bits);
  float value;
  std::memcpy(&value, &low, 4);
  return value;
}

}  // namespace

bool parse_integer(std::string_view text, std::int64_t& value) {
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, base);
  value = static_cast<std::int64_t>(bits);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

bool parse_number(std::string_view text, ParsedNumber& number) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F')) {
    number.is_real = true;
    number.real_bits = 32;
    return parse_hex(text.substr(2), 8, number.bits);
  }
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'd' || text[1] == 'D')) {
    number.is_real = true;
    return parse_hex(text.substr(2), 16, number.bits);
  }
  const bool is_hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  if (text.find('.') != std::string_view::npos ||
      (!is_hex && text.find_first_of("eE") != std::string_view::npos)) {
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    std::memcpy(&number.bits, &value, 8);
    number.is_real = true;
    return end == copy.c_str() + copy.size();
  }
  std::int64_t value = 0;
  if (!parse_integer(text, value)) return false;
  number.bits = static_cast<std::uint64_t>(value);
  return true;
}

std::uint64_t ParsedNumber::bits_as(Type type, bool negative) const {
  if (!is_real) return negative ? ~bits + 1 : bits;
  const double value = negative ? -as_double(*this) : as_double(*this);
  std::uint64_t pattern = 0;
  if (info(type).bits == 64) {
    std::memcpy(&pattern, &value, 8);
  } else if (info(type).bits == 16) {
    pattern = numeric::encode(type == Type::bf16 ? numeric::kBf16 : numeric::kF16, value);
  } else if (real_bits == 32) {
    pattern = bits ^ (negative ? 0x80000000u : 0u);
  } else {
    const auto narrow = static_cast<float>(value);
    std::uint32_t low;
    std::memcpy(&low, &narrow, 4);
    pattern = low;
  }
  return pattern;
}

}  // namespace lanescope::emulator
