// SPDX-License-Identifier: MIT
// tcgen05.mma.sp, scale-input-d and A twice in tensor memory, against the integer model and a
// second reading of where the metadata lies (tcgen05_image.cpp); the spellings against ptxas.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/snippet.hpp"
#include "tests/emulator/tcgen05_product.hpp"

namespace lanescope::emulator::test {
namespace {

Product sparse(const char* kind, TensorType a, TensorType b) {
  return {.kind = kind, .a = a, .b = b, .N = 16, .sparse = true};
}

std::string error(const std::string& body, const std::string& target = "sm_100a") {
  const Run run = run_body(body, target);
  return run.load_error ? run.load_error.message : run.report.error.message;
}
std::string product(const std::string& operands, const std::string& form = "sp.cta_group::1",
                    const std::string& target = "sm_100a") {
  return error(
      "mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64; "
      "ld.shared.b32 %r2, [%r3]; setp.eq.u32 %p0, %r0, 0; setp.ne.u32 %p1, %r0, %r0; "
      "mov.b64 %rd3, 0x0000400000080040; @%p0 tcgen05.mma." +
          form + ".kind::" + operands + "; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;",
      target);
}

}  // namespace

TEST_CASE("tcgen05.mma.sp: .kind::f16 and .kind::tf32, either column of metadata") {
  for (const int selector : {0, 1}) {
    Product p = sparse("f16", TensorType::f16, TensorType::f16);
    p.selector = selector;
    check(p, 200);
    p.d = TensorType::f16;
    p.N = 256;
    check(p, 201);
    p = sparse("f16", TensorType::bf16, TensorType::bf16);
    p.selector = selector, p.negates_a = true;
    p.a_mn = p.b_mn = selector == 1;
    check(p, 202);
    p = sparse("tf32", TensorType::tf32, TensorType::tf32);
    p.selector = selector;
    check(p, 203);
  }
}

TEST_CASE("tcgen05.mma.sp: .kind::f8f6f4 and .kind::i8, swizzles, A in tensor memory") {
  unsigned seed = 210;
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128}) {
    Product p = sparse("f8f6f4", TensorType::e4m3, TensorType::e5m2);
    p.mode = mode;
    if (mode != layout::Swizzle::b32) check(p, seed++);  // a row of B has 64 bytes
    p = sparse("i8", TensorType::s8, TensorType::u8);
    p.d = TensorType::s32, p.saturates = true, p.N = 32;
    p.mode = layout::Swizzle::b128;
    check(p, seed++);
  }
  check(sparse("f8f6f4", TensorType::e2m1, TensorType::e3m2), seed++);
  Product p = sparse("f8f6f4", TensorType::e5m2, TensorType::e2m3);
  p.a_in_tensor = true, p.adds = false;
  check(p, seed);
  p.a = TensorType::e2m1;
  check(p, seed);
}

TEST_CASE("tcgen05.mma.sp: a pair has the metadata of its own rows, block scaling its factors") {
  Product p = sparse("f16", TensorType::f16, TensorType::f16);
  p.M = 256, p.ctas = 2, p.issuer = 1;
  check(p, 220);
  p = sparse("mxf8f6f4.block_scale", TensorType::e4m3, TensorType::e2m1);
  p.vectors = 1, p.a_byte = 2, p.b_byte = 1;
  check(p, 221);
  p.M = 256, p.ctas = 2;
  check(p, 222);
  p = sparse("mxf4nvf4.block_scale.scale_vec::4X", TensorType::e2m1, TensorType::e2m1);
  p.vectors = 4, p.ue4m3 = true;
  check(p, 223);
  p = sparse("mxf4.block_scale", TensorType::e2m1, TensorType::e2m1);
  p.vectors = 2, p.a_byte = 2, p.N = 48;
  check(p, 224);
}

// Half the lanes, layouts F and C: A, D and metadata in the same ones.
TEST_CASE("tcgen05.mma.sp: M 64, and M 128 of a pair, lower and upper lanes") {
  unsigned seed = 250;
  for (const int ctas : {1, 2})
    for (const int d_lane : {0, 16})
      for (const bool in_tensor : {false, true}) {
        Product p = sparse("f16", TensorType::f16, TensorType::f16);
        p.M = 64 * ctas, p.ctas = ctas, p.d_lane = d_lane, p.a_in_tensor = in_tensor;
        p.N = 32, p.selector = d_lane / 16;
        check(p, seed++);
        p = sparse("f8f6f4", TensorType::e4m3, TensorType::e3m2);
        p.M = 64 * ctas, p.ctas = ctas, p.d_lane = d_lane, p.a_in_tensor = in_tensor;
        check(p, seed++);
      }
  Product p = sparse("tf32", TensorType::tf32, TensorType::tf32);
  p.M = 64, p.N = 8, p.selector = 1;
  check(p, seed);
}

