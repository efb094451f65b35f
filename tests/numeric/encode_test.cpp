// SPDX-License-Identifier: MIT
// Every value, every boundary and every tie of every format, under every rounding: the expected
// pattern is found by looking into the sorted list of all values, not by computing with bits.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "numeric/format.hpp"
#include "tests/numeric/oracle.hpp"

using namespace lanescope::numeric;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kRoundings{Rounding::rn, Rounding::rz, Rounding::rna, Rounding::rm,
                                Rounding::rp};
constexpr std::array kOverflows{Overflow::infinity, Overflow::satfinite};

/// The pattern of a value that lies between values[index] and values[index + 1].
std::uint32_t expected(const oracle::Known& known, const std::vector<double>& values,
                       std::size_t index, double value, Rounding rounding, Overflow overflow) {
  const bool negative = std::signbit(value);
  const double low = values[index], high = values[index + 1], size = std::fabs(value);
  const double middle = low + (high - low) / 2;  // exact: neighbours differ by one bit
  bool up = false;
  if (rounding == Rounding::rn) up = size > middle || (size == middle && index % 2 == 1);
  if (rounding == Rounding::rna) up = size >= middle;
  if (rounding == Rounding::rm) up = negative && size > low;
  if (rounding == Rounding::rp) up = !negative && size > low;
  if (size == high) up = true;
  std::uint32_t pattern = static_cast<std::uint32_t>(index) + (up ? 1 : 0);
  if (pattern == values.size() - 1) {  // beyond the largest finite value
    const bool inwards = rounding == Rounding::rz || (rounding == Rounding::rm && !negative) ||
                         (rounding == Rounding::rp && negative);
    --pattern;
    if (overflow == Overflow::infinity && !inwards && known.infinity != 0) pattern = known.infinity;
    if (overflow == Overflow::infinity && !inwards && known.infinity == 0 && known.first_nan != 0)
      return known.canonical_nan;
  }
  return oracle::container(known, pattern | (negative ? oracle::sign_bit(known) : 0));
}

struct Tally {
  long tried = 0, wrong = 0;
  void check(const oracle::Known& known, const std::vector<double>& values, std::size_t index,
             double value) {
    for (const Rounding rounding : kRoundings)
      for (const Overflow overflow : kOverflows)
        for (const double signed_value : {value, -value}) {
          ++tried;
          const std::uint32_t found = encode(*known.format, signed_value, rounding, overflow);
          const std::uint32_t wanted =
              expected(known, values, index, signed_value, rounding, overflow);
          if (found == wanted || ++wrong > 5) continue;
          CAPTURE(signed_value);
          CAPTURE(static_cast<int>(rounding));
          CAPTURE(static_cast<int>(overflow));
          CHECK(found == wanted);
        }
  }
};
}  // namespace

TEST_CASE("encode gives back every pattern it is given the value of") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    int wrong = 0;
    for (std::uint32_t p = 0; p < 1u << known.pattern_bits; ++p) {
      const std::uint32_t pattern = oracle::container(known, p);
      const double value = decode(*known.format, pattern);
      const std::uint32_t wanted = std::isnan(value) ? known.canonical_nan : pattern;
      for (const Rounding rounding : kRoundings)
        if (encode(*known.format, value, rounding) != wanted) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("encode: every neighbouring pair, its middle, and one double ulp around each") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    const std::vector<double> values = oracle::values(known);
    Tally tally;
    for (std::size_t index = 0; index + 1 < values.size(); ++index) {
      const double low = values[index], high = values[index + 1];
      const double middle = low + (high - low) / 2;
      for (const double value : {low, std::nextafter(low, high), std::nextafter(middle, low),
                                 middle, std::nextafter(middle, high), std::nextafter(high, low)})
        tally.check(known, values, index, value);
    }
    CHECK(tally.wrong == 0);
    CHECK(tally.tried == static_cast<long>(values.size() - 1) * 6 * 5 * 2 * 2);
  }
}

