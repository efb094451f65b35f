// SPDX-License-Identifier: MIT
// Sums of block-scaled products, worked out on paper from what is published of a card of sm_120.
#include <cmath>
#include <random>

#include "emulator/tensor/scaled.hpp"
#include "tests/emulator/tensor/one.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;
namespace numeric = lanescope::numeric;

namespace {

struct Sum {
  TensorShape shape;
  ScaleType type;
  std::vector<double> a;              // times 1
  std::vector<std::uint8_t> scale_a;  // times 1
};

// One row and one column.
std::uint32_t sum(const Sum& in, double c) {
  const auto& format = in.shape.a == e2m1 ? numeric::kE2m1 : numeric::kE4m3;
  std::vector<std::uint8_t> a, b, ones;
  for (const double value : in.a)
    a.push_back(static_cast<std::uint8_t>(numeric::encode(format, value)));
  a.resize(static_cast<std::size_t>(in.shape.K));
  b.resize(a.size(), static_cast<std::uint8_t>(numeric::encode(format, 1)));
  ones.resize(in.scale_a.size(), in.type == ScaleType::ue4m3 ? 0x38 : 127);
  const std::uint32_t start = numeric::encode(numeric::kF32, c);
  std::uint32_t d = 0;
  multiply_scaled(how("sm_120a", mma, in.shape), in.shape,
                  {in.type, in.scale_a.data(), ones.data()}, a.data(), b.data(), &start, &d);
  return d;
}
std::uint32_t f32_of(double value) { return numeric::encode(numeric::kF32, value); }

constexpr TensorShape kScaledMxf8{1, 1, 32, e4m3, e4m3, f32, false, BitOperation::exclusive_or, 1};
constexpr TensorShape kScaledMxf4{1, 1, 64, e2m1, e2m1, f32, false, BitOperation::exclusive_or, 2};
constexpr TensorShape kScaledNvf4{1, 1, 64, e2m1, e2m1, f32, false, BitOperation::exclusive_or, 4};

}  // namespace

TEST_CASE("mxf8f6f4: each product has the scales in its exponent, F is 25, all 32 meet c") {
  // 1 - 1 + 2^-25 by a scale of 2^-25, and half of that: what lies beneath F is cut off.
  const auto small = [](int exponent) {
    return sum({kScaledMxf8, ScaleType::ue8m0, {1}, {static_cast<std::uint8_t>(127 + exponent)}},
               1);
  };
  CHECK(small(-23) == f32_of(1 + 0x1p-23));
  CHECK(small(-24) == f32_of(1));
  const auto below = [](int exponent) {  // 1 + 2^e of a's, -1 of c's
    return sum({kScaledMxf8, ScaleType::ue8m0, {1, std::ldexp(1, exponent)}, {127}}, -1);
  };
  CHECK(below(-9) == f32_of(0x1p-9));
  const auto deep = [](int c_exponent) {  // 2^c_exponent of c beside 256 - 256 of a's
    return sum({kScaledMxf8, ScaleType::ue8m0, {256, -256}, {127}}, std::ldexp(1, c_exponent));
  };
  CHECK(deep(-17) == f32_of(0x1p-17));
  CHECK(deep(-18) == 0);
}

TEST_CASE("mxf4 and mxf4nvf4: sixteen products are one exact term, F is 35") {
  // A term's exponent is its scales': here 0; so 2^-35 of another is heard beside it, 2^-36 not.
  const auto two = [](int exponent) {
    std::vector<double> a(64);
    a[0] = 1, a[32] = 1;
    return sum({kScaledMxf4, ScaleType::ue8m0, a, {127, static_cast<std::uint8_t>(127 + exponent)}},
               -1);
  };
  CHECK(two(-35) == f32_of(0x1p-35));
  CHECK(two(-36) == 0);
  // 16 x 6 is 96, whose own exponent would be 6: still the scales', so that 2^-35 is heard.
  const auto beside_96 = [](int exponent) {
    std::vector<double> a(64);
    for (std::size_t k = 0; k < 32; ++k) a[k] = k < 16 ? 6 : -6;
    a[32] = 1;
    return sum({kScaledMxf4, ScaleType::ue8m0, a, {127, static_cast<std::uint8_t>(127 + exponent)}},
               0);
  };
  CHECK(beside_96(-35) == f32_of(0x1p-35));
  CHECK(beside_96(-36) == 0);
  // ue4m3: 1.125 x 2^3 times 16 x 0.5; its smallest, 2^-9, is kept.
  std::vector<double> half(64, 0.5);
  CHECK(sum({kScaledNvf4, ScaleType::ue4m3, half, {0x51, 0, 0, 0}}, 0) == f32_of(72));
  CHECK(sum({kScaledNvf4, ScaleType::ue4m3, half, {0x01, 0, 0, 0x81}}, 0) == f32_of(0x1p-5));
}

