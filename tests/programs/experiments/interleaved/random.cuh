// SPDX-License-Identifier: MIT
// Random questions: tiles and columns of pixels, in and out.
#pragma once

#include <algorithm>

#include "chosen.cuh"

inline Question any_tile(Numbers& numbers, int k) {
  Question q;
  q.rank = 3 + k % 3;
  q.interleave = 1 + k / 3 % 2;
  q.swizzle = between(numbers, 0, 3);
  q.bytes = 1 << between(numbers, 0, 3);
  q.size[0] = between(numbers, 1, 12);
  q.box[0] = std::max(1, 16 / q.bytes) * between(numbers, 1, q.bytes == 1 ? 1 : 2);
  q.at[0] = between(numbers, -3, q.size[0]);
  int stride = slice_bytes(q) * (q.size[0] + between(numbers, 0, 2));
  for (std::size_t d = 1; d < 5; ++d) {
    q.stride[d - 1] = stride;
    q.size[d] = between(numbers, 1, 4);
    stride *= q.size[d];
    stride += slice_bytes(q) * between(numbers, 0, 2);
    q.box[d] = between(numbers, 1, 3);
    q.step[d] = between(numbers, 0, 3) == 0 ? 2 : 1;
    q.at[d] = between(numbers, -1, q.size[d] - 1);
  }
  if (between(numbers, 0, 3) == 0) q.step[0] = between(numbers, 2, 3);
  return q;
}

inline Question any_pixels(Numbers& numbers, int k) {
  Question q = any_tile(numbers, k);
  q.way = kLoad;
  q.pixels = between(numbers, 1, 40);
  for (std::size_t d = 0; d < static_cast<std::size_t>(q.rank - 2); ++d) {
    do {
      q.lower[d] = between(numbers, -2, 1);
      q.upper[d] = between(numbers, -2, 1);
    } while (q.size[d] - 1 + q.upper[d] < q.lower[d]);
    q.at[d] = between(numbers, q.lower[d], q.size[d] - 1 + q.upper[d]);
    q.offset[d] = between(numbers, 0, 2);
  }
  return q;
}

inline void ask_random(Questions& to) {
  Numbers numbers;
  for (int k = 0; k < 120; ++k) to.all.push_back(any_tile(numbers, k));
  for (int k = 0; k < 120; ++k) to.all.push_back(any_pixels(numbers, k));
  for (int k = 0; k < 60; ++k) {  // out: inside, but for every fifth
    Question q = k % 2 == 0 ? any_tile(numbers, k) : any_pixels(numbers, k);
    q.way = k % 2 == 0 ? (q.bytes >= 4 ? kTileAdd : kTileStore) : kStore;
    if (k % 5 != 0) {
      q.lower = q.upper = {};
      for (std::size_t d = 0; d < 5; ++d) q.at[d] = std::clamp(q.at[d], 0, q.size[d] - 1);
    }
    to.all.push_back(q);
  }
}
