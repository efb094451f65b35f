// SPDX-License-Identifier: MIT
// One asm statement for eight multiplications, one for five conversions. Whatever the type,
// mma.sync takes four registers of A, two of B and four of D, and cvt makes bits of a float. Only
// names and types are others, and an asm statement must be a literal: so macros write them.
//
//     struct F16 {
//       INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
//       ENCODE(uint16_t, "=h", ANY_ARCH, "cvt.rn.f16.f32 %0, %1;")
//     };    // F16::run(d, a, b): D += A*B; F16::kMnemonic; F16::encode(x): the bits of x
//
// Source: PTX ISA 9.2, 9.7.14.5 (mma), 9.7.9.21 (cvt).
#pragma once

#include <cstdint>

#define ANY_ARCH(statement) statement
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
#define FROM_SM_89(statement) statement
#else
#define FROM_SM_89(statement) __trap()  // the lesson's main() leaves these out
#endif

#define INSTRUCTION(SumType, constraint, arch, text)                                        \
  using Sum = SumType;                                                                      \
  static constexpr const char* kMnemonic = text;                                            \
  __device__ static void run(Sum(&d)[4], const uint32_t(&a)[4], const uint32_t(&b)[2]) {    \
    arch(asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"         \
                      : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),   \
                        "+" constraint(d[3])                                                \
                      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))); \
  }

#define ENCODE(Bits, constraint, arch, text)     \
  __device__ static uint32_t encode(float x) {   \
    Bits bits = 0;                               \
    arch(asm(text : constraint(bits) : "f"(x))); \
    return bits;                                 \
  }
