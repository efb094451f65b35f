// SPDX-License-Identifier: MIT
// Loads and stores: one move a lane, from and to what execute_address.cpp found.
//
// Source: PTX ISA 9.2, 9.7.9 (data movement).
#include "emulator/execute/addresses.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

template <class F>
inline void each_lane(std::uint32_t active, F f) {
  if (active == kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
  } else {
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) f(__builtin_ctz(rest));
  }
}

// Whether the lanes lie side by side, `bytes` each.
inline bool side_by_side(const Addresses& at, std::uint64_t bytes) {
  std::uint64_t apart = 0;
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane)
    apart |= at.lane[lane] - at.lane[0] - bytes * static_cast<std::uint64_t>(lane);
  return apart == 0;
}

// Whether a row has in its words what memory has.
template <class T, class R, int kCount>
inline constexpr bool kMovesWords = kCount == 1 && sizeof(T) == sizeof(R) && sizeof(T) >= 4;

// R: the register's type, as wide as it was declared; T: what lies in memory. A signed T extends.
template <class T, class R, int kCount>
Flow load(Warp& w, const Instruction& i, std::uint32_t active) {
  Addresses at;
  if (!resolve(w, i, active, at)) return Flow::fault;
  Word<R>* d[kCount];
  const std::uint32_t* rows = rows_at(w, i.list);
  for (int k = 0; k < kCount; ++k) d[k] = rows[k] == kNoRow ? nullptr : lanes<R>(w, rows[k]);
  if constexpr (kMovesWords<T, R, kCount>) {
    if (active == kAllLanes && d[0] != nullptr && side_by_side(at, sizeof(T))) {
      std::memcpy(d[0], reinterpret_cast<const void*>(at.lane[0]), kLanes * sizeof(T));
      return Flow::next;
    }
  }
  each_lane(active, [&](int lane) {
    T value[kCount];
    std::memcpy(value, reinterpret_cast<const void*>(at.lane[lane]), sizeof(value));
    for (int k = 0; k < kCount; ++k)
      if (d[k] != nullptr) d[k][lane] = to_word<R>(static_cast<R>(value[k]));
  });
  return Flow::next;
}

template <class T, class R, int kCount>
Flow store(Warp& w, const Instruction& i, std::uint32_t active) {
  Addresses at;
  if (!resolve(w, i, active, at)) return Flow::fault;
  const Word<R>* s[kCount];
  const std::uint32_t* rows = rows_at(w, i.list);
  for (int k = 0; k < kCount; ++k) s[k] = lanes<R>(w, rows[k]);
  if constexpr (kMovesWords<T, R, kCount>) {
    if (active == kAllLanes && side_by_side(at, sizeof(T))) {
      std::memcpy(reinterpret_cast<void*>(at.lane[0]), s[0], kLanes * sizeof(T));
      return Flow::next;
    }
  }
  each_lane(active, [&](int lane) {
    T value[kCount];
    for (int k = 0; k < kCount; ++k) value[k] = static_cast<T>(s[k][lane]);
    std::memcpy(reinterpret_cast<void*>(at.lane[lane]), value, sizeof(value));
  });
  return Flow::next;
}

template <template <class, class, int> class Move, class T, class R>
Handler by_count(int count) {
  switch (count) {
    case 1:
      return &Move<T, R, 1>::run;
    case 2:
      return &Move<T, R, 2>::run;
    case 4:
      return &Move<T, R, 4>::run;
    case 8:
      if constexpr (sizeof(T) <= 4) return &Move<T, R, 8>::run;
      return nullptr;
    default:
      return nullptr;
  }
}
template <class T, class R, int kCount>
struct Load {
  static Flow run(Warp& w, const Instruction& i, std::uint32_t a) {
    return load<T, R, kCount>(w, i, a);
  }
};
template <class T, class R, int kCount>
struct Store {
  static Flow run(Warp& w, const Instruction& i, std::uint32_t a) {
    return store<T, R, kCount>(w, i, a);
  }
};

template <template <class, class, int> class Move>
Handler by_type(Type type, int register_bits, int count) {
  const bool wide = register_bits == 64;
  const bool half = register_bits == 16;
  switch (type) {
    case Type::b8:
    case Type::u8:
      return wide ? by_count<Move, std::uint8_t, std::uint64_t>(count)
                  : by_count<Move, std::uint8_t, std::uint32_t>(count);
    case Type::s8:
      return wide   ? by_count<Move, std::int8_t, std::int64_t>(count)
             : half ? by_count<Move, std::int8_t, std::int16_t>(count)
                    : by_count<Move, std::int8_t, std::int32_t>(count);
    case Type::b16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return wide ? by_count<Move, std::uint16_t, std::uint64_t>(count)
                  : by_count<Move, std::uint16_t, std::uint32_t>(count);
    case Type::s16:
      return wide   ? by_count<Move, std::int16_t, std::int64_t>(count)
             : half ? by_count<Move, std::int16_t, std::int16_t>(count)
                    : by_count<Move, std::int16_t, std::int32_t>(count);
    case Type::b32:
    case Type::u32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2:
      return wide ? by_count<Move, std::uint32_t, std::uint64_t>(count)
                  : by_count<Move, std::uint32_t, std::uint32_t>(count);
    case Type::s32:
      return wide ? by_count<Move, std::int32_t, std::int64_t>(count)
                  : by_count<Move, std::int32_t, std::int32_t>(count);
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return wide ? by_count<Move, std::uint64_t, std::uint64_t>(count) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Handler load_handler(Type type, int register_bits, int count) {
  return by_type<Load>(type, register_bits, count);
}
Handler store_handler(Type type, int register_bits, int count) {
  return by_type<Store>(type, register_bits, count);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
