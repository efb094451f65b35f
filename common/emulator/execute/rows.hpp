// SPDX-License-Identifier: MIT
// Loops over the 32 lanes of rows, written so that the compiler vectorises them.
//
// Files that include this are compiled once per host instruction set (LANESCOPE_HOST names it, see
// CMakeLists.txt), each copy in a namespace of its own; handlers.cpp picks one. They
// must therefore not instantiate templates of the standard library: the linker keeps one copy of
// those, and it could be the one the host cannot run.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

#if defined(__clang__)
#define LANESCOPE_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANESCOPE_LANES _Pragma("GCC ivdep")
#endif

namespace lanescope::emulator::LANESCOPE_HOST {

// The word that a lane of type T sits in.
template <int kBytes>
struct WordOf {
  using type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using type = std::uint64_t;
};
template <class T>
using Word __attribute__((may_alias)) = typename WordOf<sizeof(T)>::type;

template <int kBytes>
struct Unsigned;
template <>
struct Unsigned<1> {
  using type = std::uint8_t;
};
template <>
struct Unsigned<2> {
  using type = std::uint16_t;
};
template <>
struct Unsigned<4> {
  using type = std::uint32_t;
};
template <>
struct Unsigned<8> {
  using type = std::uint64_t;
};

// A lane's word as T and back; a narrow T sits zero-extended in its word.
template <class T>
inline T from_word(Word<T> word) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_bit_cast(T, static_cast<typename Unsigned<sizeof(T)>::type>(word));
  else
    return static_cast<T>(word);
}
template <class T>
inline Word<T> to_word(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_bit_cast(typename Unsigned<sizeof(T)>::type, value);
  else
    return static_cast<Word<T>>(static_cast<typename Unsigned<sizeof(T)>::type>(value));
}

alignas(64) inline constexpr std::uint32_t kLaneBit[kLanes] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

template <class W>
[[gnu::noinline]] void blend_lanes(W* d, const W* made, std::uint32_t active) {
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane)
    d[lane] = (active & kLaneBit[lane]) != 0 ? made[lane] : d[lane];
}

// d[lane] = value(lane) where the lane is active. `value` must not depend on other lanes' d. All
// lanes are computed either way, by one loop: to compile two of each doubled the time.
template <class D, class F>
inline void write_lanes(Word<D>* d, std::uint32_t active, F value) {
  alignas(64) Word<D> aside[kLanes];
  Word<D>* made = active == kAllLanes ? d : aside;
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) made[lane] = to_word<D>(value(lane));
  if (active != kAllLanes) blend_lanes(d, aside, active);
}

// A mask of the lanes for which `test(lane)` holds.
template <class F>
inline std::uint32_t mask_lanes(F test) {
  std::uint32_t mask = 0;
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) mask |= test(lane) ? kLaneBit[lane] : 0u;
  return mask;
}

template <class T>
inline Word<T>* lanes(const Warp& warp, std::uint32_t offset) {
  return row<Word<T>>(warp, offset);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
