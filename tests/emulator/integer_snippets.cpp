// SPDX-License-Identifier: MIT
// Integer arithmetic, logic, shifts, bit fields, comparison and selection. The expected values are
// written from the PTX ISA's text (9.7.1, 9.7.2, 9.7.6 to 9.7.8), not from the emulator.
#include <memory>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;
using V = std::uint64_t;

// A word that differs in every lane and uses all its bits.
U mixed(U lane) { return lane * 0x9e3779b9u + 0x7f4a7c15u; }
constexpr std::string_view kMixed = "mad.lo.u32 %r1, %r0, 0x9e3779b9, 0x7f4a7c15;\n";

std::string with_mixed(std::string_view body) { return std::string(kMixed) + std::string(body); }

U bfe_u32(U a, U pos, U len) {
  U made = 0;
  for (U k = 0; k < len && pos + k < 32; ++k) made |= ((a >> (pos + k)) & 1) << k;
  return made;
}
U bfe_s32(U a, U pos, U len) {
  if (len == 0) return 0;
  const U top = pos + len - 1 < 31 ? pos + len - 1 : 31;
  const U sign = (a >> top) & 1;
  U made = 0;
  for (U k = 0; k < 32; ++k) made |= (k < len && pos + k <= 31 ? (a >> (pos + k)) & 1 : sign) << k;
  return made;
}
U reversed(U a) {
  U made = 0;
  for (int k = 0; k < 32; ++k)
    if (((a >> k) & 1) != 0) made |= 1u << (31 - k);
  return made;
}
U lop(U a, U b, U c, U table) {
  U made = 0;
  for (int k = 0; k < 32; ++k) {
    const U index = ((a >> k) & 1) << 2 | ((b >> k) & 1) << 1 | ((c >> k) & 1);
    made |= ((table >> index) & 1) << k;
  }
  return made;
}

// Bodies live here: a Snippet keeps views.
std::string_view body(std::string text) {
  static std::vector<std::unique_ptr<std::string>> all;
  all.push_back(std::make_unique<std::string>(with_mixed(text)));
  return *all.back();
}

