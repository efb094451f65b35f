// SPDX-License-Identifier: MIT
// Sums outside of the tensor core: ordinary additions and multiplications, each rounded to nearest,
// that some instructions consist of, or end with.
#include <algorithm>
#include <utility>

#include "emulator/tensor/terms.hpp"

namespace lanescope::emulator::model {
namespace {

constexpr std::uint32_t kF16One = 0x3c00;
constexpr Result kF32{numeric::kF32, numeric::kF32.mantissa_bits, true};
constexpr Result kF16{numeric::kF16, numeric::kF16.mantissa_bits, true};

/// -0 stays what it is.
std::uint32_t pattern_of(const Result& result, const Term& term) {
  if (term.kind == Kind::nan) return result.nan();
  const std::uint32_t sign = result.sign(term.negative);
  if (term.kind == Kind::infinite) return sign | result.infinity();
  if (term.significand == 0) return sign;
  return sign | normalise_and_round(result, term.significand, term.exponent - term.fraction_bits);
}

/// The exact product of two f16 patterns, as an f32: 22 bits and exponents from -48 to 31 fit.
std::uint32_t f32_product(std::uint32_t a, std::uint32_t b) {
  return pattern_of(kF32, multiply_terms(term_of(numeric::kF16, a), term_of(numeric::kF16, b)));
}

}  // namespace

std::uint32_t add_to_nearest(const Result& result, std::uint32_t left, std::uint32_t right) {
  Block block;
  block.add(term_of(result.format, left));
  block.add(term_of(result.format, right));
  std::uint32_t special = 0;
  if (special_sum(block, result, special)) return special;
  Term high = block.terms[0], low = block.terms[1];
  if (high.exponent < low.exponent) std::swap(high, low);

  // 36 more places than the significand has; what is shifted out of them leaves a 1 behind, so that
  // the rounding still sees on which side of a tie the sum lies.
  constexpr int guard = 36;
  const int shift = std::min(high.exponent - low.exponent, 63);
  const std::uint64_t shifted = low.significand << guard >> shift;
  const bool lost = shifted << shift != low.significand << guard;
  const auto large = static_cast<std::int64_t>(high.significand << guard);
  const auto small = static_cast<std::int64_t>(shifted | (lost ? 1 : 0));
  const std::int64_t sum = (high.negative ? -large : large) + (low.negative ? -small : small);
  if (sum == 0) return result.sign(high.negative && low.negative);
  const Result nearest{result.format, result.mantissa_bits, true};
  return result.sign(sum < 0) |
         normalise_and_round(nearest, static_cast<std::uint64_t>(sum < 0 ? -sum : sum),
                             high.exponent - high.fraction_bits - guard);
}

// Volta's unit is gone there: f32 instructions instead. Sums in f16 begin with C in the middle, as
// the compiler wrote them.
std::uint32_t scalar_dot(const TensorShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                         std::uint32_t c) {
  const auto product = [&](int k) { return f32_product(a[k], b[k]); };
  const auto add = [](std::uint32_t left, std::uint32_t right) {
    return add_to_nearest(kF32, left, right);
  };
  if (shape.accumulator != TensorType::f16) {
    std::uint32_t chain = 0;
    for (int k = 0; k < shape.K; ++k) chain = add(product(k), chain);
    return add(chain, c);
  }
  const std::uint32_t widened = f32_product(c, kF16One);
  const std::uint32_t sum =
      add(add(add(product(0), product(1)), widened), add(product(2), product(3)));
  return pattern_of(kF16, term_of(numeric::kF32, sum));
}

}  // namespace lanescope::emulator::model
