// SPDX-License-Identifier: MIT
// The readable model: what a tensor core does to one row of A, one column of B and one element of
// C. Integers only, so that nothing here depends on how the host rounds, and no step is hidden:
//
//     a[k], b[k]       ->  sign, significand (an integer), exponent
//     products         ->  significands multiplied, exponents added, nothing normalised
//     c                ->  one more term among the products
//     E                =   the largest exponent of all terms
//     each term        ->  shifted to E, cut off after F fractional bits
//     their sum        ->  exact; then normalised and rounded, once, to D's format
//
// and over again with D as the new c when the instruction has more than L products. Not fast: see
// real_kernel.cpp for the same bits in a hundredth of the time.
//
// Sources: MMA-Sim (arXiv 2511.10909); Khattak & Mikaitis (arXiv 2512.07004); an H200
// (tests/golden/arithmetic). docs/arithmetic.md works an example and lists what is not confirmed.
#include "emulator/tensor/model.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/tensor/contract.hpp"
#include "emulator/tensor/terms.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace model {

using numeric::Format;

/// Step 1. Subnormals stay what they are: no leading one, and the exponent of the smallest normal
/// number. The ignored bits of tf32 are cut off before anything else looks at them.
Term term_of(const Format& format, std::uint32_t pattern) {
  pattern >>= format.ignored_bits;
  const std::uint32_t mantissa_mask = (1u << format.mantissa_bits) - 1;
  const std::uint32_t field_mask = (1u << format.exponent_bits) - 1;
  const std::uint32_t mantissa = pattern & mantissa_mask;
  const std::uint32_t field = pattern >> format.mantissa_bits & field_mask;

  Term term;
  term.negative = (pattern >> (format.mantissa_bits + format.exponent_bits) & 1) != 0;
  term.fraction_bits = format.mantissa_bits;
  term.significand = field == 0 ? mantissa : mantissa | (1u << format.mantissa_bits);
  term.exponent = (field == 0 ? 1 : static_cast<int>(field)) - format.bias;
  const bool all_ones = field == field_mask;
  if (format.specials == numeric::Specials::ieee && all_ones)
    term.kind = mantissa == 0 ? Kind::infinite : Kind::nan;
  if (format.specials == numeric::Specials::one_nan && all_ones && mantissa == mantissa_mask)
    term.kind = Kind::nan;
  return term;
}

/// Step 2. The product of two significands in [1, 2) lies in [1, 4) and is left there.
Term multiply_terms(const Term& a, const Term& b) {
  Term product;
  product.negative = a.negative != b.negative;
  product.significand = a.significand * b.significand;
  product.fraction_bits = a.fraction_bits + b.fraction_bits;
  product.exponent = a.exponent + b.exponent;
  const bool a_is_zero = a.kind == Kind::finite && a.significand == 0;
  const bool b_is_zero = b.kind == Kind::finite && b.significand == 0;
  if (a.kind == Kind::nan || b.kind == Kind::nan) {
    product.kind = Kind::nan;
  } else if (a.kind == Kind::infinite || b.kind == Kind::infinite) {
    product.kind = a_is_zero || b_is_zero ? Kind::nan : Kind::infinite;
  }
  return product;
}

/// Step 6. magnitude * 2^scale, normalised and rounded once.
std::uint32_t normalise_and_round(const Result& result, std::uint64_t magnitude, int scale) {
  const int e_min = 1 - result.format.bias;
  const int leading = scale + std::bit_width(magnitude) - 1;  // the exponent once it reads 1.xxx
  const int exponent = std::max(leading, e_min);              // subnormal results keep e_min
  const int dropped = exponent - result.mantissa_bits - scale;
  std::uint64_t kept = 0;
  if (dropped <= 0) {
    kept = magnitude << -dropped;
  } else if (dropped < 64) {
    kept = magnitude >> dropped;
    const std::uint64_t rest = magnitude - (kept << dropped);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    if (result.to_nearest && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  }
  // `kept` has its leading one (or is subnormal), and its carry moves into the exponent by itself.
  kept <<= result.format.mantissa_bits - result.mantissa_bits;
  const std::uint64_t pattern =
      (static_cast<std::uint64_t>(exponent - e_min) << result.format.mantissa_bits) + kept;
  // Too large is infinite, even where the rounding is towards zero.
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(pattern, result.infinity()));
}

