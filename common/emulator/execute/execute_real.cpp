// SPDX-License-Identifier: MIT
// Floating-point arithmetic that rounds to nearest, of f32 and f64: the loops over the lanes. What
// each operation is: real_operations.hpp. Halves are in execute_half.cpp.
// Directed rounding is rare and in execute_rounded.cpp, .approx in execute_approximate.cpp.
//
// Source: PTX ISA 9.2, 9.7.3.
#include "emulator/execute/half.hpp"
#include "emulator/execute/real.hpp"
#include "emulator/execute/real_operations.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

template <class T, int kMode>
inline T in(T value) {
  if constexpr ((kMode & 1) != 0 && sizeof(T) == 4) return flush_f32(value);
  return value;
}
template <class T, int kMode>
inline T out(T value) {
  if constexpr ((kMode & 1) != 0 && sizeof(T) == 4) value = flush_f32(value);
  if constexpr ((kMode & 2) != 0) value = clamp01(value);
  return canonical(value);
}

// kMode: 1 flushes subnormals, 2 saturates.
template <class T, class F, int kMode>
Flow unary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    return out<T, kMode>(F::at(in<T, kMode>(from_word<T>(a[lane]))));
  });
  return Flow::next;
}
// Results of which few need more than the operation: NaNs of f64, and what .ftz may flush although
// it was rounded to a normal number.
inline bool is_suspect(double made) { return made != made; }
inline bool is_suspect(float made) { return __builtin_fabsf(made) == 0x1p-126f; }
template <class T, class F, int kMode>
constexpr bool kHasSuspects = sizeof(T) == 8
                                  ? !std::is_same_v<F, Div>
                                  : (kMode & 1) != 0 && !std::is_same_v<F, Add> &&
                                        !std::is_same_v<F, Sub> && !std::is_same_v<F, Div>;

// d[lane] = out(plain(lane)), or careful(lane, what plain gave) for suspects.
template <class T, int kMode, class Plain, class Careful>
inline void write_with_care(Word<T>* d, std::uint32_t active, Plain plain, Careful careful) {
  alignas(64) T made[kLanes];
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) made[lane] = plain(lane);
  const T* const results = made;
  std::uint32_t suspects = mask_lanes([=](int lane) { return is_suspect(results[lane]); });
  for (suspects &= active; suspects != 0; suspects &= suspects - 1) {
    const int lane = __builtin_ctz(suspects);
    made[lane] = careful(lane, made[lane]);
  }
  write_lanes<T>(d, active, [=](int lane) { return out<T, kMode>(results[lane]); });
}

template <class T, class F, int kMode>
Flow binary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  auto* d = lanes<T>(w, i.d);
  const auto x = [=](int lane) { return in<T, kMode>(from_word<T>(a[lane])); };
  const auto y = [=](int lane) { return in<T, kMode>(from_word<T>(b[lane])); };
  const auto plain = [=](int lane) { return F::at(x(lane), y(lane)); };
  if constexpr (kHasSuspects<T, F, kMode>) {
    write_with_care<T, kMode>(d, active, plain, [=](int lane, T made) {
      if constexpr (sizeof(T) == 8)
        return nan_of(x(lane), y(lane), made);
      else
        return F::tiny(x(lane), y(lane)) ? __builtin_copysignf(0.0f, made) : made;
    });
  } else {
    write_lanes<T>(d, active, [=](int lane) { return out<T, kMode>(plain(lane)); });
  }
  return Flow::next;
}
template <class T, class F, int kMode>
Flow ternary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<T>(w, i.c);
  auto* d = lanes<T>(w, i.d);
  const auto x = [=](int lane) { return in<T, kMode>(from_word<T>(a[lane])); };
  const auto y = [=](int lane) { return in<T, kMode>(from_word<T>(b[lane])); };
  const auto z = [=](int lane) { return in<T, kMode>(from_word<T>(c[lane])); };
  const auto plain = [=](int lane) { return F::at(x(lane), y(lane), z(lane)); };
  if constexpr (kHasSuspects<T, F, kMode>) {
    write_with_care<T, kMode>(d, active, plain, [=](int lane, T made) {
      if constexpr (sizeof(T) == 8)
        return nan_of(z(lane), y(lane), nan_of(x(lane), z(lane), made));
      else
        return F::tiny(x(lane), y(lane), z(lane)) ? __builtin_copysignf(0.0f, made) : made;
    });
  } else {
    write_lanes<T>(d, active, [=](int lane) { return out<T, kMode>(plain(lane)); });
  }
  return Flow::next;
}

