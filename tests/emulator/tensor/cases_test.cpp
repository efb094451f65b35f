// SPDX-License-Identifier: MIT
// Sums worked out by hand, each showing one rule of docs/arithmetic.md, and most of them another
// result on another generation. 2^-n in f32 is the pattern (127 - n) << 23.
#include <cmath>
#include <tuple>

#include "tests/emulator/tensor/one.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;

namespace {
constexpr std::uint32_t power(int exponent) {
  return static_cast<std::uint32_t>(127 + exponent) << 23;
}
}  // namespace

TEST_CASE("F: a term 25 binary places below the largest survives on Hopper only") {
  // c = 1 sets E = 0; -1 takes it away again; what is left of 2^-25 depends on F alone.
  const std::vector<Product> products{{0, -1, 1}, {1, 0x1p-12, 0x1p-13}};
  CHECK(one("sm_90a", mma, kF16ToF32, products, kOne) == power(-25));
  CHECK(one("sm_80", mma, kF16ToF32, products, kOne) == 0);
  CHECK(one("sm_89", mma, kF16ToF32, products, kOne) == 0);
  CHECK(one("sm_70", mma, kVolta, products, kOne) == 0);
}

TEST_CASE("the worked example of docs/arithmetic.md") {
  const std::vector<Product> products{
      {0, 1.5, 1.5}, {1, -3, 0.75}, {2, 1.75 * 0x1p-12, 1.75 * 0x1p-13}};
  CHECK(one("sm_70", mma, kVolta, products, 0) == 0x00000000);
  CHECK(one("sm_80", mma, kF16ToF32, products, 0) == 0x33800000);
  CHECK(one("sm_90a", mma, kF16ToF32, products, 0) == 0x33c00000);
  const float small = 1.75f * 1.75f * 0x1p-25f;
  CHECK(exactly(f32, small) == 0x33c40000);  // what a chain of FMAs keeps
  // And with c = 1: every generation cuts, the chain rounds up.
  CHECK(one("sm_70", mma, kVolta, products, kOne) == 0x3f800000);
  CHECK(one("sm_80", mma, kF16ToF32, products, kOne) == 0x3f800000);
  CHECK(one("sm_90a", mma, kF16ToF32, products, kOne) == 0x3f800000);
  CHECK(exactly(f32, std::fmaf(1.75f * 0x1p-12f, 1.75f * 0x1p-13f, 1)) == 0x3f800001);
}

TEST_CASE("F: 24 places below, Volta has lost it and Ampere has not") {
  const std::vector<Product> products{{0, -1, 1}, {1, 0x1p-12, 0x1p-12}};
  CHECK(one("sm_80", mma, kF16ToF32, products, kOne) == power(-24));
  CHECK(one("sm_75", mma, {16, 8, 8, f16, f16, f32}, products, kOne) == power(-24));
  CHECK(one("sm_70", mma, kVolta, products, kOne) == 0);
}

TEST_CASE("terms are cut off, not rounded, and by magnitude") {
  // 1.75 * 2^-24 keeps 2^-24: to nearest would be 2 * 2^-24, towards minus infinity -2 * 2^-24.
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -1, 1}, {1, 1.75, 0x1p-24}}, kOne) == power(-24));
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -1, 1}, {1, -1.75, 0x1p-24}}, kOne) ==
        (power(-24) | 0x80000000));
}

TEST_CASE("no sticky bit: seven terms just below the last place are as good as none") {
  std::vector<Product> products{{0, -1, 1}};
  for (int k = 1; k < 8; ++k) products.push_back({k, 1.9990234375 * 0x1p-12, 0x1p-13});
  CHECK(one("sm_80", mma, kF16ToF32, products, kOne) == 0);  // together they are nearly 7 * 2^-24
  CHECK(one("sm_90a", mma, kF16ToF32, products, kOne) == (power(-23) | 0x600000));
}

TEST_CASE("products are not normalised: 1.5 * 1.5 has exponent 0") {
  // Were 2.25 brought to 1.125 * 2^1, E would be 1 and 2^-24 would fall off.
  const std::vector<Product> products{{0, 1.5, 1.5}, {1, -1.5, 1.5}, {2, 0x1p-12, 0x1p-12}};
  CHECK(one("sm_80", mma, kF16ToF32, products, 0) == power(-24));
}

