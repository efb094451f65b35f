// SPDX-License-Identifier: MIT
// tcgen05.mma out of shared memory into tensor memory, of one CTA and of a pair: shapes, types,
// swizzles, majors, against the integer model, and what is there before the wait. How it is asked:
// tcgen05_product.cpp.
#include <doctest/doctest.h>

#include "tests/emulator/tcgen05_product.hpp"

namespace lanescope::emulator::test {

TEST_CASE("tcgen05.mma: shapes and types of .kind::f16") {
  for (const int M : {64, 128})
    for (const int N : {16, 40, 48, 256}) {
      if (M == 128 && N == 40) continue;
      check({.M = M, .N = N}, 1);
      check({.d = TensorType::f16, .M = M, .N = N}, 2);
      check({.a = TensorType::bf16, .b = TensorType::bf16, .M = M, .N = N}, 3);
    }
}

TEST_CASE("tcgen05.mma: every swizzle mode, either major") {
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128})
    for (int majors = 0; majors < 4; ++majors)
      check({.M = majors == 3 ? 64 : 128,
             .mode = mode,
             .a_mn = (majors & 1) != 0,
             .b_mn = (majors & 2) != 0},
            4);
}

TEST_CASE("tcgen05.mma: .kind::tf32, K-major in every mode and MN-major in atoms of 32 bytes") {
  const Product tf32{.kind = "tf32", .a = TensorType::tf32, .b = TensorType::tf32, .N = 32};
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128}) {
    Product p = tf32;
    p.mode = mode;
    check(p, 20);
  }
  for (int majors = 1; majors < 4; ++majors) {
    Product p = tf32;
    p.a_mn = (majors & 1) != 0;
    p.b_mn = (majors & 2) != 0;
    check(p, 21);
  }
}

TEST_CASE("tcgen05.mma: .kind::f8f6f4, types of 8, 6 and 4 bits with each other") {
  constexpr TensorType kTypes[] = {TensorType::e4m3, TensorType::e5m2, TensorType::e3m2,
                                   TensorType::e2m3, TensorType::e2m1};
  unsigned seed = 30;
  for (const TensorType a : kTypes)
    for (const TensorType b : kTypes)
      check({.kind = "f8f6f4", .a = a, .b = b, .M = 64, .N = 8, .negates_b = true}, seed++);
  check({.kind = "f8f6f4",
         .a = TensorType::e4m3,
         .b = TensorType::e5m2,
         .d = TensorType::f16,
         .N = 16,
         .mode = layout::Swizzle::b32,
         .a_mn = true,
         .b_mn = true},
        seed++);
  check({.kind = "f8f6f4",
         .a = TensorType::e2m1,
         .b = TensorType::e3m2,
         .N = 16,
         .mode = layout::Swizzle::none},
        seed++);
}

TEST_CASE("tcgen05.mma: .kind::i8") {
  for (const TensorType a : {TensorType::s8, TensorType::u8})
    for (const TensorType b : {TensorType::s8, TensorType::u8})
      check({.kind = "i8", .a = a, .b = b, .d = TensorType::s32, .N = 24}, 60);
  Product product{.kind = "i8", .a = TensorType::s8, .b = TensorType::s8, .d = TensorType::s32};
  product.saturates = true;
  check(product, 67);
  product.ctas = 2;
  check(product, 68);
}

TEST_CASE("tcgen05.mma: A in tensor memory") {
  check({.N = 32, .a_in_tensor = true}, 61);
  check({.N = 32, .negates_a = true, .a_in_tensor = true}, 62);
  check({.M = 64, .N = 16, .a_in_tensor = true}, 63);
  for (const TensorType a :
       {TensorType::e4m3, TensorType::e3m2, TensorType::e2m3, TensorType::e2m1})
    check({.kind = "f8f6f4",
           .a = a,
           .b = TensorType::e2m1,
           .N = 16,
           .negates_a = true,
           .a_in_tensor = true},
          64);
  check({.kind = "i8",
         .a = TensorType::s8,
         .b = TensorType::u8,
         .d = TensorType::s32,
         .N = 32,
         .a_in_tensor = true},
        64);
}

TEST_CASE("tcgen05.mma of a pair: each CTA has half of A, of B and of D") {
  for (const int M : {128, 256})
    for (const int N : {16, 48, 256})
      for (const int issuer : {0, 1}) {
        check({.M = M, .N = N, .ctas = 2, .issuer = issuer}, 80);
        check({.d = TensorType::f16, .M = M, .N = N, .ctas = 2, .issuer = issuer}, 81);
      }
  for (int majors = 1; majors < 4; ++majors)
    check({.M = 256,
           .N = 32,
           .a_mn = (majors & 1) != 0,
           .b_mn = (majors & 2) != 0,
           .negates_b = true,
           .ctas = 2},
          82);
}

TEST_CASE("tcgen05.mma of a pair: the other kinds, A in tensor memory, lanes that are disabled") {
  for (const int M : {128, 256}) {
    check(
        {.kind = "tf32", .a = TensorType::tf32, .b = TensorType::tf32, .M = M, .N = 16, .ctas = 2},
        83);
    check({.kind = "f8f6f4", .a = TensorType::e5m2, .b = TensorType::e2m1, .M = M, .ctas = 2}, 84);
    check({.kind = "i8",
           .a = TensorType::s8,
           .b = TensorType::u8,
           .d = TensorType::s32,
           .M = M,
           .N = 32,
           .ctas = 2},
          85);
    check({.M = M,
           .N = 16,
           .ctas = 2,
           .disabled = ", {%r13, %r13, %r13, %r13, %r13, %r14, %r13, %r13}"},
          86);
  }
  check({.M = 256, .N = 32, .a_in_tensor = true, .ctas = 2, .issuer = 1}, 87);
}

