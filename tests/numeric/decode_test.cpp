// SPDX-License-Identifier: MIT
// Every pattern of every format against a second computation and against published values.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "numeric/format.hpp"
#include "tests/numeric/oracle.hpp"

using namespace lanescope::numeric;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same(double left, double right) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  return left == right && std::signbit(left) == std::signbit(right);
}

double expected(const oracle::Known& known, std::uint32_t pattern) {
  const std::uint32_t magnitude = pattern & (oracle::sign_bit(known) - 1);
  double value = oracle::magnitude(known, magnitude);
  if (known.first_nan != 0 && magnitude >= known.first_nan)
    return std::numeric_limits<double>::quiet_NaN();
  if (known.infinity != 0 && magnitude == known.infinity) value = kInfinity;
  return (pattern & oracle::sign_bit(known)) != 0 ? -value : value;
}
}  // namespace

TEST_CASE("decode: every pattern of every format") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    int wrong = 0;
    for (std::uint32_t pattern = 0; pattern < 1u << known.pattern_bits; ++pattern) {
      const double value = decode(*known.format, oracle::container(known, pattern));
      if (same(value, expected(known, pattern))) continue;
      if (++wrong <= 5) {
        CAPTURE(pattern);
        CHECK(value == expected(known, pattern));
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("decode: the published largest and smallest values") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    const std::uint32_t beyond = known.infinity != 0    ? known.infinity
                                 : known.first_nan != 0 ? known.first_nan
                                                        : oracle::sign_bit(known);
    CHECK(decode(*known.format, oracle::container(known, beyond - 1)) == known.largest);
    CHECK(decode(*known.format, oracle::container(known, 1)) == known.smallest);
  }
}

TEST_CASE("decode: every f32 exponent with several mantissas is the float itself") {
  for (std::uint32_t high = 0; high < 0x200; ++high)
    for (const std::uint32_t low : {0u, 1u, 0x2aaaaau, 0x400000u, 0x7fffffu}) {
      const std::uint32_t bits = high << 23 | low;
      CHECK(same(decode(kF32, bits), std::bit_cast<float>(bits)));
    }
}

TEST_CASE("decode: values one can look up") {
  CHECK(decode(kF16, 0x3c00) == 1.0);
  CHECK(decode(kF16, 0xc000) == -2.0);
  CHECK(decode(kF16, 0x3555) == 0.333251953125);
  CHECK(decode(kBf16, 0x4049) == 3.140625);
  CHECK(decode(kTf32, 0x3f9e0651) == 0x1.3cp0);  // the low 13 bits are ignored
  CHECK(decode(kE4m3, 0x7e) == 448.0);
  CHECK(decode(kE4m3, 0x38) == 1.0);
  CHECK(decode(kE5m2, 0x7b) == 57344.0);
  CHECK(std::isnan(decode(kE4m3, 0xff)));
  CHECK(decode(kE5m2, 0xfc) == -kInfinity);
  CHECK(decode(kE2m1, 0x7) == 6.0);
  CHECK(decode(kE3m2, 0x1f) == 28.0);
  CHECK(decode(kE2m3, 0x3f) == -7.5);
}

TEST_CASE("decode: bits outside the format do not matter") {
  for (std::uint32_t pattern = 0; pattern < 256; ++pattern) {
    CHECK(same(decode(kE4m3, pattern | 0xabcdef00), decode(kE4m3, pattern)));
    CHECK(same(decode(kE2m1, pattern), decode(kE2m1, pattern & 0xf)));
    CHECK(same(decode(kTf32, pattern << 19 | 0x1fff), decode(kTf32, pattern << 19)));
  }
  // A NaN whose payload lies in the ignored bits alone is an infinity to the tensor core.
  CHECK(decode(kTf32, 0x7f800001) == kInfinity);
}

TEST_CASE("find_format knows the floating-point names and no others") {
  for (const oracle::Known& known : oracle::kAll)
    CHECK(find_format(known.format->name) == known.format);
  CHECK(find_format("f32") == &kF32);
  CHECK(find_format("s8") == nullptr);
  CHECK(find_format("") == nullptr);
  CHECK(find_format("F16") == nullptr);
}