TEST_CASE("a subnormal operand has the exponent of the smallest normal one") {
  // 2^-24 is a subnormal f16: exponent -14, significand 2^-10. With E = -14, 24 places reach 2^-38.
  const std::vector<Product> products{{0, 0x1p-24, 1}, {1, -0x1p-24, 1}, {2, 0x1p-19, 0x1p-20}};
  CHECK(one("sm_80", mma, kF16ToF32, products, 0) == 0);  // 2^-39, with exponent -28, falls off
  const std::vector<Product> higher{{0, 0x1p-24, 1}, {1, -0x1p-24, 1}, {2, 0x1p-19, 0x1p-19}};
  CHECK(one("sm_80", mma, kF16ToF32, higher, 0) == power(-38));
}

TEST_CASE("c is one of the terms: it sets E like any other") {
  // 2^20 leaves 24 places down to 2^-4. An adder of c after the products would have kept 2^-5.
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -1024, 1024}, {1, 0x1p-5, 1}}, power(20)) == 0);
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -1024, 1024}, {1, 0x1p-4, 1}}, power(20)) == power(-4));
  // And it is cut off like any other: c = 2^-25 beside a product of 1 that -1 cancels.
  CHECK(one("sm_80", mma, kF16ToF32, {{0, 1, 1}, {1, -1, 1}}, power(-25)) == 0);
}

TEST_CASE("the f32 result is rounded towards zero") {
  // 1 + 2^-23 + 2^-24 lies half-way; IEEE would go to the even 1 + 2^-22.
  CHECK(one("sm_80", mma, kF16ToF32, {{0, 0x1p-12, 0x1p-12}}, kOne + 1) == kOne + 1);
  CHECK(std::fmaf(0x1p-12f, 0x1p-12f, 1 + 0x1p-23f) == 1 + 0x1p-22f);
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -0x1p-12, 0x1p-12}}, (kOne + 1) | 0x80000000) ==
        ((kOne + 1) | 0x80000000));
}

TEST_CASE("L: Ampere rounds in the middle of k16, Hopper does not") {
  const std::vector<Product> products{{0, 1, 1}, {1, 0x1p-12, 0x1p-12}, {8, -1, 1}};
  CHECK(one("sm_80", mma, kF16ToF32, products, 0) == 0);  // 1 + 2^-24 was rounded to 1 by then
  CHECK(one("sm_90a", mma, kF16ToF32, products, 0) == power(-24));
  CHECK(one("sm_90a", wgmma, {64, 8, 16, f16, f16, f32}, products, 0) == power(-24));
}

TEST_CASE("L of tf32 is 4 on Ampere and 8 on Hopper") {
  const std::vector<Product> products{{0, 1, 1}, {1, 0x1p-12, 0x1p-12}, {4, -1, 1}};
  CHECK(one("sm_80", mma, kTf32, products, 0) == 0);
  CHECK(one("sm_90a", mma, kTf32, products, 0) == power(-24));
}

TEST_CASE("an f16 accumulator is rounded to nearest after every block") {
  // 2049 is half-way between the f16 2048 and 2050 and goes to the even one, twice on Ampere.
  const std::vector<Product> products{{0, 2048, 1}, {1, 1, 1}, {8, 1, 1}};
  CHECK(one("sm_80", mma, kF16ToF16, products, 0) == exactly(f16, 2048));
  CHECK(one("sm_90a", mma, kF16ToF16, products, 0) == exactly(f16, 2050));
  // 2051 goes up to 2052: the rounding is not towards zero.
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 2048, 1}, {1, 3, 1}}, 0) == exactly(f16, 2052));
}

TEST_CASE("the low 13 bits of tf32 operands are ignored") {
  const TensorShape shape = kTf32;
  std::vector<std::uint32_t> a(128, 0), b(64, 0), c(128, 0), d(128), fast(128);
  a[0] = 0x3f801fff;
  b[0] = 0x40001fff;
  multiply_reference(how("sm_80", mma, shape), shape, a, b, c, d);
  multiply(how("sm_80", mma, shape), shape, a, b, c, fast);
  CHECK(d[0] == 0x40000000);
  CHECK(d == fast);
}

TEST_CASE("fp8 on Ada and in wgmma: 13 places, and a result of 13 mantissa bits") {
  for (const auto& [arch, unit, shape] :
       {std::tuple{"sm_89", mma, kE4m3}, std::tuple{"sm_90a", wgmma, kWgmmaE4m3}}) {
    CHECK(one(arch, unit, shape, {{0, 0x1p-6, 0x1p-7}}, kOne) == 0x3f800400);
    CHECK(one(arch, unit, shape, {{0, 0x1p-6, 0x1p-8}}, kOne) == kOne);
    CHECK(one(arch, unit, shape, {}, 0x3f8007ff) ==
          0x3f800400);  // even a c that nothing is added to
  }
}

