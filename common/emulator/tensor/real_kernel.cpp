// SPDX-License-Identifier: MIT
// The model's bits with vectors whose lanes are rows of A. Why each step is exact:
//
//   products   f16, bf16, tf32 and fp8 significands have at most 11 bits: a product is an exact f32
//   E          kept beside the values as integers, because a product's own f32 exponent is one too
//              large when its significand is 2 or more; a zero's exponent is far below all others.
//              16 bits are enough for them: two products' exponents share a lane
//   alignment  multiply by 2^(F - E), a power of two, and convert to an integer towards zero: that
//              conversion *is* the truncation of step 4
//   sum        32-bit integers; 16 or 32 products with F = 25 can leave them, so parts of 8 that do
//              not, and a check where they are added
//   rounding   the whole kernel runs with MXCSR set to round towards zero, in which conversions
//              and underflow cut off as the tensor core does, and cutting twice is cutting once;
//              f16 goes through an f32 rounded to odd, which a later rounding cannot mistake
//
// Lanes where that does not hold (infinities, NaN, exponents near the ends of f32, sums beyond 31
// bits) are left to the model, element by element. tests/fuzz compares the two.
#include "emulator/tensor/columns.hpp"
#include "emulator/tensor/kernels.hpp"
#include "emulator/tensor/widen.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

constexpr int kLowestExponent = -100;  // E in [-100, 120] keeps every scale and result a normal f32
constexpr int kHighestExponent = 120;
constexpr unsigned kTowardsZero = 0x7f80;  // MXCSR: nothing traps or flushes

enum class Output : std::uint8_t { f32, e8m13, f16 };

/// f16 subnormals count as 2^-14, and zeros not at all; those of f32 lie below all that matters
/// here.
template <Output kOutput>
inline Word exponent_of_c(Real c) {
  const Word size = both(as_word(c), fill(INT32_MAX));
  const Word exponent = sub(right<23>(size), fill(kF32Bias));
  if constexpr (kOutput != Output::f16) return exponent;
  return add(most(exponent, fill(-14)), where_zero(size, kNoExponent));
}

/// The products of one block: L columns of A, L elements of one column of B.
struct Products {
  const float* a;
  const std::uint32_t* a_exponent;
  const float* b;
  const std::uint32_t* b_exponent;
};

/// Step 3, without c.
template <int kL>
inline Word largest_exponent(const Products& in) {
  Word pairs = add16(load(in.a_exponent), spread(in.b_exponent));
#pragma GCC unroll 16
  for (int i = 1; i < kL / 2; ++i)
    pairs = most16(pairs, add16(load(in.a_exponent + i * kWidth), spread(in.b_exponent + i)));
  return most(right_signed<16>(left<16>(pairs)), right_signed<16>(pairs));
}

