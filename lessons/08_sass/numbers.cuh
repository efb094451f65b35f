// SPDX-License-Identifier: MIT
// The host's side of lesson 08: the numbers that its kernels multiply, the products they must get,
// and the line that says whether they did. No kernel and no listing is in here.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"

inline int right(const std::vector<float>& found, const std::vector<float>& expected) {
  int count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) count += found[i] == expected[i];
  return count;
}

inline bool say(const char* kernel, const std::vector<float>& found,
                const std::vector<float>& expected) {
  const int good = right(found, expected);
  std::printf("%s: %d of %d elements of D are right.\n", kernel, good,
              static_cast<int>(expected.size()));
  return good == static_cast<int>(expected.size());
}

// A[row][k] and B[k][col] of every kernel: small whole numbers, so that each sum is exact.
inline int a_at(int row, int k) { return (row * 3 + k * 5) % 8; }
inline int b_at(int k, int col) { return (k * 3 + col) % 7; }

inline std::vector<float> product(int M, int K) {
  std::vector<float> D(M * 8, 0);
  for (int i = 0; i < M * 8; ++i)
    for (int k = 0; k < K; ++k) D[i] += static_cast<float>(a_at(i / 8, k) * b_at(k, i % 8));
  return D;
}

// A matrix of rows x cols elements, several to a 32-bit word.
template <class Type, class Number>
std::vector<uint32_t> words(int rows, int cols, Number number) {
  constexpr int kParts = 32 / Type::kBits;
  std::vector<uint32_t> packed(rows * cols / kParts, 0);
  for (int i = 0; i < rows * cols; ++i)
    packed[i / kParts] |= Type::encode(number(i / cols, i % cols)) << i % kParts * Type::kBits;
  return packed;
}

template <class Element>
const Element* as(DeviceArray<uint32_t>& array) {
  return reinterpret_cast<const Element*>(array.data());
}

inline const auto kTransposedB = [](int col, int k) { return b_at(k, col); };

// For the tiles: A is 1 everywhere, B the number of its tile.
inline std::vector<uint32_t> ones(int words) { return std::vector<uint32_t>(words, 0x3c003c00); }
inline std::vector<uint32_t> tile_numbers(int steps, int tiles) {
  std::vector<uint32_t> B;
  for (int i = 0; i < steps * tiles * 64; ++i) B.push_back(F16::encode(i / 64 % tiles) * 0x10001u);
  return B;
}
inline std::vector<float> sums_of_tiles(int steps, int tiles) {
  std::vector<float> D;
  for (int i = 0; i < tiles * 4 * 32; ++i) D.push_back(steps * 16.0f * (i / 128));
  return D;
}