TEST_CASE("L of fp8 is 16 on Ada and 32 in wgmma") {
  // 2 + 2 + 2^-12: E = 1, so F keeps 2^-12, but 4 + 2^-12 is one bit too long for the result. Ada
  // rounds before -4 comes.
  const std::vector<Product> products{
      {0, 2, 1}, {1, 2, 1}, {2, 0x1p-6, 0x1p-6}, {16, -2, 1}, {17, -2, 1}};
  CHECK(one("sm_89", mma, kE4m3, products, 0) == 0);
  CHECK(one("sm_90a", wgmma, kWgmmaE4m3, products, 0) == power(-12));
}

TEST_CASE("fp8 mma.sync on Hopper: c comes last and is rounded to nearest") {
  // c = 128 has an ulp of 2^-16. 3 * 2^-18 is three quarters of it: up. F = 13 would have lost it.
  CHECK(one("sm_90a", mma, kE4m3, {{0, 0x3p-9, 0x1p-9}}, power(7)) == power(7) + 1);
  CHECK(one("sm_89", mma, kE4m3, {{0, 0x3p-9, 0x1p-9}}, power(7)) == power(7));
  CHECK(one("sm_90a", mma, kE4m3, {}, 0x3f8007ff) == 0x3f8007ff);
}

TEST_CASE("fp8 mma.sync on Hopper: k mod 4 in {0, 1} first, then {2, 3}, rounded in between") {
  // 2^15 + 2^-9 does not fit 24 bits. In the first pass 2^-9 is lost, in the second it is not.
  for (const int k : {1, 4, 5, 16, 29})
    CHECK(one("sm_90a", mma, kE5m2, {{0, 0x1p15, 1}, {2, -0x1p15, 1}, {k, 0x1p-9, 1}}, 0) == 0);
  for (const int k : {3, 6, 7, 18, 31})
    CHECK(one("sm_90a", mma, kE5m2, {{0, 0x1p15, 1}, {2, -0x1p15, 1}, {k, 0x1p-9, 1}}, 0) ==
          power(-9));
}

TEST_CASE("fp8 mma.sync on Hopper: e4m3's subnormals are normal f16") {
  // As f16, 2^-9 has exponent -9, not e4m3's -6. With E = -9 - 9, 25 places reach 2^-43: no product
  // of e4m3 is that small, so nothing is ever lost between two subnormals.
  CHECK(one("sm_90a", mma, kE4m3, {{0, 0x1p-9, 0x1p-9}, {1, -0x1p-9, 0x1p-9}, {4, 0x1p-9, 0x1p-9}},
            0) == power(-18));
}

TEST_CASE("a chain of fused multiply-adds gives another answer") {
  namespace numeric = lanescope::numeric;
  std::uint32_t state = 12345;
  const auto next = [&] {  // any f16 below 2
    state = state * 1664525 + 1013904223;
    return state >> 16 & 0xbfff;
  };
  std::vector<std::uint32_t> a(256), b(128), c(128, 0), d(128);
  for (std::uint32_t& pattern : a) pattern = next();
  for (std::uint32_t& pattern : b) pattern = next();
  multiply(how("sm_80", mma, kF16ToF32), kF16ToF32, a, b, c, d);
  const auto value = [](std::uint32_t pattern) {
    return static_cast<float>(numeric::decode(numeric::kF16, pattern));
  };
  int equal = 0;
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t col = 0; col < 8; ++col) {
      float sum = 0;
      for (std::size_t k = 0; k < 16; ++k)
        sum = std::fmaf(value(a[row * 16 + k]), value(b[k * 8 + col]), sum);
      equal += numeric::encode(numeric::kF32, sum) == d[row * 8 + col];
      // The sums stay below 64, so E <= 5: 18 terms cut at 2^-19, 2 results at 2^-18, and the
      // chain's 16 roundings of half an ulp each.
      const double difference = sum - numeric::decode(numeric::kF32, d[row * 8 + col]);
      CHECK(std::fabs(difference) <= (18 + 2 * 2 + 16) * 0x1p-19);
    }
  CHECK(equal < 100);
  CHECK(equal > 10);
}
