// SPDX-License-Identifier: MIT
// Which constants of an instruction are shown in hexadecimal: masks, tables and patterns, none that
// are counted.
#include "trace/bit_operands.hpp"

#include <doctest/doctest.h>

#include "trace/kernel_name.hpp"

namespace lanescope::trace {
namespace {

TEST_CASE("an instruction's name ends where its operands begin, with a space or without") {
  for (const char* ptx : {"@%p1 mma.sync.f16 {%r1}, {%r2};", "mma.sync.f16{%r1}, {%r2};",
                          "@!p mma.sync.f16{%r1}, {%r2};", "mma.sync.f16\t{%r1};", "mma.sync.f16;",
                          "mma.sync.f16[%rd1];"})
    CHECK(trace::mnemonic_of(ptx) == "mma.sync.f16");
}

TEST_CASE("a mask is read in hexadecimal, as wide as it is") {
  CHECK(bits_in_hex("and.b32 %r1, %r2, 983055;") == "and.b32 %r1, %r2, 0x000f000f;");
  CHECK(bits_in_hex("and.b32 %r1, %r2, 31;") == "and.b32 %r1, %r2, 0x1f;");
  CHECK(bits_in_hex("xor.b32 %r1, %r2, 9;") == "xor.b32 %r1, %r2, 9;");
  CHECK(bits_in_hex("or.b64 %rd1, %rd2, 4611686293305294848;") ==
        "or.b64 %rd1, %rd2, 0x4000004000000000;");
  CHECK(bits_in_hex("@%p1 and.b16 %rs1, %rs2, 255;") == "@%p1 and.b16 %rs1, %rs2, 0xff;");
  CHECK(bits_in_hex("or.b64 %rd1, %rd2, 18446744073709551615;") ==
        "or.b64 %rd1, %rd2, 0xffffffffffffffff;");
}

TEST_CASE("a negative mask has all the bits of its instruction") {
  CHECK(bits_in_hex("and.b32 %r1, %r2, -8;") == "and.b32 %r1, %r2, 0xfffffff8;");
  CHECK(bits_in_hex("and.b16 %rs1, %rs2, -2;") == "and.b16 %rs1, %rs2, 0xfffe;");
  CHECK(bits_in_hex("and.b64 %rd1, %rd2, -128;") == "and.b64 %rd1, %rd2, 0xffffffffffffff80;");
}

TEST_CASE("tables and patterns are bits, positions and lengths are numbers") {
  CHECK(bits_in_hex("lop3.b32 %r1, %r2, 983055, 1677747200, 234;") ==
        "lop3.b32 %r1, %r2, 0x000f000f, 0x64006400, 0xea;");
  CHECK(bits_in_hex("prmt.b32 %r1, %r2, %r3, 21520;") == "prmt.b32 %r1, %r2, %r3, 0x5410;");
  CHECK(bits_in_hex("bfi.b32 %r1, 255, %r2, 16, 24;") == "bfi.b32 %r1, 0xff, %r2, 16, 24;");
  CHECK(bits_in_hex("bfe.u32 %r1, %r2, 16, 12;") == "bfe.u32 %r1, %r2, 16, 12;");
}

TEST_CASE("all else stays as it is written") {
  for (const char* ptx :
       {"add.s32 %r1, %r2, 983055;", "shl.b32 %r1, %r2, 16;", "shr.u32 %r1, %r2, 28;",
        "mov.u32 %r1, 983055;", "and.b32 %r1, %r2, 0xF0;", "and.b32 %r1, %r2, mask;",
        "and.pred %p1, %p2, %p3;", "@%p1 bra there;", "order.b32 %r1, 100, 100;", "and.b32", "and",
        "", "and.b32 %r1,,;", "and.b32 %r1, %r2, 99999999999999999999;"})
    CHECK(bits_in_hex(ptx) == ptx);
}

TEST_CASE("an instruction as it is shown has them so, and its names from the source") {
  CHECK(plain_ptx("and.b32 %r1, %r2, 983055;") == "and.b32 %r1, %r2, 0x000f000f;");
  CHECK(plain_ptx("and.b32 %r1, _Z1xi_param_12, 64") == "and.b32 %r1, param_12, 0x40");
}

}  // namespace
}  // namespace lanescope::trace
