// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic with .rz, .rm and .rp, one lane at a time in the host's own rounding mode.
// Compiled with -frounding-math, so that nothing is computed in advance.
//
// Source: PTX ISA 9.1, 9.7.3.
#include <cfenv>
#include <cmath>
#include <cstring>

#include "emulator/handlers.hpp"
#include "emulator/warp.hpp"

namespace lanescope::emulator {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) {
    std::fesetround(mode == 1 ? FE_TOWARDZERO : mode == 2 ? FE_DOWNWARD : FE_UPWARD);
  }
  ~RoundingMode() { std::fesetround(before_); }

 private:
  int before_;
};

template <class T>
T flushed(T value, bool flushes) {
  if (!flushes || sizeof(T) == 8 || !(std::fabs(value) < T(0x1p-126))) return value;
  return std::copysign(T{0}, value);
}

template <class T>
T computed(Operation operation, T a, T b, T c) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::sub:
      return a - b;
    case Operation::mul:
      return a * b;
    case Operation::div:
      return a / b;
    case Operation::fma:
      return std::fma(a, b, c);
    case Operation::sqrt:
      return std::sqrt(a);
    default:
      return T{1} / a;
  }
}

template <class T, class Bits, Operation kOperation>
Flow rounded(Warp& w, const Instruction& i, std::uint32_t active) {
  const RoundingMode mode(i.detail & FloatMode::kRoundMask);
  const bool flushes = (i.detail & FloatMode::kFtz) != 0;
  const auto read = [&](std::uint32_t offset, int lane) {
    volatile T value{};
    if (offset == kNoRow) return T{};
    const Bits bits = row<Bits>(w, offset)[lane];
    T plain;
    std::memcpy(&plain, &bits, sizeof(T));
    value = flushed(plain, flushes);
    return T{value};
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    if (((active >> lane) & 1) == 0) continue;
    volatile T made = computed<T>(kOperation, read(i.a, lane), read(i.b, lane), read(i.c, lane));
    T value = flushed(T{made}, flushes);
    if ((i.detail & FloatMode::kSaturate) != 0)
      value = value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
    Bits bits;
    std::memcpy(&bits, &value, sizeof(T));
    if (sizeof(T) == 4 && value != value) bits = 0x7fffffffu;
    row<Bits>(w, i.d)[lane] = bits;
  }
  return Flow::next;
}

template <class T, class Bits>
Handler find(Operation operation) {
  switch (operation) {
    case Operation::add:
      return &rounded<T, Bits, Operation::add>;
    case Operation::sub:
      return &rounded<T, Bits, Operation::sub>;
    case Operation::mul:
      return &rounded<T, Bits, Operation::mul>;
    case Operation::div:
      return &rounded<T, Bits, Operation::div>;
    case Operation::fma:
      return &rounded<T, Bits, Operation::fma>;
    case Operation::sqrt:
      return &rounded<T, Bits, Operation::sqrt>;
    case Operation::rcp:
      return &rounded<T, Bits, Operation::rcp>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler rounded_handler(Operation operation, Type type) {
  if (type == Type::f32) return find<float, std::uint32_t>(operation);
  if (type == Type::f64) return find<double, std::uint64_t>(operation);
  return nullptr;
}

}  // namespace lanescope::emulator
