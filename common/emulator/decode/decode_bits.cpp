// SPDX-License-Identifier: MIT
// Decoding what looks at bits: logic of predicates, shifts, fields, masks, permutations, lop3.
//
// Source: PTX ISA 9.2, 9.7.1 (bfe, bfi, bmsk, szext, bfind), 9.7.8 (logic and shift), 9.7.9.7
// (prmt).
#include <fmt/format.h>

#include <array>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {

void Decoder::predicate_logic(Operation operation) {
  const bool is_unary = operation == Operation::bit_not;
  operands(is_unary ? 2 : 3, is_unary ? 2 : 3);
  std::uint32_t flip_a = 0;
  std::uint32_t flip_b = 0;
  made_.d = predicate_destination(operand(0));
  made_.a = predicate_source(operand(1), flip_a);
  made_.b = is_unary ? made_.a : predicate_source(operand(2), flip_b);
  made_.detail = static_cast<std::uint16_t>((flip_a != 0 ? 1 : 0) | (flip_b != 0 ? 2 : 0));
  switch (operation) {
    case Operation::bit_and:
      return set(&run_predicate_and);
    case Operation::bit_or:
      return set(&run_predicate_or);
    case Operation::bit_xor:
      return set(&run_predicate_xor);
    case Operation::bit_not:
      return set(&run_predicate_not);
    default:
      refuse_form();
  }
}

void Decoder::shift() {
  const Type type = take_type();
  operands(3, 3);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), Type::u32);
  const bool left = statement_->opcode == "shl";
  set(handlers().integer(left ? Operation::shl : Operation::shr, type));
}

void Decoder::funnel_shift() {
  const bool left = take("l");
  if (!left && !take("r")) refuse_form();
  const bool wraps = take("wrap");
  if (!wraps && !take("clamp")) refuse_form();
  const Type type = take_type();
  if (type != Type::b32) refuse_form();
  three(left ? (wraps ? Operation::shf_l_wrap : Operation::shf_l_clamp)
             : (wraps ? Operation::shf_r_wrap : Operation::shf_r_clamp),
        type, 3);
}

// bfe, and the sources of bfi: position and length are 32-bit.
void Decoder::bit_field() {
  const bool insert = statement_->opcode == "bfi";
  const Type type = take_type();
  const std::size_t count = insert ? 5 : 4;
  operands(count, count);
  for (std::size_t k = count - 2; k < count; ++k)
    if (operand(k).kind == OperandKind::integer && (operand(k).value & ~std::int64_t{255}) != 0)
      refuse(
          fmt::format("a bit field's position and length are 0 to 255, not {}", operand(k).value),
          ErrorCode::invalid_ptx);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  if (insert) {
    made_.b = source(operand(2), type);
    made_.c = source(operand(3), Type::u32);
    made_.list = list({source(operand(4), Type::u32)});
  } else {
    made_.b = source(operand(2), Type::u32);
    made_.c = source(operand(3), Type::u32);
  }
  set(handlers().integer(insert ? Operation::bfi : Operation::bfe, type));
}

void Decoder::find_bit() {
  const std::string_view opcode = statement_->opcode;
  const bool amount = take("shiftamt");
  const Type type = take_type();
  operands(2, 2);
  made_.d = destination(operand(0), Type::u32);
  made_.a = source(operand(1), type);
  set(handlers().integer(opcode == "popc"  ? Operation::popc
                         : opcode == "clz" ? Operation::clz
                         : amount          ? Operation::bfind_shiftamt
                                           : Operation::bfind,
                         type));
}

void Decoder::permute() {
  constexpr std::array<std::string_view, 6> kModes{"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  if (take_type() != Type::b32) refuse_form();
  operands(4, 4);
  made_.d = destination(operand(0), Type::b32);
  made_.a = source(operand(1), Type::b32);
  made_.b = source(operand(2), Type::b32);
  made_.c = source(operand(3), Type::b32);
  for (std::size_t mode = 0; mode < kModes.size(); ++mode)
    if (take(kModes[mode])) made_.detail = static_cast<std::uint16_t>(mode + 1);
  set(handlers().integer(Operation::prmt, Type::b32));
}

void Decoder::lop3() {
  const std::string_view combination = take_any({"or", "and"});
  if (take_type() != Type::b32) refuse_form();
  if (!combination.empty()) return lop3_predicate(combination == "or");
  operands(5, 5);
  made_.d = destination(operand(0), Type::b32);
  made_.a = source(operand(1), Type::b32);
  made_.b = source(operand(2), Type::b32);
  made_.c = source(operand(3), Type::b32);
  made_.immediate = integer(operand(4));
  set(handlers().integer(Operation::lop3, Type::b32));
}

void Decoder::bit_mask() {
  const bool mask = statement_->opcode == "bmsk";
  const bool wraps = take("wrap");
  if (!wraps) take("clamp");
  three(mask ? (wraps ? Operation::bmsk_wrap : Operation::bmsk_clamp)
             : (wraps ? Operation::szext_wrap : Operation::szext_clamp),
        take_type(), 2);
}

}  // namespace lanescope::emulator
