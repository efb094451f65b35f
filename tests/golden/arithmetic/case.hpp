// SPDX-License-Identifier: MIT
// An instruction whose arithmetic is recorded, as its name tells it: shape, types, variants. Plain
// C++17, for nvcc on the card's machine and for the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::golden {

struct Element {
  const char* name;
  int bits, exponent_bits, mantissa_bits, ignored_bits;  // no exponent: an integer
  bool has_infinity;
};

inline constexpr Element kElements[] = {
    {"f16", 16, 5, 10, 0, true},  {"bf16", 16, 8, 7, 0, true}, {"tf32", 32, 8, 10, 13, true},
    {"e4m3", 8, 4, 3, 0, false},  {"e5m2", 8, 5, 2, 0, true},  {"f32", 32, 8, 23, 0, true},
    {"f64", 64, 11, 52, 0, true}, {"s8", 8, 0, 0, 0, false},   {"u8", 8, 0, 0, 0, false},
    {"s4", 4, 0, 0, 0, false},    {"u4", 4, 0, 0, 0, false},   {"b1", 1, 0, 0, 0, false},
    {"s32", 32, 0, 0, 0, false},
};

inline const Element* find_element(const std::string& name) {
  for (const Element& element : kElements)
    if (name == element.name) return &element;
  return nullptr;
}

/// An instruction as its name tells it: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
/// followed, for wgmma, by what its operands add: " registers zero_d minus_a".
struct Case {
  std::string name;
  int M = 0, N = 0, K = 0;
  const Element* a = nullptr;
  const Element* b = nullptr;
  const Element* d = nullptr;
  const Element* c = nullptr;
  bool sparse = false, wgmma = false, satfinite = false, conjunction = false;
  bool registers = false, zero_d = false, minus_a = false, minus_b = false;

  int kept() const { return sparse ? K / 2 : K; }
  int a_bytes() const { return kept() * a->bits / 8; }  // of a row
  int b_bytes() const { return K * b->bits / 8; }       // of a column
  int c_bytes() const { return c->bits / 8; }           // of an element
  int d_bytes() const { return d->bits / 8; }
};

inline Case parse_case(const std::string& text) {
  Case result;
  result.name = text;
  std::vector<const Element*> types;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && text[end] != '.' && text[end] != ' ' && text[end] != ':') ++end;
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word == "wgmma") result.wgmma = true;
    if (word == "sp") result.sparse = true;
    if (word == "satfinite") result.satfinite = true;
    if (word == "and") result.conjunction = true;
    if (word == "registers") result.registers = true;
    if (word == "zero_d") result.zero_d = true;
    if (word == "minus_a") result.minus_a = true;
    if (word == "minus_b") result.minus_b = true;
    if (const Element* element = find_element(word)) types.push_back(element);
    if (word.size() > 5 && word[0] == 'm' && word[1] >= '0' && word[1] <= '9') {
      const std::size_t n = word.find('n'), k = word.find('k');
      result.M = std::stoi(word.substr(1, n - 1));
      result.N = std::stoi(word.substr(n + 1, k - n - 1));
      result.K = std::stoi(word.substr(k + 1));
    }
  }
  if (types.size() < 3) return result;
  result.d = types[0];
  result.a = types[1];
  result.b = types[2];
  result.c = types.size() > 3 ? types[3] : types[0];
  return result;
}

}  // namespace lanescope::golden
