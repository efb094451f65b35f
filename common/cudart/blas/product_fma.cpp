// SPDX-License-Identifier: MIT
// One fma a product: tiles of 6 x 8 sums that stay in registers, of A and B unpacked to T.
#include <algorithm>
#include <cmath>
#include <vector>

#include "cudart/blas/product_sums.hpp"

namespace lanescope::cudart {

namespace {

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

template <class T>
void multiply_in(const Product& product, std::int64_t depth) {
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

}  // namespace

void multiply_by_fma(const Product& product, std::int64_t depth) {
  if (product.A.element == Element::f32)
    multiply_in<float>(product, depth);
  else
    multiply_in<double>(product, depth);
}

}  // namespace lanescope::cudart