/// Infinities and NaN follow IEEE 754, with one NaN pattern. False: all terms are finite.
bool special_sum(const Block& block, const Result& result, std::uint32_t& pattern) {
  bool plus = false, minus = false, nan = false;
  for (const Term& term : block) {
    nan |= term.kind == Kind::nan;
    plus |= term.kind == Kind::infinite && !term.negative;
    minus |= term.kind == Kind::infinite && term.negative;
  }
  if (!nan && !plus && !minus) return false;
  pattern = nan || (plus && minus) ? result.nan() : result.sign(minus) | result.infinity();
  return true;
}

const Format& format_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
      return numeric::kF16;
    case TensorType::bf16:
      return numeric::kBf16;
    case TensorType::tf32:
      return numeric::kTf32;
    case TensorType::e4m3:
      return numeric::kE4m3;
    case TensorType::e5m2:
      return numeric::kE5m2;
    case TensorType::e3m2:
      return numeric::kE3m2;
    case TensorType::e2m3:
      return numeric::kE2m3;
    case TensorType::e2m1:
      return numeric::kE2m1;
    case TensorType::f32:
      return numeric::kF32;
    default:
      broken_contract("not a floating-point type", "integers have a path of their own");
  }
}

Result result_of(const MmaArithmetic& how, TensorType accumulator) {
  const Format& format = format_of(accumulator);
  return {format, how.drops_ten_bits ? 13 : format.mantissa_bits, accumulator == TensorType::f16};
}

// To F fractional bits below 2^E. What falls off the right end is gone: no rounding, no sticky bit,
// and the magnitude is cut, so that -x always contributes the negative of what x does.
std::int64_t aligned_to(const MmaArithmetic& how, const Term& term, int E) {
  const int shift = how.fraction_bits - term.fraction_bits - (E - term.exponent);
  const std::uint64_t aligned = shift >= 0    ? term.significand << std::min(shift, 39)
                                : shift > -64 ? term.significand >> -shift
                                              : 0;
  return term.negative ? -static_cast<std::int64_t>(aligned) : static_cast<std::int64_t>(aligned);
}

std::uint32_t rounded_sum(const MmaArithmetic& how, const Result& result, std::int64_t sum, int E) {
  // There is no -0: neither from zeros with a minus sign nor from what underflows.
  if (sum == 0) return 0;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const std::uint32_t rounded = normalise_and_round(result, magnitude, E - how.fraction_bits);
  return rounded == 0 ? 0 : result.sign(sum < 0) | rounded;
}

/// Steps 3 to 6.
std::uint32_t sum_block(const MmaArithmetic& how, const Result& result, const Block& block) {
  std::uint32_t special = 0;
  if (special_sum(block, result, special)) return special;

  int E = how.zero_exponent;
  for (const Term& term : block)
    if (term.significand != 0) E = std::max(E, term.exponent);

  std::int64_t sum = 0;
  for (const Term& term : block) sum += aligned_to(how, term, E);
  return rounded_sum(how, result, sum, E);
}

