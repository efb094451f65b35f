// SPDX-License-Identifier: MIT
// cvt: widths, signs, rounding, saturation (PTX ISA 9.2, 9.7.9.21).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "numeric/format.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;

U mixed(U lane) { return lane * 0x9e3779b9u + 0x7f4a7c15u; }
U low(double value) {
  std::uint64_t p;
  std::memcpy(&p, &value, 8);
  return U(p);
}
U high(double value) {
  std::uint64_t p;
  std::memcpy(&p, &value, 8);
  return U(p >> 32);
}
// -8, -7.75, ..., -0.25: quarters, so that halves tie.
float quarter(U lane) { return (static_cast<float>(lane) - 16) / 4; }

// Small formats, written down a second time: bias and bits of the mantissa.
struct Small {
  int bias, mantissa, bits;
};
constexpr Small kE2m1{1, 1, 4}, kE2m3{1, 3, 6}, kE3m2{3, 2, 6};
double value_of(Small format, U pattern) {
  const U sign = 1u << (format.bits - 1), mask = (1u << format.mantissa) - 1;
  const int field = static_cast<int>((pattern & (sign - 1)) >> format.mantissa);
  const double fraction = std::ldexp(pattern & mask, -format.mantissa) + (field > 0 ? 1 : 0);
  const double value = std::ldexp(fraction, std::max(field, 1) - format.bias);
  return (pattern & sign) != 0 ? -value : value;
}
// The nearest of all patterns, of two equally near the even one.
U nearest(Small format, float value) {
  U best = 0;
  const double size = std::fabs(value);
  for (U pattern = 1; pattern < 1u << (format.bits - 1); ++pattern) {
    const double now = std::fabs(value_of(format, pattern) - size);
    const double before = std::fabs(value_of(format, best) - size);
    if (now < before || (now == before && pattern % 2 == 0)) best = pattern;
  }
  return std::signbit(value) ? best | 1u << (format.bits - 1) : best;
}
// ue8m0 of a quarter: 0 is 2^-127 as well.
U exponent_of(U lane, bool up) {
  const float size = std::fabs(quarter(lane));
  if (size == 0) return 0;
  const float exponent = std::log2(size);
  return U(S(up ? std::ceil(exponent) : std::floor(exponent)) + 127);
}

std::string_view body(std::string text) {
  static std::vector<std::unique_ptr<std::string>> all;
  all.push_back(
      std::make_unique<std::string>("mad.lo.u32 %r1, %r0, 0x9e3779b9, 0x7f4a7c15; cvt.rn.f32.u32 "
                                    "%f1, %r0; sub.f32 %f1, %f1, 16.0; mul.f32 %f1, %f1, 0.25;\n" +
                                    text));
  return *all.back();
}

