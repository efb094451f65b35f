// SPDX-License-Identifier: MIT
// What the two halves of cvt share: how a lane is read as a real and written as one, and rounding
// to an integral value. Included by files compiled once per host (see rows.hpp).
#pragma once

#include "emulator/execute/half.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// Of an integer type; 0 for others. (Not from type.hpp's table: see rows.hpp.)
inline int integer_bits(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 8;
    case Type::u16:
    case Type::s16:
      return 16;
    case Type::u32:
    case Type::s32:
      return 32;
    case Type::u64:
    case Type::s64:
      return 64;
    default:
      return 0;
  }
}

inline float to_integral(float value, int mode) {
  return mode == 0   ? __builtin_rintf(value)
         : mode == 1 ? __builtin_truncf(value)
         : mode == 2 ? __builtin_floorf(value)
                     : __builtin_ceilf(value);
}
inline double to_integral(double value, int mode) {
  return quiet(mode == 0   ? __builtin_rint(value)
               : mode == 1 ? __builtin_trunc(value)
               : mode == 2 ? __builtin_floor(value)
                           : __builtin_ceil(value));
}

// Reading a lane as a real of type R, whatever it is stored as.
template <class R>
struct Real {
  using Value = R;
  using Lane = R;
  static R value(Word<R> word) { return from_word<R>(word); }
  static Word<R> word(R value) { return to_word<R>(canonical(value)); }
};
template <class H>
struct Half {
  using Value = float;
  using Lane = std::uint16_t;
  static float value(std::uint32_t word) { return H::load(word & 0xffffu); }
  static std::uint32_t word(float value) { return H::store(value); }
};

}  // namespace

/// execute_convert_integer.cpp: nullptr where it knows no such conversion.
Handler to_integer_handler(Type to, Type from, int register_bits, std::uint16_t mode);
Handler from_integer_handler(Type to, Type from, std::uint16_t mode);

}  // namespace lanescope::emulator::LANESCOPE_HOST
