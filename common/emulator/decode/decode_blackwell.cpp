// SPDX-License-Identifier: MIT
// Decoding the arithmetic of f32 that sm_100 has more: two in a register of 64 bits, min and max of
// three, sums of an f32 and halves. Each is made of instructions that are there; that min and max
// of three are those of two, and .abs is taken first, ptxas 13.0's own machine code says: it is the
// same.
//
// Source: PTX ISA 9.2, 9.7.3.1 to 9.7.3.6, 9.7.3.10 and 9.7.3.11, 9.7.5.
#include <array>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint32_t kHalfRow = 4 * kLanes;  // bytes

bool rounds(std::string_view modifier) {
  return modifier == "rn" || modifier == "rz" || modifier == "rm" || modifier == "rp";
}

}  // namespace

// What is left of the modifiers: a rounding, which fma alone must have, and that one word.
void Decoder::only_a_rounding_and(std::string_view word) {
  bool is_rounded = statement_->opcode != "fma";
  for (const std::string_view modifier : modifiers_) {
    is_rounded = is_rounded || rounds(modifier);
    if (!rounds(modifier) && modifier != word) refuse_form();
  }
  if (!is_rounded) refuse("fma needs a rounding, such as .rn", ErrorCode::invalid_ptx);
}

// add.rn.ftz.f32x2 d, a, b: registers of .b64 alone, as ptxas has it; .rn may be left out of all
// but fma.
void Decoder::pair_of_floats() {
  const std::string_view opcode = statement_->opcode;
  const Operation operation = opcode == "add"   ? Operation::add
                              : opcode == "sub" ? Operation::sub
                              : opcode == "mul" ? Operation::mul
                                                : Operation::fma;
  if (operation == Operation::fma && opcode != "fma") refuse_form();
  only_a_rounding_and("ftz");
  for (const PtxOperand& given : statement_->operands)
    if (given.kind != OperandKind::reg || given.pair >= 0 ||
        parsed_.registers[static_cast<std::size_t>(given.reg)].type != Type::b64)
      refuse(".f32x2 stands in registers of .b64; mov.b64 %d, {%f1, %f2} packs two",
             ErrorCode::invalid_ptx);
  three(operation, Type::f32x2, operation == Operation::fma ? 3 : 2);
}

// A row of 64 bits a lane is two rows of 32 behind each other: what was made so far, on both.
void Decoder::on_both_halves() {
  Instruction upper = made_;
  for (std::uint32_t* row : {&upper.d, &upper.a, &upper.b, &upper.c})
    if (*row != kNoRow) *row += kHalfRow;
  next_part();
  made_ = upper;
  composite();
  set(&run_on_both_halves);
}

// min.NaN.abs.f32 d, a, b, c.
void Decoder::extreme_of_three(Operation operation) {
  const bool is_absolute = take("abs");
  for (const std::string_view modifier : modifiers_)
    if (modifier != "ftz" && modifier != "NaN") refuse_form();
  const std::uint16_t mode = float_mode();
  std::array<std::uint32_t, 3> rows{};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = source(operand(k + 1), Type::f32);
    if (!is_absolute) continue;
    made_.a = rows[k];
    made_.d = rows[k] = new_row(4 * kLanes);
    set(handlers().real(Operation::abs, Type::f32, 0));
    next_part();
  }
  const std::uint32_t of_two = new_row(4 * kLanes);
  made_.d = of_two, made_.a = rows[0], made_.b = rows[1], made_.detail = mode;
  set(handlers().real(operation, Type::f32, mode));
  next_part();
  made_.d = destination(operand(0), Type::f32);
  made_.a = of_two, made_.b = rows[2], made_.detail = mode;
  set(handlers().real(operation, Type::f32, mode));
  composite();
}

// add.f32.bf16 d, a, c and fma.rn.f32.f16 d, a, b, c: an f32 and the type of a (and b).
bool Decoder::is_mixed() const {
  const std::string_view opcode = statement_->opcode;
  if (opcode != "add" && opcode != "sub" && opcode != "fma") return false;
  int single = 0, halves = 0;
  for (const std::string_view modifier : modifiers_) {
    single += modifier == "f32";
    halves += modifier == "f16" || modifier == "bf16";
  }
  return single == 1 && halves == 1;
}

// Every half is an f32: converted, then added, rounded once.
void Decoder::mixed_sum(Operation operation, int sources) {
  const Type wide = take_type(), narrow = take_type();
  if (wide != Type::f32) refuse_form();
  only_a_rounding_and("sat");
  const auto count = static_cast<std::size_t>(sources);
  operands(count + 1, count + 1);
  const std::uint16_t mode = float_mode();
  std::array<std::uint32_t, 3> rows{};
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_narrow = k + 1 < count;
    // ptxas takes registers of whole numbers for bf16 here, not for f16.
    const Type taken = narrow == Type::bf16 ? Type::u16 : narrow;
    rows[k] = source(operand(k + 1), is_narrow ? taken : wide);
    if (!is_narrow) continue;
    made_.a = rows[k];
    made_.d = rows[k] = new_row(4 * kLanes);
    set(handlers().convert(Type::f32, narrow, 32, 0));
    next_part();
  }
  made_.d = destination(operand(0), wide);
  made_.a = rows[0], made_.b = rows[1], made_.c = rows[2], made_.detail = mode;
  if (count < 3) made_.c = kNoRow;
  set(handlers().real(operation, Type::f32, mode));
  composite();
}

}  // namespace lanescope::emulator
