// SPDX-License-Identifier: MIT
// A layout as CuTe has it, in its smallest form: a shape and strides, a function from one whole
// number to another. The number is written in digits, the first one fastest, and each digit counts
// as far as the shape says; then each is worth its stride.
//
//     (4,8,2,2,2):(32,1,16,8,128)      102 = 6 + 32 * 3 has the digits 2 1 1 1 0, and goes to
//                                      2*32 + 1*1 + 1*16 + 1*8 + 0*128 = 89
//
// CuTe has all of it in types, so that a compiler knows the numbers; these are known when the
// program runs. Its parentheses, ((4,8),(2,2,2)), say which digits are whose: two numbers, lane and
// value, are lane + 32 * value here.
//
// Source: CUTLASS, media/docs/cpp/cute/01_layout.md and 02_layout_algebra.md.
#pragma once

#include <cstdio>
#include <string>

constexpr int kMostDigits = 8;

struct Layout {
  int shape[kMostDigits], stride[kMostDigits];  // behind the last digit the shape is 0

  __host__ __device__ int operator()(int number) const {
    int offset = 0;
    for (int i = 0; i < kMostDigits && shape[i] != 0; ++i) {
      offset += number % shape[i] * stride[i];
      number /= shape[i];
    }
    return offset;
  }
};

// How many numbers it is defined for.
__host__ __device__ inline int size(const Layout& layout) {
  int numbers = 1;
  for (int i = 0; i < kMostDigits && layout.shape[i] != 0; ++i) numbers *= layout.shape[i];
  return numbers;
}

// "(4,8)" of digits [begin, end); "4" of one alone.
inline std::string digits(const int* of, int begin, int end) {
  std::string words;
  for (int i = begin; i < end; ++i) words += (i > begin ? "," : "") + std::to_string(of[i]);
  return end - begin == 1 ? words : "(" + words + ")";
}

// "((4,8),(2,2,2)):((32,1),(16,8,128))": the digits that count to `first` (32, for the lanes), and
// the others.
inline std::string text(const Layout& layout, int first) {
  int split = 0, end = 0;
  for (int counted = 1; counted < first; ++split) counted *= layout.shape[split];
  while (end < kMostDigits && layout.shape[end] != 0) ++end;
  const auto both = [=](const int* of) {
    return "(" + digits(of, 0, split) + "," + digits(of, split, end) + ")";
  };
  return both(layout.shape) + ":" + both(layout.stride);
}
