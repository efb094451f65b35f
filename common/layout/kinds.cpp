// SPDX-License-Identifier: MIT
// The sm_120 kinds of dense mma: 4- and 6-bit types in 8-bit containers, and block scaling.
#include "layout/kinds.hpp"

#include <fmt/format.h>

#include "layout/scale_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

const MmaShape& shape(int K, int bits) {
  for (const MmaShape& s : kMmaShapes)
    if (s.M == 16 && s.K == K && s.element_bits == bits) return s;
  return kMmaShapes.front();  // not reached: both kinds' shapes are in the table
}

void append_kind(std::vector<Instruction>& all, const MmaShape& s, std::string_view kind,
                 ElementType accumulator, ElementType a, ElementType b, std::string_view suffix,
                 const Scaling* scaling) {
  Instruction i;
  i.mnemonic = fmt::format("mma.sync.aligned.m16n8k{}.row.col{}.{}.{}.{}.{}{}", s.K, kind,
                           name(accumulator), name(a), name(b), name(accumulator), suffix);
  i.family = "mma";
  i.M = s.M;
  i.N = s.N;
  i.K = s.K;
  i.A = typed('A', a, s.M, s.K, s.A, s.element_bits);
  i.B = typed('B', b, s.K, s.N, s.B, s.element_bits);
  i.C = typed('C', accumulator, s.M, s.N, s.C, info(accumulator).bits);
  i.D = typed('D', accumulator, s.M, s.N, s.C, info(accumulator).bits);
  if (scaling != nullptr) add_scales(i, *scaling);
  i.source = s.source;
  i.ptx = kKindsPtx;
  i.target = kKindsTarget;
  all.push_back(std::move(i));
}

}  // namespace

void add_scales(Instruction& i, const Scaling& scaling) {
  Map a{kScaleAThread, {}};
  Map b{kScaleBThread, {}};
  for (int columns = 1; columns < scaling.vectors; columns *= 2) {
    a.value.bits[static_cast<std::size_t>(a.value.count++)] = col(columns);
    b.value.bits[static_cast<std::size_t>(b.value.count++)] = row(columns);
  }
  i.SFA = typed('S', scaling.scale, i.M, scaling.vectors, a, 8);
  i.SFA.thread_mask = kScaleAMask;
  i.SFB = typed('T', scaling.scale, scaling.vectors, i.N, b, 8);
  i.SFB.thread_mask = kScaleBMask;
  i.note = "SFA and SFB are those of thread-id 0 and byte-id 0 where no other is chosen";
}

void append_mma_kinds(std::vector<Instruction>& all) {
  const MmaShape& k32 = shape(32, 8);
  for (ElementType accumulator : {ElementType::f16, ElementType::f32})
    for (ElementType a : kF8F6F4)
      for (ElementType b : kF8F6F4)
        append_kind(all, k32, ".kind::f8f6f4", accumulator, a, b, "", nullptr);
  for (const Scaling& scaling : kScalings) {
    const MmaShape& s = scaling.container_bits == 8 ? k32 : shape(64, 4);
    const TypeList types = scaling.container_bits == 8 ? kF8F6F4 : TypeList{ElementType::e2m1};
    const std::string suffix = fmt::format(".{}", name(scaling.scale));
    for (ElementType a : types)
      for (ElementType b : types)
        append_kind(all, s, scaling.kind, ElementType::f32, a, b, suffix, &scaling);
  }
}

}  // namespace lanescope::layout
