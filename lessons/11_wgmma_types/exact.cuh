// SPDX-License-Identifier: MIT
// The host's side of lesson 11: the types as data, operands as the instruction wants them, and the
// sums that D must hold, worked out exactly in whole numbers. No instruction is in here.
//
// Source: PTX ISA 9.2, 9.7.15.2 (shapes), 9.7.15.5.1.1 (fragments).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "operands.cuh"

// Name (D, A, B), K, bits of an element, what A, B and D are made of, whether .satfinite stops the
// sums.
struct Type {
  const char* text;
  int K, bits;
  Kind a, b, d;
  bool saturates;
  __host__ __device__ constexpr bool transposes() const { return bits == 16; }
  __host__ __device__ constexpr bool is_float() const { return bits != 1 && a != kS8 && a != kU8; }
  // Sets of immediates: none for whole numbers, else two signs, and two transpositions.
  __host__ __device__ constexpr int combinations() const {
    return !is_float() ? 1 : transposes() ? 16 : 4;
  }
  __host__ __device__ constexpr bool has(int n) const {
    return is_float() || n % 16 == 0 || n == 8 || n == 24;
  }
};

// clang-format off
#define EVERY_TYPE(X)                                                                              \
  X( 0, 16, 16, "f16.f16.f16",    kF16,  kF16,  kF16, 0) X( 1, 16, 16, "f32.f16.f16",   kF16,  kF16,  kF32, 0) \
  X( 2, 16, 16, "f32.bf16.bf16",  kBf16, kBf16, kF32, 0) X( 3,  8, 32, "f32.tf32.tf32", kTf32, kTf32, kF32, 0) \
  X( 4, 32,  8, "f16.e4m3.e4m3",  kE4m3, kE4m3, kF16, 0) X( 5, 32,  8, "f16.e4m3.e5m2", kE4m3, kE5m2, kF16, 0) \
  X( 6, 32,  8, "f16.e5m2.e4m3",  kE5m2, kE4m3, kF16, 0) X( 7, 32,  8, "f16.e5m2.e5m2", kE5m2, kE5m2, kF16, 0) \
  X( 8, 32,  8, "f32.e4m3.e4m3",  kE4m3, kE4m3, kF32, 0) X( 9, 32,  8, "f32.e4m3.e5m2", kE4m3, kE5m2, kF32, 0) \
  X(10, 32,  8, "f32.e5m2.e4m3",  kE5m2, kE4m3, kF32, 0) X(11, 32,  8, "f32.e5m2.e5m2", kE5m2, kE5m2, kF32, 0) \
  X(12, 32,  8, "s32.s8.s8",      kS8,   kS8,   kS32, 0) X(13, 32,  8, "s32.s8.s8.satfinite", kS8, kS8, kS32, 1) \
  X(14, 32,  8, "s32.s8.u8",      kS8,   kU8,   kS32, 0) X(15, 32,  8, "s32.s8.u8.satfinite", kS8, kU8, kS32, 1) \
  X(16, 32,  8, "s32.u8.s8",      kU8,   kS8,   kS32, 0) X(17, 32,  8, "s32.u8.s8.satfinite", kU8, kS8, kS32, 1) \
  X(18, 32,  8, "s32.u8.u8",      kU8,   kU8,   kS32, 0) X(19, 32,  8, "s32.u8.u8.satfinite", kU8, kU8, kS32, 1) \
  X(20, 256, 1, "s32.b1.b1.and.popc", kB1, kB1, kS32, 0)
constexpr int kTypes = 21;
#define TYPE_LINE(I, K, BITS, TEXT, A, B, D, SAT) {TEXT, K, BITS, A, B, D, SAT != 0},
constexpr Type kEveryType[kTypes] = {EVERY_TYPE(TYPE_LINE)};
// clang-format on

// What the host prepares: A and B as they are to lie in shared memory, A's registers, and strides.
constexpr int kBytesA = 64 * 32, kBytesB = 256 * 32;  // K elements are always 32 bytes
struct Operands {
  uint32_t a[kBytesA / 4], b[kBytesB / 4], a_registers[128 * 4];
  int a_lbo, a_sbo, b_lbo, b_sbo;
};

// One instruction. Bits 0 and 1 of `immediates` negate A and B, 2 and 3 transpose.
struct Case {
  const Type& type;
  int n, immediates;
  bool from_registers;

  int sign() const { return (immediates & 1 ? -1 : 1) * (immediates & 2 ? -1 : 1); }
  bool trans_a() const { return (immediates & 4) != 0; }
  bool trans_b() const { return (immediates & 8) != 0; }
  int d_bits() const { return type.d == kF16 ? 16 : 32; }
  int registers() const { return n / 2 * d_bits() / 32; }
};
struct Count {
  long long instructions = 0, right = 0, elements = 0, saturated = 0;
};

// The instructions of a type that the lesson tries: with N = 8 all immediates, with every other N
// the next combination; each with A from shared memory and from registers, where it is not
// transposed.
inline std::vector<Case> cases_of(const Type& type, bool every_n) {
  const int combinations = type.combinations();
  std::vector<Case> cases;
  for (int n = 8; n <= 256; n += 8) {
    if (!type.has(n) || !(every_n || n == 8 || n == 24 || n == 64 || n == 256)) continue;
    const int first = n == 8 ? 0 : n / 8 % combinations, last = n == 8 ? combinations - 1 : first;
    for (int v = first; v <= last; ++v)
      for (const bool from_registers : {false, true})
        if (const Case c{type, n, v, from_registers}; !from_registers || !c.trans_a())
          cases.push_back(c);
  }
  return cases;
}

