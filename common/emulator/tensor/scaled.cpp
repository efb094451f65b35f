// SPDX-License-Identifier: MIT
#include "emulator/tensor/scaled.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/tensor/contract.hpp"
#include "emulator/tensor/terms.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

using model::Block;
using model::Kind;
using model::Term;

Term term_of_scale(ScaleType type, std::uint8_t pattern) {
  constexpr int kBias = 127;
  constexpr std::uint8_t kNan = 0xff;
  if (type == ScaleType::ue4m3) return model::term_of(numeric::kE4m3, pattern & 0x7f);
  Term term;
  term.kind = pattern == kNan ? Kind::nan : Kind::finite;
  term.significand = 1;
  term.exponent = pattern - kBias;
  return term;
}

constexpr int kTogether = 32;  // products of one block, with one scale a side
constexpr int kGroup = 16;     // e2m1's that are summed before they are scaled

/// Numbers of A's rows or of B's columns, k after k, taken apart once for all that they meet.
struct Numbers {
  std::vector<std::int16_t> wholes;  // e2m1 in groups: halves, with their sign
  std::vector<float> significands;   // others: whole numbers with their sign, and their exponents
  std::vector<std::int32_t> exponents;
  std::vector<std::uint8_t> special;  // of each row: some of it is an infinity or NaN
  std::vector<Term> scales;
};

/// Below all others: what is zero does not count for E.
constexpr int kExponentOfZero = -500;

void take_apart(Numbers& numbers, const numeric::Format& format, int lines, int K, bool in_groups,
                const std::uint8_t* elements, int line_step, int k_step) {
  std::array<Term, 256> terms;
  for (std::uint32_t pattern = 0; pattern < terms.size(); ++pattern)
    terms[pattern] = model::term_of(format, pattern);
  numbers.wholes.clear(), numbers.significands.clear();
  numbers.exponents.clear(), numbers.special.clear();
  for (int line = 0; line < lines; ++line) {
    bool special = false;
    for (int k = 0; k < K; ++k) {
      const Term& term = terms[elements[line * line_step + k * k_step]];
      const auto size = static_cast<int>(term.significand << (in_groups ? term.exponent : 0));
      const int value = term.negative ? -size : size;
      special |= term.kind != Kind::finite;
      if (in_groups) {
        numbers.wholes.push_back(static_cast<std::int16_t>(value));
      } else {
        numbers.significands.push_back(static_cast<float>(value));
        numbers.exponents.push_back(size == 0 ? kExponentOfZero : term.exponent);
      }
    }
    numbers.special.push_back(special ? 1 : 0);
  }
}

void take_apart_scales(Numbers& numbers, ScaleType type, const std::uint8_t* scales, int count) {
  numbers.scales.clear();
  for (int k = 0; k < count; ++k) numbers.scales.push_back(term_of_scale(type, scales[k]));
}

struct Scaled {
  const MmaArithmetic& how;
  const TensorShape& shape;
  const BlockScales& scales;
  const std::uint8_t *a, *b;
  const numeric::Format& a_format = model::format_of(shape.a);
  const numeric::Format& b_format = model::format_of(shape.b);
  const model::Result result = model::result_of(how, shape.accumulator);
  int vectors = shape.scale_vectors, chunk = shape.K / shape.scale_vectors;
  int product_bits = a_format.mantissa_bits + b_format.mantissa_bits;  // of its fraction

  Term scale_of_a(int row, int k) const {
    return term_of_scale(scales.type, scales.a[row * vectors + k / chunk]);
  }
  Term scale_of_b(int col, int k) const {
    return term_of_scale(scales.type, scales.b[col * vectors + k / chunk]);
  }

