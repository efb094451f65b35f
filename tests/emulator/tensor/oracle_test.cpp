// SPDX-License-Identifier: MIT
// The model and the fast path against the second transcription in oracle.hpp, on random operands
// with a written seed: near each other, far apart, tiny, huge, zero, infinite, NaN.
#include <random>

#include "tests/emulator/tensor/one.hpp"
#include "tests/emulator/tensor/oracle.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;
namespace numeric = lanescope::numeric;

namespace {

struct Case {
  const char* arch;
  TensorUnit unit;
  TensorShape shape;
  oracle::Rules rules;
};

// L, F, floor, mantissa bits of D, to nearest, by f16 pairs: docs/arithmetic.md, typed in again.
const Case kCases[] = {
    {"sm_70", mma, {8, 8, 4, f16, f16, f32}, {4, 23, -131, 23, false, false}},
    {"sm_70", mma, {8, 8, 4, f16, f16, f16}, {4, 23, -19, 10, true, false}},
    {"sm_75", mma, {16, 8, 8, f16, f16, f32}, {8, 24, -132, 23, false, false}},
    {"sm_75", mma, {16, 8, 8, f16, f16, f16}, {8, 24, -20, 10, true, false}},
    {"sm_80", mma, {16, 8, 16, f16, f16, f32}, {8, 24, -132, 23, false, false}},
    {"sm_80", mma, {16, 8, 16, f16, f16, f16}, {8, 24, -20, 10, true, false}},
    {"sm_80", mma, {16, 8, 16, bf16, bf16, f32}, {8, 24, -132, 23, false, false}},
    {"sm_86", mma, {16, 8, 8, tf32, tf32, f32}, {4, 24, -132, 23, false, false}},
    {"sm_89", mma, {16, 8, 32, e4m3, e5m2, f32}, {16, 13, -132, 13, false, false}},
    {"sm_89", mma, {16, 8, 16, e5m2, e4m3, f16}, {16, 13, -20, 10, true, false}},
    {"sm_90", mma, {16, 8, 16, f16, f16, f32}, {16, 25, -133, 23, false, false}},
    {"sm_90a", mma, {16, 8, 16, f16, f16, f16}, {16, 25, -21, 10, true, false}},
    {"sm_90a", mma, {16, 8, 16, bf16, bf16, f32}, {16, 25, -133, 23, false, false}},
    {"sm_90a", mma, {16, 8, 8, tf32, tf32, f32}, {8, 25, -133, 23, false, false}},
    {"sm_90a", mma, {16, 8, 32, e4m3, e4m3, f32}, {16, 25, -133, 23, false, true}},
    {"sm_90a", mma, {16, 8, 32, e5m2, e4m3, f16}, {16, 25, -21, 10, true, true}},
    {"sm_90a", mma, {16, 8, 16, e5m2, e5m2, f32}, {16, 25, -133, 23, false, true}},
    {"sm_90a", wgmma, {64, 16, 16, f16, f16, f32}, {16, 25, -133, 23, false, false}},
    {"sm_90a", wgmma, {64, 16, 8, tf32, tf32, f32}, {8, 25, -133, 23, false, false}},
    {"sm_90a", wgmma, {64, 16, 32, e4m3, e5m2, f32}, {32, 13, -133, 13, false, false}},
    {"sm_90a", wgmma, {64, 16, 32, e5m2, e5m2, f16}, {32, 13, -21, 10, true, false}},
};

/// A pattern whose exponent lies around `exponent`, or now and then anything at all.
std::uint32_t draw(std::mt19937& random, const numeric::Format& format, int exponent, int spread) {
  const auto raw = static_cast<std::uint32_t>(random());
  const std::uint32_t all = format.bits == 32 ? 0xffffffff : (1u << format.bits) - 1;
  if (raw % 64 == 0) return static_cast<std::uint32_t>(random()) & all;
  if (raw % 16 == 1) return raw & (1u << (format.bits - 1));  // a zero
  const double size = std::ldexp(1 + static_cast<double>(raw >> 8) * 0x1p-24,
                                 exponent + static_cast<int>(random() % (2 * spread + 1)) - spread);
  return numeric::encode(format, raw & 128 ? -size : size, numeric::Rounding::rz);
}

}  // namespace

TEST_CASE("the model and the fast path agree with a second transcription") {
  for (const Case& test : kCases) {
    const TensorShape& shape = test.shape;
    CAPTURE(test.arch);
    CAPTURE(static_cast<int>(shape.a));
    CAPTURE(static_cast<int>(shape.accumulator));
    CAPTURE(shape.K);
    const numeric::Format& a_format = format_of(shape.a);
    const numeric::Format& b_format = format_of(shape.b);
    const numeric::Format& d_format = format_of(shape.accumulator);
    const auto M = static_cast<std::size_t>(shape.M), N = static_cast<std::size_t>(shape.N),
               K = static_cast<std::size_t>(shape.K);
    std::mt19937 random(20240703);
    int model_wrong = 0, fast_wrong = 0;
    for (int round = 0; round < 120; ++round) {
      std::vector<std::uint32_t> a(M * K), b(K * N), c(M * N), model(M * N), fast(M * N);
      const int range = a_format.bias + 2, spread = round % 4 * 4 + 1;
      const int a_exponent = static_cast<int>(random() % (2 * range)) - range;
      const int b_exponent = round % 2 == 0 ? static_cast<int>(random() % 9) - 4 - a_exponent
                                            : static_cast<int>(random() % (2 * range)) - range;
      const int c_exponent = a_exponent + b_exponent + static_cast<int>(random() % 41) - 20;
      for (std::uint32_t& e : a) e = draw(random, a_format, a_exponent, spread);
      for (std::uint32_t& e : b) e = draw(random, b_format, b_exponent, spread);
      for (std::uint32_t& e : c) e = draw(random, d_format, c_exponent, spread);
      if (round % 5 == 0) c.assign(c.size(), 0);
      multiply_reference(how(test.arch, test.unit, shape), shape, a, b, c, model);
      multiply(how(test.arch, test.unit, shape), shape, a, b, c, fast);
      for (std::size_t row = 0; row < M; ++row)
        for (std::size_t col = 0; col < N; ++col) {
          std::vector<std::uint32_t> b_column;
          for (std::size_t k = 0; k < K; ++k) b_column.push_back(b[k * N + col]);
          const auto a_row = a.begin() + static_cast<std::ptrdiff_t>(row * K);
          const std::uint32_t expected = oracle::dot(
              test.rules, a_format, b_format, d_format,
              {a_row, a_row + static_cast<std::ptrdiff_t>(K)}, b_column, c[row * N + col]);
          model_wrong += model[row * N + col] != expected;
          fast_wrong += fast[row * N + col] != expected;
        }
    }
    CHECK(model_wrong == 0);
    CHECK(fast_wrong == 0);
  }
}