template <class T, bool kMax>
Flow extremes(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const bool nan_wins = (i.detail & FloatMode::kNan) != 0;
  const bool flushes = (i.detail & FloatMode::kFtz) != 0;
  const bool xorsign = (i.detail & FloatMode::kXorsign) != 0;
  if (!nan_wins && !flushes && !xorsign) {  // the usual one, simple enough for vectors
    write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
      return quiet(plain_extreme<T, kMax>(from_word<T>(a[lane]), from_word<T>(b[lane])));
    });
    return Flow::next;
  }
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    T x = from_word<T>(a[lane]);
    T y = from_word<T>(b[lane]);
    if constexpr (sizeof(T) == 4) {
      x = flushes ? flush_f32(x) : x;
      y = flushes ? flush_f32(y) : y;
      if (xorsign) {
        const std::uint32_t sign = (bits_of(x) ^ bits_of(y)) & 0x80000000u;
        const float made =
            canonical(extreme<float, kMax>(__builtin_fabsf(x), __builtin_fabsf(y), nan_wins));
        return made != made ? made : float_of(bits_of(made) | sign);
      }
    }
    return canonical(extreme<T, kMax>(x, y, nan_wins));
  });
  return Flow::next;
}

template <class T, bool kAbs>
Flow sign(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const bool flushes = (i.detail & FloatMode::kFtz) != 0;
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    constexpr Word<T> kSign = Word<T>{1} << (sizeof(T) * 8 - 1);
    const Word<T> bits = a[lane];
    const T given = from_word<T>(bits);
    T value = from_word<T>(kAbs ? bits & ~kSign : bits ^ kSign);
    if constexpr (sizeof(T) == 4) value = flushes ? flush_f32(value) : value;
    return given != given ? quiet(given) : value;  // a card adds -0: no bit of a NaN is flipped
  });
  return Flow::next;
}

template <class T>
Flow copy_sign(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  constexpr Word<T> kSign = Word<T>{1} << (sizeof(T) * 8 - 1);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return from_word<T>((b[lane] & ~kSign) | (a[lane] & kSign)); });
  return Flow::next;
}

#define LANESCOPE_MODES(SHAPE, F) \
  switch (mode_of(mode)) {        \
    case 0:                       \
      return &SHAPE<T, F, 0>;     \
    case 1:                       \
      return &SHAPE<T, F, 1>;     \
    case 2:                       \
      return &SHAPE<T, F, 2>;     \
    default:                      \
      return &SHAPE<T, F, 3>;     \
  }

int mode_of(std::uint16_t mode) {
  return ((mode & FloatMode::kFtz) != 0 ? 1 : 0) | ((mode & FloatMode::kSaturate) != 0 ? 2 : 0);
}

template <class T>
Handler ieee_handler(Operation operation, std::uint16_t mode) {
  switch (operation) {
    case Operation::add:
      LANESCOPE_MODES(binary, Add)
    case Operation::sub:
      LANESCOPE_MODES(binary, Sub)
    case Operation::mul:
      LANESCOPE_MODES(binary, Mul)
    case Operation::div:
      LANESCOPE_MODES(binary, Div)
    case Operation::fma:
      LANESCOPE_MODES(ternary, Fma)
    case Operation::fma_minus:
      LANESCOPE_MODES(ternary, FmaMinus)
    case Operation::minus_fma:
      LANESCOPE_MODES(ternary, MinusFma)
    case Operation::minus_fma_minus:
      LANESCOPE_MODES(ternary, MinusFmaMinus)
    case Operation::sqrt:
      LANESCOPE_MODES(unary, Sqrt)
    case Operation::rcp:
      LANESCOPE_MODES(unary, Rcp)
    case Operation::min:
      return &extremes<T, false>;
    case Operation::max:
      return &extremes<T, true>;
    case Operation::abs:
      return &sign<T, true>;
    case Operation::neg:
      return &sign<T, false>;
    case Operation::copysign:
      return &copy_sign<T>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler approximate_handler(Operation operation, Type type, std::uint16_t mode);
Handler half_handler(Operation operation, Type type);

Handler real_handler(Operation operation, Type type, std::uint16_t mode) {
  if (Handler found = approximate_handler(operation, type, mode)) return found;
  if ((mode & FloatMode::kRoundMask) != 0) return rounded_handler(operation, type);
  switch (type) {
    case Type::f32:
      return ieee_handler<float>(operation, mode);
    case Type::f64:
      return ieee_handler<double>(operation, mode);
    default:
      return half_handler(operation, type);
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
