// SPDX-License-Identifier: MIT
// What a program asks of cublasLt: its descriptions, read, and whether there is such a product.
#pragma once

#include <cstdint>

#include "cudart/blas/lt.hpp"
#include "cudart/blas/product.hpp"

namespace lanescope::cudart {

inline constexpr const char* kMatmul = "cublasLtMatmul";

/// One call's words, with what they say as the products have it.
struct Asked {
  const LtProduct& product;
  const LtLayout &a, &b, &c, &d;
  Element type_a{}, type_b{}, type_c{}, type_d{}, scale{}, bias_type{};
  EpilogueForm form{};

  std::int64_t m() const { return static_cast<std::int64_t>(d.rows); }
  std::int64_t n() const { return static_cast<std::int64_t>(d.cols); }
  std::int64_t k() const { return static_cast<std::int64_t>(product.op_a == 0 ? a.cols : a.rows); }
};

inline bool is_8_bits(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

/// Fills in the types and the epilogue; in words of ours where there is no such product.
cublasStatus look_at(Asked& asked);

/// The product as numbers, without addresses.
Product without_data(const Asked& asked);

}  // namespace lanescope::cudart
