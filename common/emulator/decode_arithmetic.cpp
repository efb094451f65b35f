// SPDX-License-Identifier: MIT
// Decoding arithmetic and conversion; what moves bits is decode_bits.cpp.
//
// Source: PTX ISA 9.2, 9.7.1 to 9.7.5, 9.7.9.21 (cvt).

#include <array>

#include "emulator/decode.hpp"
#include "emulator/rare.hpp"
#include "numeric/approximate.hpp"
#include "numeric/nearest.hpp"

namespace lanescope::emulator {

namespace {

struct OperationName {
  std::string_view name;
  Operation operation;
  int sources;
};

// Opcodes whose operands all have the one type that is named, with nothing special to them.
constexpr std::array kPlain{
    OperationName{"add", Operation::add, 2},           OperationName{"sub", Operation::sub, 2},
    OperationName{"div", Operation::div, 2},           OperationName{"rem", Operation::rem, 2},
    OperationName{"min", Operation::min, 2},           OperationName{"max", Operation::max, 2},
    OperationName{"abs", Operation::abs, 1},           OperationName{"neg", Operation::neg, 1},
    OperationName{"sad", Operation::sad, 3},           OperationName{"and", Operation::bit_and, 2},
    OperationName{"or", Operation::bit_or, 2},         OperationName{"xor", Operation::bit_xor, 2},
    OperationName{"not", Operation::bit_not, 1},       OperationName{"cnot", Operation::cnot, 1},
    OperationName{"brev", Operation::brev, 1},         OperationName{"fma", Operation::fma, 3},
    OperationName{"sqrt", Operation::sqrt, 1},         OperationName{"rcp", Operation::rcp, 1},
    OperationName{"rsqrt", Operation::rsqrt, 1},       OperationName{"sin", Operation::sin, 1},
    OperationName{"cos", Operation::cos, 1},           OperationName{"lg2", Operation::lg2, 1},
    OperationName{"ex2", Operation::ex2, 1},           OperationName{"tanh", Operation::tanh, 1},
    OperationName{"copysign", Operation::copysign, 2},
};

std::uint32_t scaled_divisor(std::uint32_t divisor, bool full, bool flushes) {
  namespace approximate = numeric::approximate;
  if (!full) return flushes ? divisor : approximate::scaled_divisor<false, false>(divisor);
  return flushes ? approximate::scaled_divisor<true, true>(divisor)
                 : approximate::scaled_divisor<true, false>(divisor);
}

bool is_logic(Operation operation) {
  return operation >= Operation::bit_and && operation <= Operation::cnot;
}

}  // namespace

// Rounding, flushing and clamping into FloatMode bits.
std::uint16_t Decoder::float_mode() {
  std::uint16_t mode = 0;
  if (take("rz")) mode = 1;
  if (take("rm")) mode = 2;
  if (take("rp")) mode = 3;
  if (take("rna")) mode = 4;
  take("rn");
  if (take("rni")) mode = FloatMode::kInteger;
  if (take("rzi")) mode = FloatMode::kInteger | 1;
  if (take("rmi")) mode = FloatMode::kInteger | 2;
  if (take("rpi")) mode = FloatMode::kInteger | 3;
  if (take("ftz")) mode |= FloatMode::kFtz;
  if (take("sat")) mode |= FloatMode::kSaturate;
  if (take("satfinite")) mode |= FloatMode::kSaturateFinite;
  if (take("relu")) mode |= FloatMode::kRelu;
  if (take("NaN")) mode |= FloatMode::kNan;
  if (take("abs")) mode |= FloatMode::kAbs;
  if (take("xorsign")) mode |= FloatMode::kXorsign;
  if (take("approx")) mode |= FloatMode::kApprox;
  if (take("full")) mode |= FloatMode::kFull;
  return mode;
}

const Contraction* Decoder::contraction() const {
  if (contractions_.of.empty()) return nullptr;
  const auto index = static_cast<std::size_t>(statement_ - parsed_.statements.data());
  return contractions_.of[index].product < 0 ? nullptr : &contractions_.of[index];
}

// Sums need the factors of a product as they were; those of a quotient have no register at all.
void Decoder::keep_factors(Operation operation, Type type) {
  if (contractions_.lost_factors.empty()) return;
  const auto index = static_cast<std::size_t>(statement_ - parsed_.statements.data());
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    if ((contractions_.lost_factors[index] & k) == 0) continue;
    Instruction keeps;
    keeps.guard = made_.guard;
    keeps.d = new_row(8 * kLanes);
    if (operation == Operation::mul) {
      keeps.a = source(operand(k), type);
      keeps.bytes = static_cast<std::uint8_t>(info(type).bits == 64 ? 8 : 4);
      keeps.handler = &run_keep;
    } else {
      keeps.a = source(operand(1), type);
      keeps.b = source(operand(operation == Operation::div ? 2 : 1), type);
      keeps.handler =
          handlers().real(k == 1 ? Operation::dividend : Operation::divisor, type,
                          operation == Operation::rcp
                              ? static_cast<std::uint16_t>(made_.detail | FloatMode::kReciprocal)
                              : made_.detail);
    }
    kept_[{static_cast<std::int32_t>(index), static_cast<int>(k)}] = keeps.d;
    before_.push_back(keeps);
  }
}
std::uint32_t Decoder::factor(std::int32_t product, int k, Type type) {
  if (const auto kept = kept_.find({product, k}); kept != kept_.end()) return kept->second;
  const PtxStatement& statement = parsed_.statements[static_cast<std::size_t>(product)];
  return source(statement.operands[static_cast<std::size_t>(k)], type);
}