TEST_CASE("tcgen05.mma.ws.sp: the metadata of every part of D's columns") {
  unsigned seed = 280;
  for (const int M : {32, 64, 128})
    for (const int N : {64, 128}) {
      Product p = sparse("f16", TensorType::bf16, TensorType::bf16);
      p.stationary = true, p.M = M, p.N = N, p.selector = N / 128;
      check(p, seed++);
      p = sparse("tf32", TensorType::tf32, TensorType::tf32);
      p.stationary = true, p.M = M, p.N = N;
      check(p, seed++);
      p = sparse("i8", TensorType::u8, TensorType::s8);
      p.stationary = true, p.M = M, p.N = N, p.d = TensorType::s32;
      check(p, seed++);
    }
}

TEST_CASE("tcgen05.mma.ws.sp: A in tensor memory, as often as D has parts there") {
  for (const int M : {32, 64, 128}) {
    Product p = sparse("f16", TensorType::f16, TensorType::f16);
    p.stationary = true, p.M = M, p.N = 64, p.a_in_tensor = p.copies_differ = true;
    check(p, 310);
    p = sparse("f8f6f4", TensorType::e4m3, TensorType::e5m2);
    p.stationary = true, p.M = M, p.N = 64, p.a_in_tensor = p.copies_differ = true;
    check(p, 311);
  }
}

TEST_CASE("scale-input-d: D times 2^-n is added to") {
  for (const int shift : {1, 7, 15}) {
    check({.N = 16, .input_shift = shift}, 230);
    check({.a = TensorType::bf16, .b = TensorType::bf16, .M = 64, .N = 8, .input_shift = shift},
          231);
    check({.d = TensorType::f16, .N = 16, .input_shift = shift}, 232);
    check({.kind = "tf32",
           .a = TensorType::tf32,
           .b = TensorType::tf32,
           .N = 16,
           .input_shift = shift},
          233);
  }
  Product p = sparse("f16", TensorType::f16, TensorType::f16);
  p.input_shift = 3;
  check(p, 234);
}

// Each 64 lanes of D are multiplied with the A of their own.
TEST_CASE("a pair with M 128: A lies in tensor memory twice") {
  for (const bool differ : {false, true})
    for (const int issuer : {0, 1}) {
      Product p{.M = 128, .N = 32, .a_in_tensor = true, .ctas = 2, .issuer = issuer};
      p.copies_differ = differ;
      check(p, 240);
      p.d = TensorType::f16, p.N = 64;
      check(p, 241);
    }
  Product p{.kind = "mxf8f6f4.block_scale",
            .a = TensorType::e4m3,
            .b = TensorType::e4m3,
            .N = 32,
            .a_in_tensor = true,
            .ctas = 2,
            .vectors = 1};
  check(p, 242);
  p.copies_differ = true;
  check(p, 243);
}

