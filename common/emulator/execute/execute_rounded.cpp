// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic with .rz, .rm and .rp, one lane at a time in the host's own rounding mode.
// Compiled with -frounding-math, so that nothing is computed in advance.
//
// Source: PTX ISA 9.2, 9.7.3.
#include <cfenv>
#include <cmath>
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

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

// Whether a result would be subnormal if it were rounded to 24 bits with an exponent as small as it
// needs: those .ftz flushes. In f64, rounded the same way, a result is above the bound of what
// rounds up to a normal number exactly if it was before.
bool tiny(Operation operation, float a, float b, float c, int mode) {
  if (operation == Operation::add || operation == Operation::sub || operation == Operation::sqrt)
    return false;
  volatile double x = a, y = b, z = c;
  const double made = operation == Operation::mul   ? x * y
                      : operation == Operation::div ? x / y
                      : operation == Operation::fma ? std::fma(double{x}, double{y}, double{z})
                                                    : 1.0 / x;
  const bool away = (mode == 3 && made > 0) || (mode == 2 && made < 0);
  return away ? std::fabs(made) <= 0x1p-126 - 0x1p-150 : std::fabs(made) < 0x1p-126;
}

// The bits of a NaN: an f64's is the second one that went in, else fma's third, else the first; of
// a quotient the first.
template <class T>
T with_nan(Operation operation, T a, T b, T c, T made) {
  if (sizeof(T) == 4 || operation == Operation::div || !std::isnan(made)) return made;
  const T given = std::isnan(b) ? b : operation == Operation::fma && std::isnan(c) ? c : a;
  return std::isnan(given) ? given + T{0} : made;
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

template <class T, class Bits, Operation kOperation, bool kMinusA = false, bool kMinusC = false>
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
    const T b = read(i.b, lane);
    const T a = kMinusA ? -read(i.a, lane) : read(i.a, lane);
    const T c = kMinusC ? -read(i.c, lane) : read(i.c, lane);
    volatile T made = computed<T>(kOperation, a, b, c);
    T value = flushed(with_nan(kOperation, a, b, c, T{made}), flushes);
    if (flushes && sizeof(T) == 4 &&
        tiny(kOperation, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c),
             i.detail & FloatMode::kRoundMask))
      value = std::copysign(T{0}, value);
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
    case Operation::fma_minus:
      return &rounded<T, Bits, Operation::fma, false, true>;
    case Operation::minus_fma:
      return &rounded<T, Bits, Operation::fma, true>;
    case Operation::minus_fma_minus:
      return &rounded<T, Bits, Operation::fma, true, true>;
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
