// SPDX-License-Identifier: MIT
// Which operand an instruction of some type takes. ptxas says "Arguments mismatch" of all others;
// inline PTX with the wrong constraint, or 1 where 1.0 is meant, is where people meet it.
//
// Source: PTX ISA 9.2, 6.4 (operand type checking) and 4.5 (constants); what ptxas 13.0 takes of
// each instruction with registers and numbers of every kind (tests/emulator/operand_test.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {
namespace {

bool is_item_of(const std::vector<PtxOperand>& operands, const PtxOperand& item) {
  return std::any_of(operands.begin(), operands.end(),
                     [&](const PtxOperand& operand) { return &operand == &item; });
}

// The {...} that has this element, alone or behind an address; null: it stands by itself.
const PtxOperand* list_with(const std::vector<PtxOperand>& operands, const PtxOperand& item) {
  for (const PtxOperand& operand : operands) {
    if (operand.kind == OperandKind::list && is_item_of(operand.items, item)) return &operand;
    if (const PtxOperand* inner = list_with(operand.items, item)) return inner;
  }
  return nullptr;
}

bool makes_real(const PtxStatement& statement) {
  const auto& all = statement.modifiers;
  return std::any_of(all.begin(), all.end(),
                     [](std::string_view modifier) { return is_real(find_type(modifier)); });
}

}  // namespace

// A list that has a register of bits is one of bits, and one of whole numbers may be one of .f32.
bool Decoder::goes_in_list(const PtxOperand& operand, Type type) const {
  const PtxOperand* list = list_with(statement_->operands, operand);
  if (list == nullptr) return false;
  return (is_real(type) && kind_of(operand.reg) != TypeKind::real) ||
         std::any_of(list->items.begin(), list->items.end(), [&](const PtxOperand& item) {
           return item.kind == OperandKind::reg && kind_of(item.reg) == TypeKind::bits;
         });
}

TypeKind Decoder::kind_of(int reg) const {
  return info(parsed_.registers[static_cast<std::size_t>(reg)].type).kind;
}

// Registers of bits, and instructions on bits, go with everything of their size; of integers the
// sign does not matter, and a register of .f16x2 is like one; else the type must be the register's
// own.
void Decoder::check_type(const PtxOperand& operand, Type type) const {
  if (operand.kind != OperandKind::reg) return;
  const PtxRegister& reg = parsed_.registers[static_cast<std::size_t>(operand.reg)];
  const TypeKind wanted = info(type).kind;
  const TypeKind held = reg.type == Type::f16x2 ? TypeKind::unsigned_integer : info(reg.type).kind;
  const bool real = held == TypeKind::real || wanted == TypeKind::real;
  if (reg.type == type || held == TypeKind::bits || wanted == TypeKind::bits || !real) return;
  if (goes_in_list(operand, type)) return;
  refuse(fmt::format("{} is a register of .{} where .{} is used; ptxas wants .{} or .b{}",
                     reg.spelled(), info(reg.type).name, info(type).name, info(type).name,
                     info(reg.type).bits),
         ErrorCode::invalid_ptx);
}

// Whole numbers go with integers and bits, others with f32 and f64, and with as many bits as they
// are written with: 1.0 has 64. In lists ptxas takes them as it finds them.
void Decoder::check_literal(const PtxOperand& operand, Type type) const {
  if (list_with(statement_->operands, operand) != nullptr) return;
  const TypeInfo& wanted = info(type);
  const bool is_whole = operand.kind == OperandKind::integer;
  if (wanted.kind == TypeKind::real && wanted.bits <= 32 && type != Type::f32)
    refuse(fmt::format("a number stands where .{} is used; ptxas wants a register", wanted.name),
           ErrorCode::invalid_ptx);
  if (is_whole && wanted.kind == TypeKind::real)
    refuse(fmt::format("{} is a whole number where .{} is used; ptxas wants {}.0", operand.value,
                       wanted.name, operand.value),
           ErrorCode::invalid_ptx);
  const bool fits = wanted.kind == TypeKind::real ||
                    (wanted.kind == TypeKind::bits && wanted.bits == operand.real_bits);
  if (!is_whole && !fits)
    refuse(fmt::format("a number with a point, or of {} bits as 0{}..., stands where .{} is used",
                       operand.real_bits, operand.real_bits == 32 ? 'f' : 'd', wanted.name),
           ErrorCode::invalid_ptx);
}

// A number that is written down; what a register holds nobody knows yet.
void Decoder::number_within(const PtxOperand& operand, std::int64_t least, std::int64_t most,
                            std::string_view what) const {
  if (operand.kind != OperandKind::integer) return;
  if (operand.value < least || operand.value > most)
    refuse(fmt::format("{} is {}; ptxas wants {} to {}", what, operand.value, least, most),
           ErrorCode::invalid_ptx);
}

