// SPDX-License-Identifier: MIT
// The host's matrices of lesson 01: numbers that say where they belong, packed into registers by a
// map that the lesson has found, and the product they must give.
#pragma once

#include <cstdint>
#include <vector>

#include "fragment_table.cuh"

// Whole numbers that the type stores exactly; no two of a matrix alike, but for e4m3, whose 256
// patterns cannot tell 512 elements apart.
template <class Mma>
int value(int step, Place place) {
  return (step * place.row + place.col) % (Mma::Type::kExact + 1);
}

// A's or B's registers of lane 0, of lane 1, ...: `slots` says which element is in which part.
template <class Mma>
std::vector<uint32_t> packed(const std::vector<Place>& slots, int step) {
  using Type = typename Mma::Type;
  std::vector<uint32_t> words(slots.size() / Mma::kParts, 0);
  for (size_t s = 0; s < slots.size(); ++s)
    words[s / Mma::kParts] |= Type::encode(value<Mma>(step, slots[s]))
                              << (s % Mma::kParts * Type::kBits);
  return words;
}

// How many of D's 128 elements are A*B + C.
template <class Mma>
int count_right(const Map& map, const std::vector<float>& c, const std::vector<float>& d) {
  int right = 0;
  for (int s = 0; s < 128; ++s) {
    float sum = c[s];  // whole and below 2^24: exact in any order
    for (int k = 0; k < Mma::K; ++k)
      sum += static_cast<float>(value<Mma>(Mma::kStepA, {map.d[s].row, k}) *
                                value<Mma>(Mma::kStepB, {k, map.d[s].col}));
    right += d[s] == sum;
  }
  return right;
}
