// SPDX-License-Identifier: MIT
// How the table files become one list. Inside the room only: others ask instruction.hpp.
#pragma once

#include <vector>

#include "layout/instruction.hpp"
#include "layout/table_line.hpp"

namespace lanescope::layout {

/// A map with an element type put to it. `container_bits` is what one element occupies.
constexpr Fragment typed(char operand, ElementType type, int rows, int cols, const Map& map,
                         int container_bits) {
  Fragment f;
  f.operand = operand;
  f.type = type;
  f.rows = rows;
  f.cols = cols;
  f.element_bits = container_bits;
  f.register_bits = type == ElementType::f64 ? 64 : 32;
  f.values = 1 << map.value.count;
  f.low_padding = type == ElementType::e2m1 && container_bits == 8 ? 2 : 0;
  f.thread = map.thread;
  f.value = map.value;
  return f;
}

/// What one element occupies in a register: its bits, but .tf32 has a whole register.
constexpr int container_bits(ElementType type) {
  return type == ElementType::tf32 ? 32 : info(type).bits;
}

/// ".satfinite" for sums of integers, ".rn .rz .rm .rp" for .f64 (9.7.14.5.14).
constexpr std::string_view modifiers_of(ElementType d, ElementType a) {
  if (d == ElementType::f64) return ".rn .rz .rm .rp";
  return d == ElementType::s32 && a != ElementType::b1 ? ".satfinite" : "";
}

void append_mma(std::vector<Instruction>& all);
void append_mma_kinds(std::vector<Instruction>& all);
void append_mma_sp(std::vector<Instruction>& all);
void append_wgmma(std::vector<Instruction>& all);
void append_wmma(std::vector<Instruction>& all);

struct Mover;
/// Where tcgen05.mma leaves D.
void append_results(std::vector<Mover>& all);
/// Where it finds scale factors.
void append_factors(std::vector<Mover>& all);
/// Where tcgen05.mma.sp finds its metadata.
void append_metadata(std::vector<Mover>& all);

}  // namespace lanescope::layout
