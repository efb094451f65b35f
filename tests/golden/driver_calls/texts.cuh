// SPDX-License-Identifier: MIT
// PTX for the driver to load, right and damaged.
#pragma once

#include "../calls/draws.cuh"

namespace calls {

/// Kernels of every kind that launches tell apart, and variables of every memory.
inline const char* const kPtx = R"(.version 9.0
.target sm_90a
.address_size 64
.visible .global .align 4 .u32 g[64] = {7};
.visible .const .align 4 .u32 c[16] = {5};
.visible .global .attribute(.managed) .align 4 .u32 m;
.extern .shared .align 16 .b8 dynamic_memory[];
.visible .entry nothing()
{
  ret;
}
.visible .entry writes(.param .u64 to, .param .u32 value)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  setp.eq.u64 %p1, %rd1, 0;
  @%p1 bra done;
  st.u32 [%rd1], %r1;
done:
  ret;
}
.visible .entry with_shared()
{
  .reg .b32 %r<3>;
  .shared .align 4 .b8 memory[1024];
  mov.u32 %r1, 1;
  st.shared.u32 [memory], %r1;
  ret;
}
.visible .entry with_dynamic()
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %dynamic_smem_size;
  setp.lt.u32 %p1, %r1, 4;
  @%p1 bra done;
  st.shared.u32 [dynamic_memory], %r1;
done:
  ret;
}
.visible .entry bounded() .maxntid 128
{
  ret;
}
.visible .entry exact() .reqntid 32, 2
{
  ret;
}
.visible .entry clustered() .explicitcluster .reqnctapercluster 2
{
  ret;
}
.visible .entry many(.param .u8 a, .param .align 8 .b8 b[24], .param .u16 d, .param .f64 e)
{
  ret;
}
)";

struct Text {
  const char* name;
  const char* text;
};
#define LANESCOPE_HEAD ".version 9.0\n.target sm_90a\n.address_size 64\n"
inline const Text kTexts[] = {
    {"empty", ""},
    {"nonsense", "nonsense"},
    {"head", LANESCOPE_HEAD},
    {"k", LANESCOPE_HEAD ".visible .entry k() { ret; }\n"},
    {"k sm_80", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"k sm_90", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"k sm_100", ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"k sm_100a",
     ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"no version", ".target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"no target", ".version 9.0\n.address_size 64\n.visible .entry k() { ret; }\n"},
    {"no size", ".version 9.0\n.target sm_90a\n.visible .entry k() { ret; }\n"},
    {"32 bits", ".version 9.0\n.target sm_90a\n.address_size 32\n.visible .entry k() { ret; }\n"},
    {"version 99", ".version 99.0\n.target sm_90a\n.address_size 64\n"},
    {"version 7.0", ".version 7.0\n.target sm_90a\n.address_size 64\n"},
    {"target sm_7", ".version 9.0\n.target sm_7\n.address_size 64\n"},
    {"opcode", LANESCOPE_HEAD ".visible .entry k() { rot; }\n"},
    {"undeclared", LANESCOPE_HEAD ".visible .entry k() { mov.u32 %r1, 1; ret; }\n"},
    {"wrong type", LANESCOPE_HEAD ".visible .entry k() { .reg .b64 %r; mov.u32 %r, 1; ret; }\n"},
    {"label", LANESCOPE_HEAD ".visible .entry k() { bra nowhere; }\n"},
    {"twice", LANESCOPE_HEAD ".visible .entry k() { ret; }\n.visible .entry k() { ret; }\n"},
    {"open", LANESCOPE_HEAD ".visible .entry k() { ret;\n"},
    {"extern func", LANESCOPE_HEAD ".extern .func f();\n.visible .entry k() { call f; ret; }\n"},
    {"extern global", LANESCOPE_HEAD
     ".extern .global .u32 x;\n.visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [x]; "
     "st.global.u32 [x], %r; ret; }\n"},
    {"much shared", LANESCOPE_HEAD
     ".visible .entry k() { .shared .b8 s[60000]; .reg .b32 %r; mov.u32 %r, s; st.shared.u32 "
     "[%r], %r; ret; }\n"},
    {"tcgen05", LANESCOPE_HEAD
     ".visible .entry k() { tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ret; }\n"},
    {"wgmma", LANESCOPE_HEAD ".visible .entry k() { wgmma.fence.sync.aligned; ret; }\n"},
    {"wgmma sm_90",
     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { "
     "wgmma.fence.sync.aligned; ret; }\n"},
};
#undef LANESCOPE_HEAD

/// kPtx without one of its lines.
inline std::string without_a_line() {
  const std::string text = kPtx;
  size_t lines = 0;
  for (char c : text) lines += c == '\n';
  const size_t left_out = below(unsigned(lines));
  say("line " + std::to_string(left_out + 1));
  size_t begin = 0;
  for (size_t line = 0; line < left_out; ++line) begin = text.find('\n', begin) + 1;
  return text.substr(0, begin) + text.substr(text.find('\n', begin) + 1);
}

/// kPtx with one of its characters another one.
inline std::string with_a_mistake() {
  std::string text = kPtx;
  const char others[] = ";,.%x0 {}[]:2";
  const size_t place = below(unsigned(text.size()));
  text[place] = others[below(sizeof others - 1)];
  say(std::to_string(place) + " " + text[place]);
  return text;
}

inline std::string a_text() {
  switch (below(6)) {
    case 0:
      return without_a_line();
    case 1:
      return with_a_mistake();
    case 2:
      return named("all", kPtx);
    default:
      break;
  }
  const Text& one = kTexts[below(sizeof kTexts / sizeof *kTexts)];
  return named(one.name, one.text);
}

}  // namespace calls
