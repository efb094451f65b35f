// SPDX-License-Identifier: MIT
// Random questions: 180 loads, 48 stores and reductions.
#pragma once

#include "question.cuh"

inline Question any(Numbers& numbers, int rank) {
  Question q;
  q.rank = rank;
  q.bytes = std::array{2, 4, 4, 8}[static_cast<std::size_t>(between(numbers, 0, 3))];
  const int unit = 16 / q.bytes;  // channels in 16 bytes
  q.size[0] = unit * between(numbers, 1, 3);
  const std::size_t n = static_cast<std::size_t>(rank - 1);
  for (std::size_t d = 1; d < n; ++d) {
    const std::size_t s = d - 1;
    q.size[d] = between(numbers, 2, rank == 5 ? 4 : 7);
    q.step[d] = between(numbers, 0, 1) == 0 ? 1 : between(numbers, 1, 3);
    do {
      q.lower[s] = between(numbers, -3, 2);
      q.upper[s] = between(numbers, -4, 2);
    } while (q.size[d] - 1 + q.upper[s] < q.lower[s]);
    q.at[d] = between(numbers, q.lower[s], q.size[d] - 1 + q.upper[s]);
    q.offset[s] = between(numbers, 0, 4);
  }
  q.size[n] = between(numbers, 1, 3);
  q.at[n] = between(numbers, 0, q.size[n] - 1);
  q.channels = unit * between(numbers, 1, q.size[0] / unit);
  q.at[0] = unit * between(numbers, 0, q.size[0] / unit - 1);
  q.pixels = between(numbers, 1, 48);
  return q;
}

// The same with most pixels inside.
inline Question dense(Numbers& numbers, int rank) {
  Question q = any(numbers, rank);
  q.channels = 16 / q.bytes;
  for (std::size_t d = 1; d + 1 < static_cast<std::size_t>(rank); ++d) {
    const std::size_t s = d - 1;
    q.size[d] = between(numbers, 3, rank == 5 ? 4 : 6);
    q.lower[s] = between(numbers, -1, 0);
    q.upper[s] = between(numbers, -1, 0);
    q.step[d] = between(numbers, 0, 2) == 0 ? 2 : 1;
    q.at[d] = between(numbers, 0, 1);
    q.offset[s] = between(numbers, 0, 1);
  }
  q.at[static_cast<std::size_t>(rank - 1)] = 0;
  q.pixels = between(numbers, 24, 64);
  return q;
}

inline void ask_random(std::vector<Question>& all) {
  Numbers numbers;
  for (int k = 0; k < 120; ++k) all.push_back(any(numbers, 3 + k % 3));
  for (int k = 0; k < 24; ++k) {  // swizzled
    Question q = any(numbers, 3 + k % 3);
    q.swizzle = 1 + k / 3 % 3;
    while (q.channels * q.bytes > 16 << q.swizzle) q.channels -= 16 / q.bytes;
    all.push_back(q);
  }
  for (int k = 0; k < 36; ++k) {  // out of shared memory; the tensor's numbers stay small
    Question q = any(numbers, 3 + k % 3);
    q.way = k % 2 == 0 ? kStore : kAdd;
    if (q.bytes == 2 && q.way == kAdd) q.bytes = 4;
    if (q.way == kAdd && q.bytes == 8) q.channels = 2;
    if (k >= 18) q.lower = {}, q.upper = {}, q.at = {q.at[0], 0, 0, 0, 0};
    all.push_back(q);
  }
  for (int k = 0; k < 48; ++k) {
    all.push_back(dense(numbers, 3 + k % 3));
    if (k < 36) continue;
    all.back().way =
        k % 2 == 0 ? kStore : kAdd;  // and out: 4-byte elements, a box that may be stored
    all.back().bytes = 4;
    all.back().channels = 4;
    all.back().size[0] = 8;
    all.back().at[0] = 4;
    all.back().lower = all.back().upper = {};
  }
}