// A sum that takes a product in: the product's factors, and the other operand.
void Decoder::contracted(Operation sum, Type type, const Contraction& contraction) {
  const bool first = contraction.operand == 1, subtracts = sum == Operation::sub;
  made_.d = destination(operand(0), type);
  made_.a = factor(contraction.product, 1, type);
  made_.b = factor(contraction.product, 2, type);
  made_.c = source(operand(first ? 2 : 1), type);
  made_.detail = float_mode();
  const bool minus_product = contraction.negated != (subtracts && !first);
  const bool minus_other = subtracts && first;
  const Operation fused = minus_product
                              ? (minus_other ? Operation::minus_fma_minus : Operation::minus_fma)
                              : (minus_other ? Operation::fma_minus : Operation::fma);
  set(handlers().real(fused, type, made_.detail));
}

void Decoder::known_result(std::uint32_t bits) {
  float_mode();
  made_.a = constant(bits, 4);
  made_.bytes = 4;
  set(&run_keep);
}

// By a number: ptxas has its reciprocal, and multiplies.
bool Decoder::known_quotient(Type type) {
  if (!is_approximate(*statement_)) return false;
  const auto divisor = known_.of(operand(2));
  const bool full = (made_.detail & FloatMode::kFull) != 0;
  const bool flushes = (made_.detail & FloatMode::kFtz) != 0;
  const auto reciprocal =
      divisor ? numeric::nearest::reciprocal(scaled_divisor(*divisor, full, flushes)) : divisor;
  if (!reciprocal) return false;
  Instruction dividend;
  dividend.guard = made_.guard;
  dividend.d = new_row(8 * kLanes);
  dividend.a = made_.a;
  dividend.b = made_.b;
  dividend.handler = handlers().real(Operation::dividend, type, made_.detail);
  before_.push_back(dividend);
  made_.a = dividend.d;
  made_.b = constant(*reciprocal, 4);
  if (!contractions_.lost_factors.empty()) {
    const auto index = static_cast<std::int32_t>(statement_ - parsed_.statements.data());
    kept_[{index, 1}] = made_.a;
    kept_[{index, 2}] = made_.b;
  }
  made_.detail = flushes ? FloatMode::kFtz : std::uint16_t{0};
  set(handlers().real(Operation::mul, type, made_.detail));
  return true;
}

void Decoder::three(Operation operation, Type type, int sources) {
  operands(static_cast<std::size_t>(sources) + 1, static_cast<std::size_t>(sources) + 1);
  for (const PtxOperand& given : statement_->operands) check_type(given, type);
  if (const Contraction* found = contraction()) return contracted(operation, type, *found);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  if (sources > 1) made_.b = source(operand(2), type);
  if (sources > 2) made_.c = source(operand(3), type);
  if (is_real(type)) {
    if (const auto bits = known_.result(*statement_)) return known_result(*bits);
    made_.detail = float_mode();
    if (operation == Operation::div && known_quotient(type)) return;
    keep_factors(operation, type);
    set(handlers().real(operation, type, made_.detail));
  } else {
    set(handlers().integer(operation, type));
  }
}

