// SPDX-License-Identifier: MIT
// cvt to integers and from them.
//
// A destination register wider than its type is filled by extending the type's sign. Conversions to
// integers saturate; NaN gives 0, or 1 << (bits - 1) where f64 or 64 bits are involved.
//
// Source: PTX ISA 9.2, 9.7.9.21.
#include "emulator/execute/convert.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

Type to_type(const Instruction& i) { return static_cast<Type>(i.count); }
Type from_type(const Instruction& i) { return static_cast<Type>(i.target); }
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

}  // namespace

Handler to_integer_handler(Type to, Type from, int register_bits, std::uint16_t mode) {
  const bool saturates = (mode & FloatMode::kSaturate) != 0;
  if (register_bits < integer_bits(to)) return nullptr;
  if (is_real(from) && (mode & FloatMode::kInteger) == 0) return nullptr;  // .rni or its kin
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

Handler from_integer_handler(Type to, Type from, std::uint16_t mode) {
  if (to == Type::f32) return real_from_integer<float>(from);
  if (to == Type::f64) return real_from_integer<double>(from);
  if (to == Type::f16 && (mode & FloatMode::kSaturate) == 0) return f16_from_integer(from);
  return nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
