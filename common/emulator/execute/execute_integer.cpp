// SPDX-License-Identifier: MIT
// Integer arithmetic, 32 lanes at a time; with carries: execute_carry.cpp; logic, shifts and
// fields: execute_bits.cpp.
//
// Source: PTX ISA 9.2, 9.7.1 (integer).
#include "emulator/execute/integer_shapes.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

template <class T, class F>
Flow widening(Warp& w, const Instruction& i, std::uint32_t active) {
  using Wide = typename Double<T>::type;
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = i.c == kNoRow ? nullptr : lanes<Wide>(w, i.c);
  write_lanes<Wide>(lanes<Wide>(w, i.d), active, [=](int lane) {
    return F::at(from_word<T>(a[lane]), from_word<T>(b[lane]),
                 c == nullptr ? Wide{0} : from_word<Wide>(c[lane]));
  });
  return Flow::next;
}

template <class T>
Flow select(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const std::uint32_t p = predicate(w, i.c) ^ static_cast<std::uint32_t>(i.immediate);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return (p & kLaneBit[lane]) != 0 ? a[lane] : b[lane]; });
  return Flow::next;
}

Flow dot_product(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  const auto* b = lanes<std::uint32_t>(w, i.b);
  const auto* c = lanes<std::uint32_t>(w, i.c);
  const DotProduct how = static_cast<DotProduct>(i.immediate);
  const bool signed_a = (i.detail & 1) != 0;
  const bool signed_b = (i.detail & 2) != 0;
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    return dot_product_of(how, a[lane], signed_a, b[lane], signed_b, c[lane]);
  });
  return Flow::next;
}

Handler packed_handler(Operation operation, Type type) {
  using U = std::uint32_t;
  const bool is_signed_pair = type == Type::s16x2;
  switch (operation) {
    case Operation::add:
      return &binary<U, PackedAdd>;
    case Operation::sub:
      return &binary<U, PackedSub>;
    case Operation::min:
      return is_signed_pair ? &binary<U, PackedMinSigned> : &binary<U, PackedMin>;
    case Operation::max:
      return is_signed_pair ? &binary<U, PackedMaxSigned> : &binary<U, PackedMax>;
    case Operation::neg:
      return &unary<U, PackedNeg>;
    default:
      return nullptr;
  }
}

Handler wide_handler(Operation operation, Type type) {
  const bool mad = operation == Operation::mad_wide;
  switch (type) {
    case Type::u16:
      return mad ? &widening<std::uint16_t, WideMad> : &widening<std::uint16_t, WideMul>;
    case Type::s16:
      return mad ? &widening<std::int16_t, WideMad> : &widening<std::int16_t, WideMul>;
    case Type::u32:
      return mad ? &widening<std::uint32_t, WideMad> : &widening<std::uint32_t, WideMul>;
    case Type::s32:
      return mad ? &widening<std::int32_t, WideMad> : &widening<std::int32_t, WideMul>;
    default:
      return nullptr;
  }
}

Handler select_handler(Type type) {
  switch (info(type).bits) {
    case 16:
    case 32:
      return &select<std::uint32_t>;
    case 64:
      return &select<std::uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler carry_handler(Operation operation, Type type);
Handler bits_handler(Operation operation, Type type);

Handler integer_handler(Operation operation, Type type) {
  using U = std::uint32_t;
  if (operation == Operation::selp) return select_handler(type);
  if (type == Type::u16x2 || type == Type::s16x2) return packed_handler(operation, type);
  if (operation >= Operation::add_cc && operation <= Operation::madc_hi_cc)
    return carry_handler(operation, type);
  switch (operation) {
    case Operation::move:
      LANESCOPE_BITS(unary, Move)
    case Operation::add:
      LANESCOPE_BITS(binary, Add)
    case Operation::sub:
      LANESCOPE_BITS(binary, Sub)
    case Operation::mul_lo:
      LANESCOPE_BITS(binary, Mul)
    case Operation::mad_lo:
      LANESCOPE_BITS(ternary, Mad)
    case Operation::mul_hi:
      LANESCOPE_SIGNED(binary, MulHigh)
    case Operation::mad_hi:
      LANESCOPE_SIGNED(ternary, MadHigh)
    case Operation::mul_wide:
    case Operation::mad_wide:
      return wide_handler(operation, type);
    case Operation::mul24_lo:
      return is_signed(type) ? &binary<std::int32_t, Mul24> : &binary<U, Mul24>;
    case Operation::mad24_lo:
      return is_signed(type) ? &ternary<std::int32_t, Mad24> : &ternary<U, Mad24>;
    case Operation::add_sat:
      return &binary<std::int32_t, AddSaturating>;
    case Operation::sub_sat:
      return &binary<std::int32_t, SubSaturating>;
    case Operation::sad:
      LANESCOPE_SIGNED(ternary, Sad)
    case Operation::div:
      LANESCOPE_SIGNED(binary, Div)
    case Operation::rem:
      LANESCOPE_SIGNED(binary, Rem)
    case Operation::min:
      LANESCOPE_SIGNED(binary, Min)
    case Operation::max:
      LANESCOPE_SIGNED(binary, Max)
    case Operation::abs:
      LANESCOPE_SIGNED(unary, Abs)
    case Operation::neg:
      LANESCOPE_BITS(unary, Neg)
    case Operation::dp4a:
      return &dot_product;
    default:
      return bits_handler(operation, type);
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
