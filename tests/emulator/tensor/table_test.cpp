// SPDX-License-Identifier: MIT
// Which generation has which numbers, and which has no such instruction.
#include "tests/emulator/tensor/one.hpp"

using namespace lanescope::emulator;
using namespace lanescope::emulator::test;

namespace {
bool has(const char* arch, TensorUnit unit, TensorType a, TensorType b, TensorType accumulator) {
  return arithmetic(arch, unit, {16, 8, 16, a, b, accumulator}) != nullptr;
}
struct Numbers {
  const char* arch;
  TensorUnit unit;
  TensorType a;
  int L, F;
};
}  // namespace

TEST_CASE("L and F of every generation") {
  for (const Numbers& row : {Numbers{"sm_70", mma, f16, 4, 23},  {"sm_75", mma, f16, 8, 24},
                             {"sm_80", mma, f16, 8, 24},         {"sm_80", mma, bf16, 8, 24},
                             {"sm_80", mma, tf32, 4, 24},        {"sm_86", mma, bf16, 8, 24},
                             {"sm_87", mma, f16, 8, 24},         {"sm_89", mma, f16, 8, 24},
                             {"sm_89", mma, tf32, 4, 24},        {"sm_89", mma, e4m3, 16, 13},
                             {"sm_90", mma, f16, 16, 25},        {"sm_90a", mma, bf16, 16, 25},
                             {"sm_90a", mma, tf32, 8, 25},       {"sm_90a", wmma, tf32, 4, 25},
                             {"sm_90a", wmma, bf16, 16, 25},     {"sm_80", wmma, tf32, 4, 24},
                             {"sm_90a", mma, e5m2, 16, 25},      {"sm_90a", wgmma, f16, 16, 25},
                             {"sm_90a", wgmma, tf32, 8, 25},     {"sm_90a", wgmma, e4m3, 32, 13},
                             {"sm_100a", tcgen05, bf16, 16, 25}, {"sm_103a", tcgen05, tf32, 8, 25},
                             {"sm_100a", tcgen05, e4m3, 32, 25}, {"sm_120", mma, f16, 16, 25},
                             {"sm_120a", mma, tf32, 8, 25},      {"sm_121a", mma, e4m3, 32, 25},
                             {"sm_120a", mma, e2m1, 32, 25}}) {
    CAPTURE(row.arch);
    CAPTURE(static_cast<int>(row.a));
    const MmaArithmetic& found = how(row.arch, row.unit, {16, 8, 16, row.a, row.a, f32});
    CHECK(found.block_products == row.L);
    CHECK(found.fraction_bits == row.F);
    const bool fp8 = row.a == e4m3 || row.a == e5m2;
    CHECK(found.drops_ten_bits == (row.F == 13));
    CHECK(found.through_f16_pairs == (fp8 && row.F == 25 && row.L == 16 && row.unit == mma));
    CHECK(found.zero_exponent == (row.F == 23                        ? -131
                                  : row.F == 25 || row.unit == wgmma ? -133
                                                                     : -132));
  }
}

TEST_CASE("what a generation does not have is not answered") {
  CHECK_FALSE(has("sm_70", mma, bf16, bf16, f32));
  CHECK_FALSE(has("sm_70", mma, s8, s8, s32));
  CHECK_FALSE(has("sm_75", mma, tf32, tf32, f32));
  CHECK_FALSE(has("sm_75", mma, bf16, bf16, f32));
  CHECK(has("sm_75", mma, s8, u8, s32));
  CHECK_FALSE(has("sm_80", mma, e4m3, e4m3, f32));
  CHECK_FALSE(has("sm_86", mma, e5m2, e5m2, f16));
  CHECK(has("sm_89", mma, e4m3, e5m2, f16));
  CHECK_FALSE(has("sm_80", wgmma, f16, f16, f32));
  CHECK_FALSE(has("sm_90", wgmma, f16, f16, f32));  // wgmma is of sm_90a alone
  CHECK(has("sm_90a", wgmma, f16, f16, f32));
  CHECK_FALSE(has("sm_90a", wgmma, f64, f64, f64));
  CHECK_FALSE(has("sm_90a", wgmma, s4, s4, s32));
  CHECK(has("sm_90a", mma, f64, f64, f64));
  CHECK_FALSE(has("sm_75", mma, f64, f64, f64));
  // How an mma of sm_100 rounds is not known; whole numbers it does not round.
  CHECK_FALSE(has("sm_100a", mma, f16, f16, f32));
  CHECK(has("sm_100a", mma, s8, u8, s32));
}

TEST_CASE("4- and 6-bit types are sm_120's and tensor memory's; groups are mxf4's") {
  CHECK(has("sm_120a", mma, e4m3, e2m1, f32));
  CHECK(has("sm_120a", mma, e3m2, e2m3, f16));
  CHECK_FALSE(has("sm_90a", mma, e2m1, e2m1, f32));
  CHECK_FALSE(has("sm_100a", mma, e4m3, e4m3, f32));
  TensorShape shape{16, 8, 64, e2m1, e2m1, f32};
  shape.scale_vectors = 2;
  CHECK(how("sm_120a", mma, shape).fraction_bits == 35);
  CHECK(how("sm_120a", mma, shape).group_products == 16);
  CHECK(arithmetic("sm_100a", mma, shape) == nullptr);
  shape.scale_vectors = 1;
  CHECK(how("sm_120a", mma, shape).group_products == 1);
}

TEST_CASE("types that PTX does not combine") {
  CHECK_FALSE(has("sm_90a", mma, f16, bf16, f32));
  CHECK_FALSE(has("sm_90a", mma, bf16, bf16, f16));
  CHECK_FALSE(has("sm_90a", mma, tf32, tf32, f16));
  CHECK_FALSE(has("sm_90a", mma, f16, f16, s32));
  CHECK_FALSE(has("sm_90a", mma, s8, s8, f32));
  CHECK_FALSE(has("sm_90a", mma, s8, s4, s32));
  CHECK_FALSE(has("sm_90a", mma, e4m3, f16, f32));
  CHECK_FALSE(has("sm_90a", mma, f32, f32, f32));
  CHECK_FALSE(has("sm_90a", mma, s32, s32, s32));
}

TEST_CASE("b1: .and came with sm_80") {
  TensorShape shape{8, 8, 128, b1, b1, s32};
  CHECK(arithmetic("sm_75", mma, shape) != nullptr);
  shape.bit_operation = BitOperation::conjunction;
  CHECK(arithmetic("sm_75", mma, shape) == nullptr);
  CHECK(arithmetic("sm_80", mma, shape) != nullptr);
  CHECK(arithmetic("sm_90a", wgmma, shape) != nullptr);
}

TEST_CASE("names that are no architecture, or none that is modelled") {
  for (const char* arch :
       {"", "sm_", "90a", "sm_90b", "sm_90aa", "sm_x", "sm_61", "sm_100a", "compute_80", "sm_ 80"})
    CHECK_FALSE(has(arch, mma, f16, f16, f32));
}
