// SPDX-License-Identifier: MIT
// Real and complex numbers alike: read and written in the type that a call rounds in, multiplied
// and added by fma. What vectors.cpp, triangle.cpp and product_complex.cpp share.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

#include "cudart/blas/product_sums.hpp"

namespace lanescope::cudart {

template <class T>
T add_product(T a, T b, T before) {
  return std::fma(a, b, before);
}
/// As cuCfmaf has it: both products of the real part first.
template <class T>
std::complex<T> add_product(std::complex<T> a, std::complex<T> b, std::complex<T> before) {
  return {std::fma(-a.imag(), b.imag(), std::fma(a.real(), b.real(), before.real())),
          std::fma(a.imag(), b.real(), std::fma(a.real(), b.imag(), before.imag()))};
}

/// What may be added to a product without changing it, be it -0.
template <class T>
T nothing() {
  return -T{};
}

template <class T>
T number_of(std::complex<double> value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value.real());
  else
    return T(value);
}

inline std::complex<double> complex_at(const Matrix& matrix, std::int64_t row, std::int64_t col) {
  const std::complex<double> value = read_complex(matrix.element, address(matrix, row, col));
  return matrix.conjugates ? std::conj(value) : value;
}

template <class T>
T number_at(const Matrix& matrix, std::int64_t row, std::int64_t col) {
  return number_of<T>(complex_at(matrix, row, col));
}

inline void write_number(const Matrix& matrix, std::int64_t row, std::int64_t col,
                         std::complex<double> value) {
  write_complex(matrix.element, address(matrix, row, col), value);
}

/// Calls `work` with a number of the type that results are rounded to.
template <class Work>
void with_numbers(Element in, Work work) {
  switch (in) {
    case Element::f64:
      return work(double{});
    case Element::c32:
      return work(std::complex<float>{});
    case Element::c64:
      return work(std::complex<double>{});
    default:
      return work(float{});
  }
}

}  // namespace lanescope::cudart
