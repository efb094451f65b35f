// SPDX-License-Identifier: MIT
// Complex numbers, as a kernel with cuCfmaf or cuCfma sums them: real and imaginary parts apart, so
// that a row's columns lie side by side.
//
//     real += a.real * b.real,  real -= a.imaginary * b.imaginary
//     imaginary += a.real * b.imaginary,  imaginary += a.imaginary * b.real
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cudart/blas/numbers.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::int64_t kCols = 64;

/// kCols columns, one number after the other along k, those beyond the matrix 0.
template <class T>
struct Parts {
  std::vector<T> real, imaginary;
};

template <class T>
std::complex<T> read(const Matrix& matrix, std::int64_t row, std::int64_t col) {
  const auto value = load<std::complex<T>>(address(matrix, row, col));
  return matrix.conjugates ? std::conj(value) : value;
}

template <class T>
void unpack(const Product& product, std::int64_t col, std::int64_t depth, Parts<T>& to) {
  const auto count = static_cast<std::size_t>(depth * kCols);
  to.real.assign(count, 0);
  to.imaginary.assign(count, 0);
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t j = 0; j < std::min(kCols, product.n - col); ++j) {
      const std::complex<T> value = read<T>(product.B, k, col + j);
      to.real[static_cast<std::size_t>(k * kCols + j)] = value.real();
      to.imaginary[static_cast<std::size_t>(k * kCols + j)] = value.imag();
    }
}

template <class T>
struct Sums {
  std::array<T, kCols> real{}, imaginary{};
};

template <class T>
[[gnu::always_inline]] inline void add_row(const std::complex<T>* a, std::int64_t depth,
                                           const T* b_real, const T* b_imaginary, Sums<T>& sums) {
  for (std::int64_t k = 0; k < depth; ++k, b_real += kCols, b_imaginary += kCols) {
    const T real = a[k].real(), imaginary = a[k].imag();
    for (std::size_t j = 0; j < kCols; ++j) {
      sums.real[j] = std::fma(real, b_real[j], sums.real[j]);
      sums.real[j] = std::fma(-imaginary, b_imaginary[j], sums.real[j]);
      sums.imaginary[j] = std::fma(real, b_imaginary[j], sums.imaginary[j]);
      sums.imaginary[j] = std::fma(imaginary, b_real[j], sums.imaginary[j]);
    }
  }
}

template <class T>
using AddRow = void (*)(const std::complex<T>*, std::int64_t, const T*, const T*, Sums<T>&);

template <class T>
void add_row_anywhere(const std::complex<T>* a, std::int64_t depth, const T* b_real,
                      const T* b_imaginary, Sums<T>& sums) {
  add_row(a, depth, b_real, b_imaginary, sums);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2,fma")]] void add_row_avx2(const std::complex<T>* a, std::int64_t depth,
                                              const T* b_real, const T* b_imaginary,
                                              Sums<T>& sums) {
  add_row(a, depth, b_real, b_imaginary, sums);
}
#endif

template <class T>
AddRow<T> fastest_row() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add_row_avx2<T>;
#endif
  return add_row_anywhere<T>;
}

template <class T>
void store_complex(const Product& product, std::int64_t row, std::int64_t col,
                   std::complex<T> sum) {
  std::complex<T> value = add_product<T>(std::complex<T>(product.alpha), sum, {});
  if (product.beta != 0.0)
    value = add_product<T>(std::complex<T>(product.beta), read<T>(product.C, row, col), value);
  std::memcpy(address(product.C, row, col), &value, sizeof value);
}

template <class T>
void multiply_complex_in(const Product& product, std::int64_t depth) {
  static const AddRow<T> kAddRow = fastest_row<T>();
  Parts<T> b;
  std::vector<std::complex<T>> a(static_cast<std::size_t>(depth));
  for (std::int64_t col = 0; col < product.n; col += kCols) {
    unpack(product, col, depth, b);
    for (std::int64_t row = 0; row < product.m; ++row) {
      for (std::int64_t k = 0; k < depth; ++k)
        a[static_cast<std::size_t>(k)] = read<T>(product.A, row, k);
      Sums<T> sums;
      kAddRow(a.data(), depth, b.real.data(), b.imaginary.data(), sums);
      for (std::int64_t j = 0; j < std::min(kCols, product.n - col); ++j)
        store_complex<T>(
            product, row, col + j,
            {sums.real[static_cast<std::size_t>(j)], sums.imaginary[static_cast<std::size_t>(j)]});
    }
  }
}

}  // namespace

void multiply_complex(const Product& product, std::int64_t depth) {
  if (product.A.element == Element::c32)
    multiply_complex_in<float>(product, depth);
  else
    multiply_complex_in<double>(product, depth);
}

}  // namespace lanescope::cudart
