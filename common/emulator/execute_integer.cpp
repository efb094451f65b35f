// SPDX-License-Identifier: MIT
// Integer arithmetic, logic, shifts and bit fields, 32 lanes at a time; with carries:
// execute_carry.cpp.
//
// Source: PTX ISA 9.2, 9.7.1 (integer), 9.7.8 (logic and shift).
#include "emulator/bits.hpp"
#include "emulator/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

template <class T, class F>
Flow unary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) { return F::at(from_word<T>(a[lane])); });
  return Flow::next;
}

template <class T, class F>
Flow binary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return F::at(from_word<T>(a[lane]), from_word<T>(b[lane])); });
  return Flow::next;
}

template <class T, class F>
Flow ternary(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<T>(w, i.c);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    return F::at(from_word<T>(a[lane]), from_word<T>(b[lane]), from_word<T>(c[lane]));
  });
  return Flow::next;
}

// The shift count is a .u32 whatever the type of the value.
template <class T, class F>
Flow shift(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<std::uint32_t>(w, i.b);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return F::at(from_word<T>(a[lane]), b[lane]); });
  return Flow::next;
}

// Fields: position and length are .u32 whatever the type of the value.
template <class T, class F>
Flow field(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<std::uint32_t>(w, i.b);
  const auto* c = lanes<std::uint32_t>(w, i.c);
  write_lanes<T>(lanes<T>(w, i.d), active,
                 [=](int lane) { return F::at(from_word<T>(a[lane]), b[lane], c[lane]); });
  return Flow::next;
}

// The result is a .u32 whatever the type of the value.
template <class T, class F>
Flow count(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active,
                             [=](int lane) { return F::at(from_word<T>(a[lane])); });
  return Flow::next;
}

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
Flow bit_field_insert(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t* more = w.cta->launch->program->rows.data() + i.list;
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<std::uint32_t>(w, i.c);
  const auto* d = lanes<std::uint32_t>(w, more[0]);
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    return bit_field_inserted<T>(a[lane], b[lane], c[lane], d[lane]);
  });
  return Flow::next;
}

Flow logic_table(Warp& w, const Instruction& i, std::uint32_t active) {
  using T = std::uint32_t;
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<T>(w, i.c);
  T term[8];
  for (int k = 0; k < 8; ++k) term[k] = ((i.immediate >> k) & 1) != 0 ? ~T{0} : 0;
  write_lanes<T>(lanes<T>(w, i.d), active, [=](int lane) {
    const T x = a[lane], y = b[lane], z = c[lane];
    const T low = (~y & ((~z & term[0]) | (z & term[1]))) | (y & ((~z & term[2]) | (z & term[3])));
    const T high = (~y & ((~z & term[4]) | (z & term[5]))) | (y & ((~z & term[6]) | (z & term[7])));
    return (~x & low) | (x & high);
  });
  return Flow::next;
}

template <class F>
Flow funnel(Warp& w, const Instruction& i, std::uint32_t active) {
  return ternary<std::uint32_t, F>(w, i, active);
}

Flow permute(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<std::uint32_t>(w, i.a);
  const auto* b = lanes<std::uint32_t>(w, i.b);
  const auto* c = lanes<std::uint32_t>(w, i.c);
  const int mode = i.detail;
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.d), active, [=](int lane) {
    return permuted_bytes(a[lane], b[lane], c[lane], mode);
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

#define LANESCOPE_BITS(SHAPE, F)       \
  switch (info(type).bits) {           \
    case 16:                           \
      return &SHAPE<std::uint16_t, F>; \
    case 32:                           \
      return &SHAPE<std::uint32_t, F>; \
    case 64:                           \
      return &SHAPE<std::uint64_t, F>; \
    default:                           \
      return nullptr;                  \
  }
#define LANESCOPE_SIGNED(SHAPE, F)     \
  switch (type) {                      \
    case Type::u16:                    \
      return &SHAPE<std::uint16_t, F>; \
    case Type::u32:                    \
    case Type::b32:                    \
      return &SHAPE<std::uint32_t, F>; \
    case Type::u64:                    \
    case Type::b64:                    \
      return &SHAPE<std::uint64_t, F>; \
    case Type::s16:                    \
      return &SHAPE<std::int16_t, F>;  \
    case Type::s32:                    \
      return &SHAPE<std::int32_t, F>;  \
    case Type::s64:                    \
      return &SHAPE<std::int64_t, F>;  \
    default:                           \
      return nullptr;                  \
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

Handler integer_handler(Operation operation, Type type) {
  using U = std::uint32_t;
  using V = std::uint64_t;
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
    case Operation::bit_and:
      LANESCOPE_BITS(binary, And)
    case Operation::bit_or:
      LANESCOPE_BITS(binary, Or)
    case Operation::bit_xor:
      LANESCOPE_BITS(binary, Xor)
    case Operation::bit_not:
      LANESCOPE_BITS(unary, Not)
    case Operation::cnot:
      LANESCOPE_BITS(unary, Cnot)
    case Operation::lop3:
      return type == Type::b32 ? &logic_table : nullptr;
    case Operation::shl:
      LANESCOPE_BITS(shift, ShiftLeft)
    case Operation::shr:
      if (info(type).kind == TypeKind::bits) LANESCOPE_BITS(shift, ShiftRight)
      LANESCOPE_SIGNED(shift, ShiftRight)
    case Operation::shf_l_clamp:
      return &funnel<FunnelLeftClamp>;
    case Operation::shf_l_wrap:
      return &funnel<FunnelLeftWrap>;
    case Operation::shf_r_clamp:
      return &funnel<FunnelRightClamp>;
    case Operation::shf_r_wrap:
      return &funnel<FunnelRightWrap>;
    case Operation::bfe:
      LANESCOPE_SIGNED(field, BitFieldExtract)
    case Operation::bfi:
      return info(type).bits == 64 ? &bit_field_insert<V> : &bit_field_insert<U>;
    case Operation::bfind:
      LANESCOPE_SIGNED(count, FindHighest)
    case Operation::bfind_shiftamt:
      LANESCOPE_SIGNED(count, FindHighestShift)
    case Operation::brev:
      LANESCOPE_BITS(unary, Reverse)
    case Operation::popc:
      return info(type).bits == 64 ? &count<V, PopCount> : &count<U, PopCount>;
    case Operation::clz:
      return info(type).bits == 64 ? &count<V, LeadingZeros> : &count<U, LeadingZeros>;
    case Operation::prmt:
      return &permute;
    case Operation::bmsk_clamp:
      return &binary<U, BitMaskClamp>;
    case Operation::bmsk_wrap:
      return &binary<U, BitMaskWrap>;
    case Operation::szext_clamp:
      return is_signed(type) ? &binary<std::int32_t, SignExtendClamp> : &binary<U, SignExtendClamp>;
    case Operation::szext_wrap:
      return is_signed(type) ? &binary<std::int32_t, SignExtendWrap> : &binary<U, SignExtendWrap>;
    case Operation::dp4a:
    case Operation::dp2a_lo:
    case Operation::dp2a_hi:
      return &dot_product;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
