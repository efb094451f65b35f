// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include "emulator/wmma.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {
namespace {

// The map that the atlas has, or nullptr.
const layout::Fragment* derived_map(WmmaShape shape, char operand, Type type) {
  if (shape.M != 16 || shape.N != 16) return nullptr;
  const bool accumulator = operand == 'c' || operand == 'd';
  std::string_view mnemonic;
  if (shape.K == 16 && (type == Type::f16 || (accumulator && type == Type::f32)))
    mnemonic = type == Type::f16 && accumulator ? "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16"
                                                : "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32";
  else if (shape.K == 16 && type == Type::bf16)
    mnemonic = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32";
  else if (shape.K == 8)
    mnemonic = "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32";
  const layout::Instruction* entry = mnemonic.empty() ? nullptr : layout::find(mnemonic);
  if (entry == nullptr) return nullptr;
  return operand == 'a' ? &entry->A : operand == 'b' ? &entry->B : &entry->C;
}

// Registers of a fragment, and whether the ISA has it (9.7.14.4.1, table of fragments).
int register_count(WmmaShape shape, char operand, Type type) {
  const bool accumulator = operand == 'c' || operand == 'd';
  const bool sixteen = shape.K == 16 && shape.M * shape.N == 256;
  if (type == Type::f64 && shape.M == 8 && shape.N == 8 && shape.K == 4) return accumulator ? 2 : 1;
  if (shape.K == 8 && shape.M == 16 && shape.N == 16) {
    if (accumulator) return type == Type::f32 ? 8 : 0;
    return type == Type::tf32 ? 4 : 0;
  }
  if (!sixteen) return 0;
  if (accumulator) return type == Type::f16 ? 4 : type == Type::f32 || type == Type::s32 ? 8 : 0;
  const int elements = (operand == 'a' ? shape.M : shape.N) * shape.K;
  if (type == Type::f16) return 8;
  if (type == Type::bf16) return elements / 64;
  if (type == Type::s8 || type == Type::u8) return elements / 128;
  return 0;
}

}  // namespace

WmmaShape parse_wmma_shape(std::string_view text) {
  WmmaShape shape;
  char after = 0;
  if (std::sscanf(std::string(text).c_str(), "m%dn%dk%d%c", &shape.M, &shape.N, &shape.K, &after) !=
      3)
    return {};
  return shape;
}

bool plan_wmma_operand(WmmaShape shape, char operand, Type type, WmmaOperand& plan) {
  plan.registers = register_count(shape, operand, type);
  if (plan.registers == 0) return false;
  plan.rows = operand == 'b' ? shape.K : shape.M;
  plan.cols = operand == 'a' ? shape.K : shape.N;
  plan.element_bytes = bytes_of(type);
  plan.register_bytes = type == Type::f64 ? 8 : 4;
  const layout::Fragment* map = derived_map(shape, operand, type);
  const int per = plan.per_register();
  const auto count = static_cast<std::uint32_t>(plan.rows * plan.cols);
  for (int reg = 0; reg < plan.registers; ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int k = 0; k < per; ++k) {
        const int value = reg * per + k;
        auto index = static_cast<std::uint32_t>(lane * plan.registers * per + value) % count;
        if (map != nullptr) {
          const layout::Element at = map->element(lane, value);
          index = static_cast<std::uint32_t>(at.row * plan.cols + at.col);
        }
        plan.elements.push_back(index);
      }
    }
  }
  return true;
}

}  // namespace lanescope::emulator
