// SPDX-License-Identifier: MIT
// Video instructions: parts of registers, four bytes or two halves at a time (execute_video.cpp).
#include <algorithm>
#include <cstdlib>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;

// What the video snippets compute with: four bytes that differ from lane to lane.
constexpr std::string_view kBytes =
    "mul.lo.u32 %r2, %r0, 0x07c1f3a5; not.b32 %r3, %r2; xor.b32 %r3, %r3, 0x1234a5f0; "
    "mul.lo.u32 %r4, %r0, 0x01030507; mov.b32 %r20, 0; ";
U a_of(U l) { return l * 0x07c1f3a5u; }
U b_of(U l) { return ~a_of(l) ^ 0x1234a5f0u; }
U c_of(U l) { return l * 0x01030507u; }
int unsigned_byte(U word, int k) { return static_cast<int>(word >> (8 * k) & 0xff); }
int signed_byte(U word, int k) { return static_cast<std::int8_t>(unsigned_byte(word, k)); }
int signed_half(U word, int k) { return static_cast<std::int16_t>(word >> (16 * k) & 0xffff); }

std::string with_bytes(std::string_view body) { return std::string(kBytes) + std::string(body); }

const std::string kScalar = with_bytes(
    "vadd.s32.u32.s32.sat %r5, %r2.b1, %r3.h1; vsub.u32.u32.u32 %r6.b2, %r2.b3, %r3.b0, %r4; "
    "vabsdiff.u32.s32.s32.add %r7, %r2.h0, %r3.h1, %r4; vmin.s32.s32.s32.max %r8, %r2, %r3, %r4;"
    "vshl.u32.u32.u32.clamp %r9, %r2.h0, %r0; vshr.s32.s32.u32.wrap %r10, %r2, %r0; "
    "vset.u32.s32.lt.add %r11, %r2.b0, %r3.b1, %r4; vmad.s32.s32.u32.shr7 %r12, %r2.b1, %r3.b2, "
    "-%r4; st.global.v4.u32 [%rd0], {%r5, %r6, %r7, %r8}; st.global.v4.u32 [%rd0+16], {%r9, %r10, "
    "%r11, %r12};");
const std::string kSaturated = with_bytes(
    "vadd.u32.u32.u32.sat %r5, %r2, %r3; vsub.s32.u32.u32.sat %r6.h1, %r2, %r3, %r4; "
    "vmad.u32.u32.u32.sat %r7, %r2.h1, %r3.h1, %r4; vmad.s32.s32.s32 %r8, %r2.h0, %r3.h1, %r4; "
    "vmad.u32.u32.u32.po %r9, %r2.b0, %r3.b0, %r4; st.global.v4.u32 [%rd0], {%r5, %r6, %r7, %r8}; "
    "st.global.u32 [%rd0+16], %r9;");
const std::string kFour = with_bytes(
    "vadd4.s32.s32.s32.sat %r5, %r2, %r3, %r20; vabsdiff4.u32.u32.u32.add %r6, %r2, %r3, %r4; "
    "vavrg4.s32.s32.s32 %r7, %r2, %r3, %r20; vset4.u32.u32.gt %r8.b31, %r2, %r3, %r4; "
    "vsub4.u32.u32.u32 %r9, %r2.b7654, %r3.b0123, %r20; st.global.v4.u32 [%rd0], {%r5, %r6, %r7, "
    "%r8}; st.global.u32 [%rd0+16], %r9;");
const std::string kTwo = with_bytes(
    "vmax2.s32.s32.s32 %r5, %r2.h01, %r3, %r20; vadd2.s32.s32.s32.add %r6.h1, %r2, %r3, %r4; "
    "vset2.s32.s32.le %r7, %r2, %r3, %r20; st.global.v2.u32 [%rd0], {%r5, %r6}; st.global.u32 "
    "[%rd0+8], %r7;");

template <class F>
U four(F f) {
  U word = 0;
  for (int k = 0; k < 4; ++k) word |= (static_cast<U>(f(k)) & 0xff) << (8 * k);
  return word;
}
template <class F>
U two(F f) {
  return (static_cast<U>(f(0)) & 0xffff) | static_cast<U>(f(1)) << 16;
}

