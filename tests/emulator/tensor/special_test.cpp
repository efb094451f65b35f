// SPDX-License-Identifier: MIT
// Zeros and their signs, infinities, NaN, overflow and underflow.
#include <limits>

#include "tests/emulator/tensor/one.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr TensorShape kM8n8k4ToF32{8, 8, 4, f16, f16, f32}, kM8n8k4ToF16{8, 8, 4, f16, f16, f16};
constexpr std::uint32_t kMinus = 0x80000000, kInfinity = 0x7f800000, kNanPattern = 0x7fffffff;

std::vector<Product> sixteen(double a, double b) {
  std::vector<Product> products;
  for (int k = 0; k < 16; ++k) products.push_back({k, a, b});
  return products;
}
}  // namespace

TEST_CASE("a sum of zero is +0, whatever its terms were") {
  for (const char* arch : {"sm_80", "sm_90a"}) {
    CAPTURE(arch);
    CHECK(one(arch, mma, kF16ToF32, sixteen(-0.0, 1), kMinus) == 0);
    CHECK(one(arch, mma, kF16ToF32, sixteen(0.0, -1), kMinus) == 0);
    CHECK(one(arch, mma, kF16ToF32, sixteen(-0.0, 1), 0) == 0);
    CHECK(one(arch, mma, kF16ToF16, sixteen(-0.0, 1), 0x8000) == 0);
    CHECK(one(arch, mma, kF16ToF16, sixteen(-0.0, 1), 0) == 0);
  }
}

TEST_CASE("x - x is +0") {
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -3, 5}, {1, 3, 5}}, kMinus) == 0);
  CHECK(one("sm_80", mma, kF16ToF32, {{0, -1, 1}}, kOne) == 0);
  CHECK(one("sm_90a", mma, kE4m3, {{0, -1, 1}}, kOne) == 0);
}

TEST_CASE("fp8: -0 everywhere is +0, too") {
  std::vector<Product> products;
  for (int k = 0; k < 32; ++k) products.push_back({k, -0.0, 1});
  CHECK(one("sm_90a", mma, kE4m3, products, kMinus) == 0);
  CHECK(one("sm_90a", wgmma, kE4m3, products, kMinus) == 0);
  CHECK(one("sm_89", mma, kE4m3, products, kMinus) == 0);
}

TEST_CASE("infinities") {
  CHECK(one("sm_80", mma, kF16ToF32, {{3, kInf, 2}}, kOne) == kInfinity);
  CHECK(one("sm_80", mma, kF16ToF32, {{3, kInf, -2}}, kOne) == (kMinus | kInfinity));
  CHECK(one("sm_80", mma, kF16ToF32, {{3, -kInf, -kInf}, {9, 1, 1}}, kOne) == kInfinity);
  CHECK(one("sm_80", mma, kF16ToF32, {{3, 1, 1}}, kMinus | kInfinity) == (kMinus | kInfinity));
  CHECK(one("sm_80", mma, kF16ToF16, {{3, kInf, 2}}, 0) == 0x7c00);
  CHECK(one("sm_89", mma, kE5m2, {{3, kInf, -1}}, 0) == (kMinus | kInfinity));
  CHECK(one("sm_90a", mma, kE5m2, {{3, kInf, -1}}, 0) == (kMinus | kInfinity));
}

TEST_CASE("every NaN is 0x7fffffff, or 0x7fff") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    CAPTURE(arch);
    CHECK(one(arch, mma, kF16ToF32, {{5, kNan, 1}}, kOne) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{5, kInf, 0}}, kOne) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{5, kNan, 0}}, kOne) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{0, kInf, 1}, {1, -kInf, 1}}, kOne) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{0, kInf, 1}, {15, -kInf, 1}}, kOne) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{0, kInf, 1}}, kMinus | kInfinity) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF32, {{0, 1, 1}}, 0xff800001) == kNanPattern);
    CHECK(one(arch, mma, kF16ToF16, {{0, kInf, 0}}, 0) == 0x7fff);
    CHECK(one(arch, mma, kF16ToF16, {{0, 1, 1}}, 0xfc01) == 0x7fff);
  }
  CHECK(one("sm_89", mma, kE4m3, {{31, kNan, 1}}, 0) == kNanPattern);
  CHECK(one("sm_90a", mma, kE4m3, {{31, kNan, 1}}, 0) == kNanPattern);
  CHECK(one("sm_90a", mma, kE4m3, {{31, 1, 1}}, 0xffc00000) == kNanPattern);
}

TEST_CASE("a NaN in one row and one column stays there") {
  const TensorShape shape = kF16ToF32;
  std::vector<std::uint32_t> a(256, exactly(f16, 1)), b(128, exactly(f16, 1)), c(128, kOne), d(128);
  a[2 * 16 + 7] = 0x7e00;
  b[7 * 8 + 5] = 0x7c00;
  multiply(how("sm_90a", mma, shape), shape, a, b, c, d);
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t col = 0; col < 8; ++col) {
      const std::uint32_t expected = row == 2 ? kNanPattern : col == 5 ? kInfinity : 0x41880000;
      CHECK(d[row * 8 + col] == expected);  // 17 = 16 products of 1, and c
    }
}

