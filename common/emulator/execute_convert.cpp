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

Type to_type(const Instruction& i) { return static_cast<Type>(i.count); }
Type from_type(const Instruction& i) { return static_cast<Type>(i.target); }

// Of an integer type; 0 for others. (Not from type.hpp's table: see rows.hpp.)
int integer_bits(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 8;
    case Type::u16:
    case Type::s16:
      return 16;
    case Type::u32:
    case Type::s32:
      return 32;
    case Type::u64:
    case Type::s64:
      return 64;
    default:
      return 0;
  }
}
bool has_sign(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

// Which low bits of a word are an integer of a type, and which of them is its sign (0: none). So
// one loop does for all types: they, with a register's width, would make 160.
template <class Word>
struct Bits {
  Word low, sign;

  static Bits of(Type type) {
    const Word top = Word{1} << (integer_bits(type) - 1);
    return {top | (top - 1), has_sign(type) ? top : Word{0}};
  }
  // The integer in those bits, its sign extended.
  Word extended(Word word) const { return ((word & low) ^ sign) - sign; }
};

template <class From, class Register>
Flow between_integers(Warp& w, const Instruction& i, std::uint32_t active) {
  using Wide =
      std::conditional_t<sizeof(From) == 8 || sizeof(Register) == 8, std::uint64_t, std::uint32_t>;
  const auto* a = lanes<From>(w, i.a);
  const auto from = Bits<Wide>::of(from_type(i)), to = Bits<Wide>::of(to_type(i));
  write_lanes<Register>(lanes<Register>(w, i.d), active, [=](int lane) {
    return static_cast<Register>(to.extended(from.extended(a[lane])));
  });
  return Flow::next;
}

// .sat. Compared as signed numbers; those of u64 with their highest bit the other way round.
template <class From, class Register>
Flow saturated_integers(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<From>(w, i.a);
  const auto from = Bits<std::uint64_t>::of(from_type(i)), to = Bits<std::uint64_t>::of(to_type(i));
  const bool is_u64 = from_type(i) == Type::u64;
  const std::uint64_t turned = is_u64 ? std::uint64_t{1} << 63 : 0;
  const auto number = [=](std::uint64_t value) {
    return static_cast<std::int64_t>(value ^ turned);
  };
  // What is largest in u64 no signed number exceeds.
  const std::uint64_t largest = to.sign != 0 ? to.low >> 1 : to.low;
  const std::uint64_t signed_most = ~std::uint64_t{0} >> 1;
  const std::int64_t most = number(!is_u64 && largest > signed_most ? signed_most : largest);
  const std::int64_t least = number(is_u64 ? 0 : 0 - to.sign);
  write_lanes<Register>(lanes<Register>(w, i.d), active, [=](int lane) {
    const std::int64_t value = number(from.extended(a[lane]));
    const std::int64_t made = value < least ? least : value > most ? most : value;
    return static_cast<Register>(static_cast<std::uint64_t>(made) ^ turned);
  });
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
// Of 8 or 16 bits.
template <class To>
Flow narrow_to_real(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  const auto from = Bits<std::uint32_t>::of(from_type(i));
  const bool saturates = (i.detail & FloatMode::kSaturate) != 0;
  write_lanes<To>(lanes<To>(w, i.d), active, [=](int lane) {
    const auto made = static_cast<To>(static_cast<std::int32_t>(from.extended(a[lane])));
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
Flow narrow_to_f16(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  const auto from = Bits<std::uint32_t>::of(from_type(i));
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    const auto integer = static_cast<std::int32_t>(from.extended(a[lane]));
    return std::uint32_t{F16::store(static_cast<float>(integer))};
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
    return static_cast<Register>(
        integer_of<To, typename R::Value, kWideRule>(to_integral(value, mode)));
  });
  return Flow::next;
}
// To 8 or 16 bits.
template <class R, class Register>
Flow real_to_narrow(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<typename R::Lane>(w, i.a);
  const auto to = Bits<std::uint32_t>::of(to_type(i));
  const auto most = static_cast<std::int32_t>(to.sign != 0 ? to.low >> 1 : to.low);
  const auto least = static_cast<std::int32_t>(0 - to.sign);
  const auto highest_bit = static_cast<std::int32_t>(to.extended(to.low ^ (to.low >> 1)));
  const std::int32_t of_nan = sizeof(typename R::Lane) == 8 ? highest_bit : 0;
  const int mode = i.detail & FloatMode::kRoundMask;
  const bool flushes = (i.detail & FloatMode::kFtz) != 0;
  write_lanes<Register>(lanes<Register>(w, i.d), active, [=](int lane) {
    auto value = R::value(a[lane]);
    if constexpr (sizeof(typename R::Lane) == 4) value = flushes ? flush_f32(value) : value;
    const auto made = integer_of<std::int32_t, typename R::Value, false>(to_integral(value, mode));
    const std::int32_t within = made < least ? least : made > most ? most : made;
    return static_cast<Register>(value != value ? of_nan : within);
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

template <class From>
Handler integers_by_register(int register_bits, bool saturates) {
  if (register_bits == 64)
    return saturates ? &saturated_integers<From, std::int64_t>
                     : &between_integers<From, std::int64_t>;
  if (register_bits == 32)
    return saturates ? &saturated_integers<From, std::int32_t>
                     : &between_integers<From, std::int32_t>;
  return saturates ? &saturated_integers<From, std::int16_t>
                   : &between_integers<From, std::int16_t>;
}

template <class To, class R>
Handler to_integer_by_register(int register_bits) {
  if (register_bits == 64) return &real_to_integer<To, R, std::int64_t>;
  if constexpr (sizeof(To) == 4) return &real_to_integer<To, R, std::int32_t>;
  return nullptr;
}
template <class R>
Handler integer_from_real(Type to, int register_bits) {
  switch (to) {
    case Type::u32:
      return to_integer_by_register<std::uint32_t, R>(register_bits);
    case Type::s32:
      return to_integer_by_register<std::int32_t, R>(register_bits);
    case Type::u64:
      return to_integer_by_register<std::uint64_t, R>(register_bits);
    case Type::s64:
      return to_integer_by_register<std::int64_t, R>(register_bits);
    default:
      return register_bits == 64   ? &real_to_narrow<R, std::int64_t>
             : register_bits == 32 ? &real_to_narrow<R, std::int32_t>
                                   : &real_to_narrow<R, std::int16_t>;
  }
}
Handler to_integer(Type to, Type from, int register_bits, bool saturates) {
  if (register_bits < integer_bits(to)) return nullptr;
  switch (from) {
    case Type::f16:
      return integer_from_real<Half<F16>>(to, register_bits);
    case Type::bf16:
      return integer_from_real<Half<Bf16>>(to, register_bits);
    case Type::f32:
      return integer_from_real<Real<float>>(to, register_bits);
    case Type::f64:
      return integer_from_real<Real<double>>(to, register_bits);
    case Type::u64:
    case Type::s64:
      return integers_by_register<std::uint64_t>(register_bits, saturates);
    default:
      if (integer_bits(from) == 0) return nullptr;
      return integers_by_register<std::uint32_t>(register_bits, saturates);
  }
}

template <class To>
Handler real_from_integer(Type from) {
  switch (from) {
    case Type::u32:
      return &integer_to_real<To, std::uint32_t>;
    case Type::s32:
      return &integer_to_real<To, std::int32_t>;
    case Type::u64:
      return &integer_to_real<To, std::uint64_t>;
    case Type::s64:
      return &integer_to_real<To, std::int64_t>;
    default:
      return integer_bits(from) != 0 ? &narrow_to_real<To> : nullptr;
  }
}
Handler f16_from_integer(Type from) {
  switch (from) {
    case Type::u32:
      return &integer_to_f16<std::uint32_t>;
    case Type::s32:
      return &integer_to_f16<std::int32_t>;
    case Type::u64:
      return &integer_to_f16<std::uint64_t>;
    case Type::s64:
      return &integer_to_f16<std::int64_t>;
    default:
      return integer_bits(from) != 0 ? &narrow_to_f16 : nullptr;
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
  if (integer_bits(to) != 0)
    return to_integer(to, from, register_bits, (mode & FloatMode::kSaturate) != 0);
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