/// Steps 2 to 6 for a column of D. Lanes that need the model are added to `model`.
template <int kL, Output kOutput>
inline Real sum_block(const TileJob& job, const Products& in, Real c, Mask& model) {
  const Word of_products = largest_exponent<kL>(in);
  const Word wanted = most(of_products, exponent_of_c<kOutput>(c));
  // An f16 result has its e_zero within range; for f32 it lies lower than this path goes.
  constexpr bool kHasFloor = kOutput == Output::f16;
  const Word floor = fill(kHasFloor ? job.zero_exponent : kLowestExponent);
  const Word E = least(most(wanted, floor), fill(kHighestExponent));
  const Mask outside = unequal(E, kHasFloor ? most(wanted, floor) : wanted);
  if (__builtin_expect(bits(outside) != 0, 0)) {
    // Among them every lane of an empty tile: a tiny E is harmless if all terms are zero.
    const Mask no_term = and_masks(greater(fill(kNoExponent / 2), of_products), is_zero(c));
    model = or_masks(model, without(outside, no_term));
  }

  // Steps 4 and 5.
  const Real scale = as_real(left<23>(sub(fill(kF32Bias + job.fraction_bits), E)));  // 2^(F - E)
  // Of 25 places, 8 terms each, and c, stay within 31 bits. Sums of e8m13 have 13 places.
  constexpr bool kIsNarrow = kOutput == Output::e8m13;
  constexpr int kParts = kL == 32 && !kIsNarrow ? 4 : 2;
  Word parts[kParts] = {truncate(mul(c, scale))};
#pragma GCC unroll 32
  for (int i = 0; i < kL; ++i) {
    const Real product = mul(load_real(in.a + i * kWidth), spread(in.b + i));
    parts[i % kParts] = add(parts[i % kParts], truncate(mul(product, scale)));
  }
  Word sum = parts[0];
  for (int part = 1; part < kParts; ++part) {
    const Word before = sum;
    sum = add(before, parts[part]);
    if constexpr (kL >= 16 && !kIsNarrow)  // did it leave 32 bits?
      model = or_masks(model, negative(both(differ(before, sum), differ(parts[part], sum))));
  }

  // Step 6.
  const Real back = as_real(left<23>(add(fill(kF32Bias - job.fraction_bits), E)));  // 2^(E - F)
  Real rounded = to_real(sum);
  if constexpr (kOutput == Output::f16)
    rounded = as_real(
        either(as_word(rounded), choose(unequal(truncate(rounded), sum), fill(1), fill(0))));
  Real result = mul(rounded, back);
  if constexpr (kOutput == Output::e8m13) result = as_real(both(as_word(result), fill(~0x3ff)));
  if constexpr (kOutput == Output::f16)
    result = add(from_half(to_half(result)), fill_real(0.0f));  // what underflows is +0
  return result;
}

/// Half a panel by a tile. Blocks outside, columns within: a column's next block needs its last
/// result, the next column does not.
template <int kL, Output kOutput>
void sum_tile(const TileJob& job, const WideA& a, const WideB& b, int stride, Real* c,
              Mask* model) {
  for (int k = 0; k < job.K; k += kL)
    for (int col = 0; col < kTileCols; ++col) {
      const int at = col * stride + k;
      c[col] = sum_block<kL, kOutput>(
          job, {a.value[k], a.exponent[k / 2], b.value + at, b.exponent + at / 2}, c[col],
          model[col]);
    }
}

template <Output kOutput>
inline void load_c(const std::uint32_t* const* c, int half, Real* columns) {
  Word words[4];
  if constexpr (kOutput == Output::f16) {
    load_columns(c[0], c[1], half, words);
    for (int pair = 0; pair < 4; ++pair) {
      columns[2 * pair] = from_half(both(words[pair], fill(0xffff)));
      columns[2 * pair + 1] = from_half(right<16>(words[pair]));
    }
  } else {
    for (int odd = 0; odd < 2; ++odd) {
      load_columns(c[odd], c[odd + 2], half, words);
      for (int pair = 0; pair < 4; ++pair) columns[2 * pair + odd] = as_real(words[pair]);
    }
  }
}

template <Output kOutput>
inline void store_d(const Real* columns, int half, std::uint32_t* const* d) {
  Word words[4];
  if constexpr (kOutput == Output::f16) {
    for (int pair = 0; pair < 4; ++pair)
      words[pair] = either(to_half(columns[2 * pair]), left<16>(to_half(columns[2 * pair + 1])));
    store_columns(words, d[0], d[1], half);
  } else {
    for (int odd = 0; odd < 2; ++odd) {
      for (int pair = 0; pair < 4; ++pair) words[pair] = as_word(columns[2 * pair + odd]);
      store_columns(words, d[odd], d[odd + 2], half);
    }
  }
}

/// Elements for the model keep C; the rows they are in are marked.
bool keep_c(const Real* before, const Mask* model, const WideA& a, const WideB& b, int half,
            Real* c, std::uint16_t* flags) {
  bool any = false;
  for (int col = 0; col < kTileCols; ++col) {
    const Mask keep = (b.special >> col & 1) != 0 ? all_lanes() : or_masks(model[col], a.special);
    unsigned lanes = bits(keep);
    if (lanes == 0) continue;
    any = true;
    c[col] = choose(keep, before[col], c[col]);
    for (; lanes != 0; lanes &= lanes - 1)
      flags[col] =
          static_cast<std::uint16_t>(flags[col] | 1u << row_of(__builtin_ctz(lanes), half));
  }
  return any;
}

