// SPDX-License-Identifier: MIT
// Lists of registers as text, for lesson 11's asm statements: D of a thread has 2, 4, 6, ... 128
// registers of 32 bits, d0, d1, ... REGISTERS_n names the first n, LOAD_n reads them from memory at
// c, STORE_n writes them to memory at o. A list is the one before it, and two more.
//
// And the list of all instructions, each an MMA(type, N, registers of D, K, name, immediates) as
// lesson.cu defines it.
//
// Not code to read: a program cannot count in a string literal, so somebody has to write it out.
#pragma once

// clang-format off
#define REGISTERS_2 "d0, d1"
#define LOAD_2 "ld.global.v2.b32 {d0, d1}, [c];"
#define STORE_2 "st.global.v2.b32 [o], {d0, d1};"
#define REGISTERS_4 REGISTERS_2 ", d2, d3"
#define LOAD_4 LOAD_2 "ld.global.v2.b32 {d2, d3}, [c+8];"
#define STORE_4 STORE_2 "st.global.v2.b32 [o+8], {d2, d3};"
#define REGISTERS_6 REGISTERS_4 ", d4, d5"
#define LOAD_6 LOAD_4 "ld.global.v2.b32 {d4, d5}, [c+16];"
#define STORE_6 STORE_4 "st.global.v2.b32 [o+16], {d4, d5};"
#define REGISTERS_8 REGISTERS_6 ", d6, d7"
#define LOAD_8 LOAD_6 "ld.global.v2.b32 {d6, d7}, [c+24];"
#define STORE_8 STORE_6 "st.global.v2.b32 [o+24], {d6, d7};"
#define REGISTERS_10 REGISTERS_8 ", d8, d9"
#define LOAD_10 LOAD_8 "ld.global.v2.b32 {d8, d9}, [c+32];"
#define STORE_10 STORE_8 "st.global.v2.b32 [o+32], {d8, d9};"
#define REGISTERS_12 REGISTERS_10 ", d10, d11"
#define LOAD_12 LOAD_10 "ld.global.v2.b32 {d10, d11}, [c+40];"
#define STORE_12 STORE_10 "st.global.v2.b32 [o+40], {d10, d11};"
#define REGISTERS_14 REGISTERS_12 ", d12, d13"
#define LOAD_14 LOAD_12 "ld.global.v2.b32 {d12, d13}, [c+48];"
#define STORE_14 STORE_12 "st.global.v2.b32 [o+48], {d12, d13};"
#define REGISTERS_16 REGISTERS_14 ", d14, d15"
#define LOAD_16 LOAD_14 "ld.global.v2.b32 {d14, d15}, [c+56];"
#define STORE_16 STORE_14 "st.global.v2.b32 [o+56], {d14, d15};"
#define REGISTERS_18 REGISTERS_16 ", d16, d17"
#define LOAD_18 LOAD_16 "ld.global.v2.b32 {d16, d17}, [c+64];"
#define STORE_18 STORE_16 "st.global.v2.b32 [o+64], {d16, d17};"
#define REGISTERS_20 REGISTERS_18 ", d18, d19"
#define LOAD_20 LOAD_18 "ld.global.v2.b32 {d18, d19}, [c+72];"
#define STORE_20 STORE_18 "st.global.v2.b32 [o+72], {d18, d19};"
#define REGISTERS_22 REGISTERS_20 ", d20, d21"
#define LOAD_22 LOAD_20 "ld.global.v2.b32 {d20, d21}, [c+80];"
#define STORE_22 STORE_20 "st.global.v2.b32 [o+80], {d20, d21};"
#define REGISTERS_24 REGISTERS_22 ", d22, d23"
#define LOAD_24 LOAD_22 "ld.global.v2.b32 {d22, d23}, [c+88];"
#define STORE_24 STORE_22 "st.global.v2.b32 [o+88], {d22, d23};"
#define REGISTERS_26 REGISTERS_24 ", d24, d25"
#define LOAD_26 LOAD_24 "ld.global.v2.b32 {d24, d25}, [c+96];"
#define STORE_26 STORE_24 "st.global.v2.b32 [o+96], {d24, d25};"
#define REGISTERS_28 REGISTERS_26 ", d26, d27"
#define LOAD_28 LOAD_26 "ld.global.v2.b32 {d26, d27}, [c+104];"
#define STORE_28 STORE_26 "st.global.v2.b32 [o+104], {d26, d27};"
#define REGISTERS_30 REGISTERS_28 ", d28, d29"
#define LOAD_30 LOAD_28 "ld.global.v2.b32 {d28, d29}, [c+112];"
#define STORE_30 STORE_28 "st.global.v2.b32 [o+112], {d28, d29};"
#define REGISTERS_32 REGISTERS_30 ", d30, d31"
#define LOAD_32 LOAD_30 "ld.global.v2.b32 {d30, d31}, [c+120];"
#define STORE_32 STORE_30 "st.global.v2.b32 [o+120], {d30, d31};"
#define REGISTERS_34 REGISTERS_32 ", d32, d33"
#define LOAD_34 LOAD_32 "ld.global.v2.b32 {d32, d33}, [c+128];"
#define STORE_34 STORE_32 "st.global.v2.b32 [o+128], {d32, d33};"
#define REGISTERS_36 REGISTERS_34 ", d34, d35"
#define LOAD_36 LOAD_34 "ld.global.v2.b32 {d34, d35}, [c+136];"
#define STORE_36 STORE_34 "st.global.v2.b32 [o+136], {d34, d35};"
#define REGISTERS_38 REGISTERS_36 ", d36, d37"
#define LOAD_38 LOAD_36 "ld.global.v2.b32 {d36, d37}, [c+144];"
#define STORE_38 STORE_36 "st.global.v2.b32 [o+144], {d36, d37};"
#define REGISTERS_40 REGISTERS_38 ", d38, d39"
#define LOAD_40 LOAD_38 "ld.global.v2.b32 {d38, d39}, [c+152];"
#define STORE_40 STORE_38 "st.global.v2.b32 [o+152], {d38, d39};"
#define REGISTERS_42 REGISTERS_40 ", d40, d41"
#define LOAD_42 LOAD_40 "ld.global.v2.b32 {d40, d41}, [c+160];"
#define STORE_42 STORE_40 "st.global.v2.b32 [o+160], {d40, d41};"
#define REGISTERS_44 REGISTERS_42 ", d42, d43"
#define LOAD_44 LOAD_42 "ld.global.v2.b32 {d42, d43}, [c+168];"
#define STORE_44 STORE_42 "st.global.v2.b32 [o+168], {d42, d43};"
#define REGISTERS_46 REGISTERS_44 ", d44, d45"
#define LOAD_46 LOAD_44 "ld.global.v2.b32 {d44, d45}, [c+176];"
#define STORE_46 STORE_44 "st.global.v2.b32 [o+176], {d44, d45};"
#define REGISTERS_48 REGISTERS_46 ", d46, d47"
#define LOAD_48 LOAD_46 "ld.global.v2.b32 {d46, d47}, [c+184];"
#define STORE_48 STORE_46 "st.global.v2.b32 [o+184], {d46, d47};"
#define REGISTERS_50 REGISTERS_48 ", d48, d49"
#define LOAD_50 LOAD_48 "ld.global.v2.b32 {d48, d49}, [c+192];"
#define STORE_50 STORE_48 "st.global.v2.b32 [o+192], {d48, d49};"
#define REGISTERS_52 REGISTERS_50 ", d50, d51"
#define LOAD_52 LOAD_50 "ld.global.v2.b32 {d50, d51}, [c+200];"
#define STORE_52 STORE_50 "st.global.v2.b32 [o+200], {d50, d51};"
#define REGISTERS_54 REGISTERS_52 ", d52, d53"
#define LOAD_54 LOAD_52 "ld.global.v2.b32 {d52, d53}, [c+208];"
#define STORE_54 STORE_52 "st.global.v2.b32 [o+208], {d52, d53};"
#define REGISTERS_56 REGISTERS_54 ", d54, d55"
#define LOAD_56 LOAD_54 "ld.global.v2.b32 {d54, d55}, [c+216];"
#define STORE_56 STORE_54 "st.global.v2.b32 [o+216], {d54, d55};"
#define REGISTERS_58 REGISTERS_56 ", d56, d57"
#define LOAD_58 LOAD_56 "ld.global.v2.b32 {d56, d57}, [c+224];"
#define STORE_58 STORE_56 "st.global.v2.b32 [o+224], {d56, d57};"
#define REGISTERS_60 REGISTERS_58 ", d58, d59"
#define LOAD_60 LOAD_58 "ld.global.v2.b32 {d58, d59}, [c+232];"
#define STORE_60 STORE_58 "st.global.v2.b32 [o+232], {d58, d59};"
#define REGISTERS_62 REGISTERS_60 ", d60, d61"
#define LOAD_62 LOAD_60 "ld.global.v2.b32 {d60, d61}, [c+240];"
#define STORE_62 STORE_60 "st.global.v2.b32 [o+240], {d60, d61};"
#define REGISTERS_64 REGISTERS_62 ", d62, d63"
#define LOAD_64 LOAD_62 "ld.global.v2.b32 {d62, d63}, [c+248];"
#define STORE_64 STORE_62 "st.global.v2.b32 [o+248], {d62, d63};"
#define REGISTERS_66 REGISTERS_64 ", d64, d65"
#define LOAD_66 LOAD_64 "ld.global.v2.b32 {d64, d65}, [c+256];"
#define STORE_66 STORE_64 "st.global.v2.b32 [o+256], {d64, d65};"
#define REGISTERS_68 REGISTERS_66 ", d66, d67"
#define LOAD_68 LOAD_66 "ld.global.v2.b32 {d66, d67}, [c+264];"
#define STORE_68 STORE_66 "st.global.v2.b32 [o+264], {d66, d67};"
#define REGISTERS_70 REGISTERS_68 ", d68, d69"
#define LOAD_70 LOAD_68 "ld.global.v2.b32 {d68, d69}, [c+272];"
#define STORE_70 STORE_68 "st.global.v2.b32 [o+272], {d68, d69};"
#define REGISTERS_72 REGISTERS_70 ", d70, d71"
#define LOAD_72 LOAD_70 "ld.global.v2.b32 {d70, d71}, [c+280];"
#define STORE_72 STORE_70 "st.global.v2.b32 [o+280], {d70, d71};"
#define REGISTERS_74 REGISTERS_72 ", d72, d73"
#define LOAD_74 LOAD_72 "ld.global.v2.b32 {d72, d73}, [c+288];"
#define STORE_74 STORE_72 "st.global.v2.b32 [o+288], {d72, d73};"
#define REGISTERS_76 REGISTERS_74 ", d74, d75"
#define LOAD_76 LOAD_74 "ld.global.v2.b32 {d74, d75}, [c+296];"
#define STORE_76 STORE_74 "st.global.v2.b32 [o+296], {d74, d75};"
#define REGISTERS_78 REGISTERS_76 ", d76, d77"
#define LOAD_78 LOAD_76 "ld.global.v2.b32 {d76, d77}, [c+304];"
#define STORE_78 STORE_76 "st.global.v2.b32 [o+304], {d76, d77};"
#define REGISTERS_80 REGISTERS_78 ", d78, d79"
#define LOAD_80 LOAD_78 "ld.global.v2.b32 {d78, d79}, [c+312];"
#define STORE_80 STORE_78 "st.global.v2.b32 [o+312], {d78, d79};"
#define REGISTERS_82 REGISTERS_80 ", d80, d81"
#define LOAD_82 LOAD_80 "ld.global.v2.b32 {d80, d81}, [c+320];"
#define STORE_82 STORE_80 "st.global.v2.b32 [o+320], {d80, d81};"
#define REGISTERS_84 REGISTERS_82 ", d82, d83"
#define LOAD_84 LOAD_82 "ld.global.v2.b32 {d82, d83}, [c+328];"
#define STORE_84 STORE_82 "st.global.v2.b32 [o+328], {d82, d83};"
#define REGISTERS_86 REGISTERS_84 ", d84, d85"
#define LOAD_86 LOAD_84 "ld.global.v2.b32 {d84, d85}, [c+336];"
#define STORE_86 STORE_84 "st.global.v2.b32 [o+336], {d84, d85};"
#define REGISTERS_88 REGISTERS_86 ", d86, d87"
#define LOAD_88 LOAD_86 "ld.global.v2.b32 {d86, d87}, [c+344];"
#define STORE_88 STORE_86 "st.global.v2.b32 [o+344], {d86, d87};"
#define REGISTERS_90 REGISTERS_88 ", d88, d89"
#define LOAD_90 LOAD_88 "ld.global.v2.b32 {d88, d89}, [c+352];"
#define STORE_90 STORE_88 "st.global.v2.b32 [o+352], {d88, d89};"
#define REGISTERS_92 REGISTERS_90 ", d90, d91"
#define LOAD_92 LOAD_90 "ld.global.v2.b32 {d90, d91}, [c+360];"
#define STORE_92 STORE_90 "st.global.v2.b32 [o+360], {d90, d91};"
#define REGISTERS_94 REGISTERS_92 ", d92, d93"
#define LOAD_94 LOAD_92 "ld.global.v2.b32 {d92, d93}, [c+368];"
#define STORE_94 STORE_92 "st.global.v2.b32 [o+368], {d92, d93};"
#define REGISTERS_96 REGISTERS_94 ", d94, d95"
#define LOAD_96 LOAD_94 "ld.global.v2.b32 {d94, d95}, [c+376];"
#define STORE_96 STORE_94 "st.global.v2.b32 [o+376], {d94, d95};"
#define REGISTERS_98 REGISTERS_96 ", d96, d97"
#define LOAD_98 LOAD_96 "ld.global.v2.b32 {d96, d97}, [c+384];"
#define STORE_98 STORE_96 "st.global.v2.b32 [o+384], {d96, d97};"
#define REGISTERS_100 REGISTERS_98 ", d98, d99"
#define LOAD_100 LOAD_98 "ld.global.v2.b32 {d98, d99}, [c+392];"
#define STORE_100 STORE_98 "st.global.v2.b32 [o+392], {d98, d99};"
#define REGISTERS_102 REGISTERS_100 ", d100, d101"
#define LOAD_102 LOAD_100 "ld.global.v2.b32 {d100, d101}, [c+400];"
#define STORE_102 STORE_100 "st.global.v2.b32 [o+400], {d100, d101};"
#define REGISTERS_104 REGISTERS_102 ", d102, d103"
#define LOAD_104 LOAD_102 "ld.global.v2.b32 {d102, d103}, [c+408];"
#define STORE_104 STORE_102 "st.global.v2.b32 [o+408], {d102, d103};"
#define REGISTERS_106 REGISTERS_104 ", d104, d105"
#define LOAD_106 LOAD_104 "ld.global.v2.b32 {d104, d105}, [c+416];"
#define STORE_106 STORE_104 "st.global.v2.b32 [o+416], {d104, d105};"
#define REGISTERS_108 REGISTERS_106 ", d106, d107"
#define LOAD_108 LOAD_106 "ld.global.v2.b32 {d106, d107}, [c+424];"
#define STORE_108 STORE_106 "st.global.v2.b32 [o+424], {d106, d107};"
#define REGISTERS_110 REGISTERS_108 ", d108, d109"
#define LOAD_110 LOAD_108 "ld.global.v2.b32 {d108, d109}, [c+432];"
#define STORE_110 STORE_108 "st.global.v2.b32 [o+432], {d108, d109};"
#define REGISTERS_112 REGISTERS_110 ", d110, d111"
#define LOAD_112 LOAD_110 "ld.global.v2.b32 {d110, d111}, [c+440];"
#define STORE_112 STORE_110 "st.global.v2.b32 [o+440], {d110, d111};"
#define REGISTERS_114 REGISTERS_112 ", d112, d113"
#define LOAD_114 LOAD_112 "ld.global.v2.b32 {d112, d113}, [c+448];"
#define STORE_114 STORE_112 "st.global.v2.b32 [o+448], {d112, d113};"
#define REGISTERS_116 REGISTERS_114 ", d114, d115"
#define LOAD_116 LOAD_114 "ld.global.v2.b32 {d114, d115}, [c+456];"
#define STORE_116 STORE_114 "st.global.v2.b32 [o+456], {d114, d115};"
#define REGISTERS_118 REGISTERS_116 ", d116, d117"
#define LOAD_118 LOAD_116 "ld.global.v2.b32 {d116, d117}, [c+464];"
#define STORE_118 STORE_116 "st.global.v2.b32 [o+464], {d116, d117};"
#define REGISTERS_120 REGISTERS_118 ", d118, d119"
#define LOAD_120 LOAD_118 "ld.global.v2.b32 {d118, d119}, [c+472];"
#define STORE_120 STORE_118 "st.global.v2.b32 [o+472], {d118, d119};"
#define REGISTERS_122 REGISTERS_120 ", d120, d121"
#define LOAD_122 LOAD_120 "ld.global.v2.b32 {d120, d121}, [c+480];"
#define STORE_122 STORE_120 "st.global.v2.b32 [o+480], {d120, d121};"
#define REGISTERS_124 REGISTERS_122 ", d122, d123"
#define LOAD_124 LOAD_122 "ld.global.v2.b32 {d122, d123}, [c+488];"
#define STORE_124 STORE_122 "st.global.v2.b32 [o+488], {d122, d123};"
#define REGISTERS_126 REGISTERS_124 ", d124, d125"
#define LOAD_126 LOAD_124 "ld.global.v2.b32 {d124, d125}, [c+496];"
#define STORE_126 STORE_124 "st.global.v2.b32 [o+496], {d124, d125};"
#define REGISTERS_128 REGISTERS_126 ", d126, d127"
#define LOAD_128 LOAD_126 "ld.global.v2.b32 {d126, d127}, [c+504];"
#define STORE_128 STORE_126 "st.global.v2.b32 [o+504], {d126, d127};"

