// SPDX-License-Identifier: MIT
#include "launcher/element.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "numeric/format.hpp"

namespace lanescope::launcher {
namespace {

constexpr std::array kElements{
    Element{"f16", 2, Element::Kind::real, 6},    Element{"bf16", 2, Element::Kind::real, 9},
    Element{"f32", 4, Element::Kind::real, 7},    Element{"tf32", 4, Element::Kind::real, 11},
    Element{"f64", 8, Element::Kind::real, 8},    Element{"e4m3", 1, Element::Kind::real, 0},
    Element{"e5m2", 1, Element::Kind::real, 0},   Element{"s8", 1, Element::Kind::whole, 0},
    Element{"s16", 2, Element::Kind::whole, 1},   Element{"s32", 4, Element::Kind::whole, 3},
    Element{"s64", 8, Element::Kind::whole, 5},   Element{"u8", 1, Element::Kind::natural, 0},
    Element{"u16", 2, Element::Kind::natural, 1}, Element{"u32", 4, Element::Kind::natural, 2},
    Element{"u64", 8, Element::Kind::natural, 4}, Element{"b8", 1, Element::Kind::natural, 0},
    Element{"b16", 2, Element::Kind::natural, 1}, Element{"b32", 4, Element::Kind::natural, 2},
    Element{"b64", 8, Element::Kind::natural, 4}};

std::uint64_t mask(const Element& element) { return ~std::uint64_t{0} >> (64 - 8 * element.bytes); }

std::uint64_t pattern_of(const Element& element, double value) {
  if (element.name == "f64") return __builtin_bit_cast(std::uint64_t, value);
  return numeric::encode(*numeric::find_format(element.name), value);
}

double value_of(const Element& element, std::uint64_t pattern) {
  if (element.name == "f64") return __builtin_bit_cast(double, pattern);
  return numeric::decode(*numeric::find_format(element.name), static_cast<std::uint32_t>(pattern));
}

// splitmix64: its constants.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

const Element* find_element(std::string_view name) {
  for (const Element& element : kElements)
    if (element.name == name) return &element;
  return nullptr;
}

std::string element_names() {
  std::string names;
  for (const Element& element : kElements) {
    if (!names.empty()) names += ' ';
    names += element.name;
  }
  return names;
}

std::optional<std::uint64_t> read_number(const Element& element, std::string_view text) {
  const std::string word(text);
  if (word.empty() || std::strchr(" \t\n", word.front()) != nullptr) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  if (element.kind == Element::Kind::real) {
    const double value = std::strtod(word.c_str(), &end);
    if (*end != '\0' || (std::isinf(value) && errno != 0)) return std::nullopt;
    const std::uint64_t pattern = pattern_of(element, value);
    // 1e6 is no f16: infinity is meant by who writes inf.
    return std::isfinite(value) && !std::isfinite(value_of(element, pattern))
               ? std::nullopt
               : std::optional{pattern};
  }
  const bool is_negative = word.front() == '-';
  const char* digits = word.c_str() + (is_negative ? 1 : 0);
  const bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const std::uint64_t value = std::strtoull(digits, &end, is_hex ? 16 : 10);  // 010 is ten
  if (*end != '\0' || errno != 0 || end == digits || *digits == '-' || *digits == '+' ||
      std::isspace(static_cast<unsigned char>(*digits)) != 0)
    return std::nullopt;
  const std::uint64_t most = element.kind == Element::Kind::natural ? mask(element)
                             : is_negative                          ? (mask(element) >> 1) + 1
                                                                    : mask(element) >> 1;
  if (value > most || (is_negative && element.kind == Element::Kind::natural)) return std::nullopt;
  return (is_negative ? ~value + 1 : value) & mask(element);
}

std::uint64_t random_pattern(const Element& element, std::uint64_t seed, std::uint64_t place) {
  const std::uint64_t drawn = mixed(mixed(seed) + place);
  if (element.kind != Element::Kind::real) return drawn & mask(element);
  return pattern_of(element, static_cast<double>(static_cast<std::int64_t>(drawn) >> 11) * 0x1p-51);
}

std::uint64_t whole_pattern(const Element& element, std::uint64_t seed, std::uint64_t place) {
  const std::uint64_t drawn = mixed(mixed(seed) + place);
  if (element.kind == Element::Kind::natural) return drawn % 9;
  const auto number = static_cast<std::int64_t>(drawn % 17) - 8;
  if (element.kind == Element::Kind::real) return pattern_of(element, static_cast<double>(number));
  return static_cast<std::uint64_t>(number) & mask(element);
}

std::uint64_t index_pattern(const Element& element, std::uint64_t place) {
  if (element.kind != Element::Kind::real) return place & mask(element);
  return pattern_of(element, static_cast<double>(place));
}

std::string text_of(const Element& element, std::uint64_t pattern) {
  if (element.kind == Element::Kind::real) return *numeric::to_text(element.name, pattern);
  if (element.kind == Element::Kind::natural && element.name[0] == 'b')
    return fmt::format("0x{:0{}x}", pattern, 2 * element.bytes);
  if (element.kind == Element::Kind::natural) return fmt::to_string(pattern);
  const int shift = 64 - 8 * element.bytes;
  return fmt::to_string(static_cast<std::int64_t>(pattern << shift) >> shift);
}

std::uint64_t load(const Element& element, const std::byte* from) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, from, static_cast<std::size_t>(element.bytes));
  return pattern;
}

void store(const Element& element, std::uint64_t pattern, std::byte* to) {
  std::memcpy(to, &pattern, static_cast<std::size_t>(element.bytes));
}

}  // namespace lanescope::launcher
