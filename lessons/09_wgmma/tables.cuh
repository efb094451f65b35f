// SPDX-License-Identifier: MIT
// The host's side of lesson 09: where the manual's figure has the elements of D, and the lines of
// the two tables. No instruction is in here.
//
// Source: PTX ISA 9.2, 9.7.15.5.1.1, figure 156 (D).
#pragma once

#include <cstdio>
#include <vector>

struct Place {
  int row, col;
};
inline Place place_in_d(int thread, int i) {  // of register i, of a thread of 128
  const int warp = thread / 32, group = thread % 32 / 4, in_group = thread % 4;
  return {16 * warp + group + i / 2 % 2 * 8, i / 4 * 8 + in_group * 2 + i % 2};
}

// ---- Who holds which element --------------------------------------------------------------------

// `d`: n/2 registers of each thread, D[row][col] = 100 * row + col.
inline void print_threads(const std::vector<float>& d) {
  std::printf("m64n16k16: thread (of 128), row,column that each register of D holds\n\n");
  std::printf("warp lane   d[0]    d[1]    d[2]    d[3]    d[4]    d[5]    d[6]    d[7]\n");
  for (const int thread : {0, 1, 4, 31, 32, 33, 64, 127}) {
    std::printf("%4d %4d", thread / 32, thread % 32);
    for (int i = 0; i < 8; ++i) {
      const int name = static_cast<int>(d[static_cast<size_t>(thread * 8 + i)]);
      std::printf("   %2d,%-2d", name / 100, name % 100);
    }
    std::printf("\n");
  }
  std::printf("\n");
}

inline bool print_map(int n, const std::vector<float>& d) {
  if (n == 16) print_threads(d);
  int right = 0;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < n / 2; ++i) {
      const Place e = place_in_d(thread, i);
      right +=
          d[static_cast<size_t>(thread * (n / 2) + i)] == static_cast<float>(100 * e.row + e.col);
    }
  std::printf("N = %3d: %3d registers of D, %5d of %5d elements where the manual has them\n", n,
              n / 2, right, 64 * n);
  return right == 64 * n;
}

// ---- The immediates -----------------------------------------------------------------------------

struct Variation {
  const char* name;
  float start, sign;  // every element of D must be start + sign * (100 * row + col)
  bool is_right;      // ... but of the one that reads B the wrong way
};

// `d`: of each variation eight registers of each thread.
inline bool print_variations(const std::vector<Variation>& variations,
                             const std::vector<float>& d) {
  std::printf(
      "\nD is 10000 everywhere, A*B is 100*m + n. D[41][9] and how many of 1024 are so:\n\n");
  bool good = true;
  const float* of_one = d.data();
  for (const Variation& v : variations) {
    int right = 0;
    float shown = 0;
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < 8; ++i) {
        const Place e = place_in_d(thread, i);
        const float found = *of_one++;
        right += found == v.start + v.sign * static_cast<float>(100 * e.row + e.col);
        if (e.row == 41 && e.col == 9) shown = found;
      }
    std::printf("  %-30s %7.0f  %4d\n", v.name, shown, right);
    good = good && (v.is_right ? right == 1024 : right < 100);
  }
  return good;
}
