// SPDX-License-Identifier: MIT
#include "cudart/blas/triangle.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include "cudart/blas/numbers.hpp"

namespace lanescope::cudart {

namespace {

template <class T>
std::vector<T> column_of(const Matrix& matrix, std::int64_t rows, std::int64_t col) {
  std::vector<T> column(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row)
    column[static_cast<std::size_t>(row)] = number_at<T>(matrix, row, col);
  return column;
}

}  // namespace

Triangle transposed(Triangle triangle) {
  triangle.A = transposed(triangle.A);
  triangle.is_upper = !triangle.is_upper;
  return triangle;
}

void solve(const Triangle& triangle, std::complex<double> alpha, std::int64_t cols, const Matrix& B,
           Element in) {
  with_numbers(in, [&]<class T>(T) {
    const std::int64_t size = triangle.size;
    const T factor = number_of<T>(alpha);
    std::vector<std::vector<T>> columns_of_a;
    for (std::int64_t col = 0; col < size && factor != T{}; ++col)
      columns_of_a.push_back(column_of<T>(triangle.A, size, col));
    for (std::int64_t col = 0; col < cols; ++col) {
      std::vector<T> x(static_cast<std::size_t>(size));
      if (factor != T{}) x = column_of<T>(B, size, col);
      for (T& value : x) value = add_product(factor, value, nothing<T>());
      for (std::int64_t step = 0; step < size && factor != T{}; ++step) {
        const std::int64_t known = triangle.is_upper ? size - 1 - step : step;
        const std::vector<T>& a = columns_of_a[static_cast<std::size_t>(known)];
        T& found = x[static_cast<std::size_t>(known)];
        if (!triangle.has_ones) found /= a[static_cast<std::size_t>(known)];
        const std::int64_t first = triangle.is_upper ? 0 : known + 1;
        const std::int64_t end = triangle.is_upper ? known : size;
        for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(end); ++row)
          x[row] = add_product(-a[row], found, x[row]);
      }
      for (std::int64_t row = 0; row < size; ++row)
        write_number(B, row, col, x[static_cast<std::size_t>(row)]);
    }
  });
}

void multiply_triangle(const Product& product, bool is_upper) {
  const auto bytes = static_cast<std::size_t>(bytes_of(product.C.element));
  std::vector<std::byte> room(static_cast<std::size_t>(product.m * product.n) * bytes);
  Product whole = product;
  whole.C = {room.data(), product.C.element, 1, product.m};
  const auto copy_triangle = [&](const Matrix& from, const Matrix& to) {
    for (std::int64_t col = 0; col < product.n; ++col)
      for (std::int64_t row = is_upper ? 0 : col; row < (is_upper ? col + 1 : product.m); ++row)
        std::memcpy(address(to, row, col), address(from, row, col), bytes);
  };
  copy_triangle(product.C, whole.C);
  multiply(whole);
  copy_triangle(whole.C, product.C);
}

}  // namespace lanescope::cudart
