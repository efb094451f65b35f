// SPDX-License-Identifier: MIT
// Floating-point arithmetic of f16 and bf16, alone or in pairs.
//
// They are computed in f32 (fma of bf16 in f64) and rounded once more. That is exact: f32 has more
// than twice the digits and two, and the sum of an fma is rounded to odd.
//
// Source: PTX ISA 9.2, 9.7.4.
#include "emulator/execute/half.hpp"
#include "emulator/execute/real.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// F computes in f32 (or f64), H says how to read and write. kPair: two in a register.
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

template <class H, bool kPair>
Handler handler_of(Operation operation) {
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

Handler half_handler(Operation operation, Type type) {
  switch (type) {
    case Type::f16:
      return handler_of<F16, false>(operation);
    case Type::bf16:
      return handler_of<Bf16, false>(operation);
    case Type::f16x2:
      return handler_of<F16, true>(operation);
    case Type::bf16x2:
      return handler_of<Bf16, true>(operation);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
