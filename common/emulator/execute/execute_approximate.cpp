// SPDX-License-Identifier: MIT
// The approximate instructions: ex2, lg2, sin, cos, tanh, rsqrt, and div, rcp and sqrt where
// .approx or .full is said. What they compute, bit by bit, is in numeric/approximate.hpp.
//
// Source: PTX ISA 9.2, 9.7.3 (f32, f64), 9.7.4 (half precision); docs/experiments/approximate.md.
#include "emulator/execute/rows.hpp"
#include "numeric/approximate.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

namespace approximate = numeric::approximate;
using U = std::uint32_t;

#define LANESCOPE_UNARY(Name, Bits, function)                   \
  struct Name {                                                 \
    static Bits at(Bits a) { return approximate::function(a); } \
  };
#define LANESCOPE_BINARY(Name, function)                          \
  struct Name {                                                   \
    static U at(U a, U b) { return approximate::function(a, b); } \
  };
LANESCOPE_UNARY(Ex2, U, ex2)
LANESCOPE_UNARY(Ex2Ftz, U, ex2_ftz)
LANESCOPE_UNARY(Lg2, U, lg2)
LANESCOPE_UNARY(Lg2Ftz, U, lg2_ftz)
LANESCOPE_UNARY(Rcp, U, rcp)
LANESCOPE_UNARY(RcpFtz, U, rcp_ftz)
LANESCOPE_UNARY(Rsqrt, U, rsqrt)
LANESCOPE_UNARY(RsqrtFtz, U, rsqrt_ftz)
LANESCOPE_UNARY(Sqrt, U, sqrt)
LANESCOPE_UNARY(SqrtFtz, U, sqrt_ftz)
LANESCOPE_UNARY(Sin, U, sin)
LANESCOPE_UNARY(Cos, U, cos)
LANESCOPE_UNARY(Tanh, U, tanh)
LANESCOPE_UNARY(Ex2F16, U, ex2_f16)
LANESCOPE_UNARY(TanhF16, U, tanh_f16)
LANESCOPE_UNARY(Ex2Bf16, U, ex2_bf16)
LANESCOPE_UNARY(TanhBf16, U, tanh_bf16)
LANESCOPE_UNARY(RcpF64, std::uint64_t, rcp_f64)
LANESCOPE_UNARY(RsqrtF64, std::uint64_t, rsqrt_f64)
LANESCOPE_UNARY(RsqrtFtzF64, std::uint64_t, rsqrt_ftz_f64)
LANESCOPE_BINARY(DivApprox, div_approx)
LANESCOPE_BINARY(DivApproxFtz, div_approx_ftz)
LANESCOPE_BINARY(DivFull, div_full)
LANESCOPE_BINARY(DivFullFtz, div_full_ftz)

// What div, and rcp with 1 for a dividend, multiply at their end.
template <bool kFull, bool kFtz>
struct Dividend {
  static U at(U a, U b) { return approximate::dividend<kFull, kFtz>(a, b); }
};
template <bool kFull, bool kFtz>
struct Divisor {
  static U at(U, U b) { return approximate::divisor<kFull, kFtz>(b); }
};
struct RcpFactor {
  static U at(U, U b) { return approximate::dividend<true, false>(0x3f800000u, b); }
};
template <class Bits, class F>
Flow one_operand(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<Bits>(w, i.a);
  write_lanes<Bits>(lanes<Bits>(w, i.d), active, [=](int lane) { return F::at(a[lane]); });
  return Flow::next;
}
template <class F>
Flow two_operands(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<U>(w, i.a);
  const auto* b = lanes<U>(w, i.b);
  write_lanes<U>(lanes<U>(w, i.d), active, [=](int lane) { return F::at(a[lane], b[lane]); });
  return Flow::next;
}
template <class F>
Flow both_halves(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* a = lanes<U>(w, i.a);
  write_lanes<U>(lanes<U>(w, i.d), active,
                 [=](int lane) { return F::at(a[lane] & 0xffffu) | F::at(a[lane] >> 16) << 16; });
  return Flow::next;
}

template <template <bool, bool> class F>
Handler of_quotient(bool full, bool ftz) {
  if (full) return ftz ? &two_operands<F<true, true>> : &two_operands<F<true, false>>;
  return ftz ? &two_operands<F<false, true>> : &two_operands<F<false, false>>;
}

// sin and cos flush nothing: what is tiny has no bit in fixed point.
Handler single(Operation operation, bool ftz, bool full, bool reciprocal) {
  switch (operation) {
    case Operation::dividend:
      return reciprocal ? &two_operands<RcpFactor> : of_quotient<Dividend>(full, ftz);
    case Operation::divisor:
      return of_quotient<Divisor>(full || reciprocal, ftz);
    case Operation::ex2:
      return ftz ? &one_operand<U, Ex2Ftz> : &one_operand<U, Ex2>;
    case Operation::lg2:
      return ftz ? &one_operand<U, Lg2Ftz> : &one_operand<U, Lg2>;
    case Operation::rcp:
      return ftz ? &one_operand<U, RcpFtz> : &one_operand<U, Rcp>;
    case Operation::rsqrt:
      return ftz ? &one_operand<U, RsqrtFtz> : &one_operand<U, Rsqrt>;
    case Operation::sqrt:
      return ftz ? &one_operand<U, SqrtFtz> : &one_operand<U, Sqrt>;
    case Operation::sin:
      return &one_operand<U, Sin>;
    case Operation::cos:
      return &one_operand<U, Cos>;
    case Operation::tanh:
      return &one_operand<U, Tanh>;
    case Operation::div:
      return full  ? (ftz ? &two_operands<DivFullFtz> : &two_operands<DivFull>)
             : ftz ? &two_operands<DivApproxFtz>
                   : &two_operands<DivApprox>;
    default:
      return nullptr;
  }
}

Handler half(Operation operation, Type type) {
  const bool ex2 = operation == Operation::ex2;
  if (!ex2 && operation != Operation::tanh) return nullptr;
  switch (type) {
    case Type::f16:
      return ex2 ? &one_operand<U, Ex2F16> : &one_operand<U, TanhF16>;
    case Type::bf16:
      return ex2 ? &one_operand<U, Ex2Bf16> : &one_operand<U, TanhBf16>;
    case Type::f16x2:
      return ex2 ? &both_halves<Ex2F16> : &both_halves<TanhF16>;
    default:
      return ex2 ? &both_halves<Ex2Bf16> : &both_halves<TanhBf16>;
  }
}

}  // namespace

/// nullptr: not an approximate instruction.
Handler approximate_handler(Operation operation, Type type, std::uint16_t mode) {
  const bool said = (mode & (FloatMode::kApprox | FloatMode::kFull)) != 0;
  const bool often_exact =
      operation == Operation::div || operation == Operation::rcp || operation == Operation::sqrt;
  if (often_exact && !said) return nullptr;
  const bool ftz = (mode & FloatMode::kFtz) != 0;
  if (type == Type::f32)
    return single(operation, ftz, (mode & FloatMode::kFull) != 0,
                  (mode & FloatMode::kReciprocal) != 0);
  if (type != Type::f64) return half(operation, type);
  if (operation == Operation::rcp) return &one_operand<std::uint64_t, RcpF64>;
  if (operation != Operation::rsqrt) return nullptr;
  return ftz ? &one_operand<std::uint64_t, RsqrtFtzF64> : &one_operand<std::uint64_t, RsqrtF64>;
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
