// SPDX-License-Identifier: MIT
#include "cudart/blas/product.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

namespace lanescope::cudart {

namespace {

using emulator::MmaArithmetic;
using emulator::TensorShape;
using emulator::TensorType;
using emulator::TensorUnit;

std::byte* address(const Matrix& matrix, std::int64_t row, std::int64_t col) {
  return static_cast<std::byte*>(matrix.data) +
         (row * matrix.row_step + col * matrix.col_step) * bytes_of(matrix.element);
}

/// D's element of this sum. Real numbers are scaled in f32 or f64, as they were summed.
void store(const Product& product, std::int64_t row, std::int64_t col, double sum) {
  const Matrix& D = product.D ? *product.D : product.C;
  std::byte* at = address(D, row, col);
  const double before =
      product.beta != 0 ? read_element(product.C.element, address(product.C, row, col)) : 0;
  if (product.scale == Element::f64 || product.scale == Element::s32)
    return write_element(D.element, at, std::fma(product.beta, before, product.alpha * sum));
  const float scaled = static_cast<float>(product.alpha) * static_cast<float>(sum);
  float value = std::fma(static_cast<float>(product.beta), static_cast<float>(before), scaled);
  if (!product.epilogue.is_none()) value = finished(product.epilogue, D.element, row, col, value);
  write_element(D.element, at, double{value});
}

// One fma a product: tiles of 6 x 8 sums that stay in registers, of A and B unpacked to T.

constexpr std::int64_t kTileRows = 6, kTileCols = 8;
constexpr std::int64_t kBlockRows = 96, kBlockCols = 256, kBlockDepth = 256;

/// `rows` x `cols` from (row, col) on as strips of `strip` rows, each column by column. The last
/// strip is filled up with zeros.
template <class T>
void unpack(const Matrix& matrix, std::int64_t row, std::int64_t col, std::int64_t rows,
            std::int64_t cols, std::int64_t strip, std::vector<T>& to) {
  to.assign(static_cast<std::size_t>((rows + strip - 1) / strip * strip * cols), 0);
  for (std::int64_t i = 0; i < rows; ++i) {
    T* line = to.data() + i / strip * strip * cols + i % strip;
    for (std::int64_t j = 0; j < cols; ++j)
      line[j * strip] =
          static_cast<T>(read_element(matrix.element, address(matrix, row + i, col + j)));
  }
}

template <class T>
[[gnu::always_inline]] inline void add_tile(const T* a, const T* b, std::int64_t depth, T* sums,
                                            std::int64_t line) {
  T tile[kTileRows][kTileCols];
  for (std::int64_t i = 0; i < kTileRows; ++i)
    for (std::int64_t j = 0; j < kTileCols; ++j) tile[i][j] = sums[i * line + j];
  for (std::int64_t k = 0; k < depth; ++k, a += kTileRows, b += kTileCols)
    for (std::int64_t i = 0; i < kTileRows; ++i)
      for (std::int64_t j = 0; j < kTileCols; ++j) tile[i][j] = std::fma(a[i], b[j], tile[i][j]);
  for (std::int64_t i = 0; i < kTileRows; ++i)
    for (std::int64_t j = 0; j < kTileCols; ++j) sums[i * line + j] = tile[i][j];
}

template <class T>
using AddTile = void (*)(const T*, const T*, std::int64_t, T*, std::int64_t);

template <class T>
void add_tile_anywhere(const T* a, const T* b, std::int64_t depth, T* sums, std::int64_t line) {
  add_tile(a, b, depth, sums, line);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2,fma")]] void add_tile_avx2(const T* a, const T* b, std::int64_t depth, T* sums,
                                               std::int64_t line) {
  add_tile(a, b, depth, sums, line);
}
#endif

template <class T>
AddTile<T> fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add_tile_avx2<T>;
#endif
  return add_tile_anywhere<T>;
}

Matrix transposed(Matrix matrix) {
  std::swap(matrix.row_step, matrix.col_step);
  return matrix;
}

template <class T>
void multiply_by_fma(const Product& product, std::int64_t depth) {
  static const AddTile<T> kAddTile = fastest<T>();
  const std::int64_t lines = (product.m + kTileRows - 1) / kTileRows * kTileRows;
  std::vector<T> a, b, sums;
  for (std::int64_t col = 0; col < product.n; col += kBlockCols) {
    const std::int64_t cols = std::min(kBlockCols, product.n - col);
    sums.assign(static_cast<std::size_t>(lines * kBlockCols), 0);
    for (std::int64_t k = 0; k < depth; k += kBlockDepth) {
      const std::int64_t deep = std::min(kBlockDepth, depth - k);
      unpack(transposed(product.B), col, k, cols, deep, kTileCols, b);
      for (std::int64_t row = 0; row < product.m; row += kBlockRows) {
        const std::int64_t rows = std::min(kBlockRows, product.m - row);
        unpack(product.A, row, k, rows, deep, kTileRows, a);
        for (std::int64_t j = 0; j < cols; j += kTileCols)
          for (std::int64_t i = 0; i < rows; i += kTileRows)
            kAddTile(a.data() + i * deep, b.data() + j * deep, deep,
                     sums.data() + (row + i) * kBlockCols + j, kBlockCols);
      }
    }
    for (std::int64_t i = 0; i < product.m; ++i)
      for (std::int64_t j = 0; j < cols; ++j)
        store(product, i, col + j, double{sums[static_cast<std::size_t>(i * kBlockCols + j)]});
  }
}

// The tensor core: panels of A and B, K deep, row-major, as multiply_packed takes them.

bool is_8_bits(Element element) { return element == Element::e4m3 || element == Element::e5m2; }

TensorType type_of_8(Element element) {
  return element == Element::e4m3 ? TensorType::e4m3 : TensorType::e5m2;
}

std::optional<TensorShape> tensor_shape(const Product& product) {
  const Element element = product.A.element;
  if (is_8_bits(element) && is_8_bits(product.B.element))
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

}  // namespace

bool is_multiplied(const Product& product) {
  const Element element = product.A.element;
  if (is_8_bits(element) && is_8_bits(product.B.element))
    return product.scale == Element::f32 &&
           arithmetic_of_card(product.arch, *tensor_shape(product)) != nullptr;
  if (element != product.B.element || element == Element::s32) return false;
  if (product.scale == Element::f16) return element == Element::f16;
  return (product.scale == Element::f64) == (element == Element::f64);
}

namespace {

void multiply_some(const Product& product) {
  const std::int64_t depth = product.alpha == 0 ? 0 : product.k;
  if (const auto shape = tensor_shape(product))
    multiply_by_tensor_core(product, *shape, depth);
  else if (product.A.element == Element::f32)
    multiply_by_fma<float>(product, depth);
  else
    multiply_by_fma<double>(product, depth);
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