TEST_CASE("what .sp and scale-input-d have not: one line") {
  const auto f16 = [](const std::string& instruction) {
    return product("f16 [%r2], %rd3, %rd3, [%r2], " + instruction + ", %p1");
  };
  CHECK(f16("0x08040014") == "");  // M 128, N 16
  CHECK(f16("0x08040015") == "");
  CHECK(contains(f16("0x08040010"), "its bit 2 says dense, the instruction is .sp"));
  CHECK(contains(f16("0x08040016"), "its sel is 2: where the metadata of 2 and 3 lies is not"));
  CHECK(contains(f16("0x02040014"), "M is 32: .cta_group::1 has 64 and 128 (32 is .ws's)"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, [%r2+0x100000], 0x04040014, %p1"),
                 "D begins at lane 0, the metadata at lane 16"));
  CHECK(contains(product("f16 [%r2], [%r2+0x100000], %rd3, [%r2], 0x04040014, %p1"),
                 "D begins at lane 0, A at lane 16"));
  CHECK(contains(product("mxf8f6f4.block_scale [%r2], %rd3, %rd3, [%r2], 0x10840004, [%r2], [%r2], "
                         "%p1",
                         "sp.cta_group::1"),
                 "M is 256: .cta_group::1 has 128 alone with block scaling"));
  CHECK(contains(product("f8f6f4 [%r2], %rd3, %rd3, [%r2], 0x08040015, %p1"),
                 "its sel is 1: .kind::f8f6f4 has 0 alone"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, [%r2+64], 0x08040014, %p1"),
                 "the metadata takes columns 64 to 64 of tensor memory, which are not allocated"));
  CHECK(contains(product("f8f6f4 [%r2], %rd3, %rd3, [%r2+63], 0x08040014, %p1"),
                 "the metadata takes columns 63 to 64"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, [%r2+0x100000], 0x08040014, %p1"),
                 "the metadata begins at lane 16"));
  CHECK(product("f16 [%r2], %rd3, %rd3, [%r2], 0x02100014, %p1", "ws.sp.cta_group::1") == "");
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, [%r2], 0x02040014, %p1", "ws.sp.cta_group::1"),
                 "N is 16: .ws.sp has 64 and 128"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, [%r2], 0x02400014, %p1", "ws.sp.cta_group::1"),
                 "N is 256: .ws.sp has 64 and 128"));
  CHECK(product("f16 [%r2], [%r2], %rd3, [%r2], 0x02100014, %p1", "ws.sp.cta_group::1") == "");
  const std::string dense = "cta_group::1";
  CHECK(contains(product("f8f6f4 [%r2], %rd3, %rd3, 0x08040010, %p1, 1", dense),
                 "scale-input-d is for .kind::f16 and .kind::tf32"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, 0x08040010, %p1, 16", dense),
                 "scale-input-d is 16: it is 0 to 15"));
  CHECK(contains(product("f16 [%r2], %rd3, %rd3, 0x08040010, %p1, 1", dense, "sm_110a"),
                 "this needs sm_100a or sm_103a"));
}

TEST_CASE(
    "ptxas takes the spellings of .sp and scale-input-d that run here, and refuses the others") {
  if (!has_ptxas()) {
    MESSAGE("no ptxas here: the spellings are not compared with it");
    return;
  }
  const std::string begin =
      "mov.u32 %r2, 0; mov.u64 %rd3, 0; setp.eq.u32 %p0, %r0, 0; tcgen05.mma.";
  const auto both = [&](const std::string& form, const std::string& target) {
    const std::string body = begin + form + ";\n";
    const bool taken = refusal_of_ptxas(module_of(body, target), target) == "";
    CAPTURE(form);
    CHECK(taken == !run_body(body + "exit;", target).load_error);
    return taken;
  };
  for (const char* a : {"%rd3", "[%r2]"})
    for (const char* kind : {"f16", "tf32", "f8f6f4", "i8"})
      CHECK(both(std::string("sp.cta_group::1.kind::") + kind + " [%r2], " + a +
                     ", %rd3, [%r2+2], %r2, {%r2, %r2, %r2, %r2}, %p0",
                 "sm_100a"));
  CHECK(both("sp.cta_group::1.kind::tf32.collector::a::use [%r2], %rd3, %rd3, [%r2], %r2, !%p0, 15",
             "sm_100a"));
  for (const char* kind :
       {"mxf8f6f4.block_scale", "mxf4.block_scale.scale_vec::2X", "mxf4nvf4.block_scale.block16"})
    CHECK(both(std::string("sp.cta_group::1.kind::") + kind +
                   " [%r2], %rd3, %rd3, [%r2], %r2, [%r2], [%r2], %p0",
               "sm_100a"));
  for (const char* kind : {"f16", "tf32", "f8f6f4", "i8"})
    CHECK(both(std::string("ws.sp.cta_group::1.kind::") + kind +
                   ".collector::b1::lastuse [%r2], %rd3, %rd3, [%r2], %r2, %p0",
               "sm_100a"));
  for (const char* shift : {"0", "15"})
    CHECK(both(std::string("cta_group::1.kind::f16 [%r2], %rd3, %rd3, %r2, %p0, ") + shift,
               "sm_103a"));
  CHECK_FALSE(both("sp.cta_group::1.kind::f16 [%r2], %rd3, %rd3, %r2, %p0", "sm_100a"));
  CHECK_FALSE(both("cta_group::1.kind::f16 [%r2], %rd3, %rd3, %r2, %p0, 16", "sm_100a"));
  CHECK_FALSE(both("ws.sp.cta_group::2.kind::f16 [%r2], %rd3, %rd3, [%r2], %r2, %p0", "sm_100a"));
  CHECK_FALSE(both("cta_group::1.kind::f16 [%r2], %rd3, %rd3, %r2, %p0, 1", "sm_110a"));
  CHECK_FALSE(both("cta_group::1.kind::f8f6f4 [%r2], %rd3, %rd3, %r2, %p0, 1", "sm_100a"));
}

}  // namespace lanescope::emulator::test