TEST_CASE("m8n8k4 from sm_80 on is f32 instructions") {
  // f32 sums: from +0, product by product, to nearest; then C.
  CHECK(one("sm_90a", mma, kM8n8k4ToF32, {{0, -0.0, 1}, {1, -0.0, 1}}, kMinus) == 0);
  CHECK(one("sm_90a", mma, kM8n8k4ToF32, {{0, 0x1p-12, 0x1p-12}, {1, 0x1p-12, 0x1p-13}, {2, 1, 1}},
            0) == 0x3f800001);  // 1 + 1.5 * 2^-24
  CHECK(one("sm_75", mma, kM8n8k4ToF32, {{0, 0x1p-12, 0x1p-12}, {1, 0x1p-12, 0x1p-13}, {2, 1, 1}},
            0) == 0x3f800000);
  // f16 sums: (k0 + k1 + C) + (k2 + k3), and no +0 to begin with.
  const std::vector<Product> minus{{0, -0.0, 1}, {1, -0.0, 1}, {2, -0.0, 1}, {3, -0.0, 1}};
  CHECK(one("sm_90a", mma, kM8n8k4ToF16, minus, 0x8000) == 0x8000);
  CHECK(one("sm_90a", mma, kM8n8k4ToF16, {{0, 1, -16384}, {2, 16384, 1}, {3, 0x1p-12, 1}}, 0) == 0);
  CHECK(one("sm_90a", mma, kM8n8k4ToF16, {{0, 1, -16384}, {1, 16384, 1}, {3, 0x1p-12, 1}}, 0) ==
        0x0c00);
  CHECK(one("sm_90a", mma, kM8n8k4ToF16, {{0, kInf, 1}}, 0) == 0x7c00);
  CHECK(one("sm_90a", mma, kM8n8k4ToF16, {{0, kInf, 1}}, 0xfc00) == 0x7fff);
}

TEST_CASE("too large is infinite, towards zero or not") {
  CHECK(one("sm_80", mma, kBf16, {{0, 0x1p127, 1}, {1, 0x1p127, 1}}, 0) == kInfinity);
  CHECK(one("sm_90a", mma, kBf16, {{0, -0x1p127, 1}, {1, -0x1p127, 1}}, 0) == (kMinus | kInfinity));
  CHECK(one("sm_80", mma, kBf16, {{0, 0x1p100, 0x1p100}}, 0) == kInfinity);
  // Products beyond f32's range that cancel do no harm, where they meet in one block.
  const std::vector<Product> cancel{{0, 0x1p100, 0x1p100}, {1, -0x1p100, 0x1p100}, {2, 1, 1}};
  CHECK(one("sm_80", mma, kBf16, cancel, 0) == 0);
  // f16: 65520 is the first number that rounds to infinity.
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 16, 1}}, 0x7bff) == 0x7c00);
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 15, 1}}, 0x7bff) == 0x7bff);
}

TEST_CASE("subnormal operands and results are kept") {
  CHECK(one("sm_80", mma, kF16ToF32, {{0, 0x1p-24, 1}}, 0) == 0x33800000);        // 2^-24
  CHECK(one("sm_80", mma, kF16ToF32, {{0, 0x1p-24, 0x1p-24}}, 0) == 0x27800000);  // 2^-48
  CHECK(one("sm_80", mma, kBf16, {{0, 0x1p-126, 0x1p-10}}, 0) == 0x00002000);     // 2^-136
  CHECK(one("sm_80", mma, kBf16, {{0, 0x1p-133, 1}}, 0) == 0x00010000);
  CHECK(one("sm_80", mma, kF16ToF32, {}, 0x00000001) == 1);
  CHECK(one("sm_90a", mma, kF16ToF32, {}, 0x807fffff) == 0x807fffff);
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 0x1p-24, 1}}, 0) == 0x0001);
  CHECK(one("sm_80", mma, kF16ToF16, {}, 0x8001) == 0x8001);
  // Half of the smallest f16 is a tie and goes to zero; any more goes up.
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 0x1p-24, 0.5}}, 0) == 0);
  CHECK(one("sm_80", mma, kF16ToF16, {{0, 0x1p-24, 0.5}, {1, 0x1p-24, 0x1p-6}}, 0) == 1);
}

TEST_CASE("what underflows to zero is +0") {
  CHECK(one("sm_80", mma, kBf16, {{8, -0x1p-100, 0x1p-50}}, 0) == 0);  // -2^-150
  CHECK(one("sm_80", mma, kBf16, {{8, 0x1p-100, 0x1p-50}}, 0) == 0);
  CHECK(one("sm_90a", mma, kF16ToF16, {{0, -0x1p-24, 0.25}}, 0) == 0);
  CHECK(one("sm_90a", mma, kF16ToF16, {{0, -0x1p-24, 0.25}}, 0x8000) == 0);
}

TEST_CASE("31 bits are not enough for Hopper's sixteen largest products") {
  // 16 * 1.9990^2 + 1.9990 needs 32 bits above 2^-25: the vector path has to notice.
  const double most = 1.9990234375;
  const std::uint32_t expected = lanescope::numeric::encode(
      lanescope::numeric::kF32, 16 * most * most + most, lanescope::numeric::Rounding::rz);
  CHECK(one("sm_90a", mma, kF16ToF32, sixteen(most, most), exactly(f32, most)) == expected);
  CHECK(one("sm_90a", mma, kF16ToF32, sixteen(-most, most), exactly(f32, -most)) ==
        (expected | kMinus));
}
