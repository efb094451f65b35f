// SPDX-License-Identifier: MIT
// From the instruction table to a WgmmaPlan.
#include <fmt/format.h>

#include "emulator/decode/matrix_plan.hpp"
#include "emulator/decode/wgmma.hpp"

namespace lanescope::emulator {
namespace {

WarpgroupOperand plan_operand(const layout::Fragment& fragment, bool dense) {
  WarpgroupOperand plan;
  const bool words = fragment.element_bits == 1;  // 32 of them, packed along K
  const int bits = words ? 32 : fragment.element_bits;
  const int cols = words ? fragment.cols / 32 : fragment.cols;
  plan.registers = fragment.registers();
  plan.element_bytes = bits / 8;
  plan.per_register = words ? 1 : fragment.values_per_register();
  if (!dense) return plan;
  for (int warp = 0; warp < 4; ++warp) {
    for (int reg = 0; reg < plan.registers; ++reg) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int k = 0; k < plan.per_register; ++k) {
          const int value = reg * fragment.values_per_register() + k;
          const layout::Element at = fragment.element(warp * 32 + lane, value);
          const int col = words ? at.col / 32 : at.col;
          plan.offsets.push_back(
              static_cast<std::uint32_t>((at.row * cols + col) * plan.element_bytes));
        }
      }
    }
  }
  return plan;
}

}  // namespace

std::string plan_wgmma(const layout::Instruction& instruction, std::string_view arch,
                       bool satfinite, WgmmaPlan& plan) {
  const auto a = tensor_type(instruction.A.type);
  // The table names B's type only in the mnemonic: ... .dtype.atype.btype
  std::string_view last = instruction.mnemonic;
  if (const std::size_t popc = last.find(".and.popc"); popc != std::string_view::npos)
    last = last.substr(0, popc);
  last = last.substr(last.rfind('.') + 1);
  auto b = a;
  for (const auto type : {layout::ElementType::s8, layout::ElementType::u8,
                          layout::ElementType::e4m3, layout::ElementType::e5m2})
    if (last == layout::name(type)) b = tensor_type(type);
  const auto d = tensor_type(instruction.D.type);
  if (!a || !b || !d) return "its element types are not modelled";
  plan.instruction = &instruction;
  plan.shape = {instruction.M,
                instruction.N,
                instruction.A.cols,  // of a sparse one: what is kept
                *a,
                *b,
                *d,
                satfinite,
                BitOperation::conjunction};
  plan.arithmetic = arithmetic(arch, TensorUnit::wgmma, plan.shape);
  if (plan.arithmetic == nullptr) return why_no_arithmetic(arch);
  if (!in_fragment_order(instruction.D, 'C', plan.shape) ||
      !in_fragment_order(instruction.A, 'A', plan.shape))
    return "its registers are in an order that is not modelled";
  const bool sparse = instruction.family == "wgmma.sp";
  plan.D = plan_operand(instruction.D, sparse);
  plan.A = plan_operand(instruction.A, sparse);
  return {};
}

}  // namespace lanescope::emulator
