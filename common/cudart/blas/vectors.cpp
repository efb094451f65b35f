// SPDX-License-Identifier: MIT
#include "cudart/blas/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cudart/blas/numbers.hpp"

namespace lanescope::cudart {

namespace {

/// A sum of `count` numbers from `first` on, in pairs: an error of log2(count) roundings at most.
template <class Of>
double sum_in_pairs(std::int64_t first, std::int64_t count, const Of& of) {
  constexpr std::int64_t kFew = 32;
  if (count > kFew)
    return sum_in_pairs(first, count / 2, of) +
           sum_in_pairs(first + count / 2, count - count / 2, of);
  double sum = 0;
  for (std::int64_t index = first; index < first + count; ++index) sum += of(index);
  return sum;
}

double magnitude(const Matrix& x, std::int64_t index) {
  const std::complex<double> value = complex_at(x, 0, index);
  return std::abs(value.real()) + std::abs(value.imag());
}

/// As a card has it: what is no number is passed over, wherever it stands.
template <class Better>
std::int64_t place_of(std::int64_t count, const Matrix& x, Better better) {
  std::int64_t found = 0;
  double best = 0;
  for (std::int64_t index = 0; index < count; ++index) {
    const double value = magnitude(x, index);
    if (!std::isnan(value) && (found == 0 || better(value, best))) found = index + 1, best = value;
  }
  return found == 0 && count > 0 ? 1 : found;
}

}  // namespace

void combine(const Combination& asked) {
  with_numbers(asked.in, [&]<class T>(T) {
    const T alpha = number_of<T>(asked.alpha), beta = number_of<T>(asked.beta);
    for (std::int64_t col = 0; col < asked.cols; ++col)
      for (std::int64_t row = 0; row < asked.rows; ++row) {
        T value{};
        if (asked.reads_a || alpha != T{})
          value = add_product(alpha, number_at<T>(asked.A, row, col), nothing<T>());
        if (beta != T{}) value = add_product(beta, number_at<T>(asked.B, row, col), value);
        write_number(asked.C, row, col, value);
      }
  });
}

void scale_lines(std::int64_t rows, std::int64_t cols, bool from_left, const Matrix& A,
                 const Matrix& x, const Matrix& C, Element in) {
  with_numbers(in, [&]<class T>(T) {
    for (std::int64_t col = 0; col < cols; ++col)
      for (std::int64_t row = 0; row < rows; ++row)
        write_number(C, row, col,
                     add_product(number_at<T>(A, row, col),
                                 number_at<T>(x, 0, from_left ? row : col), nothing<T>()));
  });
}

void add_outer(std::int64_t rows, std::int64_t cols, std::complex<double> alpha, const Matrix& x,
               const Matrix& y, const Matrix& A, Element in) {
  with_numbers(in, [&]<class T>(T) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const T factor = add_product(number_of<T>(alpha), number_at<T>(x, 0, row), nothing<T>());
      for (std::int64_t col = 0; col < cols; ++col)
        write_number(A, row, col,
                     add_product(factor, number_at<T>(y, 0, col), number_at<T>(A, row, col)));
    }
  });
}

void copy_elements(std::int64_t count, const Matrix& x, const Matrix& y) {
  const auto bytes = static_cast<std::size_t>(bytes_of(x.element));
  for (std::int64_t index = 0; index < count; ++index)
    std::memcpy(address(y, 0, index), address(x, 0, index), bytes);
}

void exchange_elements(std::int64_t count, const Matrix& x, const Matrix& y) {
  const auto bytes = static_cast<std::size_t>(bytes_of(x.element));
  for (std::int64_t index = 0; index < count; ++index)
    std::swap_ranges(address(x, 0, index), address(x, 0, index) + bytes, address(y, 0, index));
}

std::complex<double> dot(std::int64_t count, const Matrix& x, const Matrix& y) {
  // Products of two f32 are exact in f64.
  const auto part = [&](auto of) {
    return sum_in_pairs(0, count, [&](std::int64_t index) {
      return of(complex_at(x, 0, index), complex_at(y, 0, index));
    });
  };
  using Number = std::complex<double>;
  const double real =
      part([](Number a, Number b) { return std::fma(-a.imag(), b.imag(), a.real() * b.real()); });
  if (!is_complex(x.element)) return real;
  return {real, part([](Number a, Number b) {
            return std::fma(a.imag(), b.real(), a.real() * b.imag());
          })};
}

double norm(std::int64_t count, const Matrix& x) {
  double largest = 0, not_a_number = 0;
  for (std::int64_t index = 0; index < count; ++index) {
    const double value = magnitude(x, index);
    if (std::isnan(value)) not_a_number = value;
    largest = std::max(largest, value);  // a NaN is not
  }
  if (std::isinf(largest)) return largest;  // beside a NaN, too, as a card has it
  if (std::isnan(not_a_number)) return not_a_number;
  if (largest == 0) return largest;
  // A power of two, which rounds nothing, brings the largest near 1.
  const int power = -std::ilogb(largest);
  const auto square = [&](std::int64_t index) {
    const std::complex<double> value = complex_at(x, 0, index);
    const double real = std::ldexp(value.real(), power);
    const double imaginary = std::ldexp(value.imag(), power);
    return std::fma(imaginary, imaginary, real * real);
  };
  return std::ldexp(std::sqrt(sum_in_pairs(0, count, square)), -power);
}

double sum_of_magnitudes(std::int64_t count, const Matrix& x) {
  return sum_in_pairs(0, count, [&](std::int64_t index) { return magnitude(x, index); });
}

std::int64_t place_of_largest(std::int64_t count, const Matrix& x) {
  return place_of(count, x, [](double value, double best) { return value > best; });
}

std::int64_t place_of_smallest(std::int64_t count, const Matrix& x) {
  return place_of(count, x, [](double value, double best) { return value < best; });
}

}  // namespace lanescope::cudart