std::vector<Snippet> build() {
  return {
      {"add.s32 wraps", body("add.s32 %r2, %r1, 0x7fffffff; st.global.u32 [%rd0], %r2;"), {[](U l) {
         return mixed(l) + 0x7fffffffu;
       }}},
      {"add.sat.s32",
       body("add.sat.s32 %r2, %r1, 0x40000000; sub.sat.s32 %r3, %r1, 0x40000000;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) {
          const std::int64_t sum = std::int64_t{S(mixed(l))} + 0x40000000;
          return U(sum > INT32_MAX ? INT32_MAX : sum);
        },
        [](U l) {
          const std::int64_t sum = std::int64_t{S(mixed(l))} - 0x40000000;
          return U(sum < INT32_MIN ? INT32_MIN : sum);
        }}},
      {"sub.u16 wraps",
       body("cvt.u16.u32 %h0, %r1; sub.u16 %h1, 5, %h0; cvt.u32.u16 %r2, %h1;"
            "st.global.u32 [%rd0], %r2;"),
       {[](U l) { return (5 - mixed(l)) & 0xffff; }}},
      {"add.s64",
       body("cvt.s64.s32 %rd1, %r1; add.s64 %rd2, %rd1, -3; st.global.u64 [%rd0], %rd2;"),
       {[](U l) { return U(S(mixed(l)) - std::int64_t{3}); },
        [](U l) { return U((S(mixed(l)) - std::int64_t{3}) >> 32); }}},
      {"mul.lo.s32", body("mul.lo.s32 %r2, %r1, %r1; st.global.u32 [%rd0], %r2;"), {[](U l) {
         return mixed(l) * mixed(l);
       }}},
      {"mul.lo.u16",
       body("cvt.u16.u32 %h0, %r1; mul.lo.u16 %h1, %h0, %h0; cvt.u32.u16 %r2, %h1;"
            "st.global.u32 [%rd0], %r2;"),
       {[](U l) { return (mixed(l) & 0xffff) * (mixed(l) & 0xffff) & 0xffff; }}},
      {"mul.hi.u32",
       body("mul.hi.u32 %r2, %r1, %r1; mul.hi.s32 %r3, %r1, 77;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return U(V{mixed(l)} * mixed(l) >> 32); },
        [](U l) { return U(std::int64_t{S(mixed(l))} * 77 >> 32); }}},
      {"mul.hi.u64",
       body("mov.b64 %rd1, {%r1, %r1}; mul.hi.u64 %rd2, %rd1, 0x100000003;"
            "st.global.u64 [%rd0], %rd2;"),
       {[](U l) {
          const V a = V{mixed(l)} << 32 | mixed(l);
          return U((a + (V{a & 0xffffffffu} * 3 >> 32) + (a >> 32) * 3) >> 32);
        },
        [](U l) {
          const V a = V{mixed(l)} << 32 | mixed(l);
          const V sum = a + (V{a & 0xffffffffu} * 3 >> 32);
          const V high = (a >> 32) * 3;
          const V carry = sum + high < sum ? 1 : 0;
          return U((sum + high) >> 32 >> 32) + U(carry);
        }}},
      {"mul.wide.s32",
       body("mul.wide.s32 %rd1, %r1, -7; st.global.u64 [%rd0], %rd1;"),
       {[](U l) { return U(std::int64_t{S(mixed(l))} * -7); },
        [](U l) { return U((std::int64_t{S(mixed(l))} * -7) >> 32); }}},
      {"mul.wide.u16",
       body("cvt.u16.u32 %h0, %r1; mul.wide.u16 %r2, %h0, 60000;"
            "mul.wide.s16 %r3, %h0, -5; st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return (mixed(l) & 0xffff) * 60000u; },
        [](U l) { return U(S(std::int16_t(mixed(l))) * -5); }}},
      {"mad",
       body("mad.lo.s32 %r2, %r1, 3, %r0; mad.hi.u32 %r3, %r1, 0x10000, %r0;"
            "mad.wide.u32 %rd1, %r1, 9, 0xffffffffffffffff;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u64 [%rd0+8], %rd1;"),
       {[](U l) { return mixed(l) * 3 + l; }, [](U l) { return (mixed(l) >> 16) + l; },
        [](U l) { return U(V{mixed(l)} * 9 - 1); },
        [](U l) { return U((V{mixed(l)} * 9 - 1) >> 32); }}},
      {"mul24",
       body("mul24.lo.u32 %r2, %r1, %r1; mul24.lo.s32 %r3, %r1, 3;"
            "mad24.lo.u32 %r4, %r1, 2, 1; st.global.v2.u32 [%rd0], {%r2, %r3};"
            "st.global.u32 [%rd0+8], %r4;"),
       {[](U l) { return (mixed(l) & 0xffffff) * (mixed(l) & 0xffffff); },
        [](U l) { return U(S(mixed(l) << 8) >> 8) * 3; },
        [](U l) { return (mixed(l) & 0xffffff) * 2 + 1; }}},
      {"div and rem s32",
       body("add.s32 %r2, %r0, -16; div.s32 %r3, %r1, -7; rem.s32 %r4, %r2, 5;"
            "st.global.v2.u32 [%rd0], {%r3, %r4};"),
       {[](U l) { return U(S(mixed(l)) / -7); }, [](U l) { return U((S(l) - 16) % 5); }}},
      {"div and rem u64",
       body("mov.b64 %rd1, {%r0, %r1}; div.u64 %rd2, %rd1, 10; rem.u64 %rd3, %rd1, 10;"
            "st.global.v2.u64 [%rd0], {%rd2, %rd3};"),
       {[](U l) { return U((V{mixed(l)} << 32 | l) / 10); },
        [](U l) { return U((V{mixed(l)} << 32 | l) / 10 >> 32); },
        [](U l) { return U((V{mixed(l)} << 32 | l) % 10); }, [](U) { return 0u; }}},
      {"division by zero gives all ones",
       body("mov.u32 %r9, 0; div.u32 %r2, %r1, %r9; div.s32 %r3, %r1, %r9;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U) { return 0xffffffffu; }, [](U) { return 0xffffffffu; }}},
      {"the smallest s32 by -1",
       body("mov.u32 %r9, -1; mov.u32 %r8, 0x80000000; div.s32 %r2, %r8, %r9;"
            "rem.s32 %r3, %r8, %r9; st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U) { return 0x80000000u; }, [](U) { return 0u; }}},
      {"min max abs neg",
       body("min.s32 %r2, %r1, 5; max.u32 %r3, %r1, 0x80000000; abs.s32 %r4, %r1;"
            "neg.s32 %r5, %r1; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return S(mixed(l)) < 5 ? mixed(l) : 5u; },
        [](U l) { return mixed(l) > 0x80000000u ? mixed(l) : 0x80000000u; },
        [](U l) { return S(mixed(l)) < 0 ? 0 - mixed(l) : mixed(l); },
        [](U l) { return 0 - mixed(l); }}},
      {"sad", body("sad.u32 %r2, %r1, 0x80000000, %r0; st.global.u32 [%rd0], %r2;"), {[](U l) {
         return (mixed(l) > 0x80000000u ? mixed(l) - 0x80000000u : 0x80000000u - mixed(l)) + l;
       }}},
      {"and or xor not",
       body("and.b32 %r2, %r1, 0xff00ff; or.b32 %r3, %r1, %r0; xor.b32 %r4, %r1, -1;"
            "not.b32 %r5, %r1; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return mixed(l) & 0xff00ff; }, [](U l) { return mixed(l) | l; },
        [](U l) { return ~mixed(l); }, [](U l) { return ~mixed(l); }}},
      {"cnot",
       body("and.b32 %r2, %r0, 1; cnot.b32 %r3, %r2; st.global.u32 [%rd0], %r3;"),
       {[](U l) { return (l & 1) == 0 ? 1u : 0u; }}},
      {"shl clamps at the width",
       body("add.u32 %r2, %r0, 20; shl.b32 %r3, %r1, %r2; shl.b32 %r4, %r1, 0x100;"
            "st.global.v2.u32 [%rd0], {%r3, %r4};"),
       {[](U l) { return l + 20 > 31 ? 0 : mixed(l) << (l + 20); }, [](U) { return 0u; }}},
      {"shr clamps at the width",
       body("add.u32 %r2, %r0, 20; shr.u32 %r3, %r1, %r2; shr.s32 %r4, %r1, %r2;"
            "st.global.v2.u32 [%rd0], {%r3, %r4};"),
       {[](U l) { return l + 20 > 31 ? 0 : mixed(l) >> (l + 20); },
        [](U l) { return U(S(mixed(l)) >> (l + 20 > 31 ? 31 : l + 20)); }}},
      {"shifts of 16 bits",
       body("cvt.u16.u32 %h0, %r1; shr.s16 %h1, %h0, 4; shl.b16 %h2, %h0, 4;"
            "shr.u16 %h3, %h0, 16; mov.b32 %r2, {%h1, %h2}; cvt.u32.u16 %r3, %h3;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) {
          return U(std::uint16_t(std::int16_t(mixed(l)) >> 4)) | (mixed(l) << 4 & 0xffff) << 16;
        },
        [](U) { return 0u; }}},
      {"shr.s64",
       body("cvt.s64.s32 %rd1, %r1; shr.s64 %rd2, %rd1, 70; shl.b64 %rd3, %rd1, 33;"
            "st.global.v2.u64 [%rd0], {%rd2, %rd3};"),
       {[](U l) { return S(mixed(l)) < 0 ? ~0u : 0u; },
        [](U l) { return S(mixed(l)) < 0 ? ~0u : 0u; }, [](U) { return 0u; },
        [](U l) { return mixed(l) << 1; }}},
      {"shf.l.wrap",
       body("shf.l.wrap.b32 %r2, %r0, %r1, 36; shf.l.clamp.b32 %r3, %r0, %r1, 36;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return mixed(l) << 4 | l >> 28; }, [](U l) { return l; }}},
      {"shf.r.clamp",
       body("shf.r.wrap.b32 %r2, %r1, %r0, 35; shf.r.clamp.b32 %r3, %r1, %r0, 35;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return l << 29 | mixed(l) >> 3; }, [](U l) { return l; }}},
      {"lop3 of every lane's own table",
       body("lop3.b32 %r2, %r1, %r0, 0x0f0f0f0f, 0xe8;"
            "lop3.b32 %r3, %r1, %r0, 0x0f0f0f0f, 0x1b;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return lop(mixed(l), l, 0x0f0f0f0f, 0xe8); },
        [](U l) { return lop(mixed(l), l, 0x0f0f0f0f, 0x1b); }}},
      {"bfe",
       body("bfe.u32 %r2, %r1, %r0, 7; bfe.s32 %r3, %r1, %r0, 7; bfe.s32 %r4, %r1, 3, 0;"
            "bfe.u32 %r5, %r1, 40, 3; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return bfe_u32(mixed(l), l, 7); }, [](U l) { return bfe_s32(mixed(l), l, 7); },
        [](U) { return 0u; }, [](U) { return 0u; }}},
      {"bfi",
       body("bfi.b32 %r2, 0x55, %r1, %r0, 8; bfi.b32 %r3, %r1, %r0, 4, 0;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) {
          const U mask = U(V{0xff} << l);
          return (mixed(l) & ~mask) | (U(V{0x55} << l) & mask);
        },
        [](U l) { return l; }}},
      {"bfi.b64",
       body("mov.b64 %rd1, {%r0, %r1}; bfi.b64 %rd2, %rd1, 0, 60, 4;"
            "st.global.u64 [%rd0], %rd2;"),
       {[](U) { return 0u; }, [](U l) { return l << 28; }}},
      {"popc clz brev",
       body("popc.b32 %r2, %r1; clz.b32 %r3, %r0; brev.b32 %r4, %r1; mov.b64 %rd1, {%r1, %r1};"
            "popc.b64 %r5, %rd1; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return U(__builtin_popcount(mixed(l))); },
        [](U l) { return l == 0 ? 32u : U(__builtin_clz(l)); },
        [](U l) { return reversed(mixed(l)); },
        [](U l) { return 2 * U(__builtin_popcount(mixed(l))); }}},
      {"bfind",
       body("bfind.u32 %r2, %r0; add.s32 %r9, %r0, -16; bfind.s32 %r3, %r9; bfind.shiftamt.u32 "
            "%r4, %r0;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;"),
       {[](U l) { return l == 0 ? ~0u : 31 - U(__builtin_clz(l)); },
        [](U l) {
          const U a = S(l) - 16 < 0 ? ~(l - 16) : l - 16;
          return a == 0 ? ~0u : 31 - U(__builtin_clz(a));
        },
        [](U l) { return l == 0 ? ~0u : U(__builtin_clz(l)); }}},
      {"prmt",
       body("mov.u32 %r9, 0x83828180; mov.u32 %r8, 0x07060504; prmt.b32 %r2, %r9, %r8, 0x7531;"
            "prmt.b32 %r3, %r9, %r8, 0xc8d0; prmt.b32 %r4, %r9, %r8, %r0;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;"),
       {[](U) { return 0x07058381u; }, [](U) { return 0x00ff0080u; },
        [](U l) {
          // Selector nibbles 2 and 3 are 0: byte 0 of a.
          const V all = V{0x07060504} << 32 | 0x83828180u;
          const auto pick = [&](U n) {
            const U value = U(all >> (8 * (n & 7))) & 0xff;
            return (n & 8) != 0 ? ((value & 0x80) != 0 ? 0xffu : 0u) : value;
          };
          return pick(l & 15) | pick(l >> 4) << 8 | 0x80800000u;
        }}},
      {"prmt modes",
       body("mov.u32 %r9, 0x03020100; mov.u32 %r8, 0x07060504; prmt.b32.f4e %r2, %r9, %r8, 1;"
            "prmt.b32.b4e %r3, %r9, %r8, 1; prmt.b32.rc8 %r4, %r9, %r8, 2; prmt.b32.rc16 %r5, %r9, "
            "%r8, 1;"
            "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"
            "prmt.b32.ecl %r2, %r9, %r8, 2; prmt.b32.ecr %r3, %r9, %r8, 2;"
            "st.global.v2.u32 [%rd0+16], {%r2, %r3};"),
       {[](U) { return 0x04030201u; }, [](U) { return 0x06070001u; }, [](U) { return 0x02020202u; },
        [](U) { return 0x03020302u; }, [](U) { return 0x03020202u; },
        [](U) { return 0x02020100u; }}},
      {"dp4a",
       body("dp4a.s32.u32 %r2, %r1, 0x01020304, %r0; dp2a.lo.u32.s32 %r3, %r1, 0xff02fffe, 1;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) {
          S sum = S(l);
          for (int k = 0; k < 4; ++k) sum += S(std::int8_t(mixed(l) >> (8 * k))) * (4 - k);
          return U(sum);
        },
        [](U l) { return (mixed(l) & 0xffff) * U(-2) + (mixed(l) >> 16) * U(-1) + 1; }}},
      {"carries",
       body("add.cc.u32 %r2, %r1, 0xf0000000; addc.u32 %r3, 0, 0; sub.cc.u32 %r4, %r0, 16;"
            "subc.u32 %r5, 7, 0; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};"),
       {[](U l) { return mixed(l) + 0xf0000000u; },
        [](U l) { return (V{mixed(l)} + 0xf0000000u) >> 32 != 0 ? 1u : 0u; },
        [](U l) { return l - 16; }, [](U l) { return l < 16 ? 6u : 7u; }}},
      {"mad.lo.cc",
       body("mad.lo.cc.u32 %r2, %r1, 5, 0xffffffff; madc.hi.u32 %r3, %r1, 5, 0;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return mixed(l) * 5 - 1; },
        [](U l) { return U((V{mixed(l)} * 5 + 0xffffffffu) >> 32); }}},
      {"selp",
       body("setp.lt.u32 %p1, %r0, 10; selp.b32 %r2, %r1, 9, %p1; selp.u32 %r3, 1, 0, %p1;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return l < 10 ? mixed(l) : 9u; }, [](U l) { return l < 10 ? 1u : 0u; }}},
      {"slct",
       body("add.s32 %r9, %r0, -16; slct.u32.s32 %r2, 1, 2, %r9; st.global.u32 [%rd0], %r2;"),
       {[](U l) { return S(l) - 16 >= 0 ? 1u : 2u; }}},
      {"setp signed and unsigned",
       body(
           "setp.lt.s32 %p1, %r1, 100; setp.lt.u32 %p2, %r1, 100; setp.hi.u32 %p3, %r1, 0x80000000;"
           "selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3;"
           "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;"),
       {[](U l) { return S(mixed(l)) < 100 ? 1u : 0u; },
        [](U l) { return mixed(l) < 100 ? 1u : 0u; },
        [](U l) { return mixed(l) > 0x80000000u ? 1u : 0u; }}},
      {"setp combines and writes two",
       body("setp.lt.u32 %p1, %r0, 20; setp.ge.and.u32 %p2|%p3, %r0, 10, %p1;"
            "selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, %p3;"
            "st.global.v2.u32 [%rd0], {%r2, %r3};"),
       {[](U l) { return l >= 10 && l < 20 ? 1u : 0u; }, [](U l) { return l < 10 ? 1u : 0u; }}},
      {"set",
       body("set.lt.u32.u32 %r2, %r0, 7; set.ge.f32.s32 %f1, %r0, 7; st.global.u32 [%rd0], %r2;"
            "st.global.f32 [%rd0+4], %f1;"),
       {[](U l) { return l < 7 ? ~0u : 0u; }, [](U l) { return l >= 7 ? 0x3f800000u : 0u; }}},
      {"predicate logic",
       body("setp.lt.u32 %p1, %r0, 16; setp.eq.u32 %p2, %r0, 3; and.pred %p3, %p1, %p2; or.pred "
            "%p4, %p1, %p2;"
            "xor.pred %p5, %p1, %p2; not.pred %p6, %p1; selp.u32 %r2, 1, 0, %p3; selp.u32 %r3, 1, "
            "0, %p4;"
            "selp.u32 %r4, 1, 0, %p5; selp.u32 %r5, 1, 0, %p6; st.global.v4.u32 [%rd0], {%r2, %r3, "
            "%r4, %r5};"),
       {[](U l) { return l == 3 ? 1u : 0u; }, [](U l) { return l < 16 ? 1u : 0u; },
        [](U l) { return l < 16 && l != 3 ? 1u : 0u; }, [](U l) { return l < 16 ? 0u : 1u; }}},
      {"bmsk and szext",
       body("bmsk.clamp.b32 %r2, 4, %r0; szext.clamp.s32 %r3, %r1, 8; szext.wrap.u32 %r4, %r1, 36;"
            "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;"),
       {[](U l) { return U(((V{1} << l) - 1) << 4); },
        [](U l) { return U(S(std::int8_t(mixed(l)))); }, [](U l) { return mixed(l) & 15; }}},
  };
}

}  // namespace

std::span<const Snippet> integer_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
