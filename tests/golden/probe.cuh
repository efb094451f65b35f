// SPDX-License-Identifier: MIT
// What every probe needs: numbers that exist in every type (0 and 1), registers filled part by
// part, results read as integers. A part is one element's place in an operand's registers: part
// id = (thread * registers + register) * parts a register + position, low bits first.
//
// Nothing here knows who holds what: README.md says how the maps are found.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define OK(call)                                                                           \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

enum class Type { f64, f32, tf32, f16, bf16, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

// The bits of the number 1.
__host__ __device__ constexpr std::uint64_t one(Type type) {
  switch (type) {
    case Type::f64:
      return 0x3ff0000000000000ull;
    case Type::f32:
    case Type::tf32:
      return 0x3f800000;
    case Type::f16:
      return 0x3c00;
    case Type::bf16:
      return 0x3f80;
    case Type::e4m3:
      return 0x38;
    case Type::e5m2:
      return 0x3c;
    default:
      return 1;
  }
}

// A small number's bits, for accumulators.
template <Type type>
__device__ std::uint64_t accumulator(int number) {
  if constexpr (type == Type::f64) return __double_as_longlong(number);
  if constexpr (type == Type::f32) return __float_as_uint(number);
  if constexpr (type == Type::f16) return number ? 0x3c00 : 0;  // 0 and 1 only
  return static_cast<std::uint32_t>(number);
}
template <Type type>
__device__ int integer(std::uint64_t bits) {
  if constexpr (type == Type::f64) return static_cast<int>(__longlong_as_double(bits));
  if constexpr (type == Type::f32)
    return static_cast<int>(__uint_as_float(static_cast<std::uint32_t>(bits)));
  if constexpr (type == Type::f16) {
    float number;
    asm("{.reg .b16 h; mov.b16 h, %1; cvt.f32.f16 %0, h;}"
        : "=f"(number)
        : "h"(static_cast<std::uint16_t>(bits)));
    return static_cast<int>(number);
  }
  return static_cast<int>(static_cast<std::uint32_t>(bits));
}

// Puts `unit` where chosen(part id) says so.
template <int bits, typename Word, int R, typename Chosen>
__device__ void fill(Word (&registers)[R], int thread, std::uint64_t unit, Chosen chosen) {
  constexpr int kParts = 8 * sizeof(Word) / bits;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    Word word = 0;
    for (int p = 0; p < kParts; ++p)
      if (chosen((thread * R + r) * kParts + p)) word |= static_cast<Word>(unit) << (p * bits);
    registers[r] = word;
  }
}
template <int bits, typename Word>
__device__ std::uint64_t part_of(Word word, int position) {
  if constexpr (bits == 8 * sizeof(Word)) return word;
  return (word >> (position * bits)) & ((Word(1) << (bits % (8 * sizeof(Word)))) - 1);
}

__host__ __device__ constexpr int log2_of(int number) {
  return number <= 1 ? 0 : 1 + log2_of(number / 2);
}

// Sparsity metadata. A nibble chooses two of four; six choices are legal (two for .tf32). Pattern
// 0 to 5: that choice everywhere. 6 + 2j + c: choice 5 in the nibbles whose id (8*thread + nibble)
// has bit j set (c = 1: clear), else choice 0.
constexpr int kChoices = 6;
__host__ __device__ constexpr int choice(int index) {
  return index == 0   ? 0x4
         : index == 1 ? 0x8
         : index == 2 ? 0xC
         : index == 3 ? 0x9
         : index == 4 ? 0xD
                      : 0xE;
}
__device__ inline std::uint32_t metadata(int thread, int pattern) {
  std::uint32_t word = 0;
  for (int nibble = 0; nibble < 8; ++nibble) {
    int number = choice(pattern < kChoices ? pattern : 0);
    if (pattern >= kChoices) {
      const int j = (pattern - kChoices) / 2, c = (pattern - kChoices) % 2;
      number = choice((((8 * thread + nibble) >> j) & 1) != c ? 5 : 0);
    }
    word |= static_cast<std::uint32_t>(number) << (4 * nibble);
  }
  return word;
}

inline void finish() {
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
}

template <typename T>
struct Buffer {
  T* device = nullptr;
  std::size_t count;
  explicit Buffer(std::size_t n) : count(n) {
    OK(cudaMalloc(&device, n * sizeof(T)));
    OK(cudaMemset(device, 0, n * sizeof(T)));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(device); }
  std::vector<T> read() const {
    std::vector<T> host(count);
    OK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
};

inline int failures = 0;
inline void fail(const char* name, const char* why) {
  if (failures < 20) std::printf("# FAILED %s: %s\n", name, why);
  ++failures;
}
