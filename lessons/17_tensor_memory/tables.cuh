// SPDX-License-Identifier: MIT
// The host's side of lesson 17: where the manual's figures have the elements of D, and what is
// printed of them. No instruction is in here.
//
// Source: PTX ISA 9.2, 9.7.16.10.5 (D, layouts D and F), 9.7.16.2.3 (.32x32b,
// .16x256b), 9.7.16.4.2, table 42 (the instruction descriptor).
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kNowhere = -1;  // what the lesson stores in tensor memory before it multiplies

/// The row of D in a lane of tensor memory: all 128 rows in order, or of 64 rows 16 for each warp.
inline int row_in_lane(int M, int lane) {
  if (M == 128) return lane;
  return lane % 32 < 16 ? lane / 32 * 16 + lane % 16 : kNowhere;
}
/// D[row][col] is 100*row + col.
inline float name_of(int row, int col) {
  return row == kNowhere ? static_cast<float>(kNowhere) : static_cast<float>(100 * row + col);
}
/// What register i of a thread of 128 must hold, by .32x32b: its lane, column i ...
inline float expected_32x32b(int M, int thread, int i) {
  return name_of(row_in_lane(M, thread), i);
}
/// ... and by .16x256b, as in the fragment D of mma.m16n8 (lesson 01).
inline float expected_16x256b(int M, int thread, int i) {
  const int lane = thread / 32 * 32 + thread % 32 / 4 + i / 2 % 2 * 8;
  return name_of(row_in_lane(M, lane), thread % 4 * 2 + i % 2 + i / 4 * 8);
}

inline void print_instruction(int M, int N, uint32_t bits) {
  const auto field = [bits](int from, int width) {
    return static_cast<int>(bits >> from & ((1u << width) - 1));
  };
  std::printf(
      "   instruction descriptor 0x%08x: D %s (bits 4-5: %d), A %s (7-9: %d), B %s (10-12: %d),\n",
      bits, field(4, 2) == 1 ? "f32" : "?", field(4, 2), field(7, 3) == 0 ? "f16" : "?",
      field(7, 3), field(10, 3) == 0 ? "f16" : "?", field(10, 3));
  std::printf("   N / 8 = %d (17-22: %d), M / 16 = %d (24-28: %d)\n\n", N / 8, field(17, 6), M / 16,
              field(24, 5));
}

// A line for a thread: its first registers, as row,column of D.
inline void print_thread(int thread, const float* registers, int count) {
  std::printf("%4d %4d", thread / 32, thread % 32);
  for (int i = 0; i < count; ++i) {
    const int name = static_cast<int>(registers[i]);
    char place[16] = "-";
    if (registers[i] != kNowhere)
      std::snprintf(place, sizeof place, "%d,%d", name / 100, name % 100);
    std::printf("%9s", place);
  }
  std::printf("\n");
}

// `out`: of each of 128 threads 16 registers by .32x32b.x16 and eight by .16x256b.x2.
inline bool print_lanes(int M, int N, uint32_t instruction, uint32_t address,
                        const std::vector<float>& out) {
  std::printf("%d. M = %d, N = %d; D begins at 0x%08x: lane %u, column %u\n", M == 128 ? 1 : 2, M,
              N, address, address >> 16, address & 0xffff);
  print_instruction(M, N, instruction);
  std::printf(
      "   row,column of D in the registers of a lane, by tcgen05.ld.32x32b.x16\n\n"
      "warp lane     d[0]     d[1]     d[2]     d[3]  ...  to d[15]\n");
  for (const int thread : {0, 1, 15, 16, 31, 32, 41, 64, 127})
    print_thread(thread, &out[static_cast<size_t>(thread * 24)], 4);
  if (M == 64) {
    std::printf(
        "\n   by tcgen05.ld.16x256b.x2, as wgmma's D (lesson 09) and, warp by warp, mma's\n\n"
        "warp lane     d[0]     d[1]     d[2]     d[3]     d[4]     d[5]     d[6]     d[7]\n");
    for (const int thread : {0, 1, 4, 31, 32, 127})
      print_thread(thread, &out[static_cast<size_t>(thread * 24 + 16)], 8);
  }
  int right = 0;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 24; ++i)
      right += out[static_cast<size_t>(thread * 24 + i)] ==
               (i < 16 ? expected_32x32b(M, thread, i) : expected_16x256b(M, thread, i - 16));
  std::printf("\n   %d of %d registers hold what the manual says\n\n", right, 128 * 24);
  return right == 128 * 24;
}
