// SPDX-License-Identifier: MIT
// Sums and products with a carry in or out, or both.
//
// Source: PTX ISA 9.2, 9.7.2 (extended precision).
#include "emulator/execute/integers.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// Carries live in the warp, a word a lane. kIn and kOut: reads, writes the carry. a - b is
// a + ~b + 1, and its carry that of this sum: 1 where nothing was borrowed. The ISA speaks of a
// borrow; but what nvcc makes of a 128-bit division reads the carry of a subc.cc with addc.
template <class T, bool kIn, bool kOut, bool kSubtract>
Flow with_carry(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  auto* d = lanes<T>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((active & kLaneBit[lane]) == 0) continue;
    std::uint32_t& carry = w.carry[static_cast<unsigned>(lane)];
    const T y = static_cast<T>(kSubtract ? ~b[lane] : b[lane]);
    const T in = static_cast<T>(kIn ? carry : (kSubtract ? 1u : 0u));
    const T x = static_cast<T>(a[lane]);
    const T sum = static_cast<T>(x + y);
    const T total = static_cast<T>(sum + in);
    d[lane] = total;
    const bool carried = sum < x || total < sum;
    if (kOut) carry = carried ? 1 : 0;
  }
  return Flow::next;
}

template <class T, bool kIn, bool kOut, bool kHigh, bool kSigned = false>
Flow multiply_with_carry(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<T>(w, i.a);
  const auto* b = lanes<T>(w, i.b);
  const auto* c = lanes<T>(w, i.c);
  auto* d = lanes<T>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((active & kLaneBit[lane]) == 0) continue;
    std::uint32_t& carry = w.carry[static_cast<unsigned>(lane)];
    using S = std::conditional_t<kSigned, std::make_signed_t<T>, T>;
    const T product =
        kHigh ? static_cast<T>(high_product<S>(static_cast<S>(a[lane]), static_cast<S>(b[lane])))
              : static_cast<T>(a[lane] * b[lane]);
    const T sum = static_cast<T>(product + c[lane]);
    const T total = static_cast<T>(sum + (kIn ? carry : 0));
    if (kOut) carry = sum < product || total < sum ? 1 : 0;
    d[lane] = total;
  }
  return Flow::next;
}

// 16 bits take a carry and make none.
Handler short_carry_handler(Operation operation, bool is_signed) {
  using H = std::uint16_t;
  switch (operation) {
    case Operation::addc:
      return &with_carry<H, 1, 0, 0>;
    case Operation::subc:
      return &with_carry<H, 1, 0, 1>;
    case Operation::madc_lo:
      return &multiply_with_carry<H, 1, 0, 0>;
    case Operation::madc_hi:
      return is_signed ? &multiply_with_carry<H, 1, 0, 1, 1> : &multiply_with_carry<H, 1, 0, 1>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler carry_handler(Operation operation, Type type) {
  using U = std::uint32_t;
  using V = std::uint64_t;
  const bool wide = info(type).bits == 64;
  if (info(type).bits == 16) return short_carry_handler(operation, is_signed(type));
  if (info(type).bits < 32) return nullptr;
  switch (operation) {
    case Operation::add_cc:
      return wide ? &with_carry<V, 0, 1, 0> : &with_carry<U, 0, 1, 0>;
    case Operation::addc:
      return wide ? &with_carry<V, 1, 0, 0> : &with_carry<U, 1, 0, 0>;
    case Operation::addc_cc:
      return wide ? &with_carry<V, 1, 1, 0> : &with_carry<U, 1, 1, 0>;
    case Operation::sub_cc:
      return wide ? &with_carry<V, 0, 1, 1> : &with_carry<U, 0, 1, 1>;
    case Operation::subc:
      return wide ? &with_carry<V, 1, 0, 1> : &with_carry<U, 1, 0, 1>;
    case Operation::subc_cc:
      return wide ? &with_carry<V, 1, 1, 1> : &with_carry<U, 1, 1, 1>;
    default:
      break;
  }
  if (is_signed(type)) {  // whose high half differs
    switch (operation) {
      case Operation::mad_hi_cc:
        return wide ? &multiply_with_carry<V, 0, 1, 1, 1> : &multiply_with_carry<U, 0, 1, 1, 1>;
      case Operation::madc_hi:
        return wide ? &multiply_with_carry<V, 1, 0, 1, 1> : &multiply_with_carry<U, 1, 0, 1, 1>;
      case Operation::madc_hi_cc:
        return wide ? &multiply_with_carry<V, 1, 1, 1, 1> : &multiply_with_carry<U, 1, 1, 1, 1>;
      default:
        break;
    }
  }
  switch (operation) {
    case Operation::mad_lo_cc:
      return wide ? &multiply_with_carry<V, 0, 1, 0> : &multiply_with_carry<U, 0, 1, 0>;
    case Operation::madc_lo:
      return wide ? &multiply_with_carry<V, 1, 0, 0> : &multiply_with_carry<U, 1, 0, 0>;
    case Operation::madc_lo_cc:
      return wide ? &multiply_with_carry<V, 1, 1, 0> : &multiply_with_carry<U, 1, 1, 0>;
    case Operation::mad_hi_cc:
      return wide ? &multiply_with_carry<V, 0, 1, 1> : &multiply_with_carry<U, 0, 1, 1>;
    case Operation::madc_hi:
      return wide ? &multiply_with_carry<V, 1, 0, 1> : &multiply_with_carry<U, 1, 0, 1>;
    case Operation::madc_hi_cc:
      return wide ? &multiply_with_carry<V, 1, 1, 1> : &multiply_with_carry<U, 1, 1, 1>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
