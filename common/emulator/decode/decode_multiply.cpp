// SPDX-License-Identifier: MIT
// Decoding what has a result of another type than its sources: mul and its kin, dp4a, cvt.
//
// Source: PTX ISA 9.2, 9.7.1 and 9.7.3 (mul, mad, fma), 9.7.9.21 (cvt).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/rare.hpp"

namespace lanescope::emulator {

// mul, mad, mul24, mad24, madc: .lo, .hi and .wide are different operations.
void Decoder::multiply() {
  const std::string_view opcode = statement_->opcode;
  const bool adds = opcode.substr(0, 3) == "mad";
  const bool carries = take("cc");
  const std::string_view half = take_any({"lo", "hi", "wide"});
  if (opcode == "mul" && half.empty() && take("f32x2")) return pair_of_floats();
  take("approx");
  const Type type = take_type();
  if (is_real(type)) {
    if (!half.empty()) refuse_form();
    return three(adds ? Operation::fma : Operation::mul, type, adds ? 3 : 2);
  }
  if (half.empty()) refuse("mul of integers needs .lo, .hi or .wide", ErrorCode::invalid_ptx);
  if (half == "hi" && type == Type::s32 && opcode == "mad" && !carries && take("sat")) {
    three(Operation::mad_hi, type, 3);
    return set(&run_mad_high_saturating);
  }
  if (opcode == "mul24" || opcode == "mad24") return multiply24(half, type, adds);
  if (opcode == "madc" || carries) {
    const bool in = opcode == "madc";
    if (half == "wide" || !adds) refuse_form();
    if (in && half == "hi" && type == Type::s32) take("sat");  // ptxas takes it, and does not clamp
    const Operation low = !in       ? Operation::mad_lo_cc
                          : carries ? Operation::madc_lo_cc
                                    : Operation::madc_lo;
    const Operation high = !in       ? Operation::mad_hi_cc
                           : carries ? Operation::madc_hi_cc
                                     : Operation::madc_hi;
    return three(half == "lo" ? low : high, type, 3);
  }
  if (half == "wide") return multiply_wide(type, adds);
  const Operation low = adds ? Operation::mad_lo : Operation::mul_lo;
  const Operation high = adds ? Operation::mad_hi : Operation::mul_hi;
  three(half == "lo" ? low : high, type, adds ? 3 : 2);
}

void Decoder::multiply24(std::string_view half, Type type, bool adds) {
  if (half == "wide") refuse_form();
  const bool saturates = half == "hi" && type == Type::s32 && take("sat");
  three(adds ? Operation::mad24_lo : Operation::mul24_lo, type, adds ? 3 : 2);
  if (half != "hi") return;
  made_.detail = static_cast<std::uint16_t>((type == Type::s32 ? 1 : 0) | (saturates ? 2 : 0));
  set(&run_high24);
}

void Decoder::multiply_wide(Type type, bool adds) {
  const Type wide = type == Type::u16   ? Type::u32
                    : type == Type::s16 ? Type::s32
                    : type == Type::u32 ? Type::u64
                    : type == Type::s32 ? Type::s64
                                        : Type::none;
  if (wide == Type::none) refuse_form();
  operands(adds ? 4 : 3, adds ? 4 : 3);
  made_.d = destination(operand(0), wide);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  if (adds) made_.c = source(operand(3), wide);
  set(handlers().integer(adds ? Operation::mad_wide : Operation::mul_wide, type));
}

void Decoder::dot_product() {
  const bool four = statement_->opcode == "dp4a";
  const bool high = !four && take("hi");
  if (!four && !high && !take("lo")) refuse_form();
  const Type a = take_type();
  const Type b = take_type();
  operands(4, 4);
  made_.d = destination(operand(0), Type::u32);
  made_.a = source(operand(1), Type::u32);
  made_.b = source(operand(2), Type::u32);
  made_.c = source(operand(3), Type::u32);
  made_.immediate = four ? 0 : high ? 2 : 1;
  made_.detail = static_cast<std::uint16_t>((is_signed(a) ? 1 : 0) | (is_signed(b) ? 2 : 0));
  set(handlers().integer(Operation::dp4a, Type::u32));
}

namespace {

// Pairs of numbers of 8 bits and less.
bool is_narrow_pair(Type type) { return type >= Type::e4m3x2 && type <= Type::ue8m0x2; }
// What a register of such a pair is declared as, or of two halves.
Type bits_of(Type type) {
  return info(type).bits == 8 ? Type::b8 : info(type).bits == 16 ? Type::b16 : Type::b32;
}

}  // namespace

void Decoder::convert() {
  // cvt.pack is another operation under the same name.
  if (take("pack")) return convert_pack();
  if (take("rs")) return convert_stochastically();
  const bool scaled = take("scaled");
  if (scaled) refuse_form();
  const std::uint16_t mode = float_mode();
  const Type to = take_type();
  const Type from = take_type();
  made_.detail = mode;
  made_.count = static_cast<std::uint16_t>(to);
  made_.target = static_cast<std::uint32_t>(from);
  // Two f32 into one register: cvt.rn.f16x2.f32 d, a, b has a in the high half.
  const bool two = statement_->operands.size() == 3;
  operands(two ? 3 : 2, two ? 3 : 2);
  if (two) {
    if (info(to).bits == 32) check_type(operand(0), Type::u32);  // a pair is no f32
    made_.d = destination(operand(0), bits_of(to));
    made_.a = source(operand(1), from);
    made_.b = source(operand(2), from);
    return set(handlers().convert(to, from, 0, mode));
  }
  if (is_narrow_pair(to) || is_narrow_pair(from)) {
    if (is_narrow_pair(to) && to != Type::ue8m0x2 && (mode & FloatMode::kSaturateFinite) == 0)
      refuse(fmt::format("cvt to .{} needs .satfinite", info(to).name), ErrorCode::invalid_ptx);
    made_.d = destination(operand(0), bits_of(to));
    made_.a = source(operand(1), bits_of(from));
    return set(handlers().convert(to, from, info(to).bits, mode));
  }
  check_bf16_sizes(to, from);
  int to_bits = 0;
  int from_bits = 0;
  made_.d = any_source(operand(0), to, to_bits);
  made_.a = any_source(operand(1), from, from_bits);
  if (operand(0).kind != OperandKind::reg && operand(0).kind != OperandKind::sink)
    refuse("the destination is not a register", ErrorCode::invalid_ptx);
  made_.bytes = static_cast<std::uint8_t>(from_bits == 64 ? 8 : 4);
  set(handlers().convert(to, from, to_bits, mode));
  if (from_bits == 64 && info(from).bits < 64) narrow_source();
}

}  // namespace lanescope::emulator