// The type of {...}: what its registers have in common. One of bits makes all of them bits, as do
// integers with and without a sign; Type::none where there are numbers alone.
Type Decoder::list_type(const std::vector<const PtxOperand*>& parts) const {
  Type common = Type::none, bits = Type::none;
  const PtxOperand* other = nullptr;
  for (const PtxOperand* part : parts) {
    if (part->kind != OperandKind::reg) continue;
    const Type type = parsed_.registers[static_cast<std::size_t>(part->reg)].type;
    if (info(type).kind == TypeKind::bits) bits = type;
    if (common == Type::none) common = type;
    if (type != common && (is_real(type) || is_real(common))) other = part;
    if (type != common && other == nullptr) bits = info(type).bits == 64 ? Type::b64 : Type::b32;
  }
  if (bits == Type::none && other != nullptr)
    refuse(fmt::format("the registers of a list are of .{} and .{}; ptxas wants one type",
                       info(common).name,
                       info(parsed_.registers[static_cast<std::size_t>(other->reg)].type).name),
           ErrorCode::invalid_ptx);
  return bits != Type::none ? bits : common;
}

// Sums are registers of their type. What is multiplied is bits where an element has 16 or 32; of
// smaller ones ptxas does not look, and of f64 it does not mind.
void Decoder::check_fragment(const layout::Fragment& fragment,
                             const std::vector<const PtxOperand*>& parts) const {
  const Type type = list_type(parts);
  if (type == Type::none || info(type).kind == TypeKind::bits) return;
  using layout::ElementType;
  const ElementType element = fragment.type;
  const bool is_pair = type == Type::f16x2;
  const bool goes = element == ElementType::f16    ? is_pair
                    : element == ElementType::bf16 ? is_pair && statement_->opcode == "wgmma"
                    : element == ElementType::tf32 ? is_pair && statement_->opcode == "wgmma"
                    : element == ElementType::f32  ? type == Type::f32
                    : element == ElementType::s32  ? !is_real(type)
                                                   : true;
  if (goes) return;
  refuse(fmt::format("{} is of .{} in registers of .{}; ptxas wants .{}",
                     layout::operand_name(fragment.operand), layout::name(element), info(type).name,
                     element == ElementType::f32   ? "f32 or .b32"
                     : element == ElementType::s32 ? "s32 or .b32"
                                                   : "b32"),
         ErrorCode::invalid_ptx);
}

// %tid.x and its like are read by mov, and by cvt between integers, in the size that they have.
void Decoder::check_special(std::string_view name, Type type) const {
  const std::string_view opcode = statement_->opcode;
  const bool is_taken = opcode == "mov" || (opcode == "cvt" && !makes_real(*statement_));
  if (!is_taken || is_real(type))
    refuse("a special register is read by mov; other instructions take what mov has read",
           ErrorCode::invalid_ptx);
  const int bits = info(type).bits;
  if (name == "%gridid") return;  // has had 32 bits once
  const bool is_wide = name == "%clock64" || name == "%globaltimer" || name.ends_with("_64") ||
                       name == "%current_graph_exec";
  const auto dot = name.find('.');  // %tid.x and its like had 16 once
  const bool is_narrow = dot != name.npos && name.find("cluster") == name.npos;
  const bool may_be_wider = opcode == "cvt" && bits < (is_wide ? 64 : 32);
  if (bits == (is_wide ? 64 : 32) || (bits == 16 && is_narrow) || may_be_wider) return;
  refuse(fmt::format("{} has {} bits where .{} is used; ptxas wants mov.u{}, and a cvt behind it",
                     name, is_wide ? 64 : 32, info(type).name, is_wide ? 64 : 32),
         ErrorCode::invalid_ptx);
}

// cvt takes registers that are wider than its types, but not where one of these is bf16.
void Decoder::check_bf16_sizes(Type to, Type from) const {
  if (to != Type::bf16 && from != Type::bf16) return;
  for (const auto& [side, type] : {std::pair{0u, to}, std::pair{1u, from}}) {
    const PtxOperand& operand = statement_->operands[side];
    if (operand.kind != OperandKind::reg || register_bits(operand.reg) == info(type).bits) continue;
    refuse(fmt::format("{} has {} bits where .{} is used; beside .bf16 ptxas wants {}",
                       parsed_.registers[static_cast<std::size_t>(operand.reg)].spelled(),
                       register_bits(operand.reg), info(type).name, info(type).bits),
           ErrorCode::invalid_ptx);
  }
}

}  // namespace lanescope::emulator
