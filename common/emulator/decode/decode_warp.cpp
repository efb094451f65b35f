// SPDX-License-Identifier: MIT
// Decoding what lanes of a warp do together: shuffles, votes, ldmatrix and its like.
//
// Source: PTX ISA 9.2, 9.7.9.6 (shfl), 9.7.13 (vote, match, redux, elect), 9.7.14 (matrices).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/warp_operation.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

// shfl.sync.mode.b32 d|p, a, b, c, membermask.
void Decoder::shuffle() {
  if (!take("sync")) refuse_form();
  const std::string_view mode = take_any({"up", "down", "bfly", "idx"});
  if (mode.empty() || take_type() != Type::b32) refuse_form();
  operands(5, 5);
  made_.d = destination(operand(0), Type::b32);
  made_.target = operand(0).pair < 0 ? kNoRow : register_row(operand(0).pair);
  if (operand(0).pair >= 0 && register_bits(operand(0).pair) != 1)
    refuse("the second destination is not a predicate", ErrorCode::invalid_ptx);
  made_.a = source(operand(1), Type::b32);
  made_.b = source(operand(2), Type::b32);
  made_.c = source(operand(3), Type::b32);
  made_.list = source(operand(4), Type::b32);
  made_.detail = static_cast<std::uint16_t>(mode == "up"     ? ShuffleMode::up
                                            : mode == "down" ? ShuffleMode::down
                                            : mode == "bfly" ? ShuffleMode::bfly
                                                             : ShuffleMode::idx);
  set(&run_shuffle);
}

// vote.sync.{all,any,uni}.pred p, a, mask; vote.sync.ballot.b32 d, a, mask.
void Decoder::vote() {
  if (!take("sync")) refuse_form();
  const std::string_view mode = take_any({"all", "any", "uni", "ballot"});
  const Type type = take_type();
  operands(3, 3);
  const bool ballot = mode == "ballot";
  if (mode.empty() || ballot != (type == Type::b32)) refuse_form();
  made_.d = ballot ? destination(operand(0), type) : predicate_destination(operand(0));
  std::uint32_t flip = 0;
  made_.b = predicate_source(operand(1), flip);
  made_.immediate = flip;
  made_.list = source(operand(2), Type::b32);
  made_.detail = static_cast<std::uint16_t>(mode == "all"   ? VoteMode::all
                                            : mode == "any" ? VoteMode::any
                                            : mode == "uni" ? VoteMode::uni
                                                            : VoteMode::ballot);
  set(&run_vote);
}

void Decoder::match() {
  if (!take("sync")) refuse_form();
  const bool all = take("all");
  if (!all && !take("any")) refuse_form();
  const Type type = take_type();
  operands(3, 3);
  made_.d = destination(operand(0), Type::b32);
  if (!all && operand(0).pair >= 0)
    refuse("match.any has no predicate; match.all has one", ErrorCode::invalid_ptx);
  made_.target = operand(0).pair < 0 ? kNoRow : register_row(operand(0).pair);
  made_.a = source(operand(1), type);
  made_.list = source(operand(2), Type::b32);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.detail = all ? 1 : 0;
  set(&run_match);
}

void Decoder::activemask() {
  take_type();
  operands(1, 1);
  made_.d = destination(operand(0), Type::b32);
  set(&run_activemask);
}

void Decoder::reduce_warp() {
  if (!take("sync")) refuse_form();
  const std::string_view name = take_any({"add", "min", "max", "and", "or", "xor"});
  const Type type = take_type();
  if (name.empty() || info(type).bits != 32) refuse_form();
  if (is_real(type)) {  // .abs, .NaN
    if (type != Type::f32 || (name != "min" && name != "max")) refuse_form();
    if (parse_target(program_.module.target).number >= 110) check_target("sm_100a or sm_103a");
    made_.detail = static_cast<std::uint16_t>((take("abs") ? FloatMode::kAbs : 0) |
                                              (take("NaN") ? FloatMode::kNan : 0));
  }
  operands(3, 3);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  made_.list = source(operand(2), Type::b32);
  made_.count = static_cast<std::uint16_t>(name == "add"   ? AtomicOperation::add
                                           : name == "min" ? AtomicOperation::min
                                           : name == "max" ? AtomicOperation::max
                                           : name == "and" ? AtomicOperation::bit_and
                                           : name == "or"  ? AtomicOperation::bit_or
                                                           : AtomicOperation::bit_xor);
  made_.target = static_cast<std::uint32_t>(type);
  set(&run_reduce_warp);
}

