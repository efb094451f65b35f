// SPDX-License-Identifier: MIT
// Decoding what moves a value from row to row: mov, packing and unpacking, addresses from one state
// space to another.
//
// Source: PTX ISA 9.2, 9.7.9.5 and 9.7.9.6 (mov), 9.7.9.20 (cvta).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/rare.hpp"
#include "emulator/memory.hpp"

namespace lanescope::emulator {
namespace {

bool is_packed(const PtxStatement& statement) {
  return statement.operands.size() == 2 && (statement.operands[0].kind == OperandKind::list ||
                                            statement.operands[1].kind == OperandKind::list);
}

}  // namespace

void Decoder::move() {
  const Type type = take_type();
  if (take(kElement)) return element(type);
  if (type == Type::b128) return wide_move();
  operands(2, 2);
  const bool v2 = take("v2");
  if (v2 || take("v4")) return vector_move(type, v2 ? 2 : 4);
  const PtxOperand& from = operand(1);
  if (is_packed(*statement_)) return pack(type);
  if (type == Type::pred) {
    std::uint32_t flip = 0;
    made_.d = predicate_destination(operand(0));
    made_.a = predicate_source(from, flip);
    made_.detail = flip != 0 ? 1 : 0;
    return set(&run_predicate_move);
  }
  made_.d = destination(operand(0), type);
  if (from.kind == OperandKind::special &&
      (from.name.substr(0, 6) == "%clock" || from.name.substr(0, 12) == "%globaltimer")) {
    check_special(from.name, type);
    made_.detail = from.name == "%clock_hi" || from.name == "%globaltimer_hi" ? 32 : 0;
    made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
    return set(&run_clock);
  }
  if (from.kind == OperandKind::variable && variable_of(from).space == Space::parameter) {
    made_.a = parameter_address(from, info(type).bits == 64 ? 8 : 4);
  } else {
    made_.a = source(from, type);
  }
  set(handlers().integer(Operation::move, type));
}

// Of a kernel's parameter, for cvta.param; of a called function's, in local memory.
std::uint32_t Decoder::parameter_address(const PtxOperand& parameter, int lane_bytes) {
  std::int64_t offset = program_.variable_addresses[static_cast<std::size_t>(parameter.variable)];
  if (!parsed_.is_entry) offset = function_.place_on_stack(offset);
  if (offset < 0) refuse("the address of a parameter that is handed on cannot be taken");
  const auto value = static_cast<std::uint64_t>(offset + parameter.value);
  return parsed_.is_entry ? constant(value, lane_bytes)
                          : filled_row(function_.locals, locals_, value, lane_bytes);
}

// mov.u64 d, array[i], as the parser has written it out: d, array, i, bytes of an element,
// what is added to i.
void Decoder::element(Type type) {
  operands(5, 5);
  const int bits = register_bits(operand(2).reg);
  const Type index = parsed_.registers[static_cast<std::size_t>(operand(2).reg)].type;
  if (is_real(index) || bits == 1 || bits == 128)
    refuse("the index of an element should be a whole number", ErrorCode::invalid_ptx);
  if (info(type).bits != 32 && info(type).bits != 64) refuse_form();
  made_.d = destination(operand(0), type);
  made_.a = register_row(operand(2).reg);
  made_.b = source(operand(1), type);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.detail = bits == 64 ? 8 : 4;
  made_.count = static_cast<std::uint16_t>(integer(operand(3)));
  made_.immediate = integer(operand(4));
  set(&run_element);
}

const PtxVariable& Decoder::variable_of(const PtxOperand& operand) const {
  return program_.module.variables[static_cast<std::size_t>(operand.variable)];
}

// mov.b32 %r, {%rs1, %rs2} and mov.b64 {%r1, %r2}, %rd.
void Decoder::pack(Type type) {
  const bool packs = operand(1).kind == OperandKind::list;
  const auto parts = items(operand(packs ? 1 : 0));
  if (info(type).kind != TypeKind::bits)
    refuse(fmt::format("registers are packed and taken apart by mov.b{}; ptxas wants no .{} here",
                       info(type).bits, info(type).name),
           ErrorCode::invalid_ptx);
  const int part_bits = info(type).bits / static_cast<int>(parts.empty() ? 1 : parts.size());
  const Type part = part_bits == 8 ? Type::b8 : part_bits == 16 ? Type::b16 : Type::b32;
  if (parts.size() < 2 || parts.size() > 4 || info(type).bits > 64 || info(part).bits != part_bits)
    refuse_form();
  std::vector<std::uint32_t> rows;
  for (const PtxOperand* item : parts)
    rows.push_back(item->kind == OperandKind::sink ? kNoRow
                   : packs                         ? source(*item, part)
                                                   : destination(*item, part));
  made_.list = list(rows);
  made_.count = static_cast<std::uint16_t>(parts.size());
  made_.detail = static_cast<std::uint16_t>(part_bits);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  if (packs)
    made_.d = destination(operand(0), type);
  else
    made_.a = source(operand(1), type);
  set(packs ? &run_pack : &run_unpack);
}

// mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid: element for element. All are read before one is written.
void Decoder::vector_move(Type type, std::size_t count) {
  const auto to = items(operand(0));
  const PtxOperand& from = operand(1);
  const bool is_special = from.kind == OperandKind::special;
  const auto sources = is_special ? std::vector<const PtxOperand*>{} : items(from);
  if (to.size() != count || (is_special ? count != 4 : sources.size() != count))
    refuse("the registers are not as many as the vector has", ErrorCode::invalid_ptx);
  const std::string name(from.name);
  const Handler copy = handlers().integer(Operation::move, type);
  std::vector<std::uint32_t> read;
  for (std::size_t k = 0; k < count; ++k) {
    read.push_back(new_row(static_cast<std::uint32_t>(bytes_of(type) == 8 ? 8 : 4) * kLanes));
    if (k > 0) next_part();
    made_.d = read.back();
    made_.a = !is_special ? source(*sources[k], type)
              : k == 3    ? constant(0, bytes_of(type) == 8 ? 8 : 4)
                          : special(name + "." + "xyz"[k], type);
    set(copy);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (to[k]->kind == OperandKind::sink) continue;
    next_part();
    made_.d = destination(*to[k], type);
    made_.a = read[k];
    set(copy);
  }
  composite();
}

// The two rows of a 128-bit register.
std::uint32_t Decoder::wide_row(const PtxOperand& operand) {
  if (operand.kind == OperandKind::sink) return new_row(2 * kWideRow);
  if (operand.kind != OperandKind::reg || register_bits(operand.reg) != 128)
    refuse("a register of 128 bits should stand here", ErrorCode::invalid_ptx);
  return register_row(operand.reg);
}

// mov.b128 q, {low, high}; mov.b128 {low, high}, q; mov.b128 q, q; and of four words of 32 bits.
void Decoder::wide_move() {
  operands(2, 2);
  const auto is_list = [&](std::size_t side) { return operand(side).kind == OperandKind::list; };
  if (is_list(0) && is_list(1))
    refuse("one side of a mov.b128 is a register of 128 bits", ErrorCode::invalid_ptx);
  if ((is_list(0) || is_list(1)) && operand(is_list(0) ? 0 : 1).items.size() == 4)
    return move_quads();
  std::vector<std::uint32_t> rows;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!is_list(side)) {
      rows.push_back(wide_row(operand(side)));
      rows.push_back(rows.back() + kWideRow);
      continue;
    }
    const auto parts = items(operand(side));
    if (parts.size() != 2)
      refuse("128 bits are two registers of 64 or four of 32", ErrorCode::invalid_ptx);
    for (const PtxOperand* part : parts)
      rows.push_back(side == 1                         ? source(*part, Type::b64)
                     : part->kind == OperandKind::sink ? kNoRow
                                                       : destination(*part, Type::b64));
  }
  made_.list = list(rows);
  set(&run_wide_move);
}