TEST_CASE("encode: far beyond the largest value") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    const std::vector<double> values = oracle::values(known);
    for (const double value : {values.back(), 2 * values.back(), 0x1p200, 0x1.fffffffffffffp1023})
      for (const double size : {value, std::nextafter(value, 1.0)})
        if (size >= values.back()) {
          // Anything beyond rounds like the first value beyond.
          for (const Rounding rounding : kRoundings)
            for (const Overflow overflow : kOverflows)
              for (const double sign : {1.0, -1.0}) {
                CAPTURE(size);
                CHECK(encode(*known.format, sign * size, rounding, overflow) ==
                      expected(known, values, values.size() - 2, sign * values.back(), rounding,
                               overflow));
              }
        }
  }
}

TEST_CASE("encode: far below the smallest value") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    const std::vector<double> values = oracle::values(known);
    Tally tally;
    for (const double value : {0.0, 0x1p-1074, 0x1p-1022, 0x1p-500, 0x1p-150})
      tally.check(known, values, 0, value);
    CHECK(tally.wrong == 0);
  }
}

TEST_CASE("encode: infinities and NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    const Format& format = *known.format;
    const std::uint32_t largest =
        oracle::container(known, static_cast<std::uint32_t>(oracle::values(known).size() - 2));
    const std::uint32_t minus = oracle::container(known, oracle::sign_bit(known));
    for (const Rounding rounding : kRoundings) {
      CHECK(encode(format, nan, rounding) == known.canonical_nan);
      CHECK(encode(format, -nan, rounding, Overflow::satfinite) == known.canonical_nan);
      CHECK(encode(format, kInfinity, rounding, Overflow::satfinite) == largest);
      CHECK(encode(format, -kInfinity, rounding, Overflow::satfinite) == (largest | minus));
      // An infinity is not a large number that a rounding could bring back.
      const std::uint32_t infinite = encode(format, kInfinity, rounding);
      if (known.infinity != 0) {
        CHECK(infinite == oracle::container(known, known.infinity));
        CHECK(encode(format, -kInfinity, rounding) == (infinite | minus));
      } else if (known.first_nan != 0) {
        CHECK(infinite == known.canonical_nan);
      } else {
        CHECK(infinite == largest);
      }
    }
  }
}

TEST_CASE("encode: cases worked out by hand") {
  CHECK(encode(kF16, 65519.99) == 0x7bff);
  CHECK(encode(kF16, 65520.0) == 0x7c00);  // the tie goes to the even pattern: infinity
  CHECK(encode(kF16, 65520.0, Rounding::rz) == 0x7bff);
  CHECK(encode(kF16, 0x1p-25) == 0x0000);  // half the smallest subnormal: a tie, to even
  CHECK(encode(kF16, 0x1p-25, Rounding::rna) == 0x0001);
  CHECK(encode(kF16, std::nextafter(0x1p-25, 1.0)) == 0x0001);
  CHECK(encode(kF16, -0x1p-25) == 0x8000);
  CHECK(encode(kF16, -0.0) == 0x8000);
  CHECK(encode(kE4m3, 464.0) == 0x7e);  // between 448 and the 480 there is not: to even, 448
  CHECK(encode(kE4m3, 465.0) == 0x7f);
  CHECK(encode(kE4m3, 465.0, Rounding::rn, Overflow::satfinite) == 0x7e);
  CHECK(encode(kE5m2, 61440.0) == 0x7c);
  CHECK(encode(kE5m2, 61440.0, Rounding::rn, Overflow::satfinite) == 0x7b);
  CHECK(encode(kTf32, 1.0 + 0x1p-11) == 0x3f800000);
  CHECK(encode(kTf32, 1.0 + 0x1p-11, Rounding::rna) == 0x3f802000);
  CHECK(encode(kBf16, 1.0 + 0x1p-8) == 0x3f80);
  CHECK(encode(kBf16, 1.0 + 0x1p-7 + 0x1p-8) == 0x3f82);
  CHECK(encode(kE2m1, 2.5) == 0x4);
  CHECK(encode(kE2m1, 100.0) == 0x7);
}