std::vector<Snippet> build() {
  return {
      {"vadd and its kin on parts of registers",
       kScalar,
       {[](U l) { return static_cast<U>(unsigned_byte(a_of(l), 1) + signed_half(b_of(l), 1)); },
        [](U l) {
          const U byte = static_cast<U>(unsigned_byte(a_of(l), 3) - unsigned_byte(b_of(l), 0));
          return (c_of(l) & 0xff00ffff) | (byte & 0xff) << 16;
        },
        [](U l) {
          return static_cast<U>(std::abs(signed_half(a_of(l), 0) - signed_half(b_of(l), 1))) +
                 c_of(l);
        },
        [](U l) {
          const S least = std::min(static_cast<S>(a_of(l)), static_cast<S>(b_of(l)));
          return static_cast<U>(std::max(least, static_cast<S>(c_of(l))));
        },
        [](U l) { return (a_of(l) & 0xffff) << l; },
        [](U l) { return static_cast<U>(static_cast<S>(a_of(l)) >> l); },
        [](U l) {
          return c_of(l) + (unsigned_byte(a_of(l), 0) < signed_byte(b_of(l), 1) ? 1u : 0u);
        },
        [](U l) {
          const std::int64_t product =
              std::int64_t{signed_byte(a_of(l), 1)} * unsigned_byte(b_of(l), 2);
          return static_cast<U>((product - static_cast<S>(c_of(l))) >> 7);
        }}},
      {"video instructions that saturate",
       kSaturated,
       {[](U l) {
          return a_of(l) + b_of(l);  // what a card computes, not what the ISA says
        },
        [](U l) {  // 16 bits of the result, but not shifted: as a card's, too
          return c_of(l) & 0xffff;
        },
        [](U l) {
          const std::uint64_t sum = std::uint64_t{a_of(l) >> 16} * (b_of(l) >> 16) + c_of(l);
          return sum > 0xffffffffu ? 0xffffffffu : static_cast<U>(sum);
        },
        [](U l) {
          return static_cast<U>(signed_half(a_of(l), 0) * signed_half(b_of(l), 1)) + c_of(l);
        },
        [](U l) { return (a_of(l) & 0xff) * (b_of(l) & 0xff) + c_of(l) + 1; }}},
      {"four bytes at a time",
       kFour,
       {[](U l) {
          return four([=](int k) {
            return std::clamp(signed_byte(a_of(l), k) + signed_byte(b_of(l), k), -128, 127);
          });
        },
        [](U l) {
          U sum = c_of(l);
          for (int k = 0; k < 4; ++k)
            sum += static_cast<U>(std::abs(unsigned_byte(a_of(l), k) - unsigned_byte(b_of(l), k)));
          return sum;
        },
        [](U l) {
          return four([=](int k) {
            const int sum = signed_byte(a_of(l), k) + signed_byte(b_of(l), k);
            return (sum + (sum >= 0 ? 1 : 0)) >> 1;
          });
        },
        [](U l) {
          return four([=](int k) {
            const bool greater = unsigned_byte(a_of(l), k) > unsigned_byte(b_of(l), k);
            return k % 2 == 1 ? (greater ? 1 : 0) : unsigned_byte(c_of(l), k);
          });
        },
        [](U l) {  // a.b7654 means b; b.b0123 means a, backwards
          return four(
              [=](int k) { return unsigned_byte(b_of(l), k) - unsigned_byte(a_of(l), 3 - k); });
        }}},
      {"two halves at a time",
       kTwo,
       {[](U l) {
          return two([=](int k) {
            return std::max(signed_half(a_of(l), 1 - k), signed_half(b_of(l), k));
          });
        },
        [](U l) {
          return c_of(l) + static_cast<U>(signed_half(a_of(l), 1) + signed_half(b_of(l), 1));
        },
        [](U l) {
          return two(
              [=](int k) { return signed_half(a_of(l), k) <= signed_half(b_of(l), k) ? 1 : 0; });
        }}},
  };
}

}  // namespace

std::span<const Snippet> video_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
