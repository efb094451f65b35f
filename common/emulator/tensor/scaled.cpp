// SPDX-License-Identifier: MIT
#include "emulator/tensor/scaled.hpp"

#include <array>

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

/// Products of neighbours as one term, exact: exponents of e2m1 are 0 to 2, even its subnormals'.
Term group_sum(const numeric::Format& format, const std::uint8_t* a, const std::uint8_t* b,
               int stride, int count) {
  std::int64_t total = 0;
  for (int k = 0; k < count; ++k) {
    const Term product =
        model::multiply_terms(model::term_of(format, a[k]), model::term_of(format, b[k * stride]));
    const auto size = static_cast<std::int64_t>(product.significand << product.exponent);
    total += product.negative ? -size : size;
  }
  Term sum;
  sum.fraction_bits = 2 * format.mantissa_bits;
  sum.negative = total < 0;
  sum.significand = static_cast<std::uint64_t>(sum.negative ? -total : total);
  return sum;
}

struct Scaled {
  const MmaArithmetic& how;
  const TensorShape& shape;
  const BlockScales& scales;
  const numeric::Format& a_format = model::format_of(shape.a);
  const numeric::Format& b_format = model::format_of(shape.b);
  const model::Result result = model::result_of(how, shape.accumulator);

  std::uint32_t element(const std::uint8_t* a_row, const std::uint8_t* b_column, int row, int col,
                        std::uint32_t c) const {
    const int vectors = shape.scale_vectors, chunk = shape.K / vectors;
    for (int first = 0; first < shape.K; first += how.block_products) {
      Block block;
      for (int k = first; k < first + how.block_products && k < shape.K; k += how.group_products) {
        const std::uint8_t* a = a_row + k;
        const std::uint8_t* b = b_column + k * shape.N;
        const Term term =
            how.group_products == 1
                ? model::multiply_terms(model::term_of(a_format, *a), model::term_of(b_format, *b))
                : group_sum(a_format, a, b, shape.N, how.group_products);
        const Term by_a = term_of_scale(scales.type, scales.a[row * vectors + k / chunk]);
        const Term by_b = term_of_scale(scales.type, scales.b[col * vectors + k / chunk]);
        block.add(model::multiply_terms(model::multiply_terms(term, by_a), by_b));
      }
      block.add(model::term_of(result.format, c));
      c = model::sum_block(how, result, block);
    }
    return c;
  }
};

}  // namespace

void multiply_scaled(const MmaArithmetic& how, const TensorShape& shape, const BlockScales& scales,
                     const std::uint8_t* a, const std::uint8_t* b, const std::uint32_t* c,
                     std::uint32_t* d) {
  if (how.group_products > 1 && (shape.a != TensorType::e2m1 || shape.b != TensorType::e2m1))
    broken_contract("groups of products that are not e2m1's", "their exponents would be negative");
  if (shape.scale_vectors < 1 || shape.K % shape.scale_vectors != 0 ||
      shape.K / shape.scale_vectors % how.group_products != 0 ||
      how.block_products / how.group_products > 32)
    broken_contract(fmt::format("k{} in {} chunks", shape.K, shape.scale_vectors),
                    "chunks are whole groups of products");
  const Scaled scaled{how, shape, scales};
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col)
      d[row * shape.N + col] =
          scaled.element(a + row * shape.K, b + col, row, col, c[row * shape.N + col]);
}

}  // namespace lanescope::emulator