  /// Products of e2m1 are whole numbers of quarters: its exponents are 0 to 2, even its
  /// subnormals'.
  static std::int64_t whole(const Term& product) {
    const auto size = static_cast<std::int64_t>(product.significand << product.exponent);
    return product.negative ? -size : size;
  }
  Term group_term(std::int64_t total) const {
    Term sum;
    sum.fraction_bits = product_bits;
    sum.negative = total < 0;
    sum.significand = static_cast<std::uint64_t>(sum.negative ? -total : total);
    return sum;
  }

  Term group_sum(const Numbers& of_a, const Numbers& of_b, int row, int col, int first) const {
    const std::int16_t* left = of_a.wholes.data() + row * shape.K + first;
    const std::int16_t* right = of_b.wholes.data() + col * shape.K + first;
    std::int32_t total = 0;
    for (int k = 0; k < kGroup; ++k) total += left[k] * right[k];
    return group_term(total);
  }

  /// One block: groups of each chunk, with the chunk's two scales.
  std::uint32_t grouped(const Numbers& of_a, const Numbers& of_b, int row, int col,
                        std::uint32_t c) const {
    Block block;
    for (int vector = 0; vector < vectors; ++vector) {
      const Term by =
          model::multiply_terms(of_a.scales[static_cast<std::size_t>(row * vectors + vector)],
                                of_b.scales[static_cast<std::size_t>(col * vectors + vector)]);
      for (int k = vector * chunk; k < (vector + 1) * chunk; k += kGroup)
        block.add(model::multiply_terms(group_sum(of_a, of_b, row, col, k), by));
    }
    block.add(model::term_of(result.format, c));
    return model::sum_block(how, result, block);
  }

  /// model.cpp's steps for 32 products that have the same scales; where something is not finite, by
  /// the model itself. Exact in f32: a product of significands has 8 bits, "cut off after F places"
  /// is a multiplication by a power of two and a conversion towards zero, to less than 2^27.
  std::uint32_t together(const Numbers& of_a, const Numbers& of_b, int row, int col,
                         std::uint32_t pattern) const {
    const Term c = model::term_of(result.format, pattern);
    const Term &by_a = of_a.scales[static_cast<std::size_t>(row)],
               &by_b = of_b.scales[static_cast<std::size_t>(col)];
    if (of_a.special[static_cast<std::size_t>(row)] != 0 ||
        of_b.special[static_cast<std::size_t>(col)] != 0 || c.kind != Kind::finite ||
        by_a.kind != Kind::finite || by_b.kind != Kind::finite)
      return one_by_one(row, col, pattern);
    std::array<float, kTogether> products;
    std::array<std::int32_t, kTogether> exponents;
    const float* left = of_a.significands.data() + row * kTogether;
    const float* right = of_b.significands.data() + col * kTogether;
    const std::int32_t* left_exponent = of_a.exponents.data() + row * kTogether;
    const std::int32_t* right_exponent = of_b.exponents.data() + col * kTogether;
    int largest = 2 * kExponentOfZero;
    for (std::size_t k = 0; k < kTogether; ++k) {
      products[k] = left[k] * right[k];
      exponents[k] = left_exponent[k] + right_exponent[k];
      largest = exponents[k] > largest ? exponents[k] : largest;
    }
    const int scale = by_a.exponent + by_b.exponent;
    int E = std::max(how.zero_exponent, largest + scale);
    if (c.significand != 0) E = std::max(E, c.exponent);
    const int base = how.fraction_bits - product_bits - E + scale;
    std::array<std::int32_t, kTogether> aligned;
    for (std::size_t k = 0; k < kTogether; ++k) {
      constexpr int kLeast = -100, kBias = 127, kMantissa = 23;
      const int shift = base + exponents[k] < kLeast ? kLeast : base + exponents[k];
      aligned[k] = static_cast<std::int32_t>(
          products[k] * __builtin_bit_cast(float, (shift + kBias) << kMantissa));
    }
    // 16 of them are less than 2^31.
    std::int32_t lower = 0, upper = 0;
    for (std::size_t k = 0; k < kTogether / 2; ++k) lower += aligned[k];
    for (std::size_t k = kTogether / 2; k < kTogether; ++k) upper += aligned[k];
    return model::rounded_sum(how, result,
                              std::int64_t{lower} + upper + model::aligned_to(how, c, E), E);
  }

