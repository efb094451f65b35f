// SPDX-License-Identifier: MIT
// The host's side of lesson 04: the lines of its two tables, the tile that is laid out, and how
// long a GPU takes for an access. The rule and the layouts are in lesson.cu.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/shared_address.cuh"

// Cycles that a GPU takes for one such instruction of a warp. 32 warps keep the banks busy, so that
// it is passes that count and not how long the way is; `chained` hides from the compiler that every
// turn does the same, and is 0.
constexpr int kWarps = 32, kTimes = 256;
using Access = uint32_t (*)(uint32_t address);

template <Access kAccess>
__global__ void clock_access(const int* addresses, uint32_t chained, long long* cycles) {
  __shared__ __align__(128) uint32_t memory[33 * 32];
  for (uint32_t i = threadIdx.x; i < 33 * 32; i += blockDim.x) memory[i] = i;
  __syncthreads();
  uint32_t address =
      ptx::shared_address(memory) + static_cast<uint32_t>(addresses[threadIdx.x % 32]);
  const long long begin = clock64();
  for (int i = 0; i < kTimes; ++i) address += kAccess(address) & chained;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin + (address & chained);
}

template <Access kAccess>
double cycles_of(const std::vector<int>& lanes) {
  DeviceArray<int> addresses(lanes);
  DeviceArray<long long> cycles(1);
  clock_access<kAccess><<<1, kWarps * 32>>>(addresses.data(), 0, cycles.data());
  return static_cast<double>(cycles.get()[0]) / (kTimes * kWarps);
}

// The accesses that are timed.
__device__ inline uint32_t read_word(uint32_t address) {
  uint32_t word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}
__device__ inline uint32_t load_rows(uint32_t address) {
  uint32_t a[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address)
               : "memory");
  return a[0] ^ a[1] ^ a[2] ^ a[3];
}

// One line of a table: a number for each column.
struct Line {
  std::string text;
  void add(const char* format, double number) {
    char digits[16];
    std::snprintf(digits, sizeof digits, format, number);
    text += digits;
  }
};

// ---- The tile -----------------------------------------------------------------------------------

// 16 rows of 64 f16, A[row][col] = 100 * row + col, as 16-byte units: eight a row.
constexpr int kRows = 16, kCols = 64, kUnits = 8;

inline uint32_t two_elements(int row, int col) {
  return F16::encode(100 * row + col) | F16::encode(100 * row + col + 1) << 16;
}
inline std::vector<uint4> units_of_a() {
  std::vector<uint4> A(kRows * kUnits);
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; col += 2)
      (&A[row * kUnits + col / 8].x)[col % 8 / 2] = two_elements(row, col);
  return A;
}

// How many of the 128 registers of A's fragment are right: lesson 01's map.
inline int count_right(const std::vector<uint32_t>& a) {
  int right = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      right +=
          a[lane * 4 + reg] == two_elements((lane >> 2) + reg % 2 * 8, lane % 4 * 2 + reg / 2 * 8);
  return right;
}

inline void print_head_of_layouts(bool gpu) {
  std::printf(
      "2. ldmatrix.x4 of rows 0..15, columns 0..15 of a 16 x 64 tile of f16. A phase is eight "
      "lanes:\n\n"
      "                             first bank of lane       passes of       to     bytes%s\n"
      "                              0  1  2  3  4  5  6  7   four phases    store  used%s\n",
      gpu ? "   cycles" : "", gpu ? "   a load" : "");
}
