// SPDX-License-Identifier: MIT
// wmma.mma: fragments that the ISA calls unspecified (9.7.14.4.1), as they are on sm_80.
//
// None of this may be relied on: the maps of sm_70 and sm_75 are others. Every entry is `derived`.
// Only what a public library that computes with these registers agrees on is here: m16n16k16 .f16
// and m16n16k8 .tf32 (wmmae/wmma_extension, sm_80.hpp and sm_80_tf32.hpp); .bf16 is .f16 without
// its second copy. m32n8k16, m8n32k16 and the integers are not: nobody says where their elements
// are.
//
// A tile of 16 columns is two mma tiles of 8 side by side: value bit 2 of C, D and B picks one.
#include <fmt/format.h>

#include "layout/mma_table.hpp"
#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

constexpr Map kWmmaC{a_thread(2), {col(1), row(8), col(8)}};
constexpr Map kWmmaA16{a_thread(2), {col(1), row(8), col(8)}};
constexpr Map kWmmaB16{b_thread(2), {row(1), row(8), col(8)}};
// .f16 has everything twice, in registers 0 to 3 and again in 4 to 7
constexpr Map kWmmaA16Twice{a_thread(2), {col(1), row(8), col(8), stay()}};
constexpr Map kWmmaB16Twice{b_thread(2), {row(1), row(8), col(8), stay()}};
constexpr Map kWmmaA32{a_thread(1), {row(8), col(4)}};
constexpr Map kWmmaB32{b_thread(1), {row(4), col(8)}};

struct WmmaLine {
  int K;
  ElementType type;
  Map A, B;
  bool names_inputs;  // .f16 leaves its A and B types out of the mnemonic
};
constexpr std::array kWmmaLines{
    WmmaLine{16, ElementType::f16, kWmmaA16Twice, kWmmaB16Twice, false},
    WmmaLine{16, ElementType::bf16, kWmmaA16, kWmmaB16, true},
    WmmaLine{8, ElementType::tf32, kWmmaA32, kWmmaB32, true},
};

}  // namespace

void append_wmma(std::vector<Instruction>& all) {
  for (const WmmaLine& line : kWmmaLines) {
    for (std::string_view layout : {"row.row", "row.col", "col.row", "col.col"}) {
      for (ElementType d : {ElementType::f16, ElementType::f32}) {
        for (ElementType c : {ElementType::f16, ElementType::f32}) {
          if (line.names_inputs && (d != ElementType::f32 || c != ElementType::f32)) continue;
          Instruction i;
          const std::string inputs =
              line.names_inputs ? fmt::format("{0}.{0}.", name(line.type)) : "";
          i.mnemonic = fmt::format("wmma.mma.sync.aligned.{}.m16n16k{}.{}.{}{}", layout, line.K,
                                   name(d), inputs, name(c));
          i.family = "wmma";
          i.M = i.N = 16;
          i.K = line.K;
          const int bits = container_bits(line.type);
          i.A = typed('A', line.type, 16, line.K, line.A, bits);
          i.B = typed('B', line.type, line.K, 16, line.B, bits);
          i.C = typed('C', c, 16, 16, kWmmaC, info(c).bits);
          i.D = typed('D', d, 16, 16, kWmmaC, info(d).bits);
          i.source = "PTX ISA 9.2, 9.7.14.4.1 (unspecified there)";
          i.ptx = line.type == ElementType::f16 ? "6.3" : "7.0";
          i.target = "sm_80";
          i.standing = Standing::derived;
          i.note =
              "derived on sm_80: the ISA leaves wmma registers unspecified, sm_70 and sm_75 "
              "have others";
          all.push_back(std::move(i));
        }
      }
    }
  }
}

}  // namespace lanescope::layout
