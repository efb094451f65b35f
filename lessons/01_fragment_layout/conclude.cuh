// SPDX-License-Identifier: MIT
// Lesson 01's second step, on the host: rows, columns and k out of the answers to the question who
// meets whom. It knows no map; it numbers what it comes across.
#pragma once

#include <cstdio>
#include <vector>

#include "fragment_table.cuh"

// Two slots that met share a row, a column or a k. Whichever has its number gives it to the other;
// if neither has, it is a new one. False when their numbers contradict each other.
inline bool share(int& left, int& right, int& count) {
  if (left < 0 && right < 0) left = count++;
  if (left < 0) left = right;
  if (right < 0) right = left;
  return left == right;
}

// The instruction does not know which row is row 5, only who meets whom: exchange two rows of A and
// of D, and it does the same. So they are numbered in the order in which the registers show them:
// rows down the lanes in D.r0, then in D.r2; columns along lane 0, lane 1, ...; k like the columns,
// in A.r0, A.r2.
inline bool conclude(const std::vector<float>& answers, int K, int parts, Map& map) {
  const int slots_a = 32 * 4 * parts, slots_b = 32 * 2 * parts;
  map = {std::vector<Place>(slots_a), std::vector<Place>(slots_b), std::vector<Place>(128)};
  int rows = 0, cols = 0, ks = 0, products = 0;
  bool sound = true;
  // The slot of B that slot a of A met in element d of D; below 0: it had no part in it.
  const auto met = [&](int a, int d) { return static_cast<int>(answers[a * 128 + d]); };

  for (int reg = 0; reg < 4; ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int a = 0, d = lane * 4 + reg; a < slots_a; ++a)
        if (met(a, d) >= 0) sound &= share(map.d[d].row, map.a[a].row, rows);
  for (int d = 0; d < 128; ++d)
    for (int a = 0; a < slots_a; ++a)
      if (met(a, d) >= 0) sound &= share(map.d[d].col, map.b[met(a, d)].col, cols), ++products;
  for (int reg = 0; reg < 4; ++reg)
    for (int i = 0; i < 32 * parts; ++i)
      for (int d = 0, a = (i / parts * 4 + reg) * parts + i % parts; d < 128; ++d)
        if (met(a, d) >= 0) sound &= share(map.a[a].col, map.b[met(a, d)].row, ks);

  // Nothing is missing or double when every row met every column at every k, once.
  std::printf("%d questions, %d products seen: %d rows x %d columns x %d k.\n", slots_a, products,
              rows, cols, ks);
  return sound && rows == 16 && cols == 8 && ks == K && products == 16 * 8 * K;
}
