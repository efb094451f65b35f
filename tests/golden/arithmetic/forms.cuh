// SPDX-License-Identifier: MIT
// The instructions that record.cu asks, as inline PTX: a struct each, from instructions.inc, and
// the macros that write them. A macro's name counts the registers of D, A and B.
//
// Source: PTX ISA 9.2, 9.7.14.5 (mma), 9.7.14.6 (mma.sp), 9.7.15 (wgmma).
#pragma once

#include <cstdint>

using Word = std::uint32_t;

// How a lane's metadata is put together from the rows' bits (PTX ISA 9.2, figures 119 to 147):
// one lane of a quad hands in 16 bits of rows g and g+8; a pair the low and the high half of both;
// a pair one row each; or all four lanes a row and a half each.
enum class Meta { none, one, halves, rows, all };

#define D2(d) "+r"(d[0]), "+r"(d[1])
#define D4(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define R1(a) "r"(a[0])
#define R2(a) "r"(a[0]), "r"(a[1])
#define R4(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])

#define MMA_4_4_2(t) \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : D4(d) : R4(a), R2(b))
#define MMA_4_2_1(t) \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : D4(d) : R2(a), R1(b))
#define MMA_2_4_2(t) \
  asm volatile(t " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : D2(d) : R4(a), R2(b))
#define MMA_2_2_1(t) asm volatile(t " {%0,%1}, {%2,%3}, {%4}, {%0,%1};" : D2(d) : R2(a), R1(b))
#define MMA_2_1_1(t) asm volatile(t " {%0,%1}, {%2}, {%3}, {%0,%1};" : D2(d) : R1(a), R1(b))
#define SP_4_2_2(t)                                                          \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, 0x0;" \
               : D4(d)                                                       \
               : R2(a), R2(b), "r"(e))
#define SP_2_2_2(t) \
  asm volatile(t " {%0,%1}, {%2,%3}, {%4,%5}, {%0,%1}, %6, 0x0;" : D2(d) : R2(a), R2(b), "r"(e))
#define SP_4_4_4(t)                                                                         \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;" \
               : D4(d)                                                                      \
               : R4(a), R4(b), "r"(e))
#define SP_2_4_4(t)                                                           \
  asm volatile(t " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%0,%1}, %10, 0x0;" \
               : D2(d)                                                        \
               : R4(a), R4(b), "r"(e))

#define DENSE(id, nd, na, nb, text)                                           \
  struct id {                                                                 \
    static constexpr int kD = nd, kA = na, kB = nb;                           \
    static constexpr Meta kMeta = Meta::none;                                 \
    static constexpr const char* kName = text;                                \
    static __device__ void run(Word* d, const Word* a, const Word* b, Word) { \
      MMA_##nd##_##na##_##nb(text);                                           \
    }                                                                         \
  };
#define SPARSE(id, nd, na, nb, meta, text)                                      \
  struct id {                                                                   \
    static constexpr int kD = nd, kA = na, kB = nb;                             \
    static constexpr Meta kMeta = Meta::meta;                                   \
    static constexpr const char* kName = text;                                  \
    static __device__ void run(Word* d, const Word* a, const Word* b, Word e) { \
      SP_##nd##_##na##_##nb(text);                                              \
    }                                                                           \
  };
// A wgmma of m64n8: D 4 or 2 registers. `tail` is what follows scale-d: scales of A and B, majors.
#define WG_SS(nd, t, tail)                                                                 \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" WG_SCALE_##nd ", 0;\n" t " " WG_D_##nd \
               ", %" WG_A_##nd ", %" WG_B_##nd ", p" tail ";\n}"                           \
               : D##nd(d)                                                                  \
               : "l"(da), "l"(db), "r"(scale)                                              \
               : "memory")
#define WG_D_4 "{%0,%1,%2,%3}"
#define WG_A_4 "4"
#define WG_B_4 "5"
#define WG_SCALE_4 "6"
#define WG_D_2 "{%0,%1}"
#define WG_A_2 "2"
#define WG_B_2 "3"
#define WG_SCALE_2 "4"
#define WG_RS(nd, t, tail) WG_RS_##nd(t, tail)
#define WG_RS_4(t, tail)                                          \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n" t      \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, p" tail ";\n}" \
               : D4(d)                                            \
               : R4(a), "l"(db), "r"(scale)                       \
               : "memory")
#define WG_RS_2(t, tail)                                                                           \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %7, 0;\n" t " {%0,%1}, {%2,%3,%4,%5}, %6, p" tail \
               ";\n}"                                                                              \
               : D2(d)                                                                             \
               : R4(a), "l"(db), "r"(scale)                                                        \
               : "memory")
#define WGSP_SS(nd, t, tail) WGSP_SS_##nd(t, tail)
#define WGSP_SS_4(t, tail)                                    \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n" t  \
               " {%0,%1,%2,%3}, %4, %5, %7, 0, p" tail ";\n}" \
               : D4(d)                                        \
               : "l"(da), "l"(db), "r"(scale), "r"(e)         \
               : "memory")
#define WGSP_SS_2(t, tail)                                                                     \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n" t " {%0,%1}, %2, %3, %5, 0, p" tail \
               ";\n}"                                                                          \
               : D2(d)                                                                         \
               : "l"(da), "l"(db), "r"(scale), "r"(e)                                          \
               : "memory")
#define WGSP_RS(nd, t, tail) WGSP_RS_##nd(t, tail)
#define WGSP_RS_4(t, tail)                                                \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n" t              \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %10, 0, p" tail ";\n}" \
               : D4(d)                                                    \
               : R4(a), "l"(db), "r"(scale), "r"(e)                       \
               : "memory")
#define WGSP_RS_2(t, tail)                                         \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %7, 0;\n" t       \
               " {%0,%1}, {%2,%3,%4,%5}, %6, %8, 0, p" tail ";\n}" \
               : D2(d)                                             \
               : R4(a), "l"(db), "r"(scale), "r"(e)                \
               : "memory")

#define WARPGROUP(id, nd, nb, how, meta, text, words, scale_d, tail)                       \
  struct id {                                                                              \
    static constexpr int kD = nd, kB = nb;                                                 \
    static constexpr Meta kMeta = Meta::meta;                                              \
    static constexpr Word kScale = scale_d;                                                \
    static constexpr const char* kName = text words;                                       \
    static __device__ void run(Word* d, const Word* a, std::uint64_t da, std::uint64_t db, \
                               Word scale, Word e) {                                       \
      how(nd, text, tail);                                                                 \
    }                                                                                      \
  };

#include "instructions.inc"
