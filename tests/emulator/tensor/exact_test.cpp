// SPDX-License-Identifier: MIT
// Integers, single bits and f64, and the packed way in.
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/emulator/tensor/one.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;

namespace {

/// D[0][0] of two vectors of integer patterns.
std::uint32_t integer_one(const TensorShape& shape, std::uint32_t a_pattern,
                          std::uint32_t b_pattern, std::uint32_t c) {
  std::vector<std::uint32_t> a(static_cast<std::size_t>(shape.M * shape.K), a_pattern);
  std::vector<std::uint32_t> b(static_cast<std::size_t>(shape.K * shape.N), b_pattern);
  std::vector<std::uint32_t> C(static_cast<std::size_t>(shape.M * shape.N), c);
  std::vector<std::uint32_t> model(C.size()), fast(C.size());
  multiply_reference(how("sm_80", mma, shape), shape, a, b, C, model);
  multiply(how("sm_80", mma, shape), shape, a, b, C, fast);
  CHECK(model == fast);
  return model[0];
}

TensorShape integers(TensorType a, TensorType b, bool satfinite = false) {
  return {16, 8, 32, a, b, s32, satfinite};
}

}  // namespace

TEST_CASE("s8 and u8 mix and are exact") {
  CHECK(integer_one(integers(s8, s8), 0x80, 0x80, 0) == 32 * 128 * 128);
  CHECK(integer_one(integers(s8, u8), 0xff, 0xff, 5) == static_cast<std::uint32_t>(5 - 32 * 255));
  CHECK(integer_one(integers(u8, u8), 0xff, 0xff, 0) == 32 * 255 * 255);
  CHECK(integer_one(integers(u8, s8), 200, 0x80, 1) == static_cast<std::uint32_t>(1 - 32 * 25600));
}

TEST_CASE("without .satfinite the sum wraps, with it it stops") {
  CHECK(integer_one(integers(u8, u8), 1, 1, 0x7fffffff) == 0x8000001f);
  CHECK(integer_one(integers(u8, u8, true), 1, 1, 0x7fffffff) == 0x7fffffff);
  CHECK(integer_one(integers(s8, u8), 0xff, 1, 0x80000000) == 0x7fffffe0);
  CHECK(integer_one(integers(s8, u8, true), 0xff, 1, 0x80000000) == 0x80000000);
  CHECK(integer_one(integers(s8, u8, true), 0xff, 1, 0x80000020) == 0x80000000);
  CHECK(integer_one(integers(s8, u8, true), 0xff, 1, 0x80000021) == 0x80000001);
}

TEST_CASE("s4 is two's complement in a nibble; the other bits are not looked at") {
  const TensorShape shape{16, 8, 64, s4, u4, s32};
  CHECK(integer_one(shape, 0x8, 0xf, 0) == static_cast<std::uint32_t>(64 * -8 * 15));
  CHECK(integer_one(shape, 0xf8, 0x5f, 0) == static_cast<std::uint32_t>(64 * -8 * 15));
  CHECK(integer_one({16, 8, 64, u4, u4, s32}, 0x8, 0xf, 0) == 64 * 8 * 15);
}

TEST_CASE("b1 counts the ones of a xor b, or of a and b") {
  TensorShape shape{16, 8, 256, b1, b1, s32};
  CHECK(integer_one(shape, 1, 0, 7) == 263);
  CHECK(integer_one(shape, 1, 1, 7) == 7);
  shape.bit_operation = BitOperation::conjunction;
  CHECK(integer_one(shape, 1, 0, 7) == 7);
  CHECK(integer_one(shape, 1, 1, 7) == 263);
}

TEST_CASE("b1 packed in words: element k of a row is bit k % 32 of word k / 32") {
  const TensorShape shape{8, 8, 128, b1, b1, s32};
  std::vector<std::uint32_t> a(8 * 4, 0), b(4 * 8, 0), c(64, 0), d(64);
  a[3 * 4 + 2] = 0x00000011;  // row 3, k = 64 and 68
  b[2 * 8 + 5] = 0x00000010;  // col 5, k = 68
  TensorShape conjunction = shape;
  conjunction.bit_operation = BitOperation::conjunction;
  multiply_packed(how("sm_80", mma, conjunction), conjunction, a.data(), b.data(), c.data(),
                  d.data());
  for (std::size_t i = 0; i < 64; ++i) CHECK(d[i] == (i == 3 * 8 + 5 ? 1u : 0u));
  multiply_packed(how("sm_80", mma, shape), shape, a.data(), b.data(), c.data(), d.data());
  CHECK(d[3 * 8 + 5] == 1);
  CHECK(d[3 * 8 + 0] == 2);
  CHECK(d[0 * 8 + 5] == 1);
  CHECK(d[0] == 0);
}

