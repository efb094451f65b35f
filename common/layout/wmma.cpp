// SPDX-License-Identifier: MIT
// wmma.mma: fragments that the ISA calls unspecified (9.7.14.4.1), as they are on sm_90a.
//
// None of this may be relied on: the maps of sm_70 and sm_75 are others. They were recorded on a
// card (tests/golden: matrices of unique numbers loaded, registers stored back, products checked);
// what a public library computes with on sm_80 (wmmae/wmma_extension: m16n16k16 .f16, m16n16k8
// .tf32) agrees. Loading from rows or from columns makes no difference.
//
// Every shape is made of mma tiles: 16 columns are two tiles of 8 side by side, 32 rows two of 16
// (value bits 2 and 3 pick one). m8n32k16 is m32n8k16 turned: its C has the threads of a quad down
// a column. .f16 fills its eight registers whatever the shape: smaller matrices lie there twice or
// four times, and wmma.mma reads the first copy only.
#include <fmt/format.h>

#include "layout/mma_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr Map kA16x8{a_thread(1), {row(8), col(4)}};           // .tf32
constexpr Map kB8x16{b_thread(1), {row(4), col(8)}};           //
constexpr Map kA16x16{a_thread(2), {col(1), row(8), col(8)}};  // 16-bit, and C of m16n16
constexpr Map kB16x16{b_thread(2), {row(1), row(8), col(8)}};
constexpr Map kA16x16Twice{a_thread(2), {col(1), row(8), col(8), stay()}};
constexpr Map kB16x16Twice{b_thread(2), {row(1), row(8), col(8), stay()}};
constexpr Map kA32x16{a_thread(2), {col(1), row(8), col(8), row(16)}};
constexpr Map kB16x8{b_thread(2), {row(1), row(8)}};
constexpr Map kB16x8FourTimes{b_thread(2), {row(1), row(8), stay(), stay()}};
constexpr Map kA8x16{a_thread(2), {col(1), col(8)}};
constexpr Map kA8x16FourTimes{a_thread(2), {col(1), col(8), stay(), stay()}};
constexpr Map kB16x32{b_thread(2), {row(1), col(8), row(8), col(16)}};
constexpr Map kA16x16Bytes{a_thread(4), {col(1), col(2), row(8)}};
constexpr Map kB16x16Bytes{b_thread(4), {row(1), row(2), col(8)}};
constexpr Map kA32x16Bytes{a_thread(4), {col(1), col(2), row(8), row(16)}};
constexpr Map kB16x8Bytes{b_thread(4), {row(1), row(2)}};
constexpr Map kA8x16Bytes{a_thread(4), {col(1), col(2)}};
constexpr Map kB16x32Bytes{b_thread(4), {row(1), row(2), col(8), col(16)}};

constexpr Map kC32x8{a_thread(2), {col(1), row(8), row(16)}};
constexpr Map kC8x32{b_thread(2), {row(1), col(8), col(16)}};

// The shapes of one type, or of those that share their maps.
struct WmmaLine {
  int M, N, K;
  TypeList types;  // of A and B, the same
  Map A, B, C;
  std::string_view ptx;
  bool every_layout;           // else .row.col only
  std::string_view operation;  // ".xor.popc" of .b1
};
constexpr TypeList kF16{ElementType::f16}, kBf16{ElementType::bf16}, kB1{ElementType::b1};