void Decoder::arithmetic() {
  const std::string_view opcode = statement_->opcode;
  const bool extended = opcode == "addc" || opcode == "subc";
  const bool carries = take("cc");
  if (extended || carries) {
    const bool subtracts = opcode.substr(0, 3) == "sub";
    const Operation operation = subtracts ? (!extended ? Operation::sub_cc
                                             : carries ? Operation::subc_cc
                                                       : Operation::subc)
                                          : (!extended ? Operation::add_cc
                                             : carries ? Operation::addc_cc
                                                       : Operation::addc);
    return three(operation, take_type(), 2);
  }
  for (const OperationName& entry : kPlain) {
    if (entry.name != opcode) continue;
    const Type type = take_type();
    if (type == Type::pred && is_logic(entry.operation)) return predicate_logic(entry.operation);
    if (type == Type::s32 && take("sat")) return saturating(entry.operation);
    if ((type == Type::s32 || type == Type::s16x2) && take("relu"))
      return relu(entry.operation, type);
    if (entry.operation == Operation::fma && take("oob")) return out_of_bounds_fma(type);
    return three(entry.operation, type, entry.sources);
  }
  refuse_form();
}

void Decoder::saturating(Operation operation) {
  if (operation == Operation::add) return three(Operation::add_sat, Type::s32, 2);
  if (operation == Operation::sub) return three(Operation::sub_sat, Type::s32, 2);
  refuse_form();
}

// mul, mad, mul24, mad24, madc: .lo, .hi and .wide are different operations.
void Decoder::multiply() {
  const std::string_view opcode = statement_->opcode;
  const bool adds = opcode.substr(0, 3) == "mad";
  const bool carries = take("cc");
  const std::string_view half = take_any({"lo", "hi", "wide"});
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
  if (opcode == "mul24" || opcode == "mad24") {
    if (half == "wide") refuse_form();
    if (half == "hi") {
      const bool saturates = type == Type::s32 && take("sat");
      three(adds ? Operation::mad24_lo : Operation::mul24_lo, type, adds ? 3 : 2);
      made_.detail = static_cast<std::uint16_t>((type == Type::s32 ? 1 : 0) | (saturates ? 2 : 0));
      return set(&run_high24);
    }
    return three(adds ? Operation::mad24_lo : Operation::mul24_lo, type, adds ? 3 : 2);
  }
  if (opcode == "madc" || carries) {
    const bool in = opcode == "madc";
    if (half == "wide" || !adds) refuse_form();
    const Operation low = !in       ? Operation::mad_lo_cc
                          : carries ? Operation::madc_lo_cc
                                    : Operation::madc_lo;
    const Operation high = !in       ? Operation::mad_hi_cc
                           : carries ? Operation::madc_hi_cc
                                     : Operation::madc_hi;
    return three(half == "lo" ? low : high, type, 3);
  }
  if (half != "wide") {
    const Operation low = adds ? Operation::mad_lo : Operation::mul_lo;
    const Operation high = adds ? Operation::mad_hi : Operation::mul_hi;
    return three(half == "lo" ? low : high, type, adds ? 3 : 2);
  }
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

void Decoder::convert() {
  // cvt.pack is another operation under the same name.
  if (take("pack")) return convert_pack();
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
    made_.d =
        destination(operand(0), to == Type::e4m3x2 || to == Type::e5m2x2 ? Type::b16 : Type::b32);
    made_.a = source(operand(1), from);
    made_.b = source(operand(2), from);
    return set(handlers().convert(to, from, 0, mode));
  }
  if (to == Type::f16x2 && (from == Type::e4m3x2 || from == Type::e5m2x2)) {
    made_.d = destination(operand(0), Type::b32);
    made_.a = source(operand(1), Type::b16);
    return set(handlers().convert(to, from, 32, mode));
  }
  if ((to == Type::e4m3x2 || to == Type::e5m2x2) && from == Type::f16x2) {
    made_.d = destination(operand(0), Type::b16);
    made_.a = source(operand(1), Type::b32);
    return set(handlers().convert(to, from, 16, mode));
  }
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