// The lower two of the four registers are one row of the wide one, the upper two the next.
void Decoder::move_quads() {
  const bool packs = operand(1).kind == OperandKind::list;
  const std::uint32_t wide = wide_row(operand(packs ? 0 : 1));
  const auto parts = items(operand(packs ? 1 : 0));
  list_type(parts);  // refuses what does not go together
  for (std::uint32_t half = 0; half < 2; ++half) {
    if (half > 0) next_part();
    std::vector<std::uint32_t> rows;
    for (const PtxOperand* part : {parts[2 * half], parts[2 * half + 1]})
      rows.push_back(packs                             ? source(*part, Type::b32)
                     : part->kind == OperandKind::sink ? kNoRow
                                                       : destination(*part, Type::b32));
    made_.list = list(rows);
    made_.count = 2;
    made_.detail = 32;
    made_.bytes = 8;
    (packs ? made_.d : made_.a) = wide + half * kWideRow;
    set(packs ? &run_pack : &run_unpack);
  }
  composite();
}

// cvta.SPACE adds the space's window to an offset, cvta.to.SPACE takes it away.
void Decoder::cvta() {
  const bool to = take("to");
  const Space space = take_space(Space::none);
  const Type type = take_type();
  operands(2, 2);
  if (space == Space::none || info(type).bits != 64) refuse_form();
  made_.d = destination(operand(0), type);
  const PtxOperand& from = operand(1);
  made_.a = source(from, type);
  const std::uint64_t window = space == Space::shared      ? kSharedWindow
                               : space == Space::local     ? kLocalWindow
                               : space == Space::parameter ? kParameterWindow
                                                           : 0;
  made_.b = constant(to ? 0 - window : window, 8);
  set(handlers().integer(Operation::add, Type::u64));
}

void Decoder::isspacep() {
  const bool whole =
      std::find(modifiers_.begin(), modifiers_.end(), "shared::cluster") != modifiers_.end();
  const Space space = take_space(Space::none);
  operands(2, 2);
  made_.d = predicate_destination(operand(0));
  made_.a = source(operand(1), Type::u64);
  made_.space = space;
  made_.detail = whole ? 1 : 0;
  if (space == Space::none) refuse_form();
  set(&run_isspacep);
}

}  // namespace lanescope::emulator