// A's fragment: value i (counted through a thread's four registers) of `thread` is (row, k).
inline void a_place(const Type& type, int thread, int i, int& row, int& k) {
  const int per = 32 / type.bits, reg = i / per, lane = thread % 32;
  row = thread / 32 * 16 + lane / 4 + reg % 2 * 8;
  k = (lane % 4 + reg / 2 * 4) * per + i % per;
}
inline void d_place(int thread, int i, int& row, int& col) {
  row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
  col = i / 4 * 8 + thread % 4 * 2 + i % 2;
}

struct Matrices {
  std::vector<int> A, B, C;  // [m][k], [n][k], [m][n]
};
inline Matrices random_matrices(const Case& c, Numbers& numbers) {
  const auto size = [](int count) { return static_cast<size_t>(count); };
  Matrices m{std::vector<int>(size(64 * c.type.K)), std::vector<int>(size(c.n * c.type.K)),
             std::vector<int>(size(64 * c.n))};
  for (int& a : m.A) a = random_number(c.type.a, numbers);
  for (int& b : m.B) b = random_number(c.type.b, numbers);
  for (int& sum : m.C) {
    sum = numbers.between(-64, 64);
    if (c.type.d == kS32 && numbers.between(0, 1) == 0)  // near the ends of s32
      sum = numbers.between(0, 1) == 0 ? 0x7fffffff - numbers.between(0, 99999)
                                       : -0x7fffffff + numbers.between(0, 99999);
  }
  return m;
}

inline std::vector<Operands> operands_of(const Case& c, const Matrices& m) {
  std::vector<Operands> in(1);
  std::memset(in.data(), 0, sizeof(Operands));
  const Type& type = c.type;
  lay_out(in[0].a, type.K, type.bits, type.a, m.A, 64, c.trans_a());
  lay_out(in[0].b, type.K, type.bits, type.b, m.B, c.n, c.trans_b());
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 4 * 32 / type.bits; ++i) {
      int row, k;
      a_place(type, thread, i, row, k);
      put(in[0].a_registers + thread * 4, i * type.bits,
          encode(type.a, m.A[static_cast<size_t>(row * type.K + k)]));
    }
  // K-major: 128 bytes to the next 16 bytes of k, 256 to the next 8 rows. Else LBO leads to the
  // next 8 of k, SBO to the next 8 of m or n.
  in[0].a_lbo = c.trans_a() ? 64 / 8 * 128 : 128, in[0].a_sbo = c.trans_a() ? 128 : 256;
  in[0].b_lbo = c.trans_b() ? c.n / 8 * 128 : 128, in[0].b_sbo = c.trans_b() ? 128 : 256;
  return in;
}

// What D[row][col] must be, exactly; `saturated` counts the sums that .satfinite stopped.
inline uint32_t expected(const Case& c, const Matrices& m, int row, int col, int scale_d,
                         long long& saturated) {
  long long sum = 0;
  for (int k = 0; k < c.type.K; ++k)
    sum += static_cast<long long>(m.A[static_cast<size_t>(row * c.type.K + k)]) *
           m.B[static_cast<size_t>(col * c.type.K + k)];
  sum *= c.sign();
  if (scale_d != 0) sum += m.C[static_cast<size_t>(row * c.n + col)];
  if (c.type.saturates && (sum > 0x7fffffffLL || sum < -0x80000000LL)) {
    sum = sum < 0 ? -0x80000000LL : 0x7fffffffLL;
    ++saturated;
  }
  return encode(c.type.d, static_cast<int>(static_cast<uint32_t>(sum)));  // s32 wraps
}

// C, spread over the threads' registers as D will be.
inline std::vector<uint32_t> sums_of(const Case& c, const Matrices& m) {
  std::vector<uint32_t> words(static_cast<size_t>(128 * c.registers()), 0);
  int row, col;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < c.n / 2; ++i) {
      d_place(thread, i, row, col);
      put(words.data() + thread * c.registers(), i * c.d_bits(),
          encode(c.type.d, m.C[static_cast<size_t>(row * c.n + col)]));
    }
  return words;
}

inline void compare(const Case& c, const Matrices& m, const std::vector<uint32_t>& d, int scale_d,
                    Count& count) {
  ++count.instructions;
  int row, col;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < c.n / 2; ++i) {
      d_place(thread, i, row, col);
      const uint32_t word = d[static_cast<size_t>(thread * c.registers() + i * c.d_bits() / 32)];
      const uint32_t found = c.d_bits() == 16 ? word >> (i % 2 * 16) & 0xffff : word;
      ++count.elements;
      count.right += found == expected(c, m, row, col, scale_d, count.saturated);
    }
}

inline bool print_count(const Type& type, const Count& count) {
  std::printf("m64nNk%-3d %-20s %3lld times, %9lld of %9lld elements exact", type.K, type.text,
              count.instructions, count.right, count.elements);
  if (type.saturates) std::printf(", %lld saturated", count.saturated);
  std::printf("\n");
  return count.right == count.elements && (!type.saturates || count.saturated > 0);
}
