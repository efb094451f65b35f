// SPDX-License-Identifier: MIT
#include "cudart/blas/product.hpp"

#include <cmath>
#include <vector>

#include "cudart/blas/product_sums.hpp"

namespace lanescope::cudart {

void store(const Product& product, std::int64_t row, std::int64_t col, double sum) {
  const Matrix& D = product.D ? *product.D : product.C;
  std::byte* at = address(D, row, col);
  const double alpha = product.alpha.real(), beta = product.beta.real();
  const double before =
      beta != 0 ? read_element(product.C.element, address(product.C, row, col)) : 0;
  if (product.scale == Element::f64 || product.scale == Element::s32)
    return write_element(D.element, at, std::fma(beta, before, alpha * sum));
  const float scaled = static_cast<float>(alpha) * static_cast<float>(sum);
  float value = std::fma(static_cast<float>(beta), static_cast<float>(before), scaled);
  if (!product.epilogue.is_none()) value = finished(product.epilogue, D.element, row, col, value);
  write_element(D.element, at, double{value});
}

bool is_multiplied(const Product& product) {
  const Element element = product.A.element;
  if (is_complex(element) || is_complex(product.C.element))
    return element == product.B.element && element == product.C.element && element == product.scale;
  if (is_of_8_bits(product))
    return product.scale == Element::f32 && has_tensor_core(product, *tensor_shape(product));
  if (element != product.B.element || element == Element::s32) return false;
  if (product.scale == Element::f16) return element == Element::f16;
  return (product.scale == Element::f64) == (element == Element::f64);
}

namespace {

void multiply_some(const Product& product) {
  const std::int64_t depth = product.alpha == 0.0 && !product.reads_by_zero ? 0 : product.k;
  if (is_complex(product.A.element))
    multiply_complex(product, depth);
  else if (const auto shape = tensor_shape(product))
    multiply_by_tensor_core(product, *shape, depth);
  else
    multiply_by_fma(product, depth);
}

/// Of each line of A or B its sum along k.
std::vector<float> sums_along_k(const Matrix& matrix, std::int64_t lines, std::int64_t depth) {
  std::vector<float> sums(static_cast<std::size_t>(lines));
  for (std::int64_t line = 0; line < lines; ++line)
    for (std::int64_t k = 0; k < depth; ++k)
      sums[static_cast<std::size_t>(line)] +=
          static_cast<float>(read_element(matrix.element, address(matrix, line, k)));
  return sums;
}

}  // namespace

void multiply(const Product& product) {
  const BiasGradient gradient = product.epilogue.form.gradient;
  if (gradient == BiasGradient::none) return multiply_some(product);
  std::vector<float> sums;
  Product summed = product;
  if (gradient == BiasGradient::rows_of_d) {
    sums.assign(static_cast<std::size_t>(product.m), 0);
    summed.epilogue.row_sums = sums.data();
  }
  multiply_some(summed);
  if (gradient == BiasGradient::rows_of_a) sums = sums_along_k(product.A, product.m, product.k);
  if (gradient == BiasGradient::columns_of_b)
    sums = sums_along_k(transposed(product.B), product.n, product.k);
  auto* to = static_cast<std::byte*>(product.epilogue.bias);
  for (const float sum : sums) {
    write_element(product.epilogue.bias_element, to, double{sum});
    to += bytes_of(product.epilogue.bias_element);
  }
}

}  // namespace lanescope::cudart
