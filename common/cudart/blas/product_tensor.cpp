// SPDX-License-Identifier: MIT
// The tensor core: panels of A and B, K deep, row-major, as multiply_packed takes them.
#include <algorithm>
#include <cstring>
#include <vector>

#include "cudart/blas/product_sums.hpp"
#include "numeric/format.hpp"

namespace lanescope::cudart {

namespace {

using emulator::MmaArithmetic;
using emulator::TensorShape;
using emulator::TensorType;
using emulator::TensorUnit;

TensorType type_of_8(Element element) {
  return element == Element::e4m3 ? TensorType::e4m3 : TensorType::e5m2;
}

const MmaArithmetic* arithmetic_of_card(const std::string& arch, const TensorShape& shape) {
  const TensorUnit unit = arch == "sm_90a" ? TensorUnit::wgmma : TensorUnit::mma;
  return emulator::arithmetic(arch, unit, shape);
}

const MmaArithmetic& arithmetic_of(const std::string& arch, const TensorShape& shape) {
  const MmaArithmetic* how = arithmetic_of_card(arch, shape);
  // A card without these types has no such kernels in cuBLAS either.
  return how ? *how : *emulator::arithmetic("sm_80", TensorUnit::mma, shape);
}

/// What the tensor core gets of an element: of an f32 the nearest tf32, as cuBLAS has it on an
/// H200.
template <class T>
T pattern_of(const void* at) {
  if constexpr (sizeof(T) == 4)
    return numeric::encode(numeric::kTf32, double{load<float>(at)});
  else
    return load<T>(at);
}

/// rows x cols patterns from (row, col) on, row-major; what lies outside of height x width is zero.
template <class T>
void pack(const Matrix& matrix, std::int64_t row, std::int64_t col, int rows, int cols,
          std::int64_t height, std::int64_t width, std::vector<std::byte>& to) {
  to.assign(static_cast<std::size_t>(rows * cols) * sizeof(T), std::byte{0});
  const std::int64_t most_rows = std::min<std::int64_t>(rows, height - row);
  const std::int64_t most_cols = std::min<std::int64_t>(cols, width - col);
  for (std::int64_t i = 0; i < most_rows; ++i)
    for (std::int64_t j = 0; j < most_cols; ++j) {
      const T pattern = pattern_of<T>(address(matrix, row + i, col + j));
      std::memcpy(to.data() + static_cast<std::size_t>(i * cols + j) * sizeof(T), &pattern,
                  sizeof(T));
    }
}

/// `sums`: shape.M x shape.N of them for each panel of A's rows, one behind the other.
template <class T>
void multiply_columns(const Product& product, const TensorShape& shape, std::int64_t col,
                      std::int64_t depth, std::vector<std::byte>& sums) {
  const MmaArithmetic& how = arithmetic_of(product.arch, shape);
  const std::size_t panel_bytes =
      sums.size() / static_cast<std::size_t>((product.m + shape.M - 1) / shape.M);
  std::vector<std::byte> a, b;
  for (std::int64_t k = 0; k < depth; k += shape.K) {
    pack<T>(product.B, k, col, shape.K, shape.N, depth, product.n, b);
    std::byte* panel = sums.data();
    for (std::int64_t row = 0; row < product.m; row += shape.M, panel += panel_bytes) {
      pack<T>(product.A, row, k, shape.M, shape.K, product.m, depth, a);
      emulator::multiply_packed(how, shape, a.data(), b.data(), panel, panel);
    }
  }
}

}  // namespace

std::optional<TensorShape> tensor_shape(const Product& product) {
  const Element element = product.A.element;
  if (is_of_8_bits(product))
    return TensorShape{
        64, 256, 32, type_of_8(element), type_of_8(product.B.element), TensorType::f32};
  if (element != product.B.element) return std::nullopt;
  const bool in_half = product.scale == Element::f16;
  const TensorType sum = in_half ? TensorType::f16 : TensorType::f32;
  if (element == Element::f16)
    return TensorShape{64, 256, 16, TensorType::f16, TensorType::f16, sum};
  if (in_half || product.scale == Element::f64) return std::nullopt;
  if (element == Element::bf16)
    return TensorShape{64, 256, 16, TensorType::bf16, TensorType::bf16, sum};
  if (element == Element::f32 && product.allows_tf32)
    return TensorShape{64, 256, 8, TensorType::tf32, TensorType::tf32, sum};
  return std::nullopt;
}

bool has_tensor_core(const Product& product, const TensorShape& shape) {
  return arithmetic_of_card(product.arch, shape) != nullptr;
}

void multiply_by_tensor_core(const Product& product, const TensorShape& shape, std::int64_t depth) {
  const Element summed = shape.accumulator == TensorType::f16 ? Element::f16 : Element::f32;
  const std::int64_t panels = (product.m + shape.M - 1) / shape.M;
  std::vector<std::byte> sums;
  for (std::int64_t col = 0; col < product.n; col += shape.N) {
    sums.assign(static_cast<std::size_t>(panels * shape.M * shape.N * bytes_of(summed)),
                std::byte{0});
    if (bytes_of(product.A.element) == 1)
      multiply_columns<std::uint8_t>(product, shape, col, depth, sums);
    else if (bytes_of(product.A.element) == 2)
      multiply_columns<std::uint16_t>(product, shape, col, depth, sums);
    else
      multiply_columns<std::uint32_t>(product, shape, col, depth, sums);
    for (std::int64_t i = 0; i < product.m; ++i)
      for (std::int64_t j = 0; j < std::min<std::int64_t>(shape.N, product.n - col); ++j)
        store(product, i, col + j,
              read_element(summed, sums.data() + (i * shape.N + j) * bytes_of(summed)));
  }
}

}  // namespace lanescope::cudart
