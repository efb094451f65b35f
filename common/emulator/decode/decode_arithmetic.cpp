// SPDX-License-Identifier: MIT
// Decoding arithmetic on operands of one type. Multiplications and cvt are in decode_multiply.cpp,
// what ptxas makes of several instructions in decode_contracted.cpp, what moves bits in
// decode_bits.cpp.
//
// Source: PTX ISA 9.2, 9.7.1 to 9.7.5.
#include <array>

#include "emulator/decode/decode.hpp"

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

void Decoder::three(Operation operation, Type type, int sources) {
  operands(static_cast<std::size_t>(sources) + 1, static_cast<std::size_t>(sources) + 1);
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
    set(handlers().real(operation, unit_of(type), made_.detail));
    if (type == Type::f32x2) on_both_halves();
  } else {
    set(handlers().integer(operation, type));
  }
}

void Decoder::arithmetic() {
  const std::string_view opcode = statement_->opcode;
  const bool extended = opcode == "addc" || opcode == "subc";
  const bool carries = take("cc");
  if (!extended && !carries && take("f32x2")) return pair_of_floats();
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
    if (is_mixed()) return mixed_sum(entry.operation, entry.sources);
    const Type type = take_type();
    const bool is_extreme = entry.operation == Operation::min || entry.operation == Operation::max;
    if (is_extreme && type == Type::f32 && statement_->operands.size() == 4)
      return extreme_of_three(entry.operation);
    if (is_extreme && has(*statement_, "abs") != has(*statement_, "xorsign"))
      refuse(".abs and .xorsign of two stand together; .abs alone has three sources",
             ErrorCode::invalid_ptx);
    if (type == Type::pred && is_logic(entry.operation)) return predicate_logic(entry.operation);
    if (type == Type::s32 && take("sat")) return saturating(entry.operation);
    if ((type == Type::s32 || type == Type::s16x2) && take("relu"))
      return relu(entry.operation, type);
    if (entry.operation == Operation::fma) round_bf16(type);
    if (entry.operation == Operation::fma && take("oob")) return out_of_bounds_fma(type);
    return three(entry.operation, type, entry.sources);
  }
  refuse_form();
}

// The ISA's fma of bf16 has .rn alone. ptxas takes the other three: of a pair it makes what .rn is,
// of one number an fma of f16, bits and all.
void Decoder::round_bf16(Type type) {
  if (type != Type::bf16 && type != Type::bf16x2) return;
  const std::string_view rounding = take_any({"rz", "rm", "rp"});
  if (type == Type::bf16 && !rounding.empty())
    refuse("fma of bf16 has .rn; for another rounding ptxas multiplies as if it were f16");
}

void Decoder::saturating(Operation operation) {
  if (operation == Operation::add) return three(Operation::add_sat, Type::s32, 2);
  if (operation == Operation::sub) return three(Operation::sub_sat, Type::s32, 2);
  refuse_form();
}

}  // namespace lanescope::emulator
