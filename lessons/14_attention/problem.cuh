// SPDX-License-Identifier: MIT
// The host's side of lesson 14: numbers to attend to, what must come out, and the lines that say
// whether it does. No kernel is in here.
//
// Source: Vaswani and others, Attention Is All You Need, 3.2.1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "element.cuh"

constexpr int kQueries = 16, kDim = 32;  // rows of Q; elements of a row of Q, K and V

inline uint16_t f16(int number) { return static_cast<uint16_t>(F16::encode(number)); }

// ---- 1 and 2 ------------------------------------------------------------------------------------

inline bool print_at_home(int of_16, int of_32, int of_8) {
  std::printf(
      "1. D's columns, 8 at a time, are to be the next product's A. Elements that are in the\n"
      "   right lane already:\n\n"
      "  the next A               elements   in their lane\n"
      "  m16n8k16, f16 or bf16         256   %13d\n"
      "  m16n8k8, tf32                 128   %13d\n"
      "  m16n8k32, s8 or fp8           512   %13d\n\n",
      of_16, of_32, of_8);
  return of_16 == 256 && of_32 == 32 && of_8 == 128;
}

// Scores that say where they are: S[9][5] is 905. Row r of Q is (r, 1, 0 ...), row c of K (100, c,
// 0 ...).
inline std::vector<uint16_t> numbered_queries() {
  std::vector<uint16_t> Q(kQueries * kDim, 0);
  for (int row = 0; row < kQueries; ++row) {
    Q[row * kDim] = f16(row);
    Q[row * kDim + 1] = f16(1);
  }
  return Q;
}
inline std::vector<uint16_t> numbered_keys() {
  std::vector<uint16_t> K(16 * kDim, 0);
  for (int key = 0; key < 16; ++key) {
    K[key * kDim] = f16(100);
    K[key * kDim + 1] = f16(key);
  }
  return K;
}

// Eight words a lane, A's registers packed and by way of shared memory. How many are alike and hold
// what they should?
inline int print_registers(const std::vector<uint32_t>& words) {
  int same = 0;
  for (int i = 0; i < 128; ++i) {
    const int lane = i / 4, reg = i % 4;
    const int row = lane / 4 + reg % 2 * 8, col = lane % 4 * 2 + reg / 2 * 8;
    const uint32_t wanted = f16(100 * row + col) | uint32_t(f16(100 * row + col + 1)) << 16;
    same += words[lane * 8 + reg] == wanted && words[lane * 8 + 4 + reg] == wanted;
  }
  std::printf(
      "2. Scores of 16 queries and 16 keys, S[9][5] = 905. Registers of A, packed out of D's on\n"
      "   the spot, and those of ldmatrix after a detour through shared memory: %d of 128 alike.\n",
      same);
  return same;
}

// ---- 3 ------------------------------------------------------------------------------------------

// Whole numbers for scores, so that weights are powers of two, and every sum is exact in whatever
// order: only the last division rounds. Scores grow from 20 to 30; every 16 keys the largest grows.
struct Problem {
  int keys;
  std::vector<uint16_t> Q, K, V;
  explicit Problem(int count) : keys(count), Q(kQueries * kDim), K(count * kDim), V(count * kDim) {
    for (int i = 0; i < kQueries * kDim; ++i) Q[i] = f16(q(i / kDim, i % kDim));
    for (int i = 0; i < keys * kDim; ++i) K[i] = f16(k(i / kDim, i % kDim));
    for (int i = 0; i < keys * kDim; ++i) V[i] = f16(v(i / kDim, i % kDim));
  }
  static int q(int row, int i) { return i == 0 ? 1 : i <= 4 ? row >> (i - 1) & 1 : 0; }
  static int k(int key, int i) { return i == 0 ? 20 + key / 16 * 2 : (key * i + key / 5) % 2; }
  static int v(int key, int col) { return (key * 3 + col * 5 + key / 7) % 4; }
  static int score(int row, int key) {
    int sum = 0;
    for (int i = 0; i < kDim; ++i) sum += q(row, i) * k(key, i);
    return sum;
  }
  float expected(int row, int col) const {
    int largest = 0;
    for (int key = 0; key < keys; ++key) largest = std::max(largest, score(row, key));
    double top = 0, bottom = 0;
    for (int key = 0; key < keys; ++key) {
      const double weight = std::ldexp(1.0, score(row, key) - largest);
      top += weight * v(key, col);
      bottom += weight;
    }
    return static_cast<float>(top) / static_cast<float>(bottom);
  }
};

inline void print_head_of_attention(const Problem& p) {
  std::printf(
      "\n3. Attention, %d queries, %d keys, heads of %d. Elements of O:\n\n"
      "  the maximum that is taken away                          right   NaN or infinite\n",
      kQueries, p.keys, kDim);
}
inline int print_attention(const char* name, const Problem& p, const std::vector<float>& O) {
  int right = 0, lost = 0;
  for (int i = 0; i < kQueries * kDim; ++i) {
    right += O[i] == p.expected(i / kDim, i % kDim);
    lost += !std::isfinite(O[i]);
  }
  std::printf("  %-53s %7d   %15d\n", name, right, lost);
  return right;
}
