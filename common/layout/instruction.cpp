// SPDX-License-Identifier: MIT
// Puts the shapes and the element types together into the instruction table.
#include "layout/instruction.hpp"

#include <vector>

#include "layout/mma_table.hpp"

namespace lanescope::layout {
namespace {

struct MmaTypes {
  int M, N, K;
  ElementType d, a, b, c;
  std::string_view ptx, target;
};

// PTX ISA 9.1, 9.7.14.5.14 (mma): the type combinations of each shape and what they need.
constexpr std::array kMmaTypes{
    MmaTypes{16, 8, 16, ElementType::f32, ElementType::f16, ElementType::f16, ElementType::f32,
             "7.0", "sm_80"},
    MmaTypes{16, 8, 16, ElementType::f16, ElementType::f16, ElementType::f16, ElementType::f16,
             "7.0", "sm_80"},
    MmaTypes{16, 8, 16, ElementType::f32, ElementType::bf16, ElementType::bf16, ElementType::f32,
             "7.0", "sm_80"},
    MmaTypes{16, 8, 16, ElementType::f32, ElementType::e4m3, ElementType::e4m3, ElementType::f32,
             "8.7", "sm_89"},
    MmaTypes{16, 8, 32, ElementType::f32, ElementType::e4m3, ElementType::e4m3, ElementType::f32,
             "8.4", "sm_89"},
};

Fragment fragment(char operand, ElementType type, int rows, int cols, const Map& map) {
  Fragment f;
  f.operand = operand;
  f.type = type;
  f.rows = rows;
  f.cols = cols;
  f.element_bits = type == ElementType::tf32 ? 32 : info(type).bits;
  f.register_bits = type == ElementType::f64 ? 64 : 32;
  f.values = 1 << map.value.count;
  f.thread = map.thread;
  f.value = map.value;
  return f;
}

std::vector<Instruction> build() {
  std::vector<Instruction> all;
  for (const MmaTypes& t : kMmaTypes) {
    for (const MmaShape& s : kMmaShapes) {
      if (s.M != t.M || s.N != t.N || s.K != t.K || s.element_bits != info(t.a).bits) continue;
      Instruction i;
      i.mnemonic = "mma.sync.aligned.m" + std::to_string(s.M) + "n" + std::to_string(s.N) + "k" +
                   std::to_string(s.K) + ".row.col";
      for (ElementType type : {t.d, t.a, t.b, t.c}) i.mnemonic.append(".").append(name(type));
      i.family = "mma";
      i.M = s.M;
      i.N = s.N;
      i.K = s.K;
      i.A = fragment('A', t.a, s.M, s.K, s.A);
      i.B = fragment('B', t.b, s.K, s.N, s.B);
      i.C = fragment('C', t.c, s.M, s.N, s.C);
      i.D = fragment('D', t.d, s.M, s.N, s.C);
      i.source = s.source;
      i.ptx = t.ptx;
      i.target = t.target;
      all.push_back(std::move(i));
    }
  }
  return all;
}

}  // namespace

std::span<const Instruction> instructions() {
  static const std::vector<Instruction> all = build();
  return all;
}

const Instruction* find(std::string_view mnemonic) {
  for (const Instruction& i : instructions())
    if (i.mnemonic == mnemonic) return &i;
  return nullptr;
}

std::vector<const Instruction*> search(std::string_view words) {
  std::vector<const Instruction*> found;
  for (const Instruction& i : instructions()) {
    bool all = true;
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      all = all && i.mnemonic.find(words.substr(at, end - at)) != std::string::npos;
      at = end + 1;
    }
    if (all) found.push_back(&i);
  }
  return found;
}

}  // namespace lanescope::layout
