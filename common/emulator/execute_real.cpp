// SPDX-License-Identifier: MIT
// Floating-point arithmetic that rounds to nearest: f32, f64, and f16, bf16 alone or in pairs.
// Directed rounding is rare and in execute_rounded.cpp, .approx in execute_approximate.cpp.
//
// f16 and bf16 are computed in f32 (fma of bf16 in f64) and rounded once more. That is exact: f32
// has more than twice the digits and two, and the sum of an fma is rounded to odd.
//
// Source: PTX ISA 9.1, 9.7.3 (f32, f64), 9.7.4 (half precision).
#include "emulator/half.hpp"
#include "emulator/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// a + b as a rounded sum and what it lacks.
struct ExactSum {
  double sum, rest;
};
inline ExactSum exact_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

// .ftz flushes what would be subnormal if it were rounded to 24 bits with an exponent as small as
// it needs. From here on it rounds up to the smallest normal number.
constexpr double kTiny = 0x1p-126 - 0x1p-151;

struct Add {
  template <class T>
  static T at(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T at(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T at(T a, T b) {
    return a * b;
  }
  static bool tiny(float a, float b) {
    return __builtin_fabs(static_cast<double>(a) * static_cast<double>(b)) < kTiny;
  }
};
struct Div {
  template <class T>
  static T at(T a, T b) {
    return a / b;
  }
};
struct Fma {
  static float at(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double at(double a, double b, double c) { return __builtin_fma(a, b, c); }
  static bool tiny(float a, float b, float c) {
    const auto [sum, rest] = exact_sum(static_cast<double>(a) * static_cast<double>(b), c);
    const double size = __builtin_fabs(sum);
    return size < kTiny || (size == kTiny && rest * sum < 0);
  }
};
// What becomes of a mul and a sub (contract.hpp).
struct FmaMinus {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(a, b, -c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(a, b, -c); }
};
struct MinusFma {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(-a, b, c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(-a, b, c); }
};
struct MinusFmaMinus {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(-a, b, -c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(-a, b, -c); }
};
struct Sqrt {
  static float at(float a) { return __builtin_sqrtf(a); }
  static double at(double a) { return __builtin_sqrt(a); }
};
struct Rcp {
  template <class T>
  static T at(T a) {
    return T{1} / a;
  }
};

// NaN loses against a number unless .NaN is given; -0 is below +0.
template <class T, bool kMax>
inline T extreme(T a, T b, bool nan_wins) {
  const bool b_first = kMax ? (b > a || (a == b && __builtin_signbit(a)))
                            : (b < a || (a == b && __builtin_signbit(b)));
  T made = b_first ? b : a;
  if (a != a) made = nan_wins ? a : b;
  if (b != b) made = nan_wins || a != a ? b : a;
  return made;
}

// The same without .NaN, and without branches. Equals differ in the sign of a zero at most.
template <class T, bool kMax>
inline T plain_extreme(T a, T b) {
  using Bits = typename Unsigned<sizeof(T)>::type;
  const auto a_bits = __builtin_bit_cast(Bits, a), b_bits = __builtin_bit_cast(Bits, b);
  const Bits equal = kMax ? a_bits & b_bits : a_bits | b_bits;
  T made = (kMax ? b > a : b < a) ? b : a;
  made = a == b ? __builtin_bit_cast(T, equal) : made;
  return a != a ? b : made;
}

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

// Halves: F computes in f32 (or f64), H says how to read and write. kPair: two in a register.
template <class H>
[[gnu::always_inline]] inline std::uint32_t finish_half(float value, std::uint16_t detail) {
  if ((detail & FloatMode::kSaturate) != 0) value = clamp01(value);
  if ((detail & FloatMode::kRelu) != 0)
    value = value != value ? value : value > 0.0f ? value : 0.0f;
  if ((detail & FloatMode::kFtz) != 0) value = H::flush_tiny(value);
  return H::store(value);
}
template <class H>
[[gnu::always_inline]] inline float read_half(std::uint32_t half, std::uint16_t detail) {
  const float value = H::load(half & 0xffffu);
  return (detail & FloatMode::kFtz) != 0 ? H::flush(value) : value;
}

template <class H, class F>
[[gnu::always_inline]] inline std::uint32_t half_result(std::uint32_t a, std::uint32_t b,
                                                        std::uint32_t c, std::uint16_t detail) {
  return finish_half<H>(
      F::at(read_half<H>(a, detail), read_half<H>(b, detail), read_half<H>(c, detail), detail),
      detail);
}
struct HalfAdd {
  static float at(float a, float b, float, std::uint16_t) { return a + b; }
};
struct HalfSub {
  static float at(float a, float b, float, std::uint16_t) { return a - b; }
};
struct HalfMul {
  static float at(float a, float b, float, std::uint16_t) { return a * b; }
};
template <bool kMax>
struct HalfExtreme {
  static float at(float a, float b, float, std::uint16_t d) {
    if (d == 0) return plain_extreme<float, kMax>(a, b);
    const bool nan_wins = (d & FloatMode::kNan) != 0;
    if ((d & FloatMode::kXorsign) == 0) return extreme<float, kMax>(a, b, nan_wins);
    const std::uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
    const float made = extreme<float, kMax>(__builtin_fabsf(a), __builtin_fabsf(b), nan_wins);
    return float_of(bits_of(made) | sign);
  }
};

// The f64 sum is rounded to f32 by odd, so that the rounding to a half that follows is the only
// one.
inline float odd_rounded(double value) {
  const auto near = static_cast<float>(value);
  if (!(__builtin_fabs(value) < 0x1p128) || static_cast<double>(near) == value) return near;
  std::uint32_t bits = bits_of(near);
  const bool above = __builtin_fabs(static_cast<double>(near)) > __builtin_fabs(value);
  if (above) bits -= 1;  // toward zero
  return float_of(bits | 1u);
}
// Of f16 an f32 holds the product; what the sum lacks makes it odd, so that the rounding to a half
// that follows is the only one.
struct HalfFma {
  static float at(float a, float b, float c, std::uint16_t) {
    const float product = a * b, sum = product + c, from_c = sum - product;
    const float rest = (product - (sum - from_c)) + (c - from_c);
    const std::uint32_t bits = bits_of(sum);
    const std::uint32_t odd = (bits - ((rest < 0) != (sum < 0) ? 1u : 0u)) | 1u;
    return float_of(rest < 0 || rest > 0 ? odd : bits);
  }
};
// The exponents of bf16 reach further than an f64 has digits: what the sum lacks makes it odd.
struct Bf16Fma {
  static float at(float a, float b, float c, std::uint16_t) {
    const auto [sum, rest] = exact_sum(static_cast<double>(a) * static_cast<double>(b), c);
    auto bits = __builtin_bit_cast(std::uint64_t, sum);
    if (rest < 0 || rest > 0) bits = (rest * sum < 0 ? bits - 1 : bits) | 1;
    return odd_rounded(__builtin_bit_cast(double, bits));
  }
};
template <class F, bool kMinusProduct, bool kMinusOther>
struct HalfSigned {
  static float at(float a, float b, float c, std::uint16_t detail) {
    return F::at(kMinusProduct ? -a : a, b, kMinusOther ? -c : c, detail);
  }
};

template <class H, class F, int kSources, bool kPair>
Flow half(Warp& w, const Instruction& i, std::uint32_t active) {
  using U = std::uint32_t;
  const auto* a = lanes<U>(w, i.a);
  const auto* b = kSources > 1 ? lanes<U>(w, i.b) : a;
  const auto* c = kSources > 2 ? lanes<U>(w, i.c) : a;
  const auto all = [=, &w](auto detail) {
    write_lanes<U>(lanes<U>(w, i.d), active, [=](int lane) {
      const U low = half_result<H, F>(a[lane], b[lane], c[lane], detail);
      if constexpr (!kPair) return low;
      return low | half_result<H, F>(a[lane] >> 16, b[lane] >> 16, c[lane] >> 16, detail) << 16;
    });
  };
  if (i.detail == 0)  // the usual one, simple enough for vectors
    all(std::integral_constant<std::uint16_t, 0>{});
  else
    all(i.detail);
  return Flow::next;
}

template <class H, bool kAbs>
inline std::uint32_t with_sign(std::uint32_t half, std::uint32_t least) {
  const std::uint32_t magnitude = half & 0x7fffu;
  const std::uint32_t sign = kAbs ? 0 : ~half & 0x8000u;
  return magnitude > H::kInfinity ? kNanHalf : (magnitude < least ? 0 : magnitude) | sign;
}
template <class H, bool kAbs, bool kPair>
Flow half_sign(Warp& w, const Instruction& i, std::uint32_t active) {
  using U = std::uint32_t;
  const auto* a = lanes<U>(w, i.a);
  const U least = (i.detail & FloatMode::kFtz) != 0 ? 0x400 : 0;  // only f16 has .ftz
  write_lanes<U>(lanes<U>(w, i.d), active, [=](int lane) {
    const U low = with_sign<H, kAbs>(a[lane], least);
    return kPair ? with_sign<H, kAbs>(a[lane] >> 16, least) << 16 | low : low;
  });
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

template <class H, bool kPair>
Handler half_handler(Operation operation) {
  using Fused = std::conditional_t<std::is_same_v<H, F16>, HalfFma, Bf16Fma>;
  switch (operation) {
    case Operation::add:
      return &half<H, HalfAdd, 2, kPair>;
    case Operation::sub:
      return &half<H, HalfSub, 2, kPair>;
    case Operation::mul:
      return &half<H, HalfMul, 2, kPair>;
    case Operation::fma:
      return &half<H, Fused, 3, kPair>;
    case Operation::fma_minus:
      return &half<H, HalfSigned<Fused, false, true>, 3, kPair>;
    case Operation::minus_fma:
      return &half<H, HalfSigned<Fused, true, false>, 3, kPair>;
    case Operation::minus_fma_minus:
      return &half<H, HalfSigned<Fused, true, true>, 3, kPair>;
    case Operation::min:
      return &half<H, HalfExtreme<false>, 2, kPair>;
    case Operation::max:
      return &half<H, HalfExtreme<true>, 2, kPair>;
    case Operation::abs:
      return &half_sign<H, true, kPair>;
    case Operation::neg:
      return &half_sign<H, false, kPair>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler approximate_handler(Operation operation, Type type, std::uint16_t mode);

Handler real_handler(Operation operation, Type type, std::uint16_t mode) {
  if (Handler found = approximate_handler(operation, type, mode)) return found;
  if ((mode & FloatMode::kRoundMask) != 0) return rounded_handler(operation, type);
  switch (type) {
    case Type::f32:
      return ieee_handler<float>(operation, mode);
    case Type::f64:
      return ieee_handler<double>(operation, mode);
    case Type::f16:
      return half_handler<F16, false>(operation);
    case Type::bf16:
      return half_handler<Bf16, false>(operation);
    case Type::f16x2:
      return half_handler<F16, true>(operation);
    case Type::bf16x2:
      return half_handler<Bf16, true>(operation);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
