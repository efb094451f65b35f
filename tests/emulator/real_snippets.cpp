// SPDX-License-Identifier: MIT
// Floating-point arithmetic: f32, f64, f16, bf16, alone and in pairs (PTX ISA 9.2, 9.7.3, 9.7.4).
#include <cmath>
#include <cstring>
#include <memory>

#include "numeric/format.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// What %f1 holds: both signs, several magnitudes, never a tie on purpose.
float value(U lane) { return (static_cast<float>(lane) - 15.5f) * 1.37f; }
constexpr std::string_view kValue =
    "cvt.rn.f32.u32 %f1, %r0; sub.f32 %f1, %f1, 15.5; mul.f32 %f1, %f1, 0f3FAF5C29;\n"
    "mov.b16 %h10, 0x2e66; mov.b16 %h11, 0x1001; mov.b16 %h12, 0x3c00; mov.b16 %h13, 0x3800; "
    "mov.b16 %h14, 0x3dcd; mov.b16 %h15, 0;\n";

std::string_view body(std::string text) {
  static std::vector<std::unique_ptr<std::string>> all;
  all.push_back(std::make_unique<std::string>(std::string(kValue) + text));
  return *all.back();
}
U half(double v) { return numeric::encode(numeric::kF16, v); }
U brain(double v) { return numeric::encode(numeric::kBf16, v); }
double half_value(U pattern) { return numeric::decode(numeric::kF16, pattern); }