// elect.sync d|p, membermask.
void Decoder::elect() {
  if (!take("sync")) refuse_form();
  operands(2, 2);
  made_.d = destination(operand(0), Type::b32);
  if (operand(0).pair < 0) refuse("elect needs a predicate", ErrorCode::invalid_ptx);
  made_.target = register_row(operand(0).pair);
  made_.list = source(operand(1), Type::b32);
  set(&run_elect);
}

// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r0..}, [p], modifiers in any order. Of bytes:
// m8n16 without .trans, m16n16, whose matrices are two registers, with.
void Decoder::matrix_load() {
  has(*statement_, "m8n8") ? matrix_form() : byte_matrix_form();
  operands(2, 2);
  address(operand(1));
  matrix_registers(operand(0), false);
  set(&run_matrix_load);
}

// stmatrix of m8n8 .b16; of m16n8 .b8, which is .trans always.
void Decoder::matrix_store() {
  has(*statement_, "m8n8") ? matrix_form() : stored_bytes_form();
  operands(2, 2);
  address(operand(0));
  matrix_registers(operand(1), true);
  set(&run_matrix_store);
}

void Decoder::matrix_form() {
  if (!take("sync") || !take("aligned") || !take("m8n8")) refuse_form();
  made_.count = take("x1") ? 1 : take("x2") ? 2 : take("x4") ? 4 : 0;
  made_.detail =
      static_cast<std::uint16_t>(take("trans") ? MatrixForm::turned : MatrixForm::as_it_is);
  made_.target = 16;
  made_.space = take_space(Space::generic);
  if (made_.count == 0 || take_type() != Type::b16) refuse_form();
  if (made_.space != Space::shared && made_.space != Space::generic) refuse_form();
  made_.bytes = 16;
}

void Decoder::byte_matrix_form() {
  if (!take("sync") || !take("aligned")) refuse_form();
  const bool wide = take("m16n16");
  if (wide ? !take("trans") : !take("m8n16")) refuse_form();
  const int matrices = take("x1") ? 1 : take("x2") ? 2 : !wide && take("x4") ? 4 : 0;
  made_.count = static_cast<std::uint16_t>(matrices * (wide ? 2 : 1));
  made_.detail = static_cast<std::uint16_t>(wide ? MatrixForm::turned_bytes : MatrixForm::as_it_is);
  made_.space = take_space(Space::generic);
  made_.target = take("b6x16_p32") ? 6 : take("b4x16_p64") ? 4 : 8;
  if (!take(made_.target == 8 ? "b8" : "b8x16")) refuse_form();
  if (made_.count == 0 || (!wide && made_.target == 8)) refuse_form();
  if (made_.space != Space::shared && made_.space != Space::generic) refuse_form();
  made_.bytes = 16;
}

void Decoder::stored_bytes_form() {
  if (!take("sync") || !take("aligned") || !take("m16n8") || !take("trans")) refuse_form();
  made_.count = take("x1") ? 1 : take("x2") ? 2 : take("x4") ? 4 : 0;
  made_.detail = static_cast<std::uint16_t>(MatrixForm::turned_bytes);
  made_.space = take_space(Space::generic);
  if (made_.count == 0 || !take("b8")) refuse_form();
  if (made_.space != Space::shared && made_.space != Space::generic) refuse_form();
  made_.bytes = 16;
}

void Decoder::matrix_registers(const PtxOperand& operand, bool is_store) {
  const auto parts = items(operand);
  if (parts.size() != made_.count)
    refuse(fmt::format("{} registers where {} should be", parts.size(), made_.count),
           ErrorCode::invalid_ptx);
  if (list_type(parts) == Type::none && is_store)
    refuse("numbers stand where registers should", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> rows;
  for (const PtxOperand* part : parts)
    rows.push_back(is_store ? source(*part, Type::b32) : destination(*part, Type::b32));
  made_.list = list(rows);
}

void Decoder::matrix_move() {
  if (!take("sync") || !take("aligned") || !take("m8n8") || !take("trans")) refuse_form();
  if (take_type() != Type::b16) refuse_form();
  operands(2, 2);
  made_.d = destination(operand(0), Type::b32);
  if (operand(1).kind != OperandKind::reg)
    refuse("what is turned is one register", ErrorCode::invalid_ptx);
  made_.a = source(operand(1), Type::b32);
  set(&run_matrix_move);
}

}  // namespace lanescope::emulator
