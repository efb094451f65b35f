// SPDX-License-Identifier: MIT
// Dense mma.sync: every shape of mma_table.hpp with every pair of types that it takes.
#include <fmt/format.h>

#include "layout/mma_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

Instruction instruction(int M, int N, int K, std::string_view layout, std::string_view infix,
                        ElementType d, ElementType a, ElementType b, ElementType c,
                        std::string_view suffix) {
  Instruction i;
  i.mnemonic = fmt::format("mma.sync.aligned.m{}n{}k{}.{}{}.{}.{}.{}.{}{}", M, N, K, layout, infix,
                           name(d), name(a), name(b), name(c), suffix);
  i.family = "mma";
  i.M = M;
  i.N = N;
  i.K = K;
  i.modifiers = modifiers_of(d, a);
  return i;
}

void append_quad_pairs(std::vector<Instruction>& all) {
  for (const QuadPairLayout& l : kQuadPairLayouts) {
    for (const auto& [d, c] : kQuadPairAccumulators) {
      const auto accumulator = [](char operand, ElementType type) {
        Fragment f = typed(operand, type, 8, 8,
                           type == ElementType::f16 ? kQuadPairF16 : kQuadPairF32, info(type).bits);
        f.matrices = 4;
        return f;
      };
      Instruction i =
          instruction(8, 8, 4, l.layout, "", d, ElementType::f16, ElementType::f16, c, "");
      i.A = typed('A', ElementType::f16, 8, 4, l.A, 16);
      i.B = typed('B', ElementType::f16, 4, 8, l.B, 16);
      i.A.matrices = i.B.matrices = 4;
      i.C = accumulator('C', c);
      i.D = accumulator('D', d);
      i.source = kQuadPairSource;
      i.ptx = "6.4";
      i.target = "sm_70";
      all.push_back(std::move(i));
    }
  }
}

}  // namespace

void append_mma(std::vector<Instruction>& all) {
  append_quad_pairs(all);
  for (const TypeLine& line : kMmaLines) {
    for (const auto& [d, c] : line.accumulators) {
      for (ElementType a : line.inputs) {
        for (ElementType b : line.inputs) {
          for (const MmaShape& s : kMmaShapes) {
            if (s.M != line.M || s.N != line.N || s.K != line.K) continue;
            if (s.element_bits != container_bits(a)) continue;
            Instruction i =
                instruction(s.M, s.N, s.K, "row.col", line.infix, d, a, b, c, line.suffix);
            i.A = typed('A', a, s.M, s.K, s.A, s.element_bits);
            i.B = typed('B', b, s.K, s.N, s.B, s.element_bits);
            i.C = typed('C', c, s.M, s.N, s.C, info(c).bits);
            i.D = typed('D', d, s.M, s.N, s.C, info(d).bits);
            i.source = s.source;
            i.ptx = line.ptx;
            i.target = line.target;
            all.push_back(std::move(i));
          }
        }
      }
    }
  }
}

}  // namespace lanescope::layout
