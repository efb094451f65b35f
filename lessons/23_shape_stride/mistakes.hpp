// SPDX-License-Identifier: MIT
// What the layouts of exercise 23 should be, digit by digit, and the mistakes that its check knows:
// each predicts all strides of an operand.
//
// Source: PTX ISA 9.2, 9.7.14.5.8 (the fragments); how CuTe repeats them over four warps:
// CUTLASS, media/docs/cpp/cute/0t_mma_atom.md ("TiledMMA").
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace exercise_23 {

constexpr int kSize = 32, kThreads = 128, kRoom = 1536, kMostDigits = 8;

/// A digit of a thread or a value: how far it counts, and how far row and column go on with it.
struct Digit {
  const char* words;
  int count, row, col;
};

struct Operand {
  char name;
  const char *row, *col;  // "m", "k"
  std::vector<Digit> digits;
  int values() const {
    int count = 1;
    for (const Digit& digit : digits) count *= digit.count;
    return count / kThreads;
  }
};

inline const Operand& operand(char name) {
  static const std::vector<Operand> all{
      {'A',
       "m",
       "k",
       {{"lane % 4", 4, 0, 2},
        {"lane / 4", 8, 1, 0},
        {"w % 2", 2, 16, 0},
        {"w / 2", 2, 0, 0},
        {"the half", 2, 0, 1},
        {"A.r1", 2, 8, 0},
        {"A.r2", 2, 0, 8},
        {"the step", 2, 0, 16}}},
      {'B',
       "n",
       "k",
       {{"lane % 4", 4, 0, 2},
        {"lane / 4", 8, 1, 0},
        {"w % 2", 2, 0, 0},
        {"w / 2", 2, 8, 0},
        {"the half", 2, 0, 1},
        {"B.r1", 2, 0, 8},
        {"the tile", 2, 16, 0},
        {"the step", 2, 0, 16}}},
      {'D',
       "m",
       "n",
       {{"lane % 4", 4, 0, 2},
        {"lane / 4", 8, 1, 0},
        {"w % 2", 2, 16, 0},
        {"w / 2", 2, 0, 8},
        {"D.r1", 2, 0, 1},
        {"D.r2", 2, 8, 0},
        {"the tile", 2, 0, 16}}},
  };
  return all[name == 'A' ? 0 : name == 'B' ? 1 : 2];
}

/// A layout as it was handed in. Whatever stands in it: a digit that counts to nothing is the end.
struct Layout {
  std::vector<int> shape, stride;
  long long operator()(long long number) const {
    long long offset = 0;
    for (std::size_t i = 0; i < shape.size() && shape[i] > 0; ++i) {
      offset += number % shape[i] * stride[i];
      number /= shape[i];
    }
    return offset;
  }
  long long size() const {
    long long numbers = 1;
    for (std::size_t i = 0; i < shape.size() && shape[i] > 0; ++i) numbers *= shape[i];
    return numbers;
  }
  bool empty() const { return shape[0] == 0; }
};

inline Layout layout_of(const Operand& of, const std::vector<int>& strides) {
  Layout layout;
  for (const Digit& digit : of.digits) layout.shape.push_back(digit.count);
  layout.stride = strides;
  return layout;
}
/// Numbered row + 32 * col, or in any other way.
inline std::vector<int> strides_of(const Operand& of, int per_row = 1, int per_col = kSize) {
  std::vector<int> strides;
  for (const Digit& digit : of.digits) strides.push_back(digit.row * per_row + digit.col * per_col);
  return strides;
}

struct Mistake {
  std::string name, advice;
  std::vector<int> strides;
};

inline std::vector<Mistake> mistakes(const Operand& of) {
  const std::string row = of.row, col = of.col, number = row + " + 32 * " + col;
  std::vector<Mistake> all{
      {"elements are numbered row after row", "the number is " + number + ": a column is 1 apart",
       strides_of(of, kSize, 1)},
      {"the matrix has 16 rows, as in lesson.cu's first layouts",
       "here it has 32: a step along " + col + " is worth 32", strides_of(of, 1, 16)},
      {"the matrix has 8 rows, as B in lesson.cu",
       "here it has 32: a step along " + col + " is worth 32", strides_of(of, 1, 8)},
      {"the matrix has 64 rows, as in lesson.cu's larger ones",
       "here it has 32: a step along " + col + " is worth 32", strides_of(of, 1, 64)},
      {"strides count bytes", "they count elements, however wide these are",
       strides_of(of, 2, 2 * kSize)}};
  const std::vector<int> right = strides_of(of);
  const auto with = [&](std::size_t digit, int stride) {
    std::vector<int> strides = right;
    strides[digit] = stride;
    return strides;
  };
  all.push_back({"all warps have the same", "the digits w % 2 and w / 2 say which part is whose",
                 with(2, 0)});
  all.back().strides[3] = 0;
  for (std::size_t i = 0; i < right.size(); ++i)
    for (std::size_t j = i + 1; j < right.size(); ++j)
      if (right[i] != right[j]) {
        all.push_back({std::string("the strides of ") + of.digits[i].words + " and " +
                           of.digits[j].words + " have changed places",
                       "the digits come in the order of the table above the gap", right});
        std::swap(all.back().strides[i], all.back().strides[j]);
      }
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Digit& digit = of.digits[i];
    const std::string words = digit.words;
    if (right[i] == 0)
      for (const int stride : {1, 8, 16, 32, 256, 512})
        all.push_back({words + " moves something, by " + std::to_string(stride),
                       "warps that differ in " + words + " alone want the same of " +
                           std::string(1, of.name) + ": its stride is 0",
                       with(i, stride)});
    else
      all.push_back({words + " moves nothing: its stride is 0",
                     "with it " + (digit.row != 0 ? row : col) + " grows by " +
                         std::to_string(digit.row + digit.col),
                     with(i, 0)});
  }
  return all;
}

}  // namespace exercise_23