TEST_CASE("tcgen05.mma of a pair: in whatever order warps have their turns") {
  for (std::uint64_t order = 1; order <= 10; ++order)
    check({.M = 256, .N = 16, .order = order, .ctas = 2}, 88);
}

TEST_CASE("tcgen05.mma.ws: where D lies with M 32, 64 and 128") {
  for (const int M : {32, 64, 128}) check({.M = M, .N = 64, .stationary = true}, 65);
  check({.d = TensorType::f16, .M = 32, .N = 128, .stationary = true}, 66);
}

TEST_CASE("tcgen05.mma.ws: A in tensor memory, as often as D has parts there") {
  for (const bool differ : {false, true})
    for (const int M : {32, 64, 128}) {
      Product p{.M = M, .N = 64, .stationary = true, .a_in_tensor = true};
      p.copies_differ = differ;
      check(p, 67);
      p.d = TensorType::f16, p.N = 128;
      check(p, 68);
    }
}

// Bits 39 (any), 40 and 48 (how many columns less one are zeros, are B's), 32 to 35 (the first are
// zeros), 0 to 31 (where in the pattern each part begins), 56 (the first column of B).
TEST_CASE("tcgen05.mma.ws: columns that a zero-column mask descriptor names are zeros") {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 39, kTwoAndThree = std::uint64_t{0x0201} << 40;
  const auto with = [](int M, const Product::Zeros& zeros) {
    return Product{.M = M, .N = 64, .stationary = true, .zeros = zeros};
  };
  const Product::Zeros whole{kAny | kTwoAndThree, {"00011"}};
  check(with(128, whole), 90);
  check(with(64, {kAny | kTwoAndThree | std::uint64_t{1} << 33, {"00011", "11000"}}), 91);
  const Product::Zeros four{kAny | kTwoAndThree | std::uint64_t{3} << 32 | 0x01020100,
                            {"11000", "10001", "01100", "00110"}};
  check(with(32, four), 92);
  // Without bit 39 all columns count, whatever the rest says.
  check(with(64, {kTwoAndThree | std::uint64_t{1} << 33, {"0", "0"}}), 93);
  Product p = with(64, {kAny | kTwoAndThree, {"00011", "00011"}});
  p.b_mn = true;
  check(p, 94);
  p.a_in_tensor = true, p.negates_b = true;
  check(p, 95);
  p = with(32, four);
  p.sparse = true;
  check(p, 96);
  p = {.kind = "i8", .a = TensorType::s8, .b = TensorType::s8, .d = TensorType::s32};
  p.stationary = true, p.zeros = whole;
  check(p, 97);
}

TEST_CASE("tcgen05.mma.ws: the product begins with the column of B that the descriptor says") {
  for (const int shift : {1, 8, 32})
    for (const bool b_mn : {false, true}) {
      Product p{.M = 64, .N = 64, .b_mn = b_mn, .stationary = true};
      p.zeros.descriptor = static_cast<std::uint64_t>(shift) << 56;
      p.zeros.shift = shift;
      check(p, 98);
      p.sparse = true;
      check(p, 99);
      p.zeros.descriptor |= std::uint64_t{0x0201} << 40 | std::uint64_t{1} << 39;
      for (std::string_view& pattern : p.zeros.patterns) pattern = "00011";
      check(p, 100);
    }
  Product p{.kind = "f8f6f4", .a = TensorType::e4m3, .b = TensorType::e2m1, .M = 32};
  p.stationary = true, p.zeros.shift = 5;
  p.zeros.descriptor = std::uint64_t{5} << 56;
  check(p, 101);
}

TEST_CASE("tcgen05.mma: in whatever order warps have their turns") {
  for (std::uint64_t order = 1; order <= 20; ++order) check({.N = 16, .order = order}, 70);
}

TEST_CASE("tcgen05.mma: signs, and D = A*B without what D held") {
  check({.N = 16, .negates_a = true}, 5);
  check({.N = 16, .negates_b = true}, 6);
  check({.N = 16, .adds = false}, 7);
  check({.d = TensorType::f16, .N = 16, .adds = false}, 8);
}

TEST_CASE("tcgen05.mma: with M 64 D may lie in the upper lanes of each warp") {
  check({.M = 64, .N = 16, .d_lane = 16}, 9);
}

TEST_CASE("tcgen05.mma: lanes that are disabled keep what they had") {
  check({.N = 16, .disabled = ", {%r13, %r14, %r13, %r13}"}, 14);
  check({.d = TensorType::f16, .M = 64, .N = 16, .disabled = ", {%r13, %r14, %r13, %r13}"}, 15);
}

TEST_CASE("D in tensor memory is what it was until somebody waits for the commit") {
  check({.N = 16, .lands = false, .wait = ""}, 10);
  check({.N = 16, .lands = false, .commit = "", .wait = ""}, 11);
  check({.N = 16, .lands = false, .wait = "bar.sync 0;"}, 12);
  // A commit of another thread than the one that multiplied stands for nothing.
  check({.N = 16,
         .lands = false,
         .commit = "setp.eq.u32 %p2, %r1, 1; @%p2 "
                   "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];",
         .wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra W;"},
        13);
}

}  // namespace lanescope::emulator::test
