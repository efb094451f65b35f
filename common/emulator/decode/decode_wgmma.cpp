// SPDX-License-Identifier: MIT
// Decoding wgmma, and the registers that it may still be writing.
//
// Source: PTX ISA 9.2, 9.7.15.
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

void Decoder::wgmma() {
  if (take("mma_async")) return wgmma_multiply();
  const std::string_view what = take_any({"fence", "commit_group", "wait_group"});
  if (what.empty() || !take("sync") || !take("aligned")) refuse_form();
  if (what == "wait_group") {
    operands(1, 1);
    made_.immediate = integer(operand(0));
    return set(&run_wgmma_wait);
  }
  operands(0, 0);
  set(what == "fence" ? &run_aligned_nothing : &run_wgmma_commit);
}

// d, a | a-desc, b-desc{, metadata, selector}, scale-d{, imm-scale-a, imm-scale-b{, imm-trans-a},
// imm-trans-b}.
void Decoder::wgmma_multiply() {
  std::string mnemonic(statement_->opcode);
  bool satfinite = false;
  for (const std::string_view modifier : statement_->modifiers) {
    mnemonic += fmt::format(".{}", modifier);
    satfinite = satfinite || modifier == "satfinite";
  }
  modifiers_.clear();
  const layout::Instruction* entry = layout::find(mnemonic);
  const bool sparse = entry != nullptr && entry->family == "wgmma.sp";
  if (entry == nullptr || (entry->family != "wgmma" && !sparse))
    refuse(fmt::format("{} is not a wgmma that is modelled", mnemonic));
  WgmmaPlan& planned = wgmma_plans_[{entry, satfinite}];
  if (planned.instruction == nullptr)
    if (const std::string why = plan_wgmma(*entry, arch_, satfinite, planned); !why.empty())
      refuse(fmt::format("{}: {}", mnemonic, why));
  WgmmaPlan plan = planned;
  operands(4, sparse ? 10 : 8);
  check_fragment(entry->D, items(operand(0)));
  if (operand(1).kind == OperandKind::list) check_fragment(entry->A, items(operand(1)));
  made_.list = wgmma_registers(items(operand(0)), plan.D.registers, true);
  plan.a_in_registers = operand(1).kind == OperandKind::list;
  if (plan.a_in_registers)
    plan.a_list = wgmma_registers(items(operand(1)), plan.A.registers, false);
  else
    plan.a_descriptor = source(operand(1), Type::u64);
  plan.b_descriptor = source(operand(2), Type::u64);
  std::size_t next = 3;
  if (sparse) {
    operands(6, 10);
    plan.metadata = source(operand(next++), Type::b32);
    if (const std::string why = plan_sparse(*entry, integer(operand(next++)), plan.sparse);
        !why.empty())
      refuse(why, ErrorCode::invalid_ptx);
  }
  if (const PtxOperand& given = operand(next);
      given.kind == OperandKind::integer && given.value != 0 && given.value != 1)
    refuse(fmt::format("operand {}, scale-d, must be 0 or 1", next), ErrorCode::invalid_ptx);
  plan.scale_d = predicate_source(operand(next++), plan.scale_d_flip);
  wgmma_immediates(plan, next);
  made_.immediate = static_cast<std::int64_t>(program_.wgmmas.size());
  program_.wgmmas.push_back(std::move(plan));
  set(&run_wgmma);
}

std::uint32_t Decoder::wgmma_registers(const std::vector<const PtxOperand*>& parts, int count,
                                       bool written) {
  if (static_cast<int>(parts.size()) != count)
    refuse(fmt::format("{} registers where {} should be", parts.size(), count),
           ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> rows;
  for (const PtxOperand* part : parts)
    rows.push_back(written ? destination(*part, Type::b32) : source(*part, Type::b32));
  if (written) accumulators_.insert(rows.begin(), rows.end());
  return list(rows);
}

// From operand `first` on.
void Decoder::wgmma_immediates(WgmmaPlan& plan, std::size_t first) {
  const std::size_t count = statement_->operands.size();
  const bool scales = plan.shape.accumulator != TensorType::s32;
  const bool turns = plan.instruction->A.element_bits == 16;
  const std::size_t expected =
      first + (scales ? 2u : 0u) + (turns ? (plan.a_in_registers ? 1u : 2u) : 0u);
  if (count != expected)
    refuse(fmt::format("{} operands where {} should be", count, expected), ErrorCode::invalid_ptx);
  const auto choice = [&](std::size_t at, std::int64_t no, std::int64_t yes) {
    const std::int64_t value = integer(operand(at));
    if (value != no && value != yes)
      refuse(fmt::format("operand {} must be {} or {}", at, no, yes), ErrorCode::invalid_ptx);
    return value == yes;
  };
  if (scales) {
    plan.negates_a = choice(first, 1, -1);
    plan.negates_b = choice(first + 1, 1, -1);
  }
  if (!turns) return;
  if (!plan.a_in_registers) plan.a_is_mn_major = choice(first + 2, 0, 1);
  plan.b_is_mn_major = choice(count - 1, 0, 1);
}

// Where accumulators lie in local memory, as of arrays that are indexed with variables, in
// functions that are called and after nvcc -G, ptxas (13.0) waits behind each wgmma of the
// function: C7510.
bool Decoder::spills_accumulators() const {
  if (program_.module.is_debug || !parsed_.is_entry) return true;
  for (std::size_t pc = function_.first; pc < program_.code.size(); ++pc) {
    const Instruction& i = program_.code[pc];
    const PtxStatement* statement = program_.statement(static_cast<std::uint32_t>(pc));
    if (statement == nullptr || statement->opcode != "st" || i.space != Space::local) continue;
    for (const PtxOperand* item : items(statement->operands.back()))
      if (item->kind == OperandKind::reg &&
          accumulators_.count(function_.register_rows[static_cast<std::size_t>(item->reg)]) != 0)
        return true;
  }
  return false;
}

// Compilers copy accumulators between two wgmma, or take them apart before the wait; see
// run_accumulator_move.
void Decoder::watch_accumulators() {
  if (accumulators_.empty()) return;
  const bool is_serialised = spills_accumulators();
  for (std::size_t pc = function_.first; is_serialised && pc < program_.code.size(); ++pc)
    if (const Instruction& i = program_.code[pc]; i.handler == &run_wgmma)
      program_.wgmmas[static_cast<std::size_t>(i.immediate)].is_serialised = true;
    else if (i.handler == &run_tensor_load)
      program_.tcgen05s[static_cast<std::size_t>(i.immediate)].at_once = true;
  for (std::size_t pc = function_.first; pc < program_.code.size(); ++pc) {
    Instruction& i = program_.code[pc];
    const PtxStatement* statement = program_.statement(static_cast<std::uint32_t>(pc));
    if (statement == nullptr || statement->opcode != "mov" || accumulators_.count(i.a) == 0)
      continue;
    if (i.handler == &run_unpack && i.bytes == 4)
      i.handler = &run_accumulator_unpack;
    else if (i.handler == handlers().integer(Operation::move, Type::b32) && i.bytes == 0)
      i.handler = &run_accumulator_move;
  }
}

}  // namespace lanescope::emulator
