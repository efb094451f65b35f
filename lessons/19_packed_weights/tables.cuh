// SPDX-License-Identifier: MIT
// The first two tables of lesson 19, on the host: what a lane and its warp
// touch of W, counted, and what becomes of a nibble. No instruction is in here.
//
// Source: sectors of 32 bytes: CUDA C++ Programming Guide, device memory
// accesses.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "problem.cuh"

constexpr int kShownLane = 6, kSteps = kGroup / 16;

/// The number of the nibble that a half of a lane's register is made of.
using NibbleOf = std::function<int(int lane, int step, int reg, int half)>;

/// Counted by address. What lies side by side is one load, of 16 bytes at most.
inline bool print_order(const char* order, const NibbleOf& nibble_of) {
  std::set<int> bytes, sectors, nibbles;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < kSteps * 4; ++i) {
      const int nibble = nibble_of(lane, i / 4, i / 2 % 2, i % 2);
      nibbles.insert(nibble), sectors.insert(nibble / 64);
      if (lane == kShownLane) bytes.insert(nibble / 2);
    }
  int loads = 0;
  for (const int byte : bytes) loads += bytes.count(byte - 1) == 0 || byte % 16 == 0;
  const double wanted = static_cast<double>(nibbles.size()) / 64;
  std::printf("   %-22s %8zu %8d %18zu %14.1f %%\n", order, bytes.size(), loads, sectors.size(),
              100 * wanted / static_cast<double>(sectors.size()));
  return nibbles.size() == 32 * kSteps * 4;  // everybody has their own
}

/// The nibbles of the lane's first word in fragment order, the highest first.
inline void print_word(Weight (*wanted)(int, int, int, int), const NibbleOf& nibble_of) {
  std::string words = "";
  for (int nibble = 7; nibble >= 0; --nibble)
    for (int i = 0; i < 8; ++i) {
      if (nibble_of(kShownLane, i / 4, i / 2 % 2, i % 2) - kShownLane * 32 != nibble) continue;
      const Weight w = wanted(kShownLane, i / 4, i / 2 % 2, i % 2);
      words += "  W[" + std::to_string(w.k) + "][" + std::to_string(w.col) + "]";
    }
  std::printf(
      "\n   In fragment order the first of its words has, from the highest bits on,\n  %s\n\n",
      words.c_str());
}

inline bool print_where(Weight (*wanted)(int, int, int, int), int (*in_rows)(Weight),
                        int (*in_columns)(Weight), int (*in_fragments)(int, int, int, int)) {
  std::printf(
      "1. What lane %d's B wants of W for %d of k: %d numbers of 4 bits, of column %d\n\n"
      "   W is stored               bytes    loads   its warp's sectors   of them wanted\n",
      kShownLane, kGroup, kGroup / 4, kShownLane / 4);
  const auto by = [wanted](int (*nibble)(Weight)) {
    return [=](int lane, int step, int reg, int half) {
      return nibble(wanted(lane, step, reg, half));
    };
  };
  bool good = print_order("row after row", by(in_rows));
  good = print_order("column after column", by(in_columns)) && good;
  good = print_order("in fragment order", in_fragments) && good;
  print_word(wanted, in_fragments);
  return good;
}

/// f16 of a whole number from -8 to 7, and from 1024 on.
inline int whole(uint16_t bits) {
  const int exponent = (bits >> 10 & 31) - 15, mantissa = (bits & 0x3ff) | 0x400;
  if ((bits & 0x7fff) == 0) return 0;
  const int size = exponent < 0 ? 0 : (mantissa << exponent) >> 10;
  return bits & 0x8000 ? -size : size;
}

/// Of nibble q: lop3 and what becomes of it, in an even place (x, y) and in an
/// odd one (z, w).
inline bool print_conversions(const std::vector<uint4>& answers) {
  std::printf(
      "2. A nibble between the bits of 1024, and as f16\n\n"
      "     q   nibbles 0, 4   as f16   - 1032   nibbles 1, 5   as f16 "
      "  / 16 - 72\n");
  int right = 0;
  for (int q = 0; q < 16; ++q) {
    const uint4& r = answers[static_cast<size_t>(q)];
    const auto both = [](uint32_t pair, int number) {
      return pair >> 16 == (pair & 0xffff) && whole(static_cast<uint16_t>(pair)) == number;
    };
    right +=
        both(r.x, 1024 + q) && both(r.y, q - 8) && both(r.z, 1024 + 16 * q) && both(r.w, q - 8);
    if (q > 1 && q < 15) continue;
    const auto low = [](uint32_t pair) { return static_cast<uint16_t>(pair); };
    std::printf("%s    %2d         0x%04x %8d %8d         0x%04x %8d %11d\n",
                q == 15 ? "   ...\n" : "", q, low(r.x), whole(low(r.x)), whole(low(r.y)), low(r.z),
                whole(low(r.z)), whole(low(r.w)));
  }
  std::printf("   %d of 16 are q - 8 both ways, in both halves.\n", right);
  return right == 16;
}
