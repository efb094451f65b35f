// SPDX-License-Identifier: MIT
// cvt between integers, f32, f64 and the halves. The 8-bit formats, tf32 and directed roundings are
// in execute_format.cpp, which asks common/numeric.
//
// A destination register wider than its type is filled by extending the type's sign. Conversions to
// integers saturate; NaN gives 0, or 1 << (bits - 1) where f64 or 64 bits are involved.
//
// Source: PTX ISA 9.2, 9.7.9.21.
#include "emulator/half.hpp"
#include "emulator/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// The word of a destination register of 16, 32 or 64 bits for a value of To.
template <class To, class Register>
inline Word<Register> extended(To value) {
  if constexpr (std::is_signed_v<To>)
    return to_word<Register>(static_cast<Register>(static_cast<std::int64_t>(value)));
  else
    return to_word<Register>(static_cast<Register>(value));
}

template <class To>
inline To saturated(std::int64_t value, bool from_unsigned) {
  constexpr bool kSigned = std::is_signed_v<To>;
  constexpr int kBits = static_cast<int>(sizeof(To)) * 8;
  constexpr auto kMost = static_cast<std::uint64_t>(
      kSigned ? (std::uint64_t{1} << (kBits - 1)) - 1
              : (kBits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (kBits % 64)) - 1));
  const auto magnitude = static_cast<std::uint64_t>(value);
  if (from_unsigned || value >= 0) return static_cast<To>(magnitude < kMost ? magnitude : kMost);
  if (!kSigned) return 0;
  constexpr auto kLeast = kSigned ? -static_cast<std::int64_t>(kMost) - 1 : 0;
  return static_cast<To>(value < kLeast ? kLeast : value);
}

template <class To, class From, class Register>
Flow between_integers(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<From>(w, i.a);
  auto* d = lanes<Register>(w, i.d);
  if ((i.detail & FloatMode::kSaturate) != 0) {
    write_lanes<Register>(d, active, [=](int lane) {
      const From from = from_word<From>(a[lane]);
      const To to = saturated<To>(static_cast<std::int64_t>(from), std::is_unsigned_v<From>);
      return from_word<Register>(extended<To, Register>(to));
    });
  } else {
    write_lanes<Register>(d, active, [=](int lane) {
      return from_word<Register>(extended<To, Register>(static_cast<To>(from_word<From>(a[lane]))));
    });
  }
  return Flow::next;
}

template <class To, class From>
Flow integer_to_real(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<From>(w, i.a);
  const bool saturates = (i.detail & FloatMode::kSaturate) != 0;
  write_lanes<To>(lanes<To>(w, i.d), active, [=](int lane) {
    const auto made = static_cast<To>(from_word<From>(a[lane]));
    return saturates ? clamp01(made) : made;
  });
  return Flow::next;
}

// Integers above 65,504 overflow an f16 anyway, and below 2^24 an f32 holds them exactly.
template <class From>
Flow integer_to_f16(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<From>(w, i.a);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    return std::uint32_t{F16::store(static_cast<float>(from_word<From>(a[lane])))};
  });
  return Flow::next;
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

template <class To, class V, bool kWideRule>
inline To integer_of(V value) {
  constexpr bool kSigned = std::is_signed_v<To>;
  constexpr int kBits = static_cast<int>(sizeof(To)) * 8;
  const V most =
      static_cast<V>(kSigned ? 2.0 * static_cast<double>(std::uint64_t{1} << (kBits - 2))
                             : 4.0 * static_cast<double>(std::uint64_t{1} << (kBits - 2)));
  using U = typename Unsigned<sizeof(To)>::type;
  if (value != value) return kWideRule ? static_cast<To>(U{1} << (kBits - 1)) : To{0};
  if (value >= most)
    return static_cast<To>(kSigned ? (U{1} << (kBits - 1)) - 1 : static_cast<U>(~U{0}));
  if (kSigned ? value < -most : value <= V{-1})
    return kSigned ? static_cast<To>(U{1} << (kBits - 1)) : To{0};
  return static_cast<To>(value);
}

