// SPDX-License-Identifier: MIT
// mma.sync, where ptxas looks for products and sums (contract.hpp), against ptxas itself: of fp8 it
// is a sum, one for each register of C, and some forms are several blocks of machine code.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "emulator/ptxas/contract.hpp"
#include "tests/emulator/contract_forms.hpp"

namespace lanescope::emulator::test {
namespace {

// A and B are such that -1 is added: eight products of 1 and -2^-3, or 4 of -2^-2.
const std::string kAB = "mov.b32 %r4, 0x38000000; mov.b32 %r5, 0xa0000000; ",
                  kMma = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 ",
                  kSparse =
                      "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 ",
                  kProduct = "mul{0}.f32 %f4, %f1, %f2;",
                  kNumber = "mul{0}.f32 %f4, %f1, 0f3f800800;",
                  kStore = " st.global.f32 [%l1+8], %f6;";
std::string mma(const std::string& c, const std::string& d = "{{%f5, %f6, %f7, %f8}}") {
  return kMma + d + ", {{%r4, %r4, %r4, %r4}}, {{%r5, %r5}}, {{" + c + "}};";
}
std::string sparse(const std::string& c, const std::string& d) {
  return "mov.b32 %r6, 0xeeeeeeee; " + kSparse + d +
         ", {{%r4, %r4, %r4, %r4}}, {{%r5, %r5, %r5, %r5}}, {{" + c + "}}, %r6, 0;";
}
std::string braces(std::string text) {  // of `between`, which is no format
  for (const char* two : {"{{", "}}"})
    for (std::size_t at; (at = text.find(two)) != std::string::npos;) text.erase(at, 1);
  return text;
}

}  // namespace

TEST_CASE("an fp8 mma is a sum of each register of C") {
  const std::string first = mma("%f4, %f3, %f3, %f3"), fence = kAB + "membar.gl; ",
                    twice = kAB + "mov.f32 %f5, %f3; ",
                    guard = twice + "setp.gt.f32 %p1, %f1, %f3; ";
  const auto k16 = [](const char* a, const char* b, const char* bits) {
    return fmt::format(
        "mov.b32 %r5, 0x{}; mma.sync.aligned.m16n8k16.row.col.f32.{}.{}.f32 {{{{%f5, %f6, %f7, "
        "%f8}}}}, {{{{%r4, %r4}}}}, {{{{%r5}}}}, {{{{%f4, %f3, %f3, %f3}}}};",
        bits, a, b);
  };
  const std::vector<Form> fused{
      {kAB, kProduct, first},
      {kAB, kProduct, mma("%f3, %f4, %f3, %f3", "{{%f6, %f5, %f7, %f8}}")},
      {kAB, kProduct, mma("%f3, %f3, %f4, %f3", "{{%f6, %f7, %f5, %f8}}")},
      {kAB, kProduct, mma("%f3, %f3, %f3, %f4", "{{%f6, %f7, %f8, %f5}}")},
      {kAB, kProduct, mma("%f4, %f4, %f4, %f4") + kStore},
      {kAB, kProduct, mma("%f4, %f3, %f3, %f3", "{{%f4, %f6, %f7, %f8}}") + "mov.f32 %f5, %f4;"},
      {kAB + "mov.b32 %r2, %f4; ", kProduct, mma("%r2, %f3, %f3, %f3")},
      {kAB + "neg.f32 %f6, %f4; neg.f32 %f7, %f6; ", kProduct, mma("%f7, %f3, %f3, %f3")},
      {kAB, kProduct, first + "sub{0}.f32 %f6, %f4, %f3;" + kStore},
      {kAB, kProduct, first + mma("%f4, %f3, %f3, %f3", "{{%f6, %f7, %f8, %f9}}") + kStore},
      {kAB, kProduct, "bar.sync 0; " + first},
      {kAB + "mov.f32 %f6, %f1; ", "mul{0}.f32 %f4, %f1, %f2;",
       "mul{0}.f32 %f4, %f6, %f2;" + mma("%f3, %f4, %f3, %f3", "{{%f6, %f5, %f7, %f8}}") + kStore},
      // D's first register is written over: the product has one sum, and the other product two
      {kAB, kProduct,
       "mul{0}.f32 %f6, %f3, %f3;" + mma("%f4, %f3, %f3, %f3", "{{%f5, %f7, %f8, %f9}}") +
           "st.global.f32 [%l1+8], %f7; sub{0}.f32 %f8, %f6, %f1; "
           "st.global.f32 [%l1+12], %f8; sub{0}.f32 %f5, %f6, %f4; neg.f32 %f5, %f5;"},
      {fence, kNumber, first},
      {guard, kNumber, "@%p1 " + first},
      {kAB, kNumber, sparse("%f4, %f3, %f3, %f3", "{{%f5, %f6, %f7, %f8}}")},
      {kAB, kProduct, k16("e4m3", "e4m3", "a8000000")},
      {kAB, kProduct, k16("e4m3", "e5m2", "b4000000")}};
  const std::vector<Form> apart{
      {fence, kProduct, first},
      {guard, kProduct, "@%p1 " + first},
      {kAB, kProduct, first + "st.global.f32 [%l1+8], %f4;"},
      {kAB, kProduct, first + "sub.rn.f32 %f6, %f4, %f3;" + kStore},
      {kAB + "abs.f32 %f6, %f4; ", kProduct, mma("%f6, %f3, %f3, %f3")},
      {kAB, "mul{0}.ftz.f32 %f4, %f1, %f2;", first},
      {kAB, "mul{0}.f32 %f4, 0f3f800800, 0f3f800800;", first},
      {kAB, kProduct, sparse("%f4, %f3, %f3, %f3", "{{%f5, %f6, %f7, %f8}}")},
      {kAB, kProduct,
       first +
           "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {{%f6, %f7, %f8, %f9}}, {{%f4, "
           "%r4, %r4, %r4}}, {{%r5, %r5}}, {{%f3, %f3, %f3, %f3}};" +
           kStore}};
  CHECK(compare_with_ptxas(fused, "contract_c") == 0);
  CHECK(compare_with_ptxas(apart, "contract_not_c") == static_cast<int>(apart.size()));
}

// One whose D nobody reads is gone, if it is not a function.
TEST_CASE("some mma stand between a product and its sum") {
  const std::string matrices = kAB + "mov.b32 %r6, 0; mov.b32 %r7, 0; ",
                    s32 = " st.global.b32 [%l1+8], %r2;";
  const auto m8 = [&](const char* form) {
    return matrices + fmt::format(
                          "mma.sync.aligned.{} {{%r2, %r3}}, {{%r4}}, {{%r5}}, {{%r6, "
                          "%r7}};",
                          form);
  };
  const std::string d = "{{%f6, %f7, %f8, %f9}}", c = "%f3, %f3, %f3, %f3",
                    f16 = kAB +
                          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f6, %f7, %f8, "
                          "%f9}, {%r4, %r4, %r4, %r4}, {%r5, %r5}, {%f3, %f3, %f3, %f3};",
                    guard = "setp.gt.f32 %p1, %f1, %f3; mov.f32 %f6, %f3; @%p1 ";
  const auto guarded = [&](std::string text) { return text.insert(text.find("mma."), guard); };
  const std::string fp8 = kAB + braces(mma(c, d)), sp = kAB + braces(sparse(c, d));
  const std::vector<Form> fused{{fp8 + kStore},
                                {f16 + kStore},
                                {sp},
                                {guarded(f16)},
                                {m8("m8n8k16.row.col.s32.s8.s8.s32") + s32},
                                {m8("m8n8k128.row.col.s32.b1.b1.s32.and.popc") + s32}};
  const std::vector<Form> apart{
      {guarded(fp8) + kStore},
      {guarded(f16) + kStore},
      {sp + kStore},
      {m8("m8n8k32.row.col.s32.s4.s4.s32") + s32},
      {m8("m8n8k32.row.col.s32.u4.s4.s32")},
      {m8("m8n8k128.row.col.s32.b1.b1.s32.xor.popc") + s32},
      {matrices +
       "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r2, %r3, %r4, %r5}, {%r4, %r4}, {%r5, "
       "%r5}, {%r6, %r6, %r6, %r6};" +
       s32}};
  CHECK(compare_with_ptxas(fused, "contract_mma") == 0);
  CHECK(compare_with_ptxas(apart, "contract_mma_blocks") == static_cast<int>(apart.size()));
}

}  // namespace lanescope::emulator::test
