// SPDX-License-Identifier: MIT
// The host's side of lesson 18's questions: what a byte must scale by the manual's figures, and
// what is printed. No instruction is in here.
//
// Source: PTX ISA 9.2, 9.7.14.3, figures 43 to 45.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr int kNobody = -1;

/// The row that byte `byte` of a lane's register scales with scale_vec::1X, or the column.
inline int scaled_row(int lane, int byte, int byte_id, int thread_id) {
  return byte == byte_id && lane % 4 / 2 == thread_id ? lane / 4 + lane % 2 * 8 : kNobody;
}
inline int scaled_column(int lane, int byte, int byte_id, int thread_id) {
  return byte == byte_id && lane % 4 == thread_id ? lane / 4 : kNobody;
}

/// Which row or column of D, 16 x 8, is `twice`, when all others are `once`; -2: something else.
inline int line_of(const float* D, bool row, float once, float twice) {
  int found = kNobody;
  for (int line = 0; line < (row ? 16 : 8); ++line) {
    int doubled = 0, across = row ? 8 : 16;
    for (int i = 0; i < across; ++i) {
      const float sum = row ? D[line * 8 + i] : D[i * 8 + line];
      if (sum != once && sum != twice) return -2;
      doubled += sum == twice;
    }
    if (doubled == across) found = found == kNobody ? line : -2;
    if (doubled != 0 && doubled != across) return -2;
  }
  return found;
}

inline std::string cell(int line) { return line < 0 ? "-" : std::to_string(line); }

inline void print_head_of_whose() {
  std::printf("1. MXFP8, scale_vec::1X: which row, or column, does a byte scale?\n\n");
}
// `answers`: D of 128 questions, byte by byte of lane after lane.
inline bool print_whose(bool of_a, int byte_id, int thread_id, const std::vector<float>& answers) {
  std::printf("   %s, {byte-id %d, thread-id %d}: the %s, of lanes 0 to 7\n", of_a ? "SFA" : "SFB",
              byte_id, thread_id, of_a ? "row" : "column");
  int right = 0;
  for (int byte = 0; byte < 4; ++byte) {
    std::string line;
    for (int lane = 0; lane < 32; ++lane) {
      const float* D = &answers[static_cast<size_t>((lane * 4 + byte) * 128)];
      const int found = line_of(D, of_a, 32, 64);
      right += found == (of_a ? scaled_row : scaled_column)(lane, byte, byte_id, thread_id);
      if (lane < 8) line += std::string(5 - cell(found).size(), ' ') + cell(found);
    }
    std::printf("   byte %d%s\n", byte, line.c_str());
  }
  std::printf("   %d of 128 answers are the manual's.\n\n", right);
  return right == 128;
}

/// NVFP4: byte b of lane 4g scales row g, of lane 4g + 1 row g + 8; k from 16 * b on.
inline bool print_which(const std::vector<float>& answers) {
  std::printf(
      "2. NVFP4, scale_vec::4X, SFA, {byte-id 0, thread-id 0}: row, and k, of lanes 0 to 5\n\n");
  int right = 0;
  for (int byte = 0; byte < 4; ++byte) {
    std::printf("   byte %d", byte);
    for (int lane = 0; lane < 32; ++lane) {
      const float* D = &answers[static_cast<size_t>((lane * 4 + byte) * 128)];
      int row = kNobody, chunk = kNobody, doubled = 0;
      for (int i = 0; i < 128; ++i)
        if (D[i] != 16) row = i / 8, chunk = i % 4, doubled += D[i] == 32 ? 1 : 100;
      const bool read = lane % 4 < 2;
      right +=
          read ? doubled == 2 && row == lane / 4 + lane % 2 * 8 && chunk == byte : doubled == 0;
      if (lane > 5) continue;
      char place[32] = "-";
      if (row != kNobody) std::snprintf(place, sizeof place, "%d, k %d", row, chunk * 16);
      std::printf("%10s", place);
    }
    std::printf("\n");
  }
  std::printf("   %d of 128 answers are the manual's.\n\n", right);
  return right == 128;
}
