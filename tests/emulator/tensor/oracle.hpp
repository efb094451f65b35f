// SPDX-License-Identifier: MIT
// The algorithm a second time, from the published description and in another style: values in
// doubles instead of significands in integers. It is exact because a term has at most 24 bits, an
// aligned term lies on a grid of at most 32 bits, and doubles have 53 and a wider range than any
// product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator::oracle {

/// Written down again, not taken from arithmetic().
struct Rules {
  int L, F;
  int floor;     // exponent of the emptiest sum
  int keep;      // mantissa bits of D
  bool nearest;  // else towards zero
  bool f16_pairs;
};

struct Value {
  double value;
  int exponent;  // at least e_min of the format; meaningless for 0
};

inline int e_min(const numeric::Format& format) { return 1 - format.bias; }

inline Value value_of(const numeric::Format& format, std::uint32_t pattern, int lowest) {
  const double value = numeric::decode(format, pattern);
  return {value, value == 0 || !std::isfinite(value) ? 0 : std::max(std::ilogb(value), lowest)};
}

/// Rounds to `keep` mantissa bits in D's format; too large is infinite.
inline std::uint32_t round(const numeric::Format& format, const Rules& rules, double value) {
  if (std::isnan(value)) return format.bits == 16 ? 0x7fff : 0x7fffffff;
  if (value == 0 || std::isinf(value)) return numeric::encode(format, value);
  const int exponent = std::max(std::ilogb(value), e_min(format));
  const double grid = std::ldexp(1.0, exponent - rules.keep);
  const double steps = value / grid;  // exact: a power of two
  const double rounded = rules.nearest ? std::nearbyint(steps) : std::trunc(steps);
  // What is on the grid needs no further rounding: encode only spells it, or overflows. There is
  // no -0.
  return numeric::encode(format, rounded == 0 ? 0.0 : rounded * grid);
}

inline double block(const Rules& rules, const std::vector<Value>& terms) {
  double ieee = 0;
  for (const Value& term : terms) ieee += term.value;
  if (!std::isfinite(ieee)) return ieee;
  int E = rules.floor;
  for (const Value& term : terms)
    if (term.value != 0) E = std::max(E, term.exponent);
  const double unit = std::ldexp(1.0, rules.F - E);
  double sum = 0;
  for (const Value& term : terms) sum += std::trunc(term.value * unit);
  return sum / unit;
}

inline std::uint32_t dot(const Rules& rules, const numeric::Format& a_format,
                         const numeric::Format& b_format, const numeric::Format& d_format,
                         const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                         std::uint32_t c) {
  const int a_low = rules.f16_pairs ? -14 : e_min(a_format);
  const int b_low = rules.f16_pairs ? -14 : e_min(b_format);
  const auto product = [&](std::size_t k) {
    const Value left = value_of(a_format, a[k], a_low), right = value_of(b_format, b[k], b_low);
    return Value{left.value * right.value, left.exponent + right.exponent};
  };
  const auto sum = [&](const std::vector<std::size_t>& places, std::uint32_t start) {
    std::vector<Value> terms;
    for (const std::size_t k : places) terms.push_back(product(k));
    terms.push_back(value_of(d_format, start, e_min(d_format)));
    return round(d_format, rules, block(rules, terms));
  };
  if (rules.f16_pairs) {
    std::vector<std::size_t> low, high;
    for (std::size_t k = 0; k < a.size(); ++k) (k % 4 < 2 ? low : high).push_back(k);
    const std::uint32_t chain = sum(high, sum(low, 0));
    const double left = numeric::decode(d_format, chain), right = numeric::decode(d_format, c);
    if (d_format.bits == 16) return numeric::encode(d_format, left + right);
    const float total = static_cast<float>(left) + static_cast<float>(right);
    return round(d_format, rules, total);  // already an f32: only spelled
  }
  for (std::size_t first = 0; first < a.size(); first += static_cast<std::size_t>(rules.L)) {
    std::vector<std::size_t> places;
    for (std::size_t k = first; k < std::min(a.size(), first + static_cast<std::size_t>(rules.L));
         ++k)
      places.push_back(k);
    c = sum(places, c);
  }
  return c;
}

}  // namespace lanescope::emulator::oracle
