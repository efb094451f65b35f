// SPDX-License-Identifier: MIT
// What the rules of all instructions read operands with: as rows of the frame, as addresses. The
// modifiers are in decode_modifiers.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/decode/decode.hpp"
#include "emulator/memory.hpp"
#include "emulator/ptx/ptx_number.hpp"
#include "emulator/run/registers.hpp"

namespace lanescope::emulator {

const PtxOperand& Decoder::operand(std::size_t index) const { return statement_->operands[index]; }

void Decoder::operands(std::size_t least, std::size_t most) const {
  const std::size_t count = statement_->operands.size();
  if (count < least || count > most)
    refuse(fmt::format("{} operands where {} should be", count, least), ErrorCode::invalid_ptx);
}

std::uint32_t Decoder::register_row(int reg) const {
  return function_.register_rows[static_cast<std::size_t>(reg)];
}

int Decoder::register_bits(int reg) const {
  return info(parsed_.registers[static_cast<std::size_t>(reg)].type).bits;
}

std::uint32_t Decoder::new_row(std::uint32_t bytes) {
  const std::uint32_t row = function_.frame_bytes;
  function_.frame_bytes += static_cast<std::uint32_t>(up_to(bytes, 64));
  return row;
}

// The row of `rows` that is to hold this value, made when it is asked for the first time.
std::uint32_t Decoder::filled_row(std::vector<Function::ConstantRow>& rows, FilledRows& known,
                                  std::uint64_t value, int lane_bytes) {
  const auto [at, is_new] = known.emplace(std::pair{value, lane_bytes}, 0);
  if (is_new) {
    at->second = new_row(static_cast<std::uint32_t>(lane_bytes == 0 ? 4 : lane_bytes * kLanes));
    rows.push_back({at->second, value, lane_bytes});
  }
  return at->second;
}

std::uint32_t Decoder::constant(std::uint64_t value, int lane_bytes) {
  return filled_row(function_.constants, constants_, value, lane_bytes);
}

// Results that nobody wants go here.
std::uint32_t Decoder::scratch(Type) {
  if (scratch_ == kNoRow) scratch_ = new_row(8 * kLanes);
  return scratch_;
}

std::uint32_t Decoder::list(const std::vector<std::uint32_t>& rows) {
  const auto first = static_cast<std::uint32_t>(program_.rows.size());
  program_.rows.insert(program_.rows.end(), rows.begin(), rows.end());
  return first;
}

// The elements of {a, b}, or the operand itself.
std::vector<const PtxOperand*> Decoder::items(const PtxOperand& operand) const {
  std::vector<const PtxOperand*> all;
  if (operand.kind != OperandKind::list) return {&operand};
  for (const PtxOperand& item : operand.items) all.push_back(&item);
  return all;
}

std::uint64_t Decoder::literal(const PtxOperand& operand, Type type) const {
  ParsedNumber number;
  number.is_real = operand.kind == OperandKind::real;
  number.real_bits = operand.real_bits;
  number.bits = static_cast<std::uint64_t>(operand.value);
  std::uint64_t bits = number.bits_as(type);
  if (info(type).bits < 64) bits &= (std::uint64_t{1} << info(type).bits) - 1;
  return bits;
}

std::int64_t Decoder::integer(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::integer)
    refuse("an operand should be a number", ErrorCode::invalid_ptx);
  return operand.value;
}

