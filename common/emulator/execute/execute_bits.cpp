// SPDX-License-Identifier: MIT
// Logic, shifts, bit fields and counts of bits, 32 lanes at a time.
//
// Source: PTX ISA 9.2, 9.7.1 (bit fields, counts), 9.7.8 (logic and shift).
#include "emulator/execute/integer_shapes.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

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

template <class T>
Flow bit_field_insert(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t* more = rows_at(w, i.list);
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

}  // namespace

Handler bits_handler(Operation operation, Type type) {
  using U = std::uint32_t;
  using V = std::uint64_t;
  switch (operation) {
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
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