// clang-format off
constexpr std::array kWmmaLines{
    WmmaLine{16, 16, 16, kF16, kA16x16Twice, kB16x16Twice, kA16x16, "6.3", true, ""},
    WmmaLine{32, 8, 16, kF16, kA32x16, kB16x8FourTimes, kC32x8, "6.3", true, ""},
    WmmaLine{8, 32, 16, kF16, kA8x16FourTimes, kB16x32, kC8x32, "6.3", true, ""},
    WmmaLine{16, 16, 16, kBf16, kA16x16, kB16x16, kA16x16, "7.0", true, ""},
    WmmaLine{32, 8, 16, kBf16, kA32x16, kB16x8, kC32x8, "7.0", true, ""},
    WmmaLine{8, 32, 16, kBf16, kA8x16, kB16x32, kC8x32, "7.0", true, ""},
    WmmaLine{16, 16, 8, {ElementType::tf32}, kA16x8, kB8x16, kA16x16, "7.0", true, ""},
    WmmaLine{8, 8, 4, {ElementType::f64}, {a_thread(1), {}}, {b_thread(1), {}}, kAccumulator8x8,
             "7.0", true, ""},
    WmmaLine{16, 16, 16, kInt8, kA16x16Bytes, kB16x16Bytes, kA16x16, "6.3", true, ""},
    WmmaLine{32, 8, 16, kInt8, kA32x16Bytes, kB16x8Bytes, kC32x8, "6.3", true, ""},
    WmmaLine{8, 32, 16, kInt8, kA8x16Bytes, kB16x32Bytes, kC8x32, "6.3", true, ""},
    WmmaLine{8, 8, 32, kInt4, {a_thread(8), {col(1), col(2), col(4)}},
             {b_thread(8), {row(1), row(2), row(4)}}, kAccumulator8x8, "6.3", false, ""},
    WmmaLine{8, 8, 128, kB1, {a_thread(32), {col(1), col(2), col(4), col(8), col(16)}},
             {b_thread(32), {row(1), row(2), row(4), row(8), row(16)}}, kAccumulator8x8, "6.3",
             false,
             ".xor.popc"},
    WmmaLine{8, 8, 128, kB1, {a_thread(32), {col(1), col(2), col(4), col(8), col(16)}},
             {b_thread(32), {row(1), row(2), row(4), row(8), row(16)}}, kAccumulator8x8, "7.1",
             false,
             ".and.popc"},
};
// clang-format on

AccumulatorList accumulators(ElementType type) {
  using enum ElementType;
  switch (type) {
    case f16:
      return {{f16, f16}, {f16, f32}, {f32, f16}, {f32, f32}};
    case bf16:
    case tf32:
      return kIntoF32;
    case f64:
      return kIntoF64;
    default:
      return kIntoS32;
  }
}

Instruction instruction(const WmmaLine& line, std::string_view layouts, ElementType type,
                        const Accumulators& sums) {
  Instruction i;
  // .f16 leaves the types of A and B out of its name
  const std::string inputs = type == ElementType::f16 ? "" : fmt::format("{0}.{0}.", name(type));
  i.mnemonic = fmt::format("wmma.mma{}.sync.aligned.{}.m{}n{}k{}.{}.{}{}", line.operation, layouts,
                           line.M, line.N, line.K, name(sums.d), inputs, name(sums.c));
  i.family = "wmma";
  i.M = line.M;
  i.N = line.N;
  i.K = line.K;
  const int bits = container_bits(type);
  i.A = typed('A', type, line.M, line.K, line.A, bits);
  i.B = typed('B', type, line.K, line.N, line.B, bits);
  i.C = typed('C', sums.c, line.M, line.N, line.C, info(sums.c).bits);
  i.D = typed('D', sums.d, line.M, line.N, line.C, info(sums.d).bits);
  i.source = "PTX ISA 9.2, 9.7.14.4.1 (unspecified there)";
  i.ptx = line.ptx;
  i.target = "sm_80";
  i.standing = Standing::derived;
  i.modifiers = modifiers_of(sums.d, type);
  i.note =
      "the ISA leaves wmma registers unspecified: derived on sm_90a from what a card loads and "
      "stores; sm_70 and sm_75 have others";
  return i;
}

}  // namespace

void append_wmma(std::vector<Instruction>& all) {
  for (const WmmaLine& line : kWmmaLines)
    for (ElementType type : line.types)
      for (std::string_view layouts : {"row.row", "row.col", "col.row", "col.col"})
        if (line.every_layout || layouts == "row.col")
          for (const Accumulators& sums : accumulators(type))
            all.push_back(instruction(line, layouts, type, sums));
}

}  // namespace lanescope::layout