// Every N, with the registers of D: N, of 32-bit sums, of 16-bit sums.
#define EVERY_N(X) \
  X(8, 4, 2) X(16, 8, 4) X(24, 12, 6) X(32, 16, 8) \
  X(40, 20, 10) X(48, 24, 12) X(56, 28, 14) X(64, 32, 16) \
  X(72, 36, 18) X(80, 40, 20) X(88, 44, 22) X(96, 48, 24) \
  X(104, 52, 26) X(112, 56, 28) X(120, 60, 30) X(128, 64, 32) \
  X(136, 68, 34) X(144, 72, 36) X(152, 76, 38) X(160, 80, 40) \
  X(168, 84, 42) X(176, 88, 44) X(184, 92, 46) X(192, 96, 48) \
  X(200, 100, 50) X(208, 104, 52) X(216, 108, 54) X(224, 112, 56) \
  X(232, 116, 58) X(240, 120, 60) X(248, 124, 62) X(256, 128, 64)
// s8, u8 and b1 have fewer.
#define EVERY_INTEGER_N(X) \
  X(8, 4, 2) X(16, 8, 4) X(24, 12, 6) X(32, 16, 8) \
  X(48, 24, 12) X(64, 32, 16) X(80, 40, 20) X(96, 48, 24) \
  X(112, 56, 28) X(128, 64, 32) X(144, 72, 36) X(160, 80, 40) \
  X(176, 88, 44) X(192, 96, 48) X(208, 104, 52) X(224, 112, 56) \
  X(240, 120, 60) X(256, 128, 64)

