// SPDX-License-Identifier: MIT
// wgmma.mma_async and its sparse form: every N with every type of wgmma_table.hpp.
#include <fmt/format.h>

#include "layout/metadata.hpp"
#include "layout/tables.hpp"
#include "layout/wgmma_table.hpp"

namespace lanescope::layout {
namespace {

constexpr int kM = 64;

// 9.7.15.2: every multiple of 8 for floating point; for s8/u8 and b1 also 24, then multiples of 16.
bool has_n(const WgmmaLine& line, int N) {
  return line.every_n || N % 16 == 0 || N == 8 || N == 24;
}

Fragment accumulator(ElementType type, int N) {
  Fragment f = typed('D', type, kM, N, kWgmmaD, info(type).bits);
  f.values = N / 2;
  while (f.value.count > 0 && 1 << (f.value.count - 1) >= f.values) --f.value.count;
  return f;
}

Instruction instruction(const WgmmaLine& line, const WgmmaShape& s, int N, ElementType d,
                        ElementType a, ElementType b, bool sparse) {
  Instruction i;
  const int K = sparse ? 2 * line.K : line.K;
  i.mnemonic = fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}.{}.{}.{}{}",
                           sparse ? ".sp" : "", N, K, name(d), name(a), name(b), line.suffix);
  i.family = sparse ? "wgmma.sp" : "wgmma";
  i.M = kM;
  i.N = N;
  i.K = K;
  i.A = typed('A', a, kM, line.K, s.A, s.element_bits);
  i.D = accumulator(d, N);
  i.source = sparse ? s.sparse_source : s.source;
  i.ptx = a != b && d == ElementType::s32 ? kMixedSignsPtx : sparse ? line.sparse_ptx : line.ptx;
  i.target = kWgmmaTarget;
  i.standing = s.standing;
  i.modifiers = modifiers_of(d, a);
  if (s.standing == Standing::derived)
    i.note = "the ISA shows A in a figure only; a card confirmed that it is mma.m16n8k256's";
  if (sparse)
    for (const WgmmaMetadata& m : kWgmmaMetadata)
      if (m.element_bits == s.element_bits)
        i.E = metadata(m.E, m.index_bits, kM, m.index_cols, m.selectors);
  return i;
}

}  // namespace

void append_wgmma(std::vector<Instruction>& all) {
  for (bool sparse : {false, true})
    for (const WgmmaLine& line : kWgmmaLines)
      for (const auto& [d, c] : line.accumulators)
        for (ElementType a : line.inputs)
          for (ElementType b : line.inputs)
            for (const WgmmaShape& s : kWgmmaShapes)
              for (int N = 8; N <= 256; N += 8)
                if (s.K == line.K && has_n(line, N) && !(sparse && line.sparse_ptx.empty()))
                  all.push_back(instruction(line, s, N, d, a, b, sparse));
}

}  // namespace lanescope::layout
