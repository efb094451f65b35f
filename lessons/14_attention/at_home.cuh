// SPDX-License-Identifier: MIT
// Part 1 of lesson 14: how many elements of A are held by the lane that holds the same place of D?
// The instruction is asked, for three sizes of elements.
//
// Source: PTX ISA 9.2, 9.7.14.5.7 (m16n8k8), .8 (m16n8k16), .10 (m16n8k32).
#pragma once

#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/mma.cuh"

// D = A * B with A in 16-bit (f16), 32-bit (tf32) or 8-bit (s8) elements; 16 x 8.
template <int kBits>
__device__ void multiply(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  float sums[4] = {};
  if constexpr (kBits == 16)
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(sums, a, b, sums);
  else if constexpr (kBits == 32)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) d[i] = static_cast<int>(sums[i]);
  if constexpr (kBits == 8)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int kBits>
__device__ uint32_t element(int n) {
  return kBits == 16 ? F16::encode(n) : kBits == 32 ? __float_as_uint(float(n)) : uint32_t(n);
}

// Every lane fills A with its own number. Times a B whose only ones are at B[col0 + n][n],
// D[row][n] is A[row][col0 + n]: whoever holds that place of D is told who holds that place of A.
template <int kBits>
__global__ void count_at_home(int* count) {
  constexpr int kEach = 32 / kBits, kColumns = 256 / kBits;  // elements of a register; of A's row
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
  uint32_t a[4] = {};
  for (uint32_t& word : a)
    for (int i = 0; i < kEach; ++i) word |= element<kBits>(lane) << (i * kBits % 32);
  for (int col0 = 0; col0 < kColumns; col0 += 8) {
    uint32_t b[2] = {};
    for (int i = 0; i < 2 * kEach; ++i) {
      const int row = i / kEach * 4 * kEach + thread * kEach + i % kEach, col = group;
      if (row == col0 + col) b[i / kEach] |= element<kBits>(1) << (i % kEach * kBits % 32);
    }
    int holder[4];
    multiply<kBits>(holder, a, b);
    for (int i = 0; i < 4; ++i) atomicAdd(count, holder[i] == lane);
  }
}

template <int kBits>
int at_home() {
  DeviceArray<int> count(std::vector<int>{0});
  count_at_home<kBits><<<1, 32>>>(count.data());
  return count.get()[0];
}