// R32: registers of D with 32-bit sums, R16 with 16-bit sums.
#define F16_16(N, R32, R16) MMA(0, N, R16, 16, "f16.f16.f16", SCALES_AND_TRANS)
#define F32_16(N, R32, R16) \
  MMA(1, N, R32, 16, "f32.f16.f16", SCALES_AND_TRANS) \
  MMA(2, N, R32, 16, "f32.bf16.bf16", SCALES_AND_TRANS)
#define F32_8(N, R32, R16) MMA(3, N, R32, 8, "f32.tf32.tf32", SCALES)
#define F16_32(N, R32, R16) \
  MMA(4, N, R16, 32, "f16.e4m3.e4m3", SCALES) MMA(5, N, R16, 32, "f16.e4m3.e5m2", SCALES) \
  MMA(6, N, R16, 32, "f16.e5m2.e4m3", SCALES) MMA(7, N, R16, 32, "f16.e5m2.e5m2", SCALES)
#define F32_32(N, R32, R16) \
  MMA(8, N, R32, 32, "f32.e4m3.e4m3", SCALES) MMA(9, N, R32, 32, "f32.e4m3.e5m2", SCALES) \
  MMA(10, N, R32, 32, "f32.e5m2.e4m3", SCALES) MMA(11, N, R32, 32, "f32.e5m2.e5m2", SCALES)
#define S32_32(N, R32, R16) \
  MMA(12, N, R32, 32, "s32.s8.s8", NO) MMA(13, N, R32, 32, "s32.s8.s8.satfinite", NO) \
  MMA(14, N, R32, 32, "s32.s8.u8", NO) MMA(15, N, R32, 32, "s32.s8.u8.satfinite", NO) \
  MMA(16, N, R32, 32, "s32.u8.s8", NO) MMA(17, N, R32, 32, "s32.u8.s8.satfinite", NO) \
  MMA(18, N, R32, 32, "s32.u8.u8", NO) MMA(19, N, R32, 32, "s32.u8.u8.satfinite", NO)
#define S32_256(N, R32, R16) MMA(20, N, R32, 256, "s32.b1.b1.and.popc", NO)
#define EVERY_INSTRUCTION \
  EVERY_N(F16_16) EVERY_N(F32_16) EVERY_N(F32_8) EVERY_N(F16_32) EVERY_N(F32_32) \
  EVERY_INTEGER_N(S32_32) EVERY_INTEGER_N(S32_256) \
  static_assert(true)  // the macros end without a semicolon
// clang-format on
