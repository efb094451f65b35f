// SPDX-License-Identifier: MIT
// The approximate functions as a card has them: for every form of inputs.hpp a struct with its one
// instruction. at() takes and gives patterns; the second operand matters to divisions only.
#pragma once

#include "inputs.hpp"

namespace lanescope::golden::approximate {

// What the registers of a shape are called, in and out.
#define BODY_single(mnemonic)                                                  \
  float d;                                                                     \
  asm volatile(mnemonic " %0, %1;" : "=f"(d) : "f"(__uint_as_float((Word)a))); \
  return __float_as_uint(d);
#define BODY_two(mnemonic)                                                \
  float d;                                                                \
  asm volatile(mnemonic " %0, %1, %2;"                                    \
               : "=f"(d)                                                  \
               : "f"(__uint_as_float((Word)a)), "f"(__uint_as_float(b))); \
  return __float_as_uint(d);
#define BODY_half(mnemonic)                                             \
  unsigned short d;                                                     \
  asm volatile(mnemonic " %0, %1;" : "=h"(d) : "h"((unsigned short)a)); \
  return d;
#define BODY_packed(mnemonic)                                 \
  Word d;                                                     \
  asm volatile(mnemonic " %0, %1;" : "=r"(d) : "r"((Word)a)); \
  return d;
#define BODY_wide(mnemonic)                                                              \
  double d;                                                                              \
  asm volatile(mnemonic " %0, %1;" : "=d"(d) : "d"(__longlong_as_double((long long)a))); \
  return (Long)__double_as_longlong(d);

#define FORM(shape, name, mnemonic)                                                       \
  struct Form_##name {                                                                    \
    static constexpr Shape kShape = Shape::shape;                                         \
    static __device__ Long at(Long a, [[maybe_unused]] Word b) { BODY_##shape(mnemonic) } \
  };
LANESCOPE_APPROXIMATE_FORMS(FORM)

}  // namespace lanescope::golden::approximate
