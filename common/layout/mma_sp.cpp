// SPDX-License-Identifier: MIT
// mma.sp and mma.sp::ordered_metadata: the shapes of mma_sp_table.hpp with every type they take.
#include <fmt/format.h>

#include "layout/kinds.hpp"
#include "layout/metadata.hpp"
#include "layout/mma_sp_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr std::string_view kPlain = "sp";
constexpr std::string_view kOrdered = "sp::ordered_metadata";

const SparseShape& shape(int K, int bits) {
  for (const SparseShape& s : kSparseShapes)
    if (s.K == K && s.element_bits == bits) return s;
  return kSparseShapes.front();  // not reached: every line's shape is in the table
}

struct Types {
  ElementType d, a, b, c;
};

Instruction instruction(const SparseShape& s, std::string_view variant, std::string_view kind,
                        const Types& t, std::string_view suffix) {
  Instruction i;
  i.mnemonic = fmt::format("mma.{}.sync.aligned.m16n8k{}.row.col{}.{}.{}.{}.{}{}", variant, s.K,
                           kind, name(t.d), name(t.a), name(t.b), name(t.c), suffix);
  i.family = "mma.sp";
  i.M = s.M;
  i.N = s.N;
  i.K = s.K;
  i.A = typed('A', t.a, s.M, s.K / 2, s.A, s.element_bits);
  i.B = typed('B', t.b, s.K, s.N, s.B, s.element_bits);
  i.C = typed('C', t.c, s.M, s.N, kAccumulator16x8, info(t.c).bits);
  i.D = typed('D', t.d, s.M, s.N, kAccumulator16x8, info(t.d).bits);
  i.E = metadata(s.E, s.index_bits, s.M, s.index_cols, s.selectors);
  i.source = s.source;
  i.standing = s.standing;
  i.modifiers = modifiers_of(t.d, t.a);
  if (s.standing == Standing::derived)
    i.note = "the ISA has the order of the metadata in a figure only; a card confirmed it";
  return i;
}

void append_line(std::vector<Instruction>& all, const TypeLine& line, std::string_view variant,
                 std::string_view ptx) {
  for (const auto& [d, c] : line.accumulators) {
    for (ElementType a : line.inputs) {
      for (ElementType b : line.inputs) {
        Instruction i =
            instruction(shape(line.K, container_bits(a)), variant, "", {d, a, b, c}, "");
        i.ptx = ptx;
        i.target = line.target;
        all.push_back(std::move(i));
      }
    }
  }
}

void append_kinds(std::vector<Instruction>& all) {
  const auto add = [&](const SparseShape& s, std::string_view kind, const Types& t,
                       std::string_view suffix, const Scaling* scaling) {
    Instruction i = instruction(s, kOrdered, kind, t, suffix);
    if (scaling != nullptr) add_scales(i, *scaling);
    i.ptx = kKindsPtx;
    i.target = kKindsTarget;
    all.push_back(std::move(i));
  };
  const SparseShape& k64 = shape(64, 8);
  for (ElementType c : {ElementType::f16, ElementType::f32})
    for (ElementType a : kF8F6F4)
      for (ElementType b : kF8F6F4) add(k64, ".kind::f8f6f4", {c, a, b, c}, "", nullptr);
  for (const Scaling& scaling : kScalings) {
    const SparseShape& s = scaling.container_bits == 8 ? k64 : shape(128, 4);
    const TypeList types = scaling.container_bits == 8 ? kF8F6F4 : TypeList{ElementType::e2m1};
    const std::string suffix = fmt::format(".{}", name(scaling.scale));
    for (ElementType a : types)
      for (ElementType b : types)
        add(s, scaling.kind, {ElementType::f32, a, b, ElementType::f32}, suffix, &scaling);
  }
}

}  // namespace

std::vector<Fragment> metadata(const Map& map, int index_bits, int rows, int cols, int selectors) {
  std::vector<Fragment> all;
  for (int selector = 0; selector < selectors; ++selector) {
    Fragment f = typed('E', index_bits == 4 ? ElementType::b4 : ElementType::b2, rows, cols, map,
                       index_bits);
    f.thread_mask = selectors == 4 ? 3 : selectors == 2 ? 2 : 0;
    f.thread_match = selectors == 2 ? 2 * selector : selector;
    all.push_back(f);
  }
  return all;
}

void append_mma_sp(std::vector<Instruction>& all) {
  for (const TypeLine& line : kSparseLines) append_line(all, line, kPlain, line.ptx);
  for (const TypeLine& line : kSparseLines) append_line(all, line, kOrdered, kOrderedPtx);
  append_line(all, kSparseF8IntoF16, kOrdered, kSparseF8IntoF16.ptx);
  append_kinds(all);
}

}  // namespace lanescope::layout