template <class To, class R, class Register>
Flow real_to_integer(Warp& w, const Instruction& i, std::uint32_t active) {
  constexpr bool kWideRule = sizeof(typename R::Lane) == 8 || sizeof(To) == 8;
  const auto* a = lanes<typename R::Lane>(w, i.a);
  const int mode = i.detail & FloatMode::kRoundMask;
  const bool flushes = (i.detail & FloatMode::kFtz) != 0;
  write_lanes<Register>(lanes<Register>(w, i.d), active, [=](int lane) {
    auto value = R::value(a[lane]);
    if constexpr (sizeof(typename R::Lane) == 4) value = flushes ? flush_f32(value) : value;
    const To made = integer_of<To, typename R::Value, kWideRule>(to_integral(value, mode));
    return from_word<Register>(extended<To, Register>(made));
  });
  return Flow::next;
}

// To and From are Real or Half; the value is rounded once, to nearest even, by the store.
template <class To, class From>
Flow between_reals(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<typename From::Lane>(w, i.a);
  const std::uint16_t detail = i.detail;
  write_lanes<typename To::Lane>(lanes<typename To::Lane>(w, i.d), active, [=](int lane) {
    auto value = From::value(a[lane]);
    if constexpr (sizeof(typename From::Lane) == 4)
      value = (detail & FloatMode::kFtz) != 0 ? canonical(flush_f32(value)) : value;
    if ((detail & FloatMode::kInteger) != 0)
      value = to_integral(value, detail & FloatMode::kRoundMask);
    if ((detail & FloatMode::kSaturate) != 0) value = clamp01(value);
    if ((detail & FloatMode::kRelu) != 0) value = value != value ? value : value > 0 ? value : 0;
    auto made = static_cast<typename To::Value>(value);
    if constexpr (sizeof(typename To::Lane) == 4)
      made = (detail & FloatMode::kFtz) != 0 ? flush_f32(made) : made;
    return from_word<typename To::Lane>(To::word(made));
  });
  return Flow::next;
}

// The usual ones, without modifiers: simple enough for vectors.
template <class To, class From>
Flow plain_reals(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<typename From::Lane>(w, i.a);
  write_lanes<typename To::Lane>(lanes<typename To::Lane>(w, i.d), active, [=](int lane) {
    const auto made = static_cast<typename To::Value>(From::value(a[lane]));
    return from_word<typename To::Lane>(To::word(made));
  });
  return Flow::next;
}

// Only a shift on a card: whatever the NaN, its bits arrive.
Flow bf16_to_f32(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active,
                             [=](int lane) { return a[lane] << 16; });
  return Flow::next;
}

// The f64's NaN keeps its sign and the first bits of its payload, as the host's conversion has it.
template <bool kFlushes>
Flow f64_to_f32(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<double>(w, i.a);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    const auto made = static_cast<float>(from_word<double>(a[lane]));
    return bits_of(kFlushes ? flush_f32(made) : made);
  });
  return Flow::next;
}

// A move.
Flow f32_to_f32(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active,
                             [=](int lane) { return a[lane]; });
  return Flow::next;
}

// cvt.rn.f16x2.f32 d, a, b: a goes to the high half.
template <class H, bool kRelu>
Flow two_halves(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<float>(w, i.a);
  const auto* b = lanes<float>(w, i.b);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    float high = float_of(a[lane]);
    float low = float_of(b[lane]);
    if constexpr (kRelu) {
      high = high != high ? high : high > 0.0f ? high : 0.0f;
      low = low != low ? low : low > 0.0f ? low : 0.0f;
    }
    return static_cast<std::uint32_t>(H::store(high)) << 16 | H::store(low);
  });
  return Flow::next;
}