std::vector<Snippet> build() {
  return {
      {"add sub mul f32",
       body("add.f32 %f2, %f1, 0f3DCCCCCD; sub.rn.f32 %f3, %f1, %f2; mul.f32 %f4, %f1, %f1;"
            "st.global.v2.f32 [%rd0], {%f2, %f3}; st.global.f32 [%rd0+8], %f4;"),
       {[](U l) { return bits(value(l) + 0.1f); },
        [](U l) { return bits(value(l) - (value(l) + 0.1f)); },
        [](U l) { return bits(value(l) * value(l)); }}},
      {"fma rounds once",
       body("fma.rn.f32 %f2, %f1, %f1, 0fC1200000; st.global.f32 [%rd0], %f2;"),
       {[](U l) { return bits(std::fma(value(l), value(l), -10.0f)); }}},
      {"directed rounding",
       body("mov.f32 %f3, 0f3F800000; mov.f32 %f4, 0f40400000; div.rz.f32 %f5, %f3, %f4;"
            "div.rp.f32 %f6, %f3, %f4; neg.f32 %f3, %f3; div.rm.f32 %f7, %f3, %f4; div.rn.f32 %f8, "
            "%f3, %f4;"
            "st.global.v4.f32 [%rd0], {%f5, %f6, %f7, %f8};"),
       {[](U) { return 0x3eaaaaaau; }, [](U) { return 0x3eaaaaabu; }, [](U) { return 0xbeaaaaabu; },
        [](U) { return 0xbeaaaaabu; }}},
      {"add.rz",
       body("add.rz.f32 %f2, 0f3F800000, 0f33FFFFFF; add.rp.f32 %f3, 0f3F800000, 0f00000001;"
            "st.global.v2.f32 [%rd0], {%f2, %f3};"),
       {[](U) { return 0x3f800000u; }, [](U) { return 0x3f800001u; }}},
      {"fma.rz.f64",
       body("fma.rz.f64 %fd1, 0d3FF0000000000001, 0d3FF0000000000001, 0d0000000000000000;"
            "fma.rp.f64 %fd2, 0d3FF0000000000001, 0d3FF0000000000001, 0d0000000000000000;"
            "st.global.v2.f64 [%rd0], {%fd1, %fd2};"),
       {[](U) { return 2u; }, [](U) { return 0x3ff00000u; }, [](U) { return 3u; },
        [](U) { return 0x3ff00000u; }}},
      {"div sqrt rcp",
       body("mul.rn.f32 %f2, %f1, %f1; add.f32 %f2, %f2, 0f3F800000; div.rn.f32 %f3, %f1, %f2; "
            "sqrt.rn.f32 %f4, %f2;"
            "rcp.rn.f32 %f5, %f2; st.global.v2.f32 [%rd0], {%f3, %f4}; st.global.f32 [%rd0+8], "
            "%f5;"),
       {[](U l) { return bits(value(l) / (value(l) * value(l) + 1.0f)); },
        [](U l) { return bits(std::sqrt(value(l) * value(l) + 1.0f)); },
        [](U l) { return bits(1.0f / (value(l) * value(l) + 1.0f)); }}},
      {"through neg and mov, with a factor that is overwritten, mul and add are one fma",
       body("mul.rn.f32 %f5, %f1, %f1; mov.f32 %f2, %f1; mul.f32 %f3, %f2, %f1; mov.f32 %f2, "
            "0f00000000; neg.f32 %f4, %f3; mov.b32 %r1, %f4; mov.b32 %f6, %r1; add.f32 %f7, %f6, "
            "%f5; sub.f32 %f8, %f6, %f5; st.global.v2.f32 [%rd0], {%f7, %f8}; "
            "st.global.f32 [%rd0+8], %f2;"),
       {[](U l) { return bits(std::fma(-value(l), value(l), value(l) * value(l))); },
        [](U l) { return bits(std::fma(-value(l), value(l), -(value(l) * value(l)))); },
        [](U) { return bits(0.0f); }}},
      {"through abs, or with a flush between, they are not",
       body("mul.rn.f32 %f5, %f1, %f1; mul.f32 %f3, %f1, %f1; abs.f32 %f4, %f3; sub.f32 %f6, %f4, "
            "%f5; mul.f32 %f7, %f1, %f1; neg.ftz.f32 %f8, %f7; add.f32 %f8, %f8, %f5; "
            "st.global.v2.f32 [%rd0], {%f6, %f8};"),
       {[](U) { return bits(0.0f); }, [](U) { return bits(0.0f); }}},
      {"of two products the one with fewer sums goes into the fma",
       body("mul.f32 %f2, %f1, 0f3F9D70A4; mul.f32 %f3, %f1, 0f3FA66666; sub.f32 %f4, %f2, %f3; "
            "sub.f32 %f5, %f2, %f1; st.global.v2.f32 [%rd0], {%f4, %f5};"),
       {[](U l) { return bits(std::fma(-value(l), 1.3f, value(l) * 1.23f)); },
        [](U l) { return bits(value(l) * 1.23f - value(l)); }}},
      {"mul and sub are one fma, but for .rn",
       body("mul.f32 %f2, %f1, %f1; sub.f32 %f3, %f2, %f1; mul.rn.f32 %f4, %f1, %f1; "
            "sub.f32 %f5, %f1, %f4; st.global.v2.f32 [%rd0], {%f3, %f5};"),
       {[](U l) { return bits(std::fma(value(l), value(l), -value(l))); },
        [](U l) { return bits(value(l) - value(l) * value(l)); }}},
      {"c - a * b, and a register that is its own factor",
       body("mov.f32 %f2, %f1; mul.f32 %f2, %f2, %f1; sub.f32 %f2, 0f3F800000, %f2; "
            "st.global.f32 [%rd0], %f2;"),
       {[](U l) { return bits(std::fma(-value(l), value(l), 1.0f)); }}},
      {"a product that is kept is rounded",
       body("mul.f32 %f2, %f1, %f1; sub.f32 %f3, %f2, %f1; st.global.v2.f32 [%rd0], {%f3, %f2};"),
       {[](U l) { return bits(value(l) * value(l) - value(l)); },
        [](U l) { return bits(value(l) * value(l)); }}},
      {"a sum behind a jump takes nothing in",
       body("mul.f32 %f2, %f1, %f1; setp.gt.f32 %p1, %f1, 0f7F000000; @%p1 bra L; "
            "sub.f32 %f3, %f2, %f1; st.global.f32 [%rd0], %f3; L:"),
       {[](U l) { return bits(value(l) * value(l) - value(l)); }}},
      {"of two products the first goes in",
       body("mul.f32 %f2, %f1, %f1; mul.f32 %f3, %f1, 0f40400000; sub.f32 %f4, %f3, %f2; "
            "st.global.f32 [%rd0], %f4;"),
       {[](U l) { return bits(std::fma(value(l), 3.0f, -(value(l) * value(l)))); }}},
      {"NaN is canonical",
       body("mov.f32 %f2, 0f7F800000; sub.f32 %f3, %f2, %f2; mov.f32 %f4, 0fFFC12345; add.f32 %f5, "
            "%f4, %f1;"
            "st.global.v2.f32 [%rd0], {%f3, %f5};"),
       {[](U) { return 0x7fffffffu; }, [](U) { return 0x7fffffffu; }}},
      {"min and max lose NaN",
       body("mov.f32 %f2, 0f7FC00000; min.f32 %f3, %f1, %f2; max.f32 %f4, %f2, %f2; max.NaN.f32 "
            "%f5, %f1, %f2;"
            "st.global.v2.f32 [%rd0], {%f3, %f4}; st.global.f32 [%rd0+8], %f5;"),
       {[](U l) { return bits(value(l)); }, [](U) { return 0x7fffffffu; },
        [](U) { return 0x7fffffffu; }}},
      {"-0 is below +0",
       body("min.f32 %f2, 0f00000000, 0f80000000; max.f32 %f3, 0f80000000, 0f00000000;"
            "min.f32 %f4, 0f80000000, 0f00000000; max.f32 %f5, 0f00000000, 0f80000000;"
            "st.global.v4.f32 [%rd0], {%f2, %f3, %f4, %f5};"),
       {[](U) { return 0x80000000u; }, [](U) { return 0u; }, [](U) { return 0x80000000u; },
        [](U) { return 0u; }}},
      {"ftz flushes inputs and results",
       body("add.ftz.f32 %f2, 0f807FFFFF, 0f00000000; mul.ftz.f32 %f3, 0f00800000, 0f3F000000;"
            "mul.f32 %f4, 0f00800000, 0f3F000000; st.global.v2.f32 [%rd0], {%f2, %f3};"
            "st.global.f32 [%rd0+8], %f4;"),
       {[](U) { return 0u; }, [](U) { return 0u; }, [](U) { return 0x00400000u; }}},
      {"saturation to [0, 1]",
       body("add.sat.f32 %f2, %f1, 0f00000000; mov.f32 %f3, 0f7FC00000; mul.sat.f32 %f4, %f3, %f1;"
            "st.global.v2.f32 [%rd0], {%f2, %f4};"),
       {[](U l) { return bits(value(l) < 0   ? 0.0f
                              : value(l) > 1 ? 1.0f
                                             : value(l)); },
        [](U) { return 0u; }}},
      {"neg abs copysign",
       body("neg.f32 %f2, %f1; abs.f32 %f3, %f1; copysign.f32 %f4, %f1, 0f40000000; "
            "st.global.v2.f32 [%rd0], {%f2, %f3};"
            "st.global.f32 [%rd0+8], %f4;"),
       {[](U l) { return bits(-value(l)); }, [](U l) { return bits(std::fabs(value(l))); },
        [](U l) { return bits(value(l) < 0 ? -2.0f : 2.0f); }}},
      {"f64 arithmetic",
       body("cvt.f64.f32 %fd1, %f1; fma.rn.f64 %fd2, %fd1, %fd1, 0d3FB999999999999A; div.rn.f64 "
            "%fd3, %fd2, %fd1;"
            "st.global.f64 [%rd0], %fd2; st.global.f64 [%rd0+8], %fd3;"),
       {[](U l) {
          const double v = std::fma(double{value(l)}, double{value(l)}, 0.1);
          std::uint64_t p;
          std::memcpy(&p, &v, 8);
          return U(p);
        },
        [](U l) {
          const double v = std::fma(double{value(l)}, double{value(l)}, 0.1);
          std::uint64_t p;
          std::memcpy(&p, &v, 8);
          return U(p >> 32);
        },
        [](U l) {
          const double v = std::fma(double{value(l)}, double{value(l)}, 0.1) / value(l);
          std::uint64_t p;
          std::memcpy(&p, &v, 8);
          return U(p);
        }}},
      {"comparisons with NaN",
       body("mov.f32 %f2, 0f7FC00000; setp.lt.f32 %p1, %f1, %f2; setp.ltu.f32 %p2, %f1, %f2; "
            "setp.ne.f32 %p3, %f1, %f2;"
            "setp.neu.f32 %p4, %f1, %f2; setp.num.f32 %p5, %f1, %f1; setp.nan.f32 %p6, %f1, %f2; "
            "mov.u32 %r2, 0;"
            "@%p1 or.b32 %r2, %r2, 1; @%p2 or.b32 %r2, %r2, 2; @%p3 or.b32 %r2, %r2, 4; @%p4 "
            "or.b32 %r2, %r2, 8;"
            "@%p5 or.b32 %r2, %r2, 16; @%p6 or.b32 %r2, %r2, 32; st.global.u32 [%rd0], %r2;"),
       {[](U) { return 2u + 8 + 16 + 32; }}},
      {"add.f16",
       body("cvt.rn.f16.f32 %h1, %f1; add.f16 %h2, %h1, %h10; mul.f16 %h3, %h1, %h1; mov.b32 "
            "%r2, {%h2, %h3};"
            "st.global.u32 [%rd0], %r2;"),
       {[](U l) {
         const double v = half_value(half(value(l)));
         return half(v + half_value(0x2e66)) | half(v * v) << 16;
       }}},
      {"fma.f16 rounds once",
       body("cvt.rn.f16.f32 %h1, %f1; fma.rn.f16 %h2, %h1, %h1, %h11; sub.f16 %h3, %h1, %h12; "
            "mov.b32 %r2, {%h2, %h3};"
            "st.global.u32 [%rd0], %r2;"),
       {[](U l) {
         const double v = half_value(half(value(l)));
         return half(v * v + half_value(0x1001)) | half(v - 1.0) << 16;
       }}},
      {"f16x2",
       body("cvt.rn.f16.f32 %h1, %f1; mov.b32 %r2, {%h1, %h1}; mov.u32 %r3, 0xc0003c00; add.f16x2 "
            "%r4, %r2, %r3;"
            "mul.f16x2 %r5, %r2, %r3; fma.rn.f16x2 %r6, %r2, %r2, %r3; max.f16x2 %r7, %r2, %r3;"
            "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};"),
       {[](U l) {
          const double v = half_value(half(value(l)));
          return half(v + 1) | half(v - 2) << 16;
        },
        [](U l) {
          const double v = half_value(half(value(l)));
          return half(v) | half(v * -2) << 16;
        },
        [](U l) {
          const double v = half_value(half(value(l)));
          return half(v * v + 1) | half(v * v - 2) << 16;
        },
        [](U l) {
          const double v = half_value(half(value(l)));
          return half(std::fmax(v, 1)) | half(std::fmax(v, -2)) << 16;
        }},
       "sm_80"},
      {"half NaN, overflow, subnormal",
       body(
           "mov.b16 %h1, 0x7bff; add.f16 %h2, %h1, %h1; mov.b16 %h3, 0x7d01; add.f16 %h4, %h3, %h1;"
           "mov.b16 %h5, 0x0400; mul.f16 %h6, %h5, %h13; mul.ftz.f16 %h7, %h5, %h13; mov.b32 "
           "%r2, {%h2, %h4};"
           "mov.b32 %r3, {%h6, %h7}; st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U) { return 0x7fff7c00u; }, [](U) { return 0x00000200u; }}},
      {"bf16 fma",
       body("cvt.rn.bf16.f32 %h1, %f1; fma.rn.bf16 %h2, %h1, %h1, %h14; neg.bf16 %h3, %h1; "
            "mov.b32 %r2, {%h2, %h3};"
            "fma.rn.relu.bf16x2 %r3, %r2, %r2, %r2; st.global.u32 [%rd0], %r2;"),
       {[](U l) {
         const double v = numeric::decode(numeric::kBf16, brain(value(l)));
         return brain(v * v + numeric::decode(numeric::kBf16, 0x3dcd)) | brain(-v) << 16;
       }}},
      {"bf16 add and mul",
       body("cvt.rn.bf16.f32 %h1, %f1; add.bf16 %h2, %h1, %h14; mul.bf16 %h3, %h1, %h1; mov.b32 "
            "%r2, {%h2, %h3};"
            "st.global.u32 [%rd0], %r2;"),
       {[](U l) {
         const double v = numeric::decode(numeric::kBf16, brain(value(l)));
         return brain(v + numeric::decode(numeric::kBf16, 0x3dcd)) | brain(v * v) << 16;
       }},
       "sm_90"},
      {"relu",
       body("cvt.rn.f16.f32 %h1, %f1; fma.rn.relu.f16 %h2, %h1, %h12, %h15; cvt.u32.u16 %r2, "
            "%h2; st.global.u32 [%rd0], %r2;"),
       {[](U l) { return value(l) < 0 ? 0u : half(value(l)); }}},
      {"powers and roots of exact cases",
       body("ex2.approx.f32 %f2, 0f40400000; lg2.approx.f32 %f3, 0f41800000; rsqrt.approx.f32 %f4, "
            "0f40800000;"
            "sin.approx.f32 %f5, 0f00000000; st.global.v4.f32 [%rd0], {%f2, %f3, %f4, %f5};"
            "cos.approx.f32 %f2, 0f00000000; tanh.approx.f32 %f3, 0f00000000; st.global.v2.f32 "
            "[%rd0+16], {%f2, %f3};"),
       {[](U) { return bits(8.0f); }, [](U) { return bits(4.0f); }, [](U) { return bits(0.5f); },
        [](U) { return 0u; }, [](U) { return bits(1.0f); }, [](U) { return 0u; }}},
  };
}

}  // namespace

std::span<const Snippet> real_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
