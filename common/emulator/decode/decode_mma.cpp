// SPDX-License-Identifier: MIT
// Decoding mma: the instruction table of common/layout knows the mnemonic, the shapes and the
// registers.
//
// Source: PTX ISA 9.2, 9.7.14.5.14, 9.7.14.6.3.
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

// mma: d, a, b, c; sparse: e, selector; block-scaled: sfa, {byte-id, thread-id}, sfb, {...}.
void Decoder::mma() {
  std::string mnemonic(statement_->opcode);
  for (const std::string_view modifier : statement_->modifiers)
    mnemonic += fmt::format(".{}", modifier);
  modifiers_.clear();
  const layout::Instruction* entry = layout::find(mnemonic);
  if (entry == nullptr || (entry->family != "mma" && entry->family != "mma.sp"))
    refuse(fmt::format("{} is not an mma that is modelled", mnemonic));
  check_mma_target(*entry);
  MatrixPlan plan;
  if (const std::string why =
          plan_matrix(*entry, arch_, has(*statement_, "satfinite"), has(*statement_, "and"), plan);
      !why.empty())
    refuse(fmt::format("{}: {}", mnemonic, why));
  const bool sparse = entry->family == "mma.sp", scaled = plan.shape.scale_vectors > 0;
  const std::size_t count = 4u + (sparse ? 2u : 0u) + (scaled ? 4u : 0u);
  operands(count, count);
  std::vector<std::uint32_t> rows = fragment_rows(*entry);
  leave_out_products(&rows[rows.size() - static_cast<std::size_t>(entry->C.registers())]);
  if (sparse) {
    if (operand(4).kind != OperandKind::reg)
      refuse("the metadata are one register", ErrorCode::invalid_ptx);
    rows.push_back(source(operand(4), Type::b32));
    if (const std::string why = plan_sparse(*entry, integer(operand(5)), plan.sparse); !why.empty())
      refuse(why, ErrorCode::invalid_ptx);
  }
  if (scaled) {
    scale_rows(*entry, 'S', count - 4, rows);
    scale_rows(*entry, 'T', count - 2, rows);
  }
  made_.list = list(rows);
  made_.immediate = static_cast<std::int64_t>(program_.matrices.size());
  const bool sums_halves = plan.shape.accumulator == TensorType::f16;
  program_.matrices.push_back(std::move(plan));
  set(&run_mma);
  add_products(rows.data(), sums_halves ? Type::f16x2 : Type::f32);
}

// "a" code, or "f" code of the same number: what one card of a family has, the others have.
void Decoder::check_mma_target(const layout::Instruction& entry) const {
  std::string target(program_.module.target);
  if (parse_target(target).suffix == 'f') target.back() = 'a';
  if (!layout::runs_on(entry.target, target)) check_target(std::string(entry.target));
}

// D, A, B and C, register after register.
std::vector<std::uint32_t> Decoder::fragment_rows(const layout::Instruction& entry) {
  std::vector<std::uint32_t> rows;
  const layout::Fragment* fragments[4] = {&entry.D, &entry.A, &entry.B, &entry.C};
  for (std::size_t k = 0; k < 4; ++k) {
    const layout::Fragment& fragment = *fragments[k];
    const auto parts = items(operand(k));
    if (static_cast<int>(parts.size()) != fragment.registers())
      refuse(fmt::format("{} registers for {} where {} should be", parts.size(), fragment.operand,
                         fragment.registers()),
             ErrorCode::invalid_ptx);
    check_fragment(fragment, parts);
    const Type type = fragment.register_bits == 64 ? Type::b64 : Type::b32;
    for (const PtxOperand* part : parts)
      rows.push_back(k == 0 ? destination(*part, type) : source(*part, type));
  }
  return rows;
}

// A register, in braces or not, and {byte-id, thread-id}, numbers or registers of 16 bits.
void Decoder::scale_rows(const layout::Instruction& entry, char side, std::size_t first,
                         std::vector<std::uint32_t>& rows) {
  const auto scales = items(operand(first)), selectors = items(operand(first + 1));
  const std::string_view name = layout::operand_name(side);
  if (scales.size() != 1 || scales[0]->kind != OperandKind::reg)
    refuse(fmt::format("{} is one register", name), ErrorCode::invalid_ptx);
  if (selectors.size() != 2)
    refuse(fmt::format("behind {} stands {{byte-id, thread-id}}", name), ErrorCode::invalid_ptx);
  const bool known =
      selectors[0]->kind == OperandKind::integer && selectors[1]->kind == OperandKind::integer;
  if (known)
    if (const std::string why = selector_problem(entry, side, static_cast<int>(selectors[0]->value),
                                                 static_cast<int>(selectors[1]->value));
        !why.empty())
      refuse(why, ErrorCode::invalid_ptx);
  rows.push_back(source(*scales[0], Type::b32));
  for (const PtxOperand* selector : selectors) rows.push_back(source(*selector, Type::b16));
}

}  // namespace lanescope::emulator
