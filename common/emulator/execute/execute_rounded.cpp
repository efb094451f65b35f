// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic with .rz, .rm and .rp, one lane at a time: f32 by the exact value, as a
// sum of two doubles; f64 in the host's own rounding mode. WebAssembly has one mode, the nearest:
// there the latter is not modelled.
//
// Source: PTX ISA 9.2, 9.7.3.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

enum Mode { kTowardZero = 1, kDown = 2, kUp = 3 };  // as FloatMode::kRoundMask has them

float flushed(float value, bool flushes) {
  if (!flushes || !(std::fabs(value) < 0x1p-126f)) return value;
  return std::copysign(0.0f, value);
}

// What an operation makes of f32, without an error: value + rest, value being the nearest double.
// Quotients and roots are the nearest double alone: one that has not 24 bits is 2^-48 of itself or
// more away from all that have, so the double lies on the same side of them.
struct Exact {
  double value = 0, rest = 0;
};

Exact sum_of(double a, double b) {
  const double sum = a + b, rounded_b = sum - a;
  return {sum, (a - (sum - rounded_b)) + (b - rounded_b)};
}

Exact exactly(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::add:
      return sum_of(a, b);
    case Operation::sub:
      return sum_of(a, -b);
    case Operation::mul:
      return {a * b, 0};
    case Operation::div:
      return {a / b, 0};
    case Operation::fma:
      return sum_of(a * b, c);
    case Operation::sqrt:
      return {std::sqrt(a), 0};
    default:
      return {1 / a, 0};
  }
}

// A sum of x and -x, which has no sign of its own.
bool is_cancelled(Operation operation, double a, double b, double c) {
  const bool sums =
      operation == Operation::add || operation == Operation::sub || operation == Operation::fma;
  const double first = operation == Operation::fma ? a * b : a;
  const double second = operation == Operation::add ? b : operation == Operation::sub ? -b : c;
  return sums && first + second == 0 && std::signbit(first) != std::signbit(second);
}

float rounded(const Exact& exact, int mode) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto nearest = static_cast<float>(exact.value);
  if (!std::isfinite(exact.value)) return nearest;
  const double off = (exact.value - double{nearest}) + exact.rest;
  const bool is_less = off<0, is_more = off> 0;  // than the nearest
  if ((mode == kDown && is_less) || (mode == kTowardZero && is_less && nearest > 0))
    return std::nextafter(nearest, -kInfinity);
  if ((mode == kUp && is_more) || (mode == kTowardZero && is_more && nearest < 0))
    return std::nextafter(nearest, kInfinity);
  return nearest;
}

// Whether a result would be subnormal if it were rounded to 24 bits with an exponent as small as it
// needs: those .ftz flushes. Of sums and roots none is.
bool is_tiny(Operation operation, Exact exact, int mode) {
  if (operation == Operation::add || operation == Operation::sub || operation == Operation::sqrt)
    return false;
  const bool is_negative = std::signbit(exact.value);
  if (is_negative) exact = {-exact.value, -exact.rest};
  const bool away = mode == (is_negative ? kDown : kUp);
  const double bound = away ? 0x1p-126 - 0x1p-150 : 0x1p-126;
  const double beyond = (exact.value - bound) + exact.rest;
  return away ? beyond <= 0 : beyond < 0;
}

// `make(a, b, c)` is the bits of a lane's result; what an instruction has no operand for is 0.
template <class T, class Bits, class Make>
Flow each_lane(Warp& w, const Instruction& i, std::uint32_t active, const Make& make) {
  const auto read = [&w](std::uint32_t offset, int lane) {
    return offset == kNoRow ? T{} : __builtin_bit_cast(T, row<Bits>(w, offset)[lane]);
  };
  for (int lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0)
      row<Bits>(w, i.d)[lane] = make(read(i.a, lane), read(i.b, lane), read(i.c, lane));
  return Flow::next;
}