std::vector<Snippet> build() {
  return {
      {"cvt extends the sign",
       body("cvt.s32.s8 %r2, %r1; cvt.u32.u8 %r3, %r1; cvt.s32.s16 %r4, %r1; cvt.u32.u16 %r5, %r1;"
            "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return U(S(std::int8_t(mixed(l)))); }, [](U l) { return mixed(l) & 0xff; },
        [](U l) { return U(S(std::int16_t(mixed(l)))); }, [](U l) { return mixed(l) & 0xffff; }}},
      {"cvt to 64 bits",
       body("cvt.s64.s32 %rd1, %r1; cvt.u64.u32 %rd2, %r1; st.global.v2.u64 [%rd0], {%rd1, %rd2};"),
       {[](U l) { return mixed(l); }, [](U l) { return S(mixed(l)) < 0 ? ~0u : 0u; },
        [](U l) { return mixed(l); }, [](U) { return 0u; }}},
      {"cvt from 64 bits",
       body("mov.b64 %rd1, {%r1, %r0}; cvt.u32.u64 %r2, %rd1; cvt.u16.u64 %h1, %rd1; cvt.u32.u16 "
            "%r3, %h1;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return mixed(l); }, [](U l) { return mixed(l) & 0xffff; }}},
      {"cvt.s8 in a 16-bit register",
       body("cvt.s8.s32 %h1, %r1; cvt.u32.u16 %r2, %h1; st.global.u32 [%rd0], %r2;"),
       {[](U l) { return U(std::uint16_t(std::int8_t(mixed(l)))); }}},
      {"cvt.sat clamps",
       body("cvt.sat.s8.s32 %r2, %r1; cvt.sat.u8.s32 %r3, %r1; cvt.sat.u16.u32 %r4, %r1; "
            "cvt.sat.u32.s32 %r5, %r1;"
            "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return S(mixed(l)) < -128  ? U(-128)
                         : S(mixed(l)) > 127 ? 127u
                                             : mixed(l); },
        [](U l) { return S(mixed(l)) < 0     ? 0u
                         : S(mixed(l)) > 255 ? 255u
                                             : mixed(l); },
        [](U l) { return mixed(l) > 65535 ? 65535u : mixed(l); },
        [](U l) { return S(mixed(l)) < 0 ? 0u : mixed(l); }}},
      {"integers to f32 and f64",
       body("cvt.rn.f32.s32 %f2, %r1; cvt.rn.f32.u32 %f3, %r1; cvt.rn.f64.s32 %fd1, %r1; "
            "st.global.v2.f32 [%rd0], {%f2, %f3};"
            "st.global.f64 [%rd0+8], %fd1;"),
       {[](U l) { return bits(static_cast<float>(S(mixed(l)))); },
        [](U l) { return bits(static_cast<float>(mixed(l))); },
        [](U l) { return low(S(mixed(l))); }, [](U l) { return high(S(mixed(l))); }}},
      {"integers to f32 toward zero and up",
       body("mov.u32 %r2, 0x01000001; cvt.rz.f32.u32 %f2, %r2; cvt.rp.f32.u32 %f3, %r2; "
            "cvt.rm.f32.s32 %f4, -16777217;"
            "st.global.v2.f32 [%rd0], {%f2, %f3}; st.global.f32 [%rd0+8], %f4;"),
       {[](U) { return bits(16777216.0f); }, [](U) { return bits(16777218.0f); },
        [](U) { return bits(-16777218.0f); }}},
      {"f32 to s32, four roundings",
       body("cvt.rni.s32.f32 %r2, %f1; cvt.rzi.s32.f32 %r3, %f1; cvt.rmi.s32.f32 %r4, %f1; "
            "cvt.rpi.s32.f32 %r5, %f1;"
            "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return U(S(std::nearbyint(quarter(l)))); },
        [](U l) { return U(S(std::trunc(quarter(l)))); },
        [](U l) { return U(S(std::floor(quarter(l)))); },
        [](U l) { return U(S(std::ceil(quarter(l)))); }}},
      {"f32 to integers saturates",
       body("cvt.rzi.u32.f32 %r2, %f1; cvt.rzi.s32.f32 %r3, 0f7F800000; cvt.rzi.s32.f32 %r4, "
            "0fFF800000; cvt.rzi.u32.f32 %r5, 0f4F800000;"
            "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return quarter(l) < 0 ? 0u : U(quarter(l)); }, [](U) { return 0x7fffffffu; },
        [](U) { return 0x80000000u; }, [](U) { return 0xffffffffu; }}},
      {"NaN to integers",
       body("cvt.rzi.s32.f32 %r2, 0f7FC00000; cvt.rzi.s64.f32 %rd1, 0f7FC00000; cvt.rzi.u16.f32 "
            "%h1, 0f7FC00000; cvt.u32.u16 %r3, %h1;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u64 [%rd0+8], %rd1;"),
       {[](U) { return 0u; }, [](U) { return 0u; }, [](U) { return 0u; },
        [](U) { return 0x80000000u; }}},
      {"f32 to small integers",
       body("cvt.rni.s8.f32 %r2, %f1; mul.f32 %f2, %f1, 0f42C80000; cvt.rzi.s8.f32 %r3, %f2; "
            "cvt.rzi.u8.f32 %r4, %f2;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;"),
       {[](U l) { return U(S(std::nearbyint(quarter(l)))); },
        [](U l) { return U(S(std::fmin(127, std::fmax(-128, quarter(l) * 100)))); },
        [](U l) { return U(std::fmin(255, std::fmax(0, quarter(l) * 100))); }}},
      {"f32 to integral f32",
       body("cvt.rni.f32.f32 %f2, %f1; cvt.rmi.f32.f32 %f3, %f1; cvt.sat.f32.f32 %f4, %f1; "
            "st.global.v2.f32 [%rd0], {%f2, %f3};"
            "st.global.f32 [%rd0+8], %f4;"),
       {[](U l) { return bits(std::nearbyint(quarter(l))); },
        [](U l) { return bits(std::floor(quarter(l))); },
        [](U l) { return bits(quarter(l) < 0   ? 0
                              : quarter(l) > 1 ? 1
                                               : quarter(l)); }}},
      {"f64 to f32 and back",
       body("cvt.rn.f32.f64 %f2, 0d3FF0000010000000; cvt.rz.f32.f64 %f3, 0d3FF000001FFFFFFF; "
            "cvt.rp.f32.f64 %f4, 0d3FF0000000000001;"
            "cvt.f64.f32 %fd1, %f1; st.global.v2.f32 [%rd0], {%f2, %f3}; st.global.f32 [%rd0+8], "
            "%f4; st.global.f64 [%rd0+16], %fd1;"),
       {[](U) { return 0x3f800000u; }, [](U) { return 0x3f800000u; }, [](U) { return 0x3f800001u; },
        [](U l) { return l == 99 ? 0u : 0xa5a5a5a5u; }, [](U l) { return low(quarter(l)); },
        [](U l) { return high(quarter(l)); }}},
      {"f64 to f16 rounds once",
       body("cvt.rn.f16.f64 %h1, 0d3FF0020000000001; cvt.rn.f16.f64 %h2, 0d3FF0020000000000; "
            "mov.b32 %r2, {%h1, %h2};"
            "st.global.u32 [%rd0], %r2;"),
       {[](U) { return 0x3c003c01u; }}},
      {"f32 to f16 and back",
       body("cvt.rn.f16.f32 %h1, %f1; cvt.f32.f16 %f2, %h1; cvt.rz.f16.f32 %h2, 0f3F801FFF; "
            "cvt.u32.u16 %r2, %h2;"
            "st.global.f32 [%rd0], %f2; st.global.u32 [%rd0+4], %r2;"),
       {[](U l) { return bits(quarter(l)); }, [](U) { return 0x3c00u; }}},
      {"f16x2 and bf16x2 from two f32",
       body("cvt.rn.f16x2.f32 %r2, %f1, 0f3F800000; cvt.rn.bf16x2.f32 %r3, 0f3F800000, %f1; "
            "cvt.rn.relu.f16x2.f32 %r4, %f1, %f1;"
            "cvt.rz.bf16x2.f32 %r5, 0f3F80FFFF, 0fBF80FFFF; st.global.v4.u32 [%rd0], {%r2, %r3, "
            "%r4, %r5};"),
       {[](U l) { return numeric::encode(numeric::kF16, quarter(l)) << 16 | 0x3c00; },
        [](U l) { return 0x3f800000u | numeric::encode(numeric::kBf16, quarter(l)); },
        [](U l) {
          const U h = quarter(l) > 0 ? numeric::encode(numeric::kF16, quarter(l)) : 0;
          return h << 16 | h;
        },
        [](U) { return 0x3f80bf80u; }}},
      {"bf16 to f32",
       body("cvt.rn.bf16.f32 %h1, 0f3F808000; cvt.rn.bf16.f32 %h2, 0f3F818000; mov.b32 %r2, {%h1, "
            "%h2}; st.global.u32 [%rd0], %r2;"),
       {[](U) { return 0x3f823f80u; }}},
      {"cvt.f32.bf16",
       body("mov.b16 %h1, 0xc049; cvt.f32.bf16 %f2, %h1; st.global.f32 [%rd0], %f2;"),
       {[](U) { return 0xc0490000u; }},
       "sm_90"},
      {"tf32 ties away",
       body("cvt.rna.tf32.f32 %r2, 0f3F801000; cvt.rna.tf32.f32 %r3, 0f3F800FFF; st.global.v2.u32 "
            "[%rd0], {%r2, %r3};"),
       {[](U) { return 0x3f802000u; }, [](U) { return 0x3f800000u; }}},
      {"fp8 pairs",
       body("cvt.rn.satfinite.e4m3x2.f32 %h1, 0f43FA0000, 0f3F800000; cvt.rn.satfinite.e5m2x2.f32 "
            "%h2, 0f47C35000, 0fBF800000;"
            "mov.b32 %r2, {%h1, %h2}; cvt.rn.f16x2.e4m3x2 %r3, %h1; cvt.rn.f16x2.e5m2x2 %r4, %h2; "
            "cvt.rn.satfinite.e4m3x2.f16x2 %h3, %r3;"
            "cvt.u32.u16 %r5, %h3; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U) { return 0x7bbc7e38u; }, [](U) { return 0x5f003c00u; }, [](U) { return 0x7b00bc00u; },
        [](U) { return 0x7e38u; }},
       "sm_89"},
      {"pairs of e2m1",
       body("{ .reg .b8 q; cvt.rn.satfinite.e2m1x2.f32 q, %f1, 0fC2C80000; cvt.u32.u8 %r2, q; "
            "cvt.rn.f16x2.e2m1x2 %r3, q; mov.b32 %r4, {q, q, q, q}; mov.b16 %h1, {q, q}; } "
            "cvt.u32.u16 %r5, %h1; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return nearest(kE2m1, quarter(l)) << 4 | 0xf; },
        [](U l) {
          const double value = value_of(kE2m1, nearest(kE2m1, quarter(l)));
          return numeric::encode(numeric::kF16, value) << 16 | 0xc600;
        },
        [](U l) { return (nearest(kE2m1, quarter(l)) << 4 | 0xf) * 0x01010101; },
        [](U l) { return (nearest(kE2m1, quarter(l)) << 4 | 0xf) * 0x0101; }},
       "sm_120a"},
      {"pairs of e2m3 and e3m2, in bytes of which two bits are 0",
       body("cvt.rn.satfinite.relu.e2m3x2.f32 %h1, %f1, 0f40F80000; cvt.rn.satfinite.e3m2x2.f32 "
            "%h2, 0f42000000, %f1; mov.b32 %r2, {%h1, %h2}; cvt.rn.f16x2.e3m2x2 %r3, %h2; "
            "cvt.rn.relu.f16x2.e2m3x2 %r4, %h1; st.global.v2.u32 [%rd0], {%r2, %r3}; "
            "st.global.u32 [%rd0+8], %r4;"),
       {[](U l) {
          const U positive = quarter(l) > 0 ? nearest(kE2m3, quarter(l)) : 0;
          return positive << 8 | 0x1f | 0x1f000000 | nearest(kE3m2, quarter(l)) << 16;
        },
        [](U l) {
          const double value = value_of(kE3m2, nearest(kE3m2, quarter(l)));
          return numeric::encode(numeric::kF16, value) | 0x4f000000;  // 28
        },
        [](U l) {
          const double value = quarter(l) > 0 ? static_cast<double>(quarter(l)) : 0;
          return numeric::encode(numeric::kF16, value) << 16 | 0x4780;  // 7.5
        }},
       "sm_120a"},
      {"pairs of ue8m0: the magnitude's exponent, or the next",
       body("cvt.rp.satfinite.ue8m0x2.f32 %h1, %f1, 0f7F800000; cvt.rz.ue8m0x2.f32 %h2, %f1, "
            "0f7F800000; mov.b32 %r2, {%h1, %h2}; cvt.rn.bf16x2.ue8m0x2 %r3, %h1; "
            "cvt.rp.satfinite.ue8m0x2.bf16x2 %h3, %r3; cvt.rp.ue8m0x2.f32 %h4, 0f00400000, "
            "0f00400001; mov.b32 %r4, {%h3, %h4}; st.global.v2.u32 [%rd0], {%r2, %r3}; "
            "st.global.u32 [%rd0+8], %r4;"),
       {[](U l) {
          return exponent_of(l, true) << 8 | 0xfe | exponent_of(l, false) << 24 | 0xff0000;
        },
        [](U l) {  // 2^127 is 0x7f00, 2^-127 the subnormal 0x0040
          const U exponent = exponent_of(l, true);
          return (exponent == 0 ? 0x40u : exponent << 7) << 16 | 0x7f00;
        },
        [](U l) { return exponent_of(l, true) << 8 | 0xfe | 0x00010000; }},
       "sm_120a"},
      {"integers to f16",
       body("cvt.rn.f16.s32 %h1, %r0; cvt.rn.f16.u32 %h2, 70000; mov.b32 %r2, {%h1, %h2}; "
            "cvt.rn.f16.s16 %h3, %h1; st.global.u32 [%rd0], %r2;"),
       {[](U l) { return numeric::encode(numeric::kF16, l) | 0x7c000000u; }}},
      {"f16 to integers",
       body("cvt.rn.f16.f32 %h1, %f1; cvt.rni.s32.f16 %r2, %h1; cvt.rzi.s16.f16 %h2, %h1; "
            "cvt.s32.s16 %r3, %h2; st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return U(S(std::nearbyint(quarter(l)))); },
        [](U l) { return U(S(std::trunc(quarter(l)))); }}},
  };
}

}  // namespace

std::span<const Snippet> convert_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
