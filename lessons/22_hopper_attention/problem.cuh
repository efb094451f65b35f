// SPDX-License-Identifier: MIT
// The host's side of lesson 22: sizes, tensor maps, numbers to attend to, and what must come out.
// No kernel is in here.
//
// Source: Vaswani and others, Attention Is All You Need, 3.2.1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "element.cuh"
#include "tensor_map.cuh"

constexpr int kDim = 128;                            // elements of a row of Q, K, V and O
constexpr int kGroupQueries = 64, kBlockKeys = 128;  // of a warpgroup; of a step

/// Q has heads * queries rows, K and V heads * keys: whole blocks.
struct Size {
  int heads, queries, keys;
  __host__ __device__ int blocks() const { return keys / kBlockKeys; }
};

struct Maps {
  CUtensorMap q, k, v;
};
inline Maps maps_of(const uint16_t* Q, const uint16_t* K, const uint16_t* V, const Size& size) {
  const auto map = [](const uint16_t* rows, int count, int box_rows) {
    return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, const_cast<uint16_t*>(rows), kDim,
                         static_cast<uint64_t>(count), kDim * 2, 64,
                         static_cast<uint32_t>(box_rows), CU_TENSOR_MAP_SWIZZLE_128B);
  };
  return {map(Q, size.heads * size.queries, kGroupQueries),
          map(K, size.heads * size.keys, kBlockKeys), map(V, size.heads * size.keys, kBlockKeys)};
}

// Whole numbers for scores, so that weights are powers of two, and every sum is exact in whatever
// order: only the last two operations round. Every block of keys brings larger scores.
struct Problem {
  Size size;
  std::vector<uint16_t> Q, K, V;
  explicit Problem(const Size& of)
      : size(of), Q(of.heads * of.queries * kDim), K(of.heads * of.keys * kDim), V(K.size()) {
    const auto fill = [](std::vector<uint16_t>& rows, auto number) {
      for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<uint16_t>(F16::encode(number(int(i) / kDim, int(i) % kDim)));
    };
    fill(Q, q), fill(K, [this](int row, int i) { return k(row % size.keys, i); }), fill(V, v);
  }
  static int q(int row, int i) { return i == 0 ? 1 : i <= 4 ? row >> (i - 1) & 1 : 0; }
  static int k(int key, int i) { return i == 0 ? 20 + key / kBlockKeys : (key * i + key / 5) % 2; }
  static int v(int row, int col) { return (row * 3 + col * 5 + row / 7) % 4; }
  static int score(int row, int key) {
    int sum = 0;
    for (int i = 0; i <= 4; ++i) sum += q(row, i) * k(key, i);
    return sum;
  }
  int elements() const { return static_cast<int>(Q.size()); }
  /// Of all elements of O those that are what they should be.
  int right(const std::vector<float>& O) const {
    int count = 0;
    std::vector<double> weights(static_cast<size_t>(size.keys));
    for (int row = 0; row < size.heads * size.queries; ++row) {
      int largest = 0;
      for (int key = 0; key < size.keys; ++key) largest = std::max(largest, score(row, key));
      double bottom = 0;
      for (int key = 0; key < size.keys; ++key)
        bottom += weights[key] = std::ldexp(1.0, score(row, key) - largest);
      const float share = 1 / static_cast<float>(bottom);
      for (int col = 0; col < kDim; ++col) {
        double top = 0;
        for (int key = 0; key < size.keys; ++key)
          top += weights[key] * v(row / size.queries * size.keys + key, col);
        count += O[size_t(row) * kDim + col] == static_cast<float>(top) * share;
      }
    }
    return count;
  }
};

inline void print_head(const Size& size) {
  std::printf(
      "O = softmax(Q * K^T) * V, %d heads of %d, %d queries and %d keys each. Elements of O:\n\n"
      "  who attends                                           right\n",
      size.heads, kDim, size.queries, size.keys);
}
inline bool print_rung(const char* does, int right, const Problem& p) {
  std::printf("  %-46s %6d of %d\n", does, right, p.elements());
  return right == p.elements();
}
