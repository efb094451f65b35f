// SPDX-License-Identifier: MIT
// tcgen05.mma with block scaling: types, scale vectors, bytes of the scale words, of one CTA and of
// a pair; against the integer model with a second reading of where the factors lie
// (tcgen05_product.cpp). What has no such form: one line.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/snippet.hpp"
#include "tests/emulator/tcgen05_product.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr const char* kMx8 = "mxf8f6f4.block_scale.scale_vec::1X";
constexpr const char* kMx4 = "mxf4.block_scale.scale_vec::2X";
constexpr const char* kNv4 = "mxf4nvf4.block_scale.scale_vec::4X";

Product mx8(TensorType a = TensorType::e4m3, TensorType b = TensorType::e4m3) {
  return {.kind = kMx8, .a = a, .b = b, .N = 16, .vectors = 1};
}
Product fp4(const char* kind, int vectors) {
  return {.kind = kind, .a = TensorType::e2m1, .b = TensorType::e2m1, .N = 16, .vectors = vectors};
}

}  // namespace

TEST_CASE("tcgen05.mma .kind::mxf8f6f4: types of 8, 6 and 4 bits with each other") {
  constexpr TensorType kTypes[] = {TensorType::e4m3, TensorType::e5m2, TensorType::e3m2,
                                   TensorType::e2m3, TensorType::e2m1};
  unsigned seed = 100;
  for (const TensorType a : kTypes)
    for (const TensorType b : kTypes) {
      Product p = mx8(a, b);
      p.N = 8;
      p.negates_b = a == b;
      check(p, seed++);
    }
}

TEST_CASE("tcgen05.mma .kind::mxf8f6f4: every byte of the scale words, N from 8 to 256") {
  for (int byte = 0; byte < 4; ++byte) {
    Product p = mx8();
    p.a_byte = byte;
    p.b_byte = 3 - byte;
    check(p, 130);
  }
  for (const int N : {24, 40, 128, 136, 256}) {
    Product p = mx8(TensorType::e5m2, TensorType::e4m3);
    p.N = N;
    p.mode = N == 128 ? layout::Swizzle::none : layout::Swizzle::b128;
    check(p, 131);
  }
}

TEST_CASE("tcgen05.mma .kind::mxf8f6f4: majors, signs, A in tensor memory, without D") {
  for (int majors = 1; majors < 4; ++majors) {
    Product p = mx8();
    p.a_mn = (majors & 1) != 0;
    p.b_mn = (majors & 2) != 0;
    p.negates_a = majors == 3;
    check(p, 132);
  }
  for (const TensorType a : {TensorType::e2m1, TensorType::e3m2}) {
    Product small = mx8(a, TensorType::e2m3);
    small.a_in_tensor = small.negates_a = true;
    check(small, 133);
  }
  Product p = mx8(TensorType::e5m2, TensorType::e2m3);
  p.a_in_tensor = true;
  check(p, 133);
  p.adds = false;
  p.kind = "mxf8f6f4.block_scale";
  check(p, 134);
  p.kind = "mxf8f6f4.block_scale.block32";
  check(p, 135);
}

TEST_CASE("tcgen05.mma .kind::mxf4 and mxf4nvf4: two and four factors a row, either type") {
  for (const int byte : {0, 2}) {
    for (const char* kind :
         {kMx4, "mxf4.block_scale", "mxf4.block_scale.block32",
          "mxf4nvf4.block_scale.scale_vec::2X", "mxf4nvf4.block_scale.block32"}) {
      Product p = fp4(kind, 2);
      p.a_byte = byte;
      p.b_byte = 2 - byte;
      check(p, 140);
    }
  }
  for (const char* kind : {kNv4, "mxf4nvf4.block_scale.block16"})
    for (const bool ue4m3 : {false, true}) {
      Product p = fp4(kind, 4);
      p.ue4m3 = ue4m3;
      p.N = ue4m3 ? 200 : 8;
      check(p, 141);
    }
}

TEST_CASE("tcgen05.mma .kind::mxf4nvf4: signs, swizzles, A in tensor memory") {
  Product p = fp4(kNv4, 4);
  p.ue4m3 = true;
  p.negates_a = true;
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128}) {
    p.mode = mode;
    check(p, 142);
  }
  p.a_in_tensor = true;
  check(p, 143);
}

TEST_CASE("tcgen05.mma of a pair with block scaling: each CTA has factors of its own rows") {
  for (const int M : {128, 256})
    for (const int N : {16, 128})
      for (const int issuer : {0, 1}) {
        if (N == 128 && issuer == 0) continue;
        Product p = mx8();
        p.M = M, p.N = N, p.ctas = 2, p.issuer = issuer;
        p.a_byte = 1, p.b_byte = 3;
        check(p, 150);
        Product q = fp4(kNv4, 4);
        q.M = M, q.N = N, q.ctas = 2, q.issuer = issuer, q.ue4m3 = true;
        check(q, 151);
      }
  Product p = fp4(kMx4, 2);
  p.M = 256, p.ctas = 2, p.a_in_tensor = true, p.b_byte = 2;
  check(p, 152);
}