template <class To, class From>
Handler integers_by_register(int register_bits) {
  if (register_bits == 64) return &between_integers<To, From, std::int64_t>;
  if (register_bits == 32) return &between_integers<To, From, std::int32_t>;
  if constexpr (sizeof(To) <= 2) return &between_integers<To, From, std::int16_t>;
  return nullptr;
}
template <class To>
Handler integers_from(Type from, int register_bits) {
  switch (from) {
    case Type::u8:
    case Type::b8:
      return integers_by_register<To, std::uint8_t>(register_bits);
    case Type::u16:
      return integers_by_register<To, std::uint16_t>(register_bits);
    case Type::u32:
      return integers_by_register<To, std::uint32_t>(register_bits);
    case Type::u64:
      return integers_by_register<To, std::uint64_t>(register_bits);
    case Type::s8:
      return integers_by_register<To, std::int8_t>(register_bits);
    case Type::s16:
      return integers_by_register<To, std::int16_t>(register_bits);
    case Type::s32:
      return integers_by_register<To, std::int32_t>(register_bits);
    case Type::s64:
      return integers_by_register<To, std::int64_t>(register_bits);
    default:
      return nullptr;
  }
}

template <class To, class R>
Handler to_integer_by_register(int register_bits) {
  if (register_bits == 64) return &real_to_integer<To, R, std::int64_t>;
  if (register_bits == 32) return &real_to_integer<To, R, std::int32_t>;
  if constexpr (sizeof(To) <= 2) return &real_to_integer<To, R, std::int16_t>;
  return nullptr;
}
template <class To>
Handler integer_from(Type from, int register_bits) {
  switch (from) {
    case Type::f16:
      return to_integer_by_register<To, Half<F16>>(register_bits);
    case Type::bf16:
      return to_integer_by_register<To, Half<Bf16>>(register_bits);
    case Type::f32:
      return to_integer_by_register<To, Real<float>>(register_bits);
    case Type::f64:
      return to_integer_by_register<To, Real<double>>(register_bits);
    default:
      return integers_from<To>(from, register_bits);
  }
}

template <class To>
Handler real_from_integer(Type from) {
  switch (from) {
    case Type::u8:
      return &integer_to_real<To, std::uint8_t>;
    case Type::u16:
      return &integer_to_real<To, std::uint16_t>;
    case Type::u32:
      return &integer_to_real<To, std::uint32_t>;
    case Type::u64:
      return &integer_to_real<To, std::uint64_t>;
    case Type::s8:
      return &integer_to_real<To, std::int8_t>;
    case Type::s16:
      return &integer_to_real<To, std::int16_t>;
    case Type::s32:
      return &integer_to_real<To, std::int32_t>;
    case Type::s64:
      return &integer_to_real<To, std::int64_t>;
    default:
      return nullptr;
  }
}
Handler f16_from_integer(Type from) {
  switch (from) {
    case Type::u8:
      return &integer_to_f16<std::uint8_t>;
    case Type::u16:
      return &integer_to_f16<std::uint16_t>;
    case Type::u32:
      return &integer_to_f16<std::uint32_t>;
    case Type::u64:
      return &integer_to_f16<std::uint64_t>;
    case Type::s8:
      return &integer_to_f16<std::int8_t>;
    case Type::s16:
      return &integer_to_f16<std::int16_t>;
    case Type::s32:
      return &integer_to_f16<std::int32_t>;
    case Type::s64:
      return &integer_to_f16<std::int64_t>;
    default:
      return nullptr;
  }
}