std::uint32_t Decoder::source(const PtxOperand& operand, Type type) {
  if (type == Type::b128) refuse_form();
  const auto lane_bytes = static_cast<int>(lane_bytes_of(type));
  switch (operand.kind) {
    case OperandKind::reg:
      if (register_bits(operand.reg) != info(type).bits)
        refuse(fmt::format("{} has {} bits where .{} needs {}",
                           parsed_.registers[static_cast<std::size_t>(operand.reg)].spelled(),
                           register_bits(operand.reg), info(type).name, info(type).bits),
               ErrorCode::invalid_ptx);
      if (operand.negated) refuse("only predicates can be negated", ErrorCode::invalid_ptx);
      check_type(operand, type);
      return register_row(operand.reg);
    case OperandKind::integer:
    case OperandKind::real:
      check_literal(operand, type);
      return constant(literal(operand, type), lane_bytes);
    case OperandKind::special:
      check_special(operand.name, type);
      return special(operand.name, type);
    case OperandKind::variable: {
      const PtxVariable& variable =
          program_.module.variables[static_cast<std::size_t>(operand.variable)];
      const auto value = static_cast<std::uint64_t>(
          program_.variable_addresses[static_cast<std::size_t>(operand.variable)] + operand.value);
      if (variable.space == Space::local)
        return filled_row(function_.locals, locals_, value, lane_bytes);
      if (variable.space == Space::shared)
        return filled_row(function_.shared, shared_, value, lane_bytes);
      return constant(lane_bytes == 4 ? value & 0xffffffffu : value, lane_bytes);
    }
    case OperandKind::name:
      if (operand.name == "WARP_SZ") return constant(kLanes, lane_bytes);
      if (const int function = program_.module.find_function(operand.name);
          function >= 0 && lane_bytes == 8) {
        program_.point_at(function);
        return constant(function_address(function), lane_bytes);
      }
      refuse(fmt::format("the name {} is not declared", operand.name), ErrorCode::invalid_ptx);
    default:
      refuse("an operand is of the wrong kind", ErrorCode::invalid_ptx);
  }
}

std::uint32_t Decoder::destination(const PtxOperand& operand, Type type) {
  if (operand.kind == OperandKind::sink) return scratch(type);
  if (operand.kind == OperandKind::special)
    refuse(fmt::format("the register {} is not declared", operand.name), ErrorCode::invalid_ptx);
  if (operand.kind != OperandKind::reg)
    refuse("the destination is not a register", ErrorCode::invalid_ptx);
  return source(operand, type);
}

// For ld, st and cvt, whose registers may be wider than the type.
std::uint32_t Decoder::any_source(const PtxOperand& operand, Type type, int& bits) {
  bits = info(type).bits;
  if (operand.kind == OperandKind::sink) {
    bits = std::max(bits, 32);
    return scratch(type);
  }
  if (operand.kind != OperandKind::reg) return source(operand, type);
  bits = register_bits(operand.reg);
  if (bits < info(type).bits || bits == 1 || bits == 128)
    refuse(fmt::format("{} has too few bits for .{}",
                       parsed_.registers[static_cast<std::size_t>(operand.reg)].spelled(),
                       info(type).name),
           ErrorCode::invalid_ptx);
  check_type(operand, type);
  return register_row(operand.reg);
}

std::uint32_t Decoder::predicate_source(const PtxOperand& operand, std::uint32_t& flip) {
  flip = operand.negated ? kAllLanes : 0;
  if (operand.kind == OperandKind::special && operand.name == "%is_explicit_cluster")
    return explicit_cluster();
  if (operand.kind == OperandKind::integer) return constant(operand.value != 0 ? kAllLanes : 0, 0);
  if (operand.kind != OperandKind::reg || register_bits(operand.reg) != 1)
    refuse("a predicate should stand here", ErrorCode::invalid_ptx);
  return register_row(operand.reg);
}

std::uint32_t Decoder::predicate_destination(const PtxOperand& operand) {
  if (operand.kind == OperandKind::sink) return scratch(Type::pred);
  std::uint32_t flip = 0;
  if (operand.kind != OperandKind::reg)
    refuse("the destination is not a predicate", ErrorCode::invalid_ptx);
  return predicate_source(operand, flip);
}

// [base + displacement] into `a`, `immediate` and `wide_address`.
void Decoder::address(const PtxOperand& operand) {
  if (operand.kind != OperandKind::address)
    refuse("an address in brackets should stand here", ErrorCode::invalid_ptx);
  made_.immediate = operand.value;
  made_.wide_address = true;
  if (operand.items.empty()) {
    made_.a = constant(0, 8);
    return;
  }
  const PtxOperand& base = operand.items.front();
  if (base.kind == OperandKind::reg) {
    const int bits = register_bits(base.reg);
    if (bits != 32 && bits != 64) refuse("an address has 32 or 64 bits", ErrorCode::invalid_ptx);
    check_type(base, bits == 64 ? Type::u64 : Type::u32);
    made_.wide_address = bits == 64;
    made_.a = register_row(base.reg);
  } else {
    made_.a = source(base, Type::u64);
  }
}

}  // namespace lanescope::emulator
