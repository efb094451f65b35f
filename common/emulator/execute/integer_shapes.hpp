// SPDX-License-Identifier: MIT
// What handlers of integers are made of: F::at for each lane of one, two or three operands, and the
// choice of F's type by the instruction's.
//
// Included by files compiled once per host (see rows.hpp).
#pragma once

#include "emulator/execute/bits.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

template <class T, class F>
Flow unary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) { return F::at(from_word<T>(a[lane])); });
  return Flow::next;
}

template <class T, class F>
Flow binary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return F::at(from_word<T>(a[lane]), from_word<T>(b[lane])); });
  return Flow::next;
}

template <class T, class F>
Flow ternary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<T>(w, i.c);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    return F::at(from_word<T>(a[lane]), from_word<T>(b[lane]), from_word<T>(c[lane]));
  });
  return Flow::next;
}

}  // namespace
}  // namespace lanescope::emulator::LANESCOPE_HOST

#define LANESCOPE_BITS(SHAPE, F)       \
  switch (info(type).bits) {           \
    case 16:                           \
      return &SHAPE<std::uint16_t, F>; \
    case 32:                           \
      return &SHAPE<std::uint32_t, F>; \
    case 64:                           \
      return &SHAPE<std::uint64_t, F>; \
    default:                           \
      return nullptr;                  \
  }
#define LANESCOPE_SIGNED(SHAPE, F)     \
  switch (type) {                      \
    case Type::u16:                    \
      return &SHAPE<std::uint16_t, F>; \
    case Type::u32:                    \
    case Type::b32:                    \
      return &SHAPE<std::uint32_t, F>; \
    case Type::u64:                    \
    case Type::b64:                    \
      return &SHAPE<std::uint64_t, F>; \
    case Type::s16:                    \
      return &SHAPE<std::int16_t, F>;  \
    case Type::s32:                    \
      return &SHAPE<std::int32_t, F>;  \
    case Type::s64:                    \
      return &SHAPE<std::int64_t, F>;  \
    default:                           \
      return nullptr;                  \
  }