template <Operation kOperation, bool kMinusA, bool kMinusC>
struct RoundedF32 {
  static Flow run(Warp& w, const Instruction& i, std::uint32_t active) {
    const int mode = i.detail & FloatMode::kRoundMask;
    const bool flushes = (i.detail & FloatMode::kFtz) != 0;
    const bool saturates = (i.detail & FloatMode::kSaturate) != 0;
    return each_lane<float, std::uint32_t>(w, i, active, [=](float a, float b, float c) {
      a = flushed(kMinusA ? -a : a, flushes);
      b = flushed(b, flushes);
      c = flushed(kMinusC ? -c : c, flushes);
      const Exact exact = exactly(kOperation, a, b, c);
      float value = is_cancelled(kOperation, a, b, c) ? (mode == kDown ? -0.0f : 0.0f)
                                                      : flushed(rounded(exact, mode), flushes);
      if (flushes && is_tiny(kOperation, exact, mode)) value = std::copysign(0.0f, value);
      if (saturates) value = value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
      return value != value ? 0x7fffffffu : __builtin_bit_cast(std::uint32_t, value);
    });
  }
};

#ifndef __EMSCRIPTEN__

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) {
    std::fesetround(mode == kTowardZero ? FE_TOWARDZERO : mode == kDown ? FE_DOWNWARD : FE_UPWARD);
  }
  ~RoundingMode() { std::fesetround(before_); }

 private:
  int before_;
};

// The bits of a NaN: the second one that went in, else fma's third, else the first; of a quotient
// the first.
double with_nan(Operation operation, double a, double b, double c, double made) {
  if (operation == Operation::div || !std::isnan(made)) return made;
  const double given = std::isnan(b) ? b : operation == Operation::fma && std::isnan(c) ? c : a;
  return std::isnan(given) ? given + 0.0 : made;
}

double computed(Operation operation, double a, double b, double c) {
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
      return 1.0 / a;
  }
}

// Compiled with -frounding-math, so that nothing is computed in advance.
template <Operation kOperation, bool kMinusA, bool kMinusC>
struct RoundedF64 {
  static Flow run(Warp& w, const Instruction& i, std::uint32_t active) {
    const RoundingMode mode(i.detail & FloatMode::kRoundMask);
    return each_lane<double, std::uint64_t>(w, i, active, [](double a, double b, double c) {
      if (kMinusA) a = -a;
      if (kMinusC) c = -c;
      volatile double made = computed(kOperation, a, b, c);
      return __builtin_bit_cast(std::uint64_t, with_nan(kOperation, a, b, c, double{made}));
    });
  }
};

#endif

template <template <Operation, bool, bool> class Rounded>
Handler find(Operation operation) {
  switch (operation) {
    case Operation::add:
      return &Rounded<Operation::add, false, false>::run;
    case Operation::sub:
      return &Rounded<Operation::sub, false, false>::run;
    case Operation::mul:
      return &Rounded<Operation::mul, false, false>::run;
    case Operation::div:
      return &Rounded<Operation::div, false, false>::run;
    case Operation::fma:
      return &Rounded<Operation::fma, false, false>::run;
    case Operation::fma_minus:
      return &Rounded<Operation::fma, false, true>::run;
    case Operation::minus_fma:
      return &Rounded<Operation::fma, true, false>::run;
    case Operation::minus_fma_minus:
      return &Rounded<Operation::fma, true, true>::run;
    case Operation::sqrt:
      return &Rounded<Operation::sqrt, false, false>::run;
    case Operation::rcp:
      return &Rounded<Operation::rcp, false, false>::run;
    default:
      return nullptr;
  }
}

}  // namespace

Handler rounded_handler(Operation operation, Type type) {
  if (type == Type::f32) return find<RoundedF32>(operation);
#ifndef __EMSCRIPTEN__
  if (type == Type::f64) return find<RoundedF64>(operation);
#endif
  return nullptr;
}

}  // namespace lanescope::emulator