namespace {

/// The same value, held as an f16: what is subnormal in e4m3 (below 2^-6) has its leading one
/// there, and so a smaller exponent.
Term term_of_f16(const Format& format, std::uint32_t pattern) {
  return term_of(numeric::kF16, numeric::encode(numeric::kF16, numeric::decode(format, pattern)));
}

/// Block after block, with D as the next one's c.
std::uint32_t block_dot(const MmaArithmetic& how, const TensorShape& shape, const std::uint32_t* a,
                        const std::uint32_t* b, std::uint32_t c) {
  const Format& a_format = format_of(shape.a);
  const Format& b_format = format_of(shape.b);
  const Result result = result_of(how, shape.accumulator);
  for (int first = 0; first < shape.K; first += how.block_products) {
    Block block;
    for (int k = first; k < std::min(first + how.block_products, shape.K); ++k)
      block.add(multiply_terms(term_of(a_format, a[k]), term_of(b_format, b[k])));
    block.add(term_of(result.format, c));
    c = sum_block(how, result, block);
  }
  return c;
}

/// Hopper has no fp8 adder behind mma.sync. Its operands, widened to f16, go through the f16 unit
/// as they lie in the registers: the two low bytes of every four, then the two high ones. The
/// chain starts from zero and c comes last.
std::uint32_t f16_pairs_dot(const MmaArithmetic& how, const TensorShape& shape,
                            const std::uint32_t* a, const std::uint32_t* b, std::uint32_t c) {
  const Format& a_format = format_of(shape.a);
  const Format& b_format = format_of(shape.b);
  const Result result = result_of(how, shape.accumulator);
  for (int first = 0; first < shape.K; first += 2 * how.block_products) {
    std::uint32_t chain = 0;
    for (const int half : {0, 2}) {
      Block block;
      for (int k = first; k < std::min(first + 2 * how.block_products, shape.K); ++k)
        if ((k & 2) == half)
          block.add(multiply_terms(term_of_f16(a_format, a[k]), term_of_f16(b_format, b[k])));
      block.add(term_of(result.format, chain));
      chain = sum_block(how, result, block);
    }
    c = add_to_nearest(result, chain, c);
  }
  return c;
}

/// An integer operand's value: s8 and s4 in two's complement.
std::int64_t integer(TensorType type, std::uint32_t pattern) {
  switch (type) {
    case TensorType::s8:
      return static_cast<std::int8_t>(pattern);
    case TensorType::u8:
      return static_cast<std::uint8_t>(pattern);
    case TensorType::s4:
      return static_cast<std::int8_t>(pattern << 4) >> 4;
    case TensorType::u4:
      return pattern & 0xf;
    default:
      return pattern & 1;  // b1
  }
}

/// Integers are exact until the end, where the sum wraps or, with .satfinite, is clamped.
std::uint32_t integer_dot(const TensorShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                          std::uint32_t c) {
  std::int64_t sum = static_cast<std::int32_t>(c);
  for (int k = 0; k < shape.K; ++k) {
    const std::int64_t left = integer(shape.a, a[k]), right = integer(shape.b, b[k]);
    if (shape.a != TensorType::b1)
      sum += left * right;
    else
      sum += shape.bit_operation == BitOperation::conjunction ? left & right : left ^ right;
  }
  if (shape.satfinite) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace
}  // namespace model

std::uint32_t dot_product(const MmaArithmetic& how, const TensorShape& shape,
                          const std::uint32_t* a, const std::uint32_t* b, std::uint32_t c) {
  if (shape.accumulator == TensorType::s32) return model::integer_dot(shape, a, b, c);
  if (how.scalar) return model::scalar_dot(shape, a, b, c);
  return how.through_f16_pairs ? model::f16_pairs_dot(how, shape, a, b, c)
                               : model::block_dot(how, shape, a, b, c);
}

void multiply_reference(const MmaArithmetic& how, const TensorShape& shape,
                        std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                        std::span<const std::uint32_t> c, std::span<std::uint32_t> d) {
  require_words(how, shape, a, b, c, d);
  const auto at = [](int row, int cols, int col) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
           static_cast<std::size_t>(col);
  };
  std::array<std::uint32_t, kMaxK> column{};
  for (int col = 0; col < shape.N; ++col) {
    for (int k = 0; k < shape.K; ++k) column[static_cast<std::size_t>(k)] = b[at(k, shape.N, col)];
    for (int row = 0; row < shape.M; ++row)
      d[at(row, shape.N, col)] =
          dot_product(how, shape, &a[at(row, shape.K, 0)], column.data(), c[at(row, shape.N, col)]);
  }
}

}  // namespace lanescope::emulator
