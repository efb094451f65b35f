// SPDX-License-Identifier: MIT
// Arithmetic that sm_100 has more: two f32 in a register of 64 bits, min and max of three, sums of
// an f32 and a half (PTX ISA 9.2, 9.7.3 and 9.7.5). ptxas takes them; no card has been asked.
#include <cmath>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// %f1 and %f2 of a lane, in %rd1; %f3 and %f4, in %rd2.
float low(U lane) { return static_cast<float>(lane) + 0.1f; }
float high(U lane) { return 3.0f - static_cast<float>(lane); }
constexpr float kThird = 1.0f / 3, kTwo = 2.7f;
#define PAIRS                                                                                   \
  "cvt.rn.f32.u32 %f9, %r0; add.rn.f32 %f1, %f9, 0f3DCCCCCD; sub.rn.f32 %f2, 0f40400000, %f9; " \
  "mov.f32 %f3, 0f3EAAAAAB; mov.f32 %f4, 0f402CCCCD; "                                          \
  "mov.b64 %rd1, {%f1, %f2}; mov.b64 %rd2, {%f3, %f4}; "
#define STORED " st.global.b64 [%rd0], %rd3; "

// A NaN, -0, 1 and what the lane has, for min and max.
#define THREE                                                                   \
  "cvt.rn.f32.u32 %f1, %r0; mov.f32 %f2, 0f41200000; mov.f32 %f3, 0fC1700000; " \
  "mov.f32 %f4, 0f7FC00000; "
U nan(U) { return 0x7fffffff; }

std::vector<Snippet> build() {
  return {
      {"add sub mul of .f32x2, rounded each for itself",
       PAIRS "add.f32x2 %rd3, %rd1, %rd2; sub.rn.f32x2 %rd4, %rd1, %rd2; mul.rz.f32x2 %rd5, %rd1, "
             "%rd2; st.global.b64 [%rd0+8], %rd4; mov.b64 {%f5, %f6}, %rd5; mul.rz.f32 %f7, %f1, "
             "%f3; mul.rz.f32 %f8, %f2, %f4; sub.rn.f32 %f5, %f5, %f7; sub.rn.f32 %f6, %f6, %f8; "
             "st.global.v2.f32 [%rd0+16], {%f5, %f6};" STORED,
       {[](U l) { return bits(low(l) + kThird); }, [](U l) { return bits(high(l) + kTwo); },
        [](U l) { return bits(low(l) - kThird); }, [](U l) { return bits(high(l) - kTwo); },
        [](U) { return 0u; }, [](U) { return 0u; }},
       "sm_100"},
      {"fma.rn.f32x2 rounds once",
       PAIRS "fma.rn.f32x2 %rd3, %rd1, %rd1, %rd2;" STORED,
       {[](U l) { return bits(std::fma(low(l), low(l), kThird)); },
        [](U l) { return bits(std::fma(high(l), high(l), kTwo)); }},
       "sm_100"},
      {"mul and add of .f32x2 are one fma, .rn or not; what is rounded otherwise is not",
       PAIRS "mul.rn.f32x2 %rd4, %rd1, %rd1; sub.rn.f32x2 %rd3, %rd4, %rd2; mul.rz.f32x2 %rd5, "
             "%rd1, %rd1; sub.f32x2 %rd6, %rd5, %rd5; st.global.b64 [%rd0+8], %rd6;" STORED,
       {[](U l) { return bits(std::fma(low(l), low(l), -kThird)); },
        [](U l) { return bits(std::fma(high(l), high(l), -kTwo)); }, [](U) { return 0u; },
        [](U) { return 0u; }},
       "sm_100"},
      {"under a guard .f32x2 writes the halves of its lanes alone, and may write what it reads",
       PAIRS "setp.gt.u32 %p1, %r0, 20; @%p1 add.ftz.f32x2 %rd1, %rd1, %rd2; "
             "st.global.b64 [%rd0], %rd1;",
       {[](U l) { return bits(l > 20 ? low(l) + kThird : low(l)); },
        [](U l) { return bits(l > 20 ? high(l) + kTwo : high(l)); }},
       "sm_100"},
      {".ftz of .f32x2 flushes each half",
       "mov.b64 %rd1, 0x0000000180000001; mov.b64 %rd2, 0x3F80000000000000; mov.b64 %rd4, "
       "0x0000000100000001; add.ftz.f32x2 %rd3, %rd1, %rd2; add.f32x2 %rd5, %rd4, %rd1; "
       "st.global.b64 [%rd0+8], %rd5;" STORED,
       {[](U) { return 0u; }, [](U) { return 0x3f800000u; }, [](U) { return 0u; },
        [](U) { return 2u; }},
       "sm_100"},
      {"min and max of three: NaN loses but for .NaN, .abs first",
       THREE "min.f32 %f5, %f1, %f2, %f3; max.f32 %f6, %f1, %f2, %f3; max.abs.f32 %f7, %f1, %f2, "
             "%f3; min.f32 %f8, %f4, %f1, %f4; st.global.v4.f32 [%rd0], {%f5, %f6, %f7, %f8}; "
             "max.NaN.f32 %f5, %f1, %f4, %f2; min.abs.ftz.f32 %f6, %f3, 0f80000001, %f1; "
             "st.global.v2.f32 [%rd0+16], {%f5, %f6};",
       {[](U) { return bits(-15.0f); },
        [](U l) { return bits(l > 10 ? static_cast<float>(l) : 10); },
        [](U l) { return bits(l > 15 ? static_cast<float>(l) : 15); },
        [](U l) { return bits(static_cast<float>(l)); }, nan, [](U) { return 0u; }},
       "sm_100"},
      {"max of three of which the last is what is written",
       THREE "max.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd0], %f3;",
       {[](U l) { return bits(l > 10 ? static_cast<float>(l) : 10); }},
       "sm_100"},
      {"sums of an f32 and a half: converted, rounded once",
       "cvt.rn.f32.u32 %f1, %r0; mov.b16 %h1, 0x2e66; mov.b16 %h2, 0x3dcd; add.f32.f16 %f2, %h1, "
       "%f1; sub.f32.bf16 %f3, %h2, %f1; fma.rn.f32.bf16 %f4, %h2, %h2, %f1; add.sat.f32.f16 %f5, "
       "%h1, %f1; st.global.v4.f32 [%rd0], {%f2, %f3, %f4, %f5};",
       {[](U l) { return bits(0x1.998p-4f + static_cast<float>(l)); },
        [](U l) { return bits(0x1.9ap-4f - static_cast<float>(l)); },
        [](U l) { return bits(std::fma(0x1.9ap-4f, 0x1.9ap-4f, static_cast<float>(l))); },
        [](U l) { return bits(l == 0 ? 0x1.998p-4f : 1.0f); }},
       "sm_100"},
  };
}

}  // namespace

std::span<const Snippet> blackwell_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