TEST_CASE("scales at the ends of ue8m0: 2^-127, 2^127, NaN") {
  const auto by = [](std::uint8_t scale, double a, double c) {
    return sum({kScaledMxf8, ScaleType::ue8m0, {a}, {scale}}, c);
  };
  CHECK(by(0, 1, 0) == f32_of(0x1p-127));  // a subnormal f32
  CHECK(by(254, 1, 0) == f32_of(0x1p127));
  CHECK(by(254, 2, 0) == 0x7f800000);  // too large is infinite
  CHECK(by(255, 1, 0) == 0x7fffffff);
  CHECK(by(255, 0, 5) == 0x7fffffff);  // even times zero
}

// Drawn from a few exponents, so that terms meet, and from all patterns, so that nothing is left
// out: infinities, NaN, subnormals, scales at both ends of the range, c far off.
TEST_CASE("scaled products: the fast way and term by term have the same bits") {
  std::mt19937 random(7);
  const auto drawn = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random()) % below;
  };
  int differ = 0;
  for (int round = 0; round < 600; ++round) {
    constexpr TensorType kTypes[] = {e4m3, e5m2, e3m2, e2m3, e2m1};
    const int vectors = 1 << round % 3;
    const bool is_small = vectors > 1;
    TensorShape shape = is_small ? kScaledMxf4 : kScaledMxf8;
    shape.M = 5, shape.N = 7, shape.scale_vectors = vectors;
    if (!is_small) shape.a = kTypes[drawn(5)], shape.b = kTypes[drawn(5)];
    const ScaleType type = vectors == 4 && drawn(2) == 0 ? ScaleType::ue4m3 : ScaleType::ue8m0;
    const bool is_wild = round % 5 == 0;
    const auto elements = [&](int count, TensorType of) {
      std::vector<std::uint8_t> all(static_cast<std::size_t>(count * shape.K));
      const std::uint32_t mask = of == e2m1 ? 15 : of == e3m2 || of == e2m3 ? 63 : 255;
      for (std::uint8_t& one : all) {
        one = static_cast<std::uint8_t>(drawn(256) & mask);
        if (!is_wild && mask == 255) one = static_cast<std::uint8_t>(one & 0xb7);  // no infinity
      }
      return all;
    };
    const auto factors = [&](int count) {
      std::vector<std::uint8_t> all(static_cast<std::size_t>(count * vectors));
      for (std::uint8_t& one : all)
        one = static_cast<std::uint8_t>(is_wild || type == ScaleType::ue4m3 ? drawn(256)
                                                                            : 120 + drawn(16));
      return all;
    };
    const auto a = elements(shape.M, shape.a), b = elements(shape.N, shape.b);
    const auto scale_a = factors(shape.M), scale_b = factors(shape.N);
    std::vector<std::uint32_t> c(35), fast(35), slow(35);
    for (std::uint32_t& one : c)
      one = is_wild ? static_cast<std::uint32_t>(random())
                    : f32_of(std::ldexp(static_cast<double>(drawn(2000)) - 1000,
                                        static_cast<int>(drawn(40)) - 25));
    const BlockScales scales{type, scale_a.data(), scale_b.data()};
    const MmaArithmetic& numbers = how("sm_100a", TensorUnit::tcgen05, shape);
    multiply_scaled(numbers, shape, scales, a.data(), b.data(), c.data(), fast.data());
    multiply_scaled_reference(numbers, shape, scales, a.data(), b.data(), c.data(), slow.data());
    differ += fast != slow;
  }
  CHECK(differ == 0);
}
