// SPDX-License-Identifier: MIT
// The host's side of lesson 18's product: two f32 matrices whose blocks are of different sizes,
// what the registers of 32 lanes stand for, their product in f64, and a line of the table. No
// kernel is here.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kRows = 16, kCols = 8, kK = 64, kBlock = 16;

/// A is 16 x 64, row after row; B is 64 x 8, column after column. Whole numbers from -6 to 6, those
/// of a block times a power of two: 6 is in every block, so that its scale is that power, and every
/// sum has few enough bits to be exact. Rows of A are of very different sizes.
inline int exponent_a(int row, int block) { return (row + row / 8) % 4 * -2 + block % 2; }
inline int exponent_b(int col, int block) { return (col + block * 2) % 3 - 1; }

struct Problem {
  std::vector<float> A, B;
  Problem() {
    for (int row = 0; row < kRows; ++row)
      for (int k = 0; k < kK; ++k)
        A.push_back(std::ldexp(static_cast<float>((row * 7 + k * 5) % 13 - 6),
                               exponent_a(row, k / kBlock)));
    for (int col = 0; col < kCols; ++col)
      for (int k = 0; k < kK; ++k)
        B.push_back(std::ldexp(static_cast<float>((col * 4 + k * 3) % 13 - 6),
                               exponent_b(col, k / kBlock)));
  }
};

inline float largest(const std::vector<float>& matrix) {
  float most = 0;
  for (const float value : matrix) most = std::fmax(most, std::fabs(value));
  return most;
}

/// e2m1: a sign, and 0, 0.5, 1, 1.5, 2, 3, 4 or 6.
inline double e2m1(uint32_t pattern) {
  constexpr double kSizes[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return (pattern & 8) != 0 ? -kSizes[pattern & 7] : kSizes[pattern & 7];
}
/// ue4m3: four bits of exponent, three of mantissa, no sign; 0x7f would be NaN.
inline double ue4m3(uint32_t byte) {
  const int field = static_cast<int>(byte >> 3 & 15), mantissa = static_cast<int>(byte & 7);
  return field == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, field - 10);
}

/// What the lanes hand in, by the manual's figures: numbers times their scale.
struct Decoded {
  std::vector<double> A, B;
  explicit Decoded(const std::vector<uint32_t>& registers) {
    const auto word = [&registers](int lane, int index) {
      return registers[static_cast<size_t>(lane * 8 + index)];
    };
    // Eight of K in a register, four registers' worth beside each other in the lanes of a group.
    for (int row = 0; row < kRows; ++row)
      for (int k = 0; k < kK; ++k) {
        const int lane = row % 8 * 4 + k % 32 / 8, reg = row / 8 + k / 32 * 2;
        const uint32_t scales = word(row % 8 * 4 + row / 8, 6);
        A.push_back(e2m1(word(lane, reg) >> k % 8 * 4) * ue4m3(scales >> k / kBlock * 8));
      }
    for (int col = 0; col < kCols; ++col)
      for (int k = 0; k < kK; ++k)
        B.push_back(e2m1(word(col * 4 + k % 32 / 8, 4 + k / 32) >> k % 8 * 4) *
                    ue4m3(word(col * 4, 7) >> k / kBlock * 8));
  }
};

template <class Number>
double dot(const std::vector<Number>& A, const std::vector<Number>& B, int row, int col) {
  double sum = 0;
  for (int k = 0; k < kK; ++k)
    sum += static_cast<double>(A[static_cast<size_t>(row * kK + k)]) *
           static_cast<double>(B[static_cast<size_t>(col * kK + k)]);
  return sum;
}

inline void print_head_of_products() {
  std::printf(
      "3. NVFP4: f32 matrices in e2m1, their scales in ue4m3; D = A*B, 16 x 64 by 64 x 8\n\n"
      "   a scale for       D is the decoded numbers', exactly   off from f32's, all  worst row\n");
}

/// Whether each number is where rounding may have put it: off by one scale at most, which is a
/// sixth of the largest that shares it.
inline bool is_near(const std::vector<float>& from, const std::vector<double>& to, size_t shared) {
  bool near = true;
  for (size_t first = 0; first < from.size(); first += shared) {
    double most = 0;
    for (size_t i = first; i < first + shared; ++i) most = std::fmax(most, std::fabs(from[i]));
    for (size_t i = first; i < first + shared; ++i)
      near = near && std::fabs(from[i] - to[i]) <= most / 6;
  }
  return near;
}

inline bool print_product(const char* name, bool blocks, const Problem& p,
                          const std::vector<uint32_t>& registers, const std::vector<float>& D) {
  const Decoded decoded(registers);
  const bool near = is_near(p.A, decoded.A, blocks ? kBlock : p.A.size()) &&
                    is_near(p.B, decoded.B, blocks ? kBlock : p.B.size());
  int right = 0;
  double all_off = 0, all = 0, worst = 0;
  for (int row = 0; row < kRows; ++row) {
    double off = 0, size = 0;
    for (int col = 0; col < kCols; ++col) {
      const double found = D[static_cast<size_t>(row * kCols + col)];
      right += found == dot(decoded.A, decoded.B, row, col);
      const double wanted = dot(p.A, p.B, row, col);
      off += (found - wanted) * (found - wanted), size += wanted * wanted;
    }
    worst = std::fmax(worst, std::sqrt(off / size));
    all_off += off, all += size;
  }
  std::printf("   %-16s  %24d of 128  %18.1f %%  %7.1f %%\n", name, right,
              100 * std::sqrt(all_off / all), 100 * worst);
  if (!near) std::printf("   ... and they are not the f32 numbers, rounded\n");
  return right == kRows * kCols && near;
}
