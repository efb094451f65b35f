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
#include <utility>

#include "emulator/tensor/contract.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

using numeric::Format;

constexpr std::uint32_t kF16One = 0x3c00;

enum class Kind : std::uint8_t { finite, infinite, nan };

/// (-1)^negative * significand * 2^(exponent - fraction_bits). Not normalised.
struct Term {
  Kind kind = Kind::finite;
  bool negative = false;
  std::uint64_t significand = 0;
  int fraction_bits = 0;
  int exponent = 0;
};

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
    case TensorType::f32:
      return numeric::kF32;
    default:
      broken_contract("not a floating-point type", "integers have a path of their own");
  }
}

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

/// The same value, held as an f16: what is subnormal in e4m3 (below 2^-6) has its leading one
/// there, and so a smaller exponent.
Term term_of_f16(const Format& format, std::uint32_t pattern) {
  return term_of(numeric::kF16, numeric::encode(numeric::kF16, numeric::decode(format, pattern)));
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

/// How a sum becomes a pattern: the format of D, and how much of its mantissa is kept.
struct Result {
  const Format& format;
  int mantissa_bits;  // e8m13 keeps 13 of f32's 23
  bool to_nearest;    // f16: to nearest, ties to even; f32: towards zero

  std::uint32_t sign(bool negative) const { return negative ? 1u << (format.bits - 1) : 0; }
  std::uint32_t nan() const { return (1u << (format.bits - 1)) - 1; }  // 0x7fffffff, 0x7fff
  std::uint32_t infinity() const {
    return ((1u << format.exponent_bits) - 1) << format.mantissa_bits;
  }
};

Result result_of(const MmaArithmetic& how, TensorType accumulator) {
  const Format& format = format_of(accumulator);
  return {format, how.drops_ten_bits ? 13 : format.mantissa_bits, accumulator == TensorType::f16};
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

/// The terms of one block: at most 32 products, and c.
struct Block {
  std::array<Term, 33> terms;
  int count = 0;
  void add(const Term& term) { terms[static_cast<std::size_t>(count++)] = term; }
  const Term* begin() const { return terms.data(); }
  const Term* end() const { return terms.data() + count; }
};

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

/// Steps 3 to 6.
std::uint32_t sum_block(const MmaArithmetic& how, const Result& result, const Block& block) {
  std::uint32_t special = 0;
  if (special_sum(block, result, special)) return special;

  int E = how.zero_exponent;
  for (const Term& term : block)
    if (term.significand != 0) E = std::max(E, term.exponent);

  std::int64_t sum = 0;
  for (const Term& term : block) {
    // To F fractional bits below 2^E. What falls off the right end is gone: no rounding, no sticky
    // bit, and the magnitude is cut, so that -x always contributes the negative of what x does.
    const int shift = how.fraction_bits - term.fraction_bits - (E - term.exponent);
    const std::uint64_t aligned = shift >= 0    ? term.significand << std::min(shift, 39)
                                  : shift > -64 ? term.significand >> -shift
                                                : 0;
    sum += term.negative ? -static_cast<std::int64_t>(aligned) : static_cast<std::int64_t>(aligned);
  }
  // There is no -0: neither from zeros with a minus sign nor from what underflows.
  if (sum == 0) return 0;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const std::uint32_t rounded = normalise_and_round(result, magnitude, E - how.fraction_bits);
  return rounded == 0 ? 0 : result.sign(sum < 0) | rounded;
}

/// An ordinary addition, rounded to nearest: the last step of an fp8 mma.sync on Hopper.
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

/// The exact product of two f16 operands, as an f32: 22 bits and exponents from -48 to 31 fit.
std::uint32_t f32_product(const Term& a, const Term& b) {
  const Result f32{numeric::kF32, numeric::kF32.mantissa_bits, true};
  const Term product = multiply_terms(a, b);
  if (product.kind == Kind::nan) return f32.nan();
  const std::uint32_t sign = f32.sign(product.negative);
  if (product.kind == Kind::infinite) return sign | f32.infinity();
  if (product.significand == 0) return sign;
  return sign |
         normalise_and_round(f32, product.significand, product.exponent - product.fraction_bits);
}

/// m8n8k4 from sm_80 on, where Volta's unit is gone: ordinary f32 instructions, each rounded to
/// nearest. Sums in f16 begin with C in the middle, as the compiler wrote them.
std::uint32_t scalar_dot(const TensorShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                         std::uint32_t c) {
  const Result f32{numeric::kF32, numeric::kF32.mantissa_bits, true};
  const auto product = [&](int k) {
    return f32_product(term_of(numeric::kF16, a[k]), term_of(numeric::kF16, b[k]));
  };
  const auto add = [&](std::uint32_t left, std::uint32_t right) {
    return add_to_nearest(f32, left, right);
  };
  if (shape.accumulator != TensorType::f16) {
    std::uint32_t chain = 0;
    for (int k = 0; k < shape.K; ++k) chain = add(product(k), chain);
    return add(chain, c);
  }
  const std::uint32_t widened =
      f32_product(term_of(numeric::kF16, c), term_of(numeric::kF16, kF16One));
  const std::uint32_t sum =
      add(add(add(product(0), product(1)), widened), add(product(2), product(3)));
  const Result f16{numeric::kF16, numeric::kF16.mantissa_bits, true};
  const Term term = term_of(numeric::kF32, sum);
  if (term.kind == Kind::nan) return f16.nan();
  const std::uint32_t sign = f16.sign(term.negative);
  if (term.kind == Kind::infinite) return sign | f16.infinity();
  if (term.significand == 0) return sign;
  return sign | normalise_and_round(f16, term.significand, term.exponent - term.fraction_bits);
}

std::uint32_t float_dot(const MmaArithmetic& how, const TensorShape& shape, const std::uint32_t* a,
                        const std::uint32_t* b, std::uint32_t c) {
  if (how.scalar) return scalar_dot(shape, a, b, c);
  const Format& a_format = format_of(shape.a);
  const Format& b_format = format_of(shape.b);
  const Result result = result_of(how, shape.accumulator);
  const auto product = [&](int k) {
    return how.through_f16_pairs
               ? multiply_terms(term_of_f16(a_format, a[k]), term_of_f16(b_format, b[k]))
               : multiply_terms(term_of(a_format, a[k]), term_of(b_format, b[k]));
  };
  if (!how.through_f16_pairs) {
    for (int first = 0; first < shape.K; first += how.block_products) {
      Block block;
      for (int k = first; k < std::min(first + how.block_products, shape.K); ++k)
        block.add(product(k));
      block.add(term_of(result.format, c));
      c = sum_block(how, result, block);
    }
    return c;
  }
  // Hopper has no fp8 adder behind mma.sync. Its operands, widened to f16, go through the f16 unit
  // as they lie in the registers: the two low bytes of every four, then the two high ones. The
  // chain starts from zero and c comes last.
  for (int first = 0; first < shape.K; first += 2 * how.block_products) {
    std::uint32_t chain = 0;
    for (const int half : {0, 2}) {
      Block block;
      for (int k = first; k < std::min(first + 2 * how.block_products, shape.K); ++k)
        if ((k & 2) == half) block.add(product(k));
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

std::uint32_t dot_product(const MmaArithmetic& how, const TensorShape& shape,
                          const std::uint32_t* a, const std::uint32_t* b, std::uint32_t c) {
  return shape.accumulator == TensorType::s32 ? integer_dot(shape, a, b, c)
                                              : float_dot(how, shape, a, b, c);
}

void multiply_reference(const MmaArithmetic& how, const TensorShape& shape,
                        std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                        std::span<const std::uint32_t> c, std::span<std::uint32_t> d) {
  require_shape(how, shape);
  require_size("A", a.size(), shape.M, shape.K);
  require_size("B", b.size(), shape.K, shape.N);
  require_size("C", c.size(), shape.M, shape.N);
  require_size("D", d.size(), shape.M, shape.N);
  if (shape.accumulator == TensorType::f64)
    broken_contract("f64 does not fit 32-bit words", "use multiply_packed");
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