// Conversions that this file can do in one rounding to nearest.
Handler real_from_real(Type to, Type from, std::uint16_t mode) {
  if (to == Type::f32 && from == Type::f32 && mode == 0) return &f32_to_f32;
  if (to == Type::f32 && from == Type::f64 && mode == 0) return &f64_to_f32<false>;
  if (to == Type::f32 && from == Type::f64 && mode == FloatMode::kFtz) return &f64_to_f32<true>;
  if (mode == 0) {
    if (to == Type::f32 && from == Type::f16) return &plain_reals<Real<float>, Half<F16>>;
    if (to == Type::f16 && from == Type::f32) return &plain_reals<Half<F16>, Real<float>>;
    if (to == Type::bf16 && from == Type::f32) return &plain_reals<Half<Bf16>, Real<float>>;
    if (to == Type::f64 && from == Type::f32) return &plain_reals<Real<double>, Real<float>>;
  }
  if (to == Type::f32 && from == Type::f16) return &between_reals<Real<float>, Half<F16>>;
  if (to == Type::f32 && from == Type::bf16) return &between_reals<Real<float>, Half<Bf16>>;
  if (to == Type::f32 && from == Type::f32) return &between_reals<Real<float>, Real<float>>;
  if (to == Type::f32 && from == Type::f64) return &between_reals<Real<float>, Real<double>>;
  if (to == Type::f64 && from == Type::f32) return &between_reals<Real<double>, Real<float>>;
  if (to == Type::f64 && from == Type::f64) return &between_reals<Real<double>, Real<double>>;
  if (to == Type::f64 && from == Type::f16) return &between_reals<Real<double>, Half<F16>>;
  if (to == Type::f64 && from == Type::bf16) return &between_reals<Real<double>, Half<Bf16>>;
  if (to == Type::f16 && from == Type::f32) return &between_reals<Half<F16>, Real<float>>;
  if (to == Type::f16 && from == Type::f16) return &between_reals<Half<F16>, Half<F16>>;
  if (to == Type::bf16 && from == Type::f32) return &between_reals<Half<Bf16>, Real<float>>;
  if (to == Type::bf16 && from == Type::bf16) return &between_reals<Half<Bf16>, Half<Bf16>>;
  return nullptr;
}

// A directed rounding that is not one to an integral value.
bool is_directed(std::uint16_t mode) {
  return (mode & FloatMode::kRoundMask) != 0 && (mode & FloatMode::kInteger) == 0;
}

}  // namespace

Handler convert_handler(Type to, Type from, int register_bits, std::uint16_t mode) {
  if (register_bits == 0) {
    if (to == Type::f16x2 && mode == 0) return &two_halves<F16, false>;
    if (to == Type::bf16x2 && mode == 0) return &two_halves<Bf16, false>;
    if (to == Type::f16x2 && mode == FloatMode::kRelu) return &two_halves<F16, true>;
    if (to == Type::bf16x2 && mode == FloatMode::kRelu) return &two_halves<Bf16, true>;
    return format_handler(to, from, true);
  }
  switch (to) {
    case Type::u8:
      return integer_from<std::uint8_t>(from, register_bits);
    case Type::u16:
      return integer_from<std::uint16_t>(from, register_bits);
    case Type::u32:
      return integer_from<std::uint32_t>(from, register_bits);
    case Type::u64:
      return integer_from<std::uint64_t>(from, register_bits);
    case Type::s8:
      return integer_from<std::int8_t>(from, register_bits);
    case Type::s16:
      return integer_from<std::int16_t>(from, register_bits);
    case Type::s32:
      return integer_from<std::int32_t>(from, register_bits);
    case Type::s64:
      return integer_from<std::int64_t>(from, register_bits);
    default:
      break;
  }
  if (to == Type::f32 && from == Type::bf16 && (mode & ~FloatMode::kRoundMask) == 0)
    return &bf16_to_f32;  // whatever the rounding, if it is not to an integer
  // An f64 holds everything but 64-bit integers, whatever the rounding.
  const bool is_exact = to == Type::f64 && from != Type::u64 && from != Type::s64;
  if ((is_exact || !is_directed(mode)) && (mode & FloatMode::kSaturateFinite) == 0) {
    Handler found = is_real(from)     ? real_from_real(to, from, mode)
                    : to == Type::f32 ? real_from_integer<float>(from)
                    : to == Type::f64 ? real_from_integer<double>(from)
                    : to == Type::f16 && (mode & FloatMode::kSaturate) == 0 ? f16_from_integer(from)
                                                                            : nullptr;
    if (found != nullptr) return found;
  }
  return format_handler(to, from, false);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
