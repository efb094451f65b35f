// SPDX-License-Identifier: MIT
// The host's side of lesson 23: the matrices, stored as a layout says, the products they should
// have, and the tables. What a layout is, is in layout.cuh; who uses it, in lesson.cu.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "element.cuh"
#include "layout.cuh"

constexpr int kMostElements = 64 * 64;

__device__ inline bool first_warp() { return threadIdx.x < 32; }

// ---- Matrices -----------------------------------------------------------------------------------

// Elements are numbered column after column: row + rows * col. Whole numbers that f16 has, and
// whose sums f32 has.
struct Matrix {
  int rows, cols;
  int (*element)(int row, int col);
  int at(int number) const { return element(number % rows, number / rows); }

  // Room for all of it in a memory whose last element is not the last number's.
  template <class Memory>
  int room(const Memory& memory) const {
    int last = 0;
    for (int number = 0; number < rows * cols; ++number) last = std::max(last, memory(number));
    return last + 1;
  }
  template <class Memory>
  std::vector<uint16_t> stored(const Memory& memory) const {
    std::vector<uint16_t> bits(static_cast<std::size_t>(room(memory)));
    for (int number = 0; number < rows * cols; ++number)
      bits[static_cast<std::size_t>(memory(number))] =
          static_cast<uint16_t>(F16::encode(at(number)));
    return bits;
  }
};

inline int hundreds(int row, int col) { return 100 * row + col; }  // A[9][5] is 905
inline int small(int row, int col) { return (row * 3 + col * 5 + row * col) % 16; }

// How many elements of D = A * B are right; B's rows are n, its columns k.
template <class Memory>
int count_right(const std::vector<float>& D, const Memory& memory, const Matrix& A,
                const Matrix& B) {
  int right = 0;
  for (int m = 0; m < A.rows; ++m)
    for (int n = 0; n < B.rows; ++n) {
      int sum = 0;
      for (int k = 0; k < A.cols; ++k) sum += A.element(m, k) * B.element(n, k);
      right += D[static_cast<std::size_t>(memory(m + A.rows * n))] == static_cast<float>(sum);
    }
  return right;
}

// ---- 1 ------------------------------------------------------------------------------------------

// A layout, and what it makes of a value of a lane, digit by digit. B's elements are named k, n.
inline bool print_digits(const char* name, const Layout& layout, int lane, int value, int rows) {
  std::printf("   %s  %s\n      lane %d is", name, text(layout, 32).c_str(), lane);
  std::string sum;
  int number = lane + 32 * value, counted = 1;
  for (int i = 0; i < kMostDigits && layout.shape[i] != 0; ++i) {
    if (counted == 32) std::printf(", value %d is", value);
    const int digit = number % layout.shape[i];
    std::printf(" %d", digit);
    sum += (i > 0 ? " + " : "") + std::to_string(digit) + "*" + std::to_string(layout.stride[i]);
    number /= layout.shape[i], counted *= layout.shape[i];
  }
  const int element = layout(lane + 32 * value);
  const int row = element % rows, col = element / rows;
  const bool transposed = *name == 'B';
  std::printf(": %s = %d, so %s[%d][%d]\n", sum.c_str(), element, name, transposed ? col : row,
              transposed ? row : col);
  return number == 0;
}

// ---- 2 ------------------------------------------------------------------------------------------

// Of a warp's loads of one fragment: how many, and how often the banks are gone to for them.
struct Loads {
  int loads = 0, passes = 0;
};

// Lesson 04's rule: how many different words the fullest of 32 banks is asked for.
inline int passes(const std::vector<int>& bytes) {
  std::set<int> words[32];
  for (const int byte : bytes) words[byte / 4 % 32].insert(byte / 4);
  std::size_t most = 0;
  for (const std::set<int>& bank : words) most = std::max(most, bank.size());
  return static_cast<int>(most);
}

// The loads that load() makes of `values` values, two of which are a register.
template <class Operand>
Loads loads_of(const Operand& operand, int threads, int values) {
  Loads all;
  for (int value = 0; value < values; value += 2) {
    std::vector<int> low, high;
    bool together = true;
    for (int lane = 0; lane < 32; ++lane) {
      low.push_back(2 * operand.shared(operand.fragment(lane + threads * value)));
      high.push_back(2 * operand.shared(operand.fragment(lane + threads * (value + 1))));
      together = together && low.back() % 4 == 0 && high.back() == low.back() + 2;
    }
    all.loads += together ? 1 : 2;
    all.passes += passes(low) + (together ? 0 : passes(high));
  }
  return all;
}

// memory after fragment, as a layout: each digit is worth what memory makes of its stride. That is
// so where none of the digits carries into another one of memory's, so: compare.
inline bool after(const Layout& memory, const Layout& fragment, Layout& both) {
  both = fragment;
  for (int& stride : both.stride) stride = memory(stride);
  for (int number = 0; number < size(fragment); ++number)
    if (both(number) != memory(fragment(number))) return false;
  return true;
}

inline void print_head_of_memories() {
  const auto line = [](const char* name, const char* memory, const char* strides,
                       const char* cost) {
    std::printf("   %-15s %-34s %-19s %s\n", name, memory, strides, cost);
  };
  std::printf(
      "\n2. One kernel loads A, wherever it lies. Its addresses are memory's layout after the "
      "fragment's:\n\n");
  line("", "", "strides of", "   of a warp");
  line("A is stored", "shape and strides of (m,k)", "((4,8),(2,2,2))", "loads  passes  D right");
}

template <class Operand>
bool print_memory(const char* name, const Operand& a, int right) {
  Layout both;
  const Layout& memory = a.shared.layout;
  const bool is_layout = after(memory, a.fragment, both);
  const std::string swizzle =
      a.shared.bits > 0 ? "Sw<" + std::to_string(a.shared.bits) + ",3,3> o " : "";
  const std::string strides = text(both, 32);
  const Loads loads = loads_of(a, 32, 8);
  std::printf("   %-15s %-34s %-19s %5d %7d %8d\n", name, (swizzle + text(memory, 16)).c_str(),
              is_layout ? strides.substr(strides.find(':') + 1).c_str() : "no layout", loads.loads,
              loads.passes, right);
  return is_layout && right == 128;
}

// ---- 3 ------------------------------------------------------------------------------------------

inline void print_head_of_orders(const Layout& A, const Layout& B, const Layout& D) {
  std::printf(
      "\n3. D = A * B of 64 x 64 x 64 by four warps: the same, with more digits.\n\n"
      "   A  %s\n   B  %s\n   D  %s\n\n"
      "   A comes by  (m,k)             B comes by  (n,k)             BLAS  D right\n",
      text(A, 128).c_str(), text(B, 128).c_str(), text(D, 128).c_str());
}

inline bool print_order(bool a_rows, bool b_columns, int right) {
  const char *wide = "(64,64):(64,1)", *tall = "(64,64):(1,64)";
  std::printf("   %-10s  %-16s  %-10s  %-16s  %c%c    %d of 4096\n", a_rows ? "rows" : "columns",
              a_rows ? wide : tall, b_columns ? "columns" : "rows", b_columns ? wide : tall,
              a_rows ? 'T' : 'N', b_columns ? 'N' : 'T', right);
  return right == 4096;
}