template <int kL, Output kOutput>
bool multiply_as(const TileJob& job, const Fragments& in, std::uint16_t* flags) {
  constexpr int kRegisters = kOutput == Output::f16 ? 2 : 4;
  WideA a[kMaxPanels * kHalves];
  WideB b;
  for (int panel = 0; panel < job.panels; ++panel)
    for (int half = 0; half < kHalves; ++half)
      widen_a(job.a, in.a + 2 * job.slabs * panel, job.slabs, half, a[panel * kHalves + half]);
  const int stride = job.slabs * slab_elements(job.b);
  bool any = false;
  for (int tile = 0; tile < job.tiles; ++tile) {
    widen_b(job.b, in.b + job.slabs * tile, job.slabs, b);
    for (int panel = 0; panel < job.panels; ++panel) {
      const int at = panel * job.tiles + tile;
      for (int half = 0; half < kHalves; ++half) {
        const WideA& wide_a = a[panel * kHalves + half];
        Real before[kTileCols], c[kTileCols];
        Mask model[kTileCols];
        load_c<kOutput>(in.c + kRegisters * at, half, before);
        for (int col = 0; col < kTileCols; ++col) {
          c[col] = before[col];
          model[col] = no_lane();
        }
        sum_tile<kL, kOutput>(job, wide_a, b, stride, c, model);
        any |= keep_c(before, model, wide_a, b, half, c, flags + kTileCols * at);
        store_d<kOutput>(c, half, in.d + kRegisters * at);
      }
    }
  }
  return any;
}

using Multiply = bool (*)(const TileJob&, const Fragments&, std::uint16_t*);

template <Output kOutput>
Multiply multiply_for(int block) {
  switch (block) {
    case 4:
      return multiply_as<4, kOutput>;
    case 8:
      return multiply_as<8, kOutput>;
    case 16:
      return multiply_as<16, kOutput>;
    default:
      return multiply_as<32, kOutput>;
  }
}

Multiply multiply_for(const TileJob& job) {
  if (job.accumulator == TensorType::f16) return multiply_for<Output::f16>(job.block);
  return job.drops_ten_bits ? multiply_for<Output::e8m13>(job.block)
                            : multiply_for<Output::f32>(job.block);
}

}  // namespace

bool multiply_real(const TileJob& job, const Fragments& fragments, std::uint16_t* flags) {
  const Multiply multiply = multiply_for(job);  // through a pointer: nothing moves across MXCSR
  const unsigned mxcsr = _mm_getcsr();
  _mm_setcsr(kTowardsZero);
  const bool any = multiply(job, fragments, flags);
  _mm_setcsr(mxcsr);
  return any;
}

void add_registers(TensorType type, int count, const std::uint32_t* const* c,
                   std::uint32_t* const* d) {
  const Real nan = as_real(fill(INT32_MAX));
  const auto sum = [&](Real left, Real right) {
    const Real total = add(left, right);
    return choose(is_nan(total), nan, total);
  };
  for (int reg = 0; reg < count; ++reg)
    for (int lane = 0; lane < kFragmentLanes; lane += kWidth) {
      const Word left_in = load(d[reg] + lane), right_in = load(c[reg] + lane);
      if (type != TensorType::f16) {
        store(d[reg] + lane, as_word(sum(as_real(left_in), as_real(right_in))));
        continue;
      }
      const Word low = fill(0xffff);
      const Word even = to_half(sum(from_half(both(left_in, low)), from_half(both(right_in, low))));
      const Word odd = to_half(sum(from_half(right<16>(left_in)), from_half(right<16>(right_in))));
      store(d[reg] + lane, either(even, left<16>(odd)));
    }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