  /// The readable way: every product, or group of products, as terms.
  std::uint32_t one_by_one(int row, int col, std::uint32_t c) const {
    const auto product = [&](int k) {
      return model::multiply_terms(model::term_of(a_format, a[row * shape.K + k]),
                                   model::term_of(b_format, b[k * shape.N + col]));
    };
    for (int first = 0; first < shape.K; first += how.block_products) {
      Block block;
      for (int k = first; k < first + how.block_products && k < shape.K; k += how.group_products) {
        Term term = product(k);
        if (how.group_products > 1) {
          std::int64_t total = 0;
          for (int other = k; other < k + how.group_products; ++other)
            total += whole(product(other));
          term = group_term(total);
        }
        block.add(model::multiply_terms(model::multiply_terms(term, scale_of_a(row, k)),
                                        scale_of_b(col, k)));
      }
      block.add(model::term_of(result.format, c));
      c = model::sum_block(how, result, block);
    }
    return c;
  }
};

}  // namespace

namespace {

void require_chunks(const MmaArithmetic& how, const TensorShape& shape) {
  if (how.group_products > 1 && (shape.a != TensorType::e2m1 || shape.b != TensorType::e2m1))
    broken_contract("groups of products that are not e2m1's", "their exponents would be negative");
  if (shape.scale_vectors < 1 || shape.K % shape.scale_vectors != 0 ||
      shape.K / shape.scale_vectors % how.group_products != 0 ||
      how.block_products / how.group_products > 32)
    broken_contract(fmt::format("k{} in {} chunks", shape.K, shape.scale_vectors),
                    "chunks are whole groups of products");
}

template <class Element>
void each_element(const TensorShape& shape, const std::uint32_t* c, std::uint32_t* d,
                  Element element) {
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col, ++c, ++d) *d = element(row, col, *c);
}

}  // namespace

void multiply_scaled_reference(const MmaArithmetic& how, const TensorShape& shape,
                               const BlockScales& scales, const std::uint8_t* a,
                               const std::uint8_t* b, const std::uint32_t* c, std::uint32_t* d) {
  require_chunks(how, shape);
  const Scaled scaled{how, shape, scales, a, b};
  each_element(shape, c, d, [&](int row, int col, std::uint32_t from) {
    return scaled.one_by_one(row, col, from);
  });
}

void multiply_scaled(const MmaArithmetic& how, const TensorShape& shape, const BlockScales& scales,
                     const std::uint8_t* a, const std::uint8_t* b, const std::uint32_t* c,
                     std::uint32_t* d) {
  require_chunks(how, shape);
  static thread_local Numbers of_a, of_b;
  const Scaled scaled{how, shape, scales, a, b};
  const bool in_groups = how.group_products == kGroup && shape.K == how.block_products;
  take_apart(of_a, scaled.a_format, shape.M, shape.K, in_groups, a, shape.K, 1);
  take_apart(of_b, scaled.b_format, shape.N, shape.K, in_groups, b, 1, shape.N);
  take_apart_scales(of_a, scales.type, scales.a, shape.M * shape.scale_vectors);
  take_apart_scales(of_b, scales.type, scales.b, shape.N * shape.scale_vectors);
  const bool is_one_block =
      shape.K == kTogether && shape.scale_vectors == 1 && how.fraction_bits == 25;
  each_element(shape, c, d, [&](int row, int col, std::uint32_t from) {
    return in_groups      ? scaled.grouped(of_a, of_b, row, col, from)
           : is_one_block ? scaled.together(of_a, of_b, row, col, from)
                          : scaled.one_by_one(row, col, from);
  });
}

}  // namespace lanescope::emulator
