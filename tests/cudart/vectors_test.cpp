// SPDX-License-Identifier: MIT
// The stand-in's vectors, triangles and complex numbers: which roundings there are, against sums
// written out here.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "cudart/blas/triangle.hpp"
#include "cudart/blas/vectors.hpp"

using namespace lanescope::cudart;

namespace {

using Complex = std::complex<float>;

std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 8)) / 16777216.0f - 0.5f;
  }
  return values;
}

std::vector<Complex> complex_numbers(std::size_t count, unsigned seed) {
  std::vector<Complex> values(count);
  const std::vector<float> parts = numbers(2 * count, seed);
  for (std::size_t k = 0; k < count; ++k) values[k] = {parts[2 * k], parts[2 * k + 1]};
  return values;
}

Complex add_product(Complex a, Complex b, Complex sum) {
  float real = std::fma(a.real(), b.real(), sum.real());
  float imaginary = std::fma(a.real(), b.imag(), sum.imag());
  real = std::fma(-a.imag(), b.imag(), real);
  imaginary = std::fma(a.imag(), b.real(), imaginary);
  return {real, imaginary};
}

template <class T>
Matrix row(std::vector<T>& values, Element element) {
  return {values.data(), element, 1, 1};
}

}  // namespace

TEST_CASE("a complex element is four fma a product, in the order of k, at the edges of blocks") {
  const std::int64_t m = 3, n = 130, k = 37;
  std::vector<Complex> A = complex_numbers(m * k, 1), B = complex_numbers(k * n, 2),
                       C = complex_numbers(m * n, 3);
  const std::vector<Complex> before = C;
  Product product{m,
                  n,
                  k,
                  {1.5, -0.25},
                  {0.5, 2},
                  {A.data(), Element::c32, k, 1, true},
                  {B.data(), Element::c32, 1, k},
                  {C.data(), Element::c32, 1, m},
                  Element::c32};
  REQUIRE(is_multiplied(product));
  multiply(product);
  int wrong = 0;
  for (std::int64_t col = 0; col < n; ++col)
    for (std::int64_t at = 0; at < m; ++at) {
      Complex sum = 0;
      for (std::int64_t step = 0; step < k; ++step)
        sum = add_product(std::conj(A[static_cast<std::size_t>(at * k + step)]),
                          B[static_cast<std::size_t>(step + col * k)], sum);
      const auto place = static_cast<std::size_t>(at + col * m);
      wrong +=
          C[place] != add_product({0.5f, 2}, before[place], add_product({1.5f, -0.25f}, sum, 0));
    }
  CHECK(wrong == 0);
  product.scale = Element::f32;
  CHECK(!is_multiplied(product));
}

TEST_CASE("alpha A is rounded, beta B is added by one fma; what has no factor is not read") {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x{1.0f + 0x1p-12f}, y{-1};
  Combination asked;
  asked.cols = 1;
  asked.beta = x[0];
  asked.A = asked.C = row(y, Element::f32);
  asked.B = row(x, Element::f32);
  combine(asked);
  CHECK(y[0] == 0x1p-11f + 0x1p-24f);  // rounded first, the square would lose its last bit
  std::swap(asked.A, asked.B);
  asked.alpha = x[0];
  asked.beta = 1;
  y[0] = -1;
  combine(asked);
  CHECK(y[0] == 0x1p-11f);  // as geam has it on a card
  y[0] = kNone;
  asked.beta = 0;
  combine(asked);
  CHECK(y[0] == x[0] * x[0]);
  x[0] = y[0] = kNone;
  asked.alpha = 0;
  combine(asked);
  CHECK(y[0] == 0);
  asked.reads_a = true;  // as scal has it on a card
  combine(asked);
  CHECK(std::isnan(y[0]));
  x[0] = -0.0f;
  asked.alpha = 1;
  combine(asked);
  CHECK(std::signbit(y[0]));
}

TEST_CASE("sums along a vector are rounded once") {
  const std::size_t count = 1000;
  std::vector<float> x = numbers(count, 4), y = numbers(count, 5);
  double products = 0, magnitudes = 0, squares = 0;
  for (std::size_t k = 0; k < count; ++k) {
    products += double{x[k]} * double{y[k]};
    magnitudes += std::abs(double{x[k]});
    squares += double{x[k]} * double{x[k]};
  }
  const auto size = static_cast<std::int64_t>(count);
  const Matrix to = row(x, Element::f32);
  CHECK(static_cast<float>(dot(size, to, row(y, Element::f32)).real()) ==
        static_cast<float>(products));
  CHECK(static_cast<float>(sum_of_magnitudes(size, to)) == static_cast<float>(magnitudes));
  CHECK(static_cast<float>(norm(size, to)) == static_cast<float>(std::sqrt(squares)));
}

TEST_CASE("a norm has no overflow, and infinities and what is no number come through") {
  std::vector<double> x{3e200, -4e200, 0};
  const Matrix to = row(x, Element::f64);
  CHECK(norm(3, to) == doctest::Approx(5e200));
  x = {3e-320, 4e-320, 0};
  CHECK(norm(3, row(x, Element::f64)) == doctest::Approx(5e-320));
  x[1] = -std::numeric_limits<double>::infinity();
  CHECK(norm(3, row(x, Element::f64)) == std::numeric_limits<double>::infinity());
  x[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(norm(3, row(x, Element::f64)) == std::numeric_limits<double>::infinity());  // as a card's
  x[1] = 1;
  CHECK(std::isnan(norm(3, row(x, Element::f64))));
  CHECK(norm(0, row(x, Element::f64)) == 0);
}

TEST_CASE("equations are solved from the side and the end where one unknown stands alone") {
  const std::int64_t size = 5;
  for (const bool is_upper : {false, true}) {
    CAPTURE(is_upper);
    std::vector<double> A(25, std::numeric_limits<double>::quiet_NaN()), B{1, 2, 3, 4, 5};
    const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
      return A[static_cast<std::size_t>(i + j * size)];
    };
    for (std::int64_t i = 0; i < size; ++i)
      for (std::int64_t j = is_upper ? i : 0; j <= (is_upper ? size - 1 : i); ++j)
        at(i, j) = static_cast<double>(1 + (i * 3 + j) % 4);
    const std::vector<double> asked = B;
    const Triangle triangle{size, {A.data(), Element::f64, 1, size}, is_upper, false};
    solve(triangle, 2, 1, {B.data(), Element::f64, 1, size}, Element::f64);
    for (std::int64_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::int64_t j = is_upper ? i : 0; j <= (is_upper ? size - 1 : i); ++j)
        sum += at(i, j) * B[static_cast<std::size_t>(j)];
      CHECK(sum == doctest::Approx(2 * asked[static_cast<std::size_t>(i)]));
    }
  }
}

TEST_CASE("the largest and the smallest are sought among what is a number, as a card has it") {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x{kNone, 1, -2};
  CHECK(place_of_largest(3, row(x, Element::f32)) == 3);
  CHECK(place_of_smallest(3, row(x, Element::f32)) == 2);
  CHECK(place_of_largest(1, row(x, Element::f32)) == 1);
  CHECK(place_of_largest(0, row(x, Element::f32)) == 0);
}