TEST_CASE("f64 is one fused multiply-add after another, in the order of k") {
  const TensorShape shape{8, 8, 4, f64, f64, f64};
  std::vector<double> a(32, 0), b(32, 1), c(64, 0), d(64);
  // Row 0: 1e16 + 1 is 1e16; then -1e16 leaves nothing of the 1.
  a[0] = 1e16, a[1] = 1, a[2] = -1e16;
  // Row 1: the same terms in another order.
  a[4] = 1e16, a[5] = -1e16, a[6] = 1;
  // Row 2, col 0: (1 + 2^-52) * (1 - 2^-52) - 1 is -2^-104 only when fused.
  a[8] = 1 + 0x1p-52;
  b[0] = 1 - 0x1p-52;
  c[16] = -1;
  // Row 3: inf - inf.
  a[12] = HUGE_VAL, a[13] = -HUGE_VAL;
  multiply_packed(how("sm_90", mma, shape), shape, a.data(), b.data(), c.data(), d.data());
  CHECK(d[1] == 0);
  CHECK(d[9] == 1);
  CHECK(d[16] == -0x1p-104);
  CHECK(std::bit_cast<std::uint64_t>(d[25]) == 0xfff8000000000000);
  CHECK(d[32] == 0);
}

TEST_CASE("packed operands and words give the same bits") {
  std::mt19937 random(7);
  for (const TensorShape& shape :
       {kF16ToF16, TensorShape{16, 8, 32, e4m3, e5m2, f16}, TensorShape{16, 8, 8, tf32, tf32, f32},
        TensorShape{16, 8, 32, s8, u8, s32}}) {
    const auto a_size = static_cast<std::size_t>(shape.M * shape.K);
    const auto b_size = static_cast<std::size_t>(shape.K * shape.N);
    const auto c_size = static_cast<std::size_t>(shape.M * shape.N);
    const auto operand = [&](TensorType type, std::size_t count, std::vector<std::byte>& packed) {
      const auto bytes = static_cast<std::size_t>(storage_bytes(type));
      std::vector<std::uint32_t> words(count);
      packed.resize(count * bytes);
      for (std::size_t i = 0; i < count; ++i) {
        words[i] =
            static_cast<std::uint32_t>(random()) & (bytes == 4 ? ~0u : (1u << 8 * bytes) - 1);
        std::memcpy(&packed[i * bytes], &words[i], bytes);
      }
      return words;
    };
    std::vector<std::byte> a_packed, b_packed, c_packed;
    const auto a = operand(shape.a, a_size, a_packed), b = operand(shape.b, b_size, b_packed),
               c = operand(shape.accumulator, c_size, c_packed);
    std::vector<std::uint32_t> d(c_size);
    multiply(how("sm_89", mma, shape), shape, a, b, c, d);
    multiply_packed(how("sm_89", mma, shape), shape, a_packed.data(), b_packed.data(),
                    c_packed.data(), c_packed.data());  // in place
    const auto bytes = static_cast<std::size_t>(storage_bytes(shape.accumulator));
    int wrong = 0;
    for (std::size_t i = 0; i < c_size; ++i)
      wrong += std::memcmp(&c_packed[i * bytes], &d[i], bytes) != 0;
    CHECK(wrong == 0);
  }
}

TEST_CASE("shapes that no vector has are computed all the same") {
  for (const TensorShape& shape :
       {TensorShape{3, 5, 7, f16, f16, f32}, TensorShape{1, 1, 1, bf16, bf16, f32},
        TensorShape{2, 8, 48, f16, f16, f16}, TensorShape{5, 3, 20, e4m3, e4m3, f32}}) {
    std::mt19937 random(9);
    std::vector<std::uint32_t> a(static_cast<std::size_t>(shape.M * shape.K));
    std::vector<std::uint32_t> b(static_cast<std::size_t>(shape.K * shape.N));
    std::vector<std::uint32_t> c(static_cast<std::size_t>(shape.M * shape.N)), d(c.size());
    for (std::uint32_t& e : a)
      e = shape.a == e4m3 ? 0x10 | (random() & 0x3f) : 0x3000 | (random() & 0xfff);
    for (std::uint32_t& e : b)
      e = shape.b == e4m3 ? 0x10 | (random() & 0x3f) : 0x3000 | (random() & 0xfff);
    std::vector<std::uint32_t> expected(c.size());
    multiply(how("sm_89", mma, shape), shape, a, b, c, d);
    multiply_reference(how("sm_89", mma, shape), shape, a, b, c, expected);
    CHECK(d == expected);
    CHECK(d[0] != 0);
  }
}

TEST_CASE("the caller's rounding and flushing modes neither matter nor change") {
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  for (const unsigned mode : {0x1f80u, 0x7f80u, 0x9fc0u, 0xffc0u}) {  // nearest, zero, flush, both
    __builtin_ia32_ldmxcsr(mode);
    const std::vector<std::uint32_t> a(128, 0x0180), b(256, 0x0180);
    std::vector<std::uint32_t> c(128, 0x00000003), d(128), e(128, 0x38000003), f(128);
    multiply(*arithmetic("sm_80", mma, kBf16), {16, 8, 8, bf16, bf16, f32}, a, b, c, d);
    multiply(*arithmetic("sm_90a", mma, kE4m3), {16, 8, 8, e4m3, e4m3, f32},
             std::vector<std::uint32_t>(128, 1), std::vector<std::uint32_t>(64, 1), e, f);
    const unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before);
    CHECK((after & ~0x3fu) == (mode & ~0x3fu));
    CHECK(d[0] == 3);           // a subnormal c is kept, and the products are far below it
    CHECK(f[0] == 0x38800002);  // 2^-15 + 3 ulp + 8 * 2^-18: half-way, to nearest even
  }
#endif
}
