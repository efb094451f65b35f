// SPDX-License-Identifier: MIT
#include "emulator/tensor/scaled.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
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

constexpr int kMostTogether = 32;

/// Numbers of A's rows or of B's columns, k after k, taken apart once for all that they meet;
/// e2m1's, which are summed in groups, as whole numbers of halves.
struct Numbers {
  std::vector<std::int32_t> significands;  // with their sign
  std::vector<std::int32_t> exponents;
  std::vector<bool> special;  // of each row: some of it is an infinity or NaN
};

void take_apart(Numbers& numbers, const numeric::Format& format, int lines, int K, bool as_whole,
                const std::uint8_t* elements, int line_step, int k_step) {
  std::array<Term, 256> terms;
  for (std::uint32_t pattern = 0; pattern < terms.size(); ++pattern)
    terms[pattern] = model::term_of(format, pattern);
  numbers.significands.clear(), numbers.exponents.clear(), numbers.special.clear();
  for (int line = 0; line < lines; ++line) {
    bool special = false;
    for (int k = 0; k < K; ++k) {
      const Term& term = terms[elements[line * line_step + k * k_step]];
      const auto significand =
          static_cast<std::int32_t>(term.significand << (as_whole ? term.exponent : 0));
      numbers.significands.push_back(term.negative ? -significand : significand);
      numbers.exponents.push_back(term.exponent);
      special |= term.kind != Kind::finite;
    }
    numbers.special.push_back(special);
  }
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
    const std::int32_t* left = of_a.significands.data() + row * shape.K + first;
    const std::int32_t* right = of_b.significands.data() + col * shape.K + first;
    std::int32_t total = 0;
    for (int k = 0; k < how.group_products; ++k) total += left[k] * right[k];
    return group_term(total);
  }

  std::uint32_t grouped(const Numbers& of_a, const Numbers& of_b, int row, int col,
                        std::uint32_t c) const {
    for (int first = 0; first < shape.K; first += how.block_products) {
      Block block;
      for (int k = first; k < first + how.block_products && k < shape.K; k += how.group_products)
        block.add(model::multiply_terms(
            model::multiply_terms(group_sum(of_a, of_b, row, col, k), scale_of_a(row, k)),
            scale_of_b(col, k)));
      block.add(model::term_of(result.format, c));
      c = model::sum_block(how, result, block);
    }
    return c;
  }

  /// model.cpp's steps for 32 products that have the same scales; where something is not finite, by
  /// the model itself.
  std::uint32_t together(const Numbers& of_a, const Numbers& of_b, int row, int col,
                         std::uint32_t pattern) const {
    const Term c = model::term_of(result.format, pattern);
    const Term by_a = scale_of_a(row, 0), by_b = scale_of_b(col, 0);
    if (of_a.special[static_cast<std::size_t>(row)] ||
        of_b.special[static_cast<std::size_t>(col)] || c.kind != Kind::finite ||
        by_a.kind != Kind::finite || by_b.kind != Kind::finite)
      return one_by_one(row, col, pattern);
    constexpr int kNothing = -1000;
    std::array<std::int32_t, kMostTogether> products, exponents;
    const std::int32_t* left = of_a.significands.data() + row * shape.K;
    const std::int32_t* right = of_b.significands.data() + col * shape.K;
    const std::int32_t* left_exponent = of_a.exponents.data() + row * shape.K;
    const std::int32_t* right_exponent = of_b.exponents.data() + col * shape.K;
    int largest = kNothing;
    for (int k = 0; k < shape.K; ++k) {
      const auto at = static_cast<std::size_t>(k);
      products[at] = left[k] * right[k];
      exponents[at] = left_exponent[k] + right_exponent[k];
      largest = std::max(largest, products[at] != 0 ? exponents[at] : kNothing);
    }
    const int scale = by_a.exponent + by_b.exponent;
    int E = std::max(how.zero_exponent, largest + scale);
    if (c.significand != 0) E = std::max(E, c.exponent);
    std::int64_t sum = 0;
    for (int k = 0; k < shape.K; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const int shift = how.fraction_bits - product_bits - (E - exponents[at] - scale);
      const std::int32_t size = std::abs(products[at]);
      const std::int32_t aligned = shift >= 0 ? size << std::min(shift, 23)  // 0 where it is more
                                   : shift > -31 ? size >> -shift
                                                 : 0;
      sum += products[at] < 0 ? -aligned : aligned;
    }
    return model::rounded_sum(how, result, sum + model::aligned_to(how, c, E), E);
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
  const bool in_groups = how.group_products > 1;
  take_apart(of_a, scaled.a_format, shape.M, shape.K, in_groups, a, shape.K, 1);
  take_apart(of_b, scaled.b_format, shape.N, shape.K, in_groups, b, 1, shape.N);
  const bool is_one_block = shape.K <= kMostTogether && shape.scale_vectors == 1;
  each_element(shape, c, d, [&](int row, int col, std::uint32_t from) {
    return in_groups      ? scaled.grouped(of_a, of_b, row, col, from)
           : is_one_block ? scaled.together(of_a, of_b, row, col, from)
                          : scaled.one_by_one(row, col, from);
  });
}

}  // namespace lanescope::emulator
