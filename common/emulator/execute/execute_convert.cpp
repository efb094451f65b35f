// SPDX-License-Identifier: MIT
// cvt between f32, f64 and the halves; which handler a conversion has. Integers are in
// execute_convert_integer.cpp; the 8-bit formats, tf32 and directed roundings in
// execute_format.cpp, which asks common/numeric.
//
// Source: PTX ISA 9.2, 9.7.9.21.
#include "emulator/execute/convert.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

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

Handler two_sources(Type to, Type from, std::uint16_t mode) {
  const bool relu = mode == FloatMode::kRelu;
  if (from == Type::f32 && (mode == 0 || relu)) {
    if (to == Type::f16x2) return relu ? &two_halves<F16, true> : &two_halves<F16, false>;
    if (to == Type::bf16x2) return relu ? &two_halves<Bf16, true> : &two_halves<Bf16, false>;
  }
  return format_handler(to, from, true, mode);
}

// A directed rounding that is not one to an integral value.
bool is_directed(std::uint16_t mode) {
  return (mode & FloatMode::kRoundMask) != 0 && (mode & FloatMode::kInteger) == 0;
}

}  // namespace

Handler convert_handler(Type to, Type from, int register_bits, std::uint16_t mode) {
  if (register_bits == 0) return two_sources(to, from, mode);
  if (integer_bits(to) != 0) return to_integer_handler(to, from, register_bits, mode);
  if (to == Type::f32 && from == Type::bf16 && (mode & ~FloatMode::kRoundMask) == 0)
    return &bf16_to_f32;  // whatever the rounding, if it is not to an integer
  // An f64 holds everything but 64-bit integers, whatever the rounding.
  const bool is_exact = to == Type::f64 && from != Type::u64 && from != Type::s64;
  if ((is_exact || !is_directed(mode)) && (mode & FloatMode::kSaturateFinite) == 0) {
    const Handler found =
        is_real(from) ? real_from_real(to, from, mode) : from_integer_handler(to, from, mode);
    if (found != nullptr) return found;
  }
  return format_handler(to, from, false, mode);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
