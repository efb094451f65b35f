// SPDX-License-Identifier: MIT
#include "emulator/matrix_plan.hpp"

#include <fmt/format.h>

#include <cstring>

namespace lanescope::emulator {
std::optional<TensorType> tensor_type(layout::ElementType type) {
  using layout::ElementType;
  switch (type) {
    case ElementType::f16:
      return TensorType::f16;
    case ElementType::bf16:
      return TensorType::bf16;
    case ElementType::tf32:
      return TensorType::tf32;
    case ElementType::e4m3:
      return TensorType::e4m3;
    case ElementType::e5m2:
      return TensorType::e5m2;
    case ElementType::f32:
      return TensorType::f32;
    case ElementType::f64:
      return TensorType::f64;
    case ElementType::s8:
      return TensorType::s8;
    case ElementType::u8:
      return TensorType::u8;
    case ElementType::s4:
      return TensorType::s4;
    case ElementType::u4:
      return TensorType::u4;
    case ElementType::b1:
      return TensorType::b1;
    case ElementType::s32:
      return TensorType::s32;
    default:
      return std::nullopt;
  }
}

namespace {

// Byte offset of an element in the dense matrix, or for b1 of the word it is in.
std::size_t dense_offset(const layout::Fragment& fragment, layout::Element element,
                         std::size_t matrix_bytes, bool packs_rows) {
  const auto row = static_cast<std::size_t>(element.row);
  const auto col = static_cast<std::size_t>(element.col);
  const auto cols = static_cast<std::size_t>(fragment.cols);
  const std::size_t base = static_cast<std::size_t>(element.matrix) * matrix_bytes;
  if (fragment.element_bits == 1)
    return base + (packs_rows ? row / 32 * cols + col : row * (cols / 32) + col / 32) * 4;
  const std::size_t bytes =
      fragment.element_bits == 4 ? 1 : static_cast<std::size_t>(fragment.element_bits) / 8;
  return base + (row * cols + col) * bytes;
}

// Joins pieces two by two while every pair stays together in the matrix.
void join_pieces(OperandPlan& plan) {
  while (plan.piece_bytes < 16) {
    for (std::size_t k = 0; k + 1 < plan.offsets.size(); k += 2)
      if (plan.offsets[k] + plan.piece_bytes != plan.offsets[k + 1]) return;
    for (std::size_t k = 0; k < plan.offsets.size() / 2; ++k) plan.offsets[k] = plan.offsets[2 * k];
    plan.offsets.resize(plan.offsets.size() / 2);
    plan.piece_bytes *= 2;
  }
}

OperandPlan plan_operand(const layout::Fragment& fragment, bool is_b) {
  OperandPlan plan;
  plan.registers = fragment.registers();
  plan.row_bytes = fragment.register_bits / 8 * 32;
  plan.nibbles = fragment.element_bits == 4;
  const std::size_t count =
      static_cast<std::size_t>(fragment.rows) * static_cast<std::size_t>(fragment.cols);
  const int bits = fragment.element_bits;
  plan.matrix_bytes = bits == 1   ? count / 8
                      : bits == 4 ? count
                                  : count * static_cast<unsigned>(bits) / 8;
  plan.piece_bytes = bits == 1 ? 4 : bits == 4 ? 1 : bits / 8;
  const int per_register = bits == 1 ? 1 : fragment.values_per_register();
  for (int reg = 0; reg < plan.registers; ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int k = 0; k < per_register; ++k) {
        const int value = reg * fragment.values_per_register() + k;
        plan.offsets.push_back(static_cast<std::uint16_t>(
            dense_offset(fragment, fragment.element(lane, value), plan.matrix_bytes, is_b)));
      }
    }
  }
  if (!plan.nibbles) join_pieces(plan);
  return plan;
}

template <std::size_t kBytes>
void gather_pieces(const OperandPlan& plan, const std::byte* const* rows, std::byte* matrix) {
  const std::uint16_t* offset = plan.offsets.data();
  const std::size_t pieces = static_cast<std::size_t>(plan.row_bytes) / kBytes;
  for (int reg = 0; reg < plan.registers; ++reg, offset += pieces)
    for (std::size_t k = 0; k < pieces; ++k)
      std::memcpy(matrix + offset[k], rows[reg] + k * kBytes, kBytes);
}

template <std::size_t kBytes>
void scatter_pieces(const OperandPlan& plan, const std::byte* matrix, std::byte* const* rows) {
  const std::uint16_t* offset = plan.offsets.data();
  const std::size_t pieces = static_cast<std::size_t>(plan.row_bytes) / kBytes;
  for (int reg = 0; reg < plan.registers; ++reg, offset += pieces)
    for (std::size_t k = 0; k < pieces; ++k)
      std::memcpy(rows[reg] + k * kBytes, matrix + offset[k], kBytes);
}

void gather_nibbles(const OperandPlan& plan, const std::byte* const* rows, std::byte* matrix) {
  const std::uint16_t* offset = plan.offsets.data();
  for (int reg = 0; reg < plan.registers; ++reg) {
    for (int byte = 0; byte < plan.row_bytes; ++byte) {
      const auto both = static_cast<unsigned>(rows[reg][byte]);
      matrix[*offset++] = static_cast<std::byte>(both & 0xf);
      matrix[*offset++] = static_cast<std::byte>(both >> 4);
    }
  }
}

}  // namespace

void gather(const OperandPlan& plan, const std::byte* const* rows, std::byte* matrix) {
  if (plan.nibbles) return gather_nibbles(plan, rows, matrix);
  switch (plan.piece_bytes) {
    case 1:
      return gather_pieces<1>(plan, rows, matrix);
    case 2:
      return gather_pieces<2>(plan, rows, matrix);
    case 4:
      return gather_pieces<4>(plan, rows, matrix);
    case 8:
      return gather_pieces<8>(plan, rows, matrix);
    default:
      return gather_pieces<16>(plan, rows, matrix);
  }
}

void scatter(const OperandPlan& plan, const std::byte* matrix, std::byte* const* rows) {
  switch (plan.piece_bytes) {
    case 2:
      return scatter_pieces<2>(plan, matrix, rows);
    case 4:
      return scatter_pieces<4>(plan, matrix, rows);
    case 8:
      return scatter_pieces<8>(plan, matrix, rows);
    default:
      return scatter_pieces<16>(plan, matrix, rows);
  }
}

std::string plan_matrix(const layout::Instruction& instruction, std::string_view arch,
                        bool satfinite, bool conjunction, MatrixPlan& plan) {
  const auto a = tensor_type(instruction.A.type);
  const auto b = tensor_type(instruction.B.type);
  const auto c = tensor_type(instruction.C.type);
  const auto d = tensor_type(instruction.D.type);
  if (!a || !b || !c || !d) return "its element types are not modelled";
  plan.instruction = &instruction;
  plan.shape = {instruction.M,
                instruction.N,
                instruction.A.cols,
                *a,
                *b,
                *d,
                satfinite,
                conjunction ? BitOperation::conjunction : BitOperation::exclusive_or};
  plan.arithmetic = arithmetic(arch, TensorUnit::mma, plan.shape);
  if (plan.arithmetic == nullptr) return fmt::format("{} has no such instruction", arch);
  plan.widens_c = *c == TensorType::f16 && *d == TensorType::f32;
  plan.matrices = instruction.D.matrices;
  plan.A = plan_operand(instruction.A, false);
  plan.B = plan_operand(instruction.B, true);
  plan.C = plan_operand(instruction.C, false);
  plan.D = plan_operand(instruction.D, false);
  return {};
}

}  // namespace lanescope::emulator