TEST_CASE("ptxas takes the spellings that run here") {
  if (!has_ptxas()) {
    MESSAGE("no ptxas here: the spellings are not compared with it");
    return;
  }
  std::string body = "mov.u32 %r2, 0; mov.u64 %rd3, 0; setp.eq.u32 %p0, %r0, 0; ";
  for (const char* kind :
       {kMx8, "mxf8f6f4.block_scale", "mxf8f6f4.block_scale.block32", kMx4, "mxf4.block_scale",
        "mxf4.block_scale.block32", "mxf4nvf4.block_scale.scale_vec::2X",
        "mxf4nvf4.block_scale.block32", kNv4, "mxf4nvf4.block_scale.block16"})
    for (const char* a : {"%rd3", "[%r2]"})
      body += std::string("tcgen05.mma.cta_group::1.kind::") + kind +
              ".collector::a::fill [%r2], " + a + ", %rd3, %r2, [%r2], [%r2+4], !%p0;\n";
  CHECK(refusal_of_ptxas(module_of(body, "sm_100a"), "sm_100a") == "");
  CHECK(!run_body(body + "exit;", "sm_100a").load_error);
}

// The ISA wants the same factors in each 32 lanes; of others it says nothing.
TEST_CASE("32 lanes of D are multiplied with the scale factors of their own lanes") {
  Product p = mx8();
  p.copies_differ = true;
  p.N = 72;
  check(p, 160);
  p.M = 256, p.N = 80, p.ctas = 2;
  check(p, 161);
  p.M = 128;
  check(p, 162);
}

TEST_CASE("what block scaling has not: one line") {
  const auto refused = [](const std::string& modifiers, const std::string& operands) {
    const Run run = run_body(
        "mov.u32 %r2, 0; tcgen05.mma." + modifiers + " [%r2], %rd3, %rd3, " + operands + ";",
        "sm_100a");
    return run.load_error ? run.load_error.message : run.report.error.message;
  };
  const std::string usual = "%r2, [%r2], [%r2], %p0";
  CHECK(contains(refused("cta_group::1.kind::mxf8f6f4", usual),
                 ".kind::mxf8f6f4 needs .block_scale"));
  CHECK(contains(refused("cta_group::1.kind::f16.block_scale", usual),
                 ".kind::f16 has no .block_scale"));
  CHECK(contains(refused("cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::2X", usual),
                 ".kind::mxf8f6f4 has no .scale_vec::2X"));
  CHECK(contains(refused("cta_group::1.kind::mxf4.block_scale.block16", usual),
                 ".kind::mxf4 has no .block16"));
  CHECK(contains(refused("cta_group::1.kind::mxf4nvf4.block_scale", usual),
                 ".kind::mxf4nvf4 needs .scale_vec::2X or ::4X"));
  CHECK(contains(refused("ws.cta_group::1.kind::mxf4.block_scale", usual),
                 "tcgen05.mma.ws has no block-scaled kinds"));
  CHECK(refused("cta_group::1.kind::mxf4.block_scale", "%r2, %p0") != "");
  CHECK(refused("cta_group::1.kind::mxf4.block_scale",
                "%r2, [%r2], [%r2], {%r2, %r2, %r2, %r2}, %p0") != "");
}

TEST_CASE("instruction descriptors and places of block scaling") {
  // A and B are the same 256 bytes for every 8 rows: the second stride is 0.
  const auto with = [](const std::string& kind, const std::string& instruction,
                       const std::string& scales = "[%r2], [%r2]") {
    const Run run = run_body(
        "mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64; "
        "ld.shared.b32 %r2, [%r3]; setp.eq.u32 %p0, %r0, 0; setp.ne.u32 %p1, %r0, %r0; "
        "mov.b64 %rd3, 0x0000400000080040; @%p0 tcgen05.mma.cta_group::1.kind::" +
            kind + " [%r2], %rd3, %rd3, " + instruction + ", " + scales +
            ", %p1; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;",
        "sm_100a");
    return run.load_error ? run.load_error.message : run.report.error.message;
  };
  const std::string nv2 = "mxf4nvf4.block_scale.scale_vec::2X";
  CHECK(with(kMx8, "0x08820000") == "");  // M 128, N 8, e4m3, ue8m0
  CHECK(contains(with(kMx8, "0x10820000"), "M is 256: .cta_group::1 has 128 alone"));
  CHECK(
      contains(with(kMx8, "0x08020000"), "type of both matrices of scales: no type of this kind"));
  CHECK(contains(with(kMx8, "0x08820004"), "its bit 2 says sparse"));
  CHECK(contains(with(kMx8, "0x08830000"), "N is 8: an N-major B of 8 bits has multiples of 16"));
  CHECK(contains(with(kMx4, "0x28820480"), "which half of A's scale words: 0 or 2"));
  CHECK(contains(with(kMx4, "0x88820480"), "its bit 31 asks for a K of 96"));
  CHECK(contains(with(nv2, "0x08020480"), "ue4m3, which .scale_vec::4X alone has"));
  CHECK(contains(with(kNv4, "0x080204a0"), "its sfb is 2: .scale_vec::4X takes all four bytes"));
  CHECK(contains(with(kMx8, "0x08820000", "[%r2+61], [%r2]"),
                 "SFA takes columns 61 to 64 of tensor memory, which are not allocated"));
  CHECK(with(kMx8, "0x08820000", "[%r2+60], [%r2+63]") == "");
  CHECK(contains(with(kMx8, "0x08820000", "[%r2], [%r2+0x200000]"), "SFB begins at lane 32"));
  // CUTLASS leaves the byte in the two highest bits of the address.
  CHECK(with(kMx8, "0x08820000", "[%r2+0x40000000], [%r2+0xc0000000]") == "");
}

}  // namespace lanescope::emulator::test
