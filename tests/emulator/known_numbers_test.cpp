// SPDX-License-Identifier: MIT
// Approximate functions of numbers that ptxas knows (known_numbers.hpp), against ptxas itself:
// small kernels are assembled, and the numbers in their machine code are what the emulator must
// compute.
#include "emulator/ptxas/known_numbers.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/emulator/in_out.hpp"
#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {
namespace {

/// Lines of PTX that put something of numbers into %f9; %f1 to %f3 are 1.25, 1 + 2^-12, -3.
struct Lines {
  std::string text;
  bool known = true;  // else the unit is asked, or another instruction
};

std::string kernel(const std::string& name, const std::string& text) {
  return fmt::format(
      ".visible .entry {}(.param .u64 out, .param .u64 in)\n{{\n.reg .f32 %f<10>; .reg .b64 %l<4>; "
      ".reg .b32 %r<4>; .reg .b16 %h<4>; .reg .pred %p<4>;\n"
      "ld.param.u64 %l1, [out]; ld.param.u64 %l2, [in];\n"
      "ld.global.f32 %f1, [%l2]; ld.global.f32 %f2, [%l2+4]; ld.global.f32 %f3, [%l2+8];\n{}\n"
      "st.global.f32 [%l1], %f9;\nret;\n}}\n",
      name, text);
}

constexpr float kIn[3] = {1.25f, 1 + 0x1p-12f, -3.0f};

/// The numbers in the code: what is moved into a register, and the second factor of an FMUL.
struct Numbers {
  std::vector<std::uint32_t> moved, factors;
  bool asks_unit = false, multiplies_registers = false;
};
Numbers numbers_in(const std::vector<Code>& kernel) {
  Numbers found;
  for (const Code& code : kernel) {
    const std::uint32_t opcode = code.field(0, 12), number = code.field(32, 32);
    if (opcode == 0x802 || opcode == 0x424 || opcode == 0x431 || opcode == 0x435)
      found.moved.push_back(number);  // MOV, IMAD.MOV, HFMA2 with zeros
    if (opcode == 0x820) found.factors.push_back(number);
    if (opcode == 0x220) found.multiplies_registers = true;  // by an infinity's reciprocal, RZ
    if (code.field(0, 9) == 0x108) found.asks_unit = true;   // MUFU
  }
  return found;
}

struct Answer {
  Numbers numbers;
  std::uint32_t bits = 0;  // what the emulator computes
};
/// `options`: of ptxas, that the emulator is told of.
std::vector<Answer> ask(const std::vector<std::string>& all, const char* file,
                        const char* options = "") {
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  for (std::size_t n = 0; n < all.size(); ++n) text += kernel(fmt::format("k{}", n), all[n]);
  const auto kernels = machine_code(assembled(text, file));
  InOut machine(text, file, options);
  std::vector<Answer> answers;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const std::string name = fmt::format("k{}", n);
    answers.push_back({numbers_in(kernels.at(name)), machine.run<std::uint32_t>(name, kIn)});
  }
  return answers;
}

std::vector<std::uint32_t> some_numbers(std::mt19937& random) {
  std::vector<std::uint32_t> all{0x80000000, 0x00000001, 0x007fffff, 0x00800000, 0x3f800000,
                                 0x40490fdb, 0x7e800001, 0x7f7fffff, 0x7f800000, 0xff800000,
                                 0x7fc00000, 0xc2fd0000, 0xc3150000, 0xbf800000};
  for (int k = 0; k < 12; ++k)
    all.push_back(
        static_cast<std::uint32_t>((random() & 0x807fffff) | (110 + random() % 40) << 23));
  return all;
}

}  // namespace

TEST_CASE("an approximate function of a number is the number that ptxas puts in its place") {
  std::mt19937 random(14);
  std::vector<std::string> all;
  for (const char* name : {"rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos"})
    for (const char* flush : {"", ".ftz"})
      for (const std::uint32_t bits : some_numbers(random))
        all.push_back(fmt::format("{}.approx{}.f32 %f9, 0f{:08X};", name, flush, bits));
  int folded = 0;
  const auto answers = ask(all, "known_functions");
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (answers[n].numbers.asks_unit) continue;
    const auto& moved = answers[n].numbers.moved;
    CHECK_MESSAGE(answers[n].bits == (moved.empty() ? 0 : moved.back()), all[n]);
    ++folded;
  }
  CHECK(folded > 250);
}

TEST_CASE("a quotient by a number is a product with the reciprocal that ptxas computed") {
  std::mt19937 random(15);
  std::vector<std::string> all;
  for (const char* form : {"approx", "full", "approx.ftz", "full.ftz"})
    for (const std::uint32_t bits : some_numbers(random))
      all.push_back(fmt::format("div.{}.f32 %f9, %f2, 0f{:08X};", form, bits));
  int folded = 0;
  const auto answers = ask(all, "known_quotients");
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Numbers& numbers = answers[n].numbers;
    if (numbers.asks_unit || numbers.multiplies_registers || numbers.factors.empty()) continue;
    float product = kIn[1];
    for (const std::uint32_t bits : numbers.factors) {
      float factor;
      std::memcpy(&factor, &bits, sizeof factor);
      product *= factor;
    }
    const bool flushes = all[n].find("ftz") != std::string::npos;
    if (flushes && std::fpclassify(product) == FP_SUBNORMAL) product = std::copysign(0, product);
    std::uint32_t expected;
    std::memcpy(&expected, &product, sizeof expected);
    CHECK_MESSAGE(answers[n].bits == expected, all[n]);
    ++folded;
  }
  CHECK(folded > 60);
}

TEST_CASE("what becomes of numbers is known where ptxas knows it") {
  const std::string number = "mov.f32 %f4, 0f3E99999A; ", ask_lg2 = "lg2.approx.f32 %f9, %f5;";
  const std::string other = "mov.f32 %f4, 0f3E4CCCCD; ";  // of whose bf16 the unit's lg2 differs
  const std::vector<Lines> all{
      {"mov.b32 %f5, 0x3FC00000; " + ask_lg2},
      {"mov.f32 %f4, 0f3FC00000; mov.b32 %r1, %f4; mov.b32 %f5, %r1; " + ask_lg2},
      {"mov.u32 %r1, 255; cvt.rn.f32.u32 %f5, %r1; " + ask_lg2},
      {"mov.u32 %r1, 255; cvt.rn.f32.s32 %f4, %r1; div.full.f32 %f9, 0f3FC00000, %f4;"},
      {number + "mul.f32 %f5, %f4, 0f3FD9999A; " + ask_lg2},
      {number + "add.rn.f32 %f5, %f4, 0f3FD9999A; " + ask_lg2},
      {number + "sub.ftz.f32 %f5, 0f3FD9999A, %f4; " + ask_lg2},
      {number + "neg.f32 %f6, %f4; abs.f32 %f5, %f6; " + ask_lg2},
      {number + "mul.f32 %f6, %f4, %f4; add.f32 %f5, %f6, %f4; " + ask_lg2},
      {number + "div.full.f32 %f5, %f4, 0f40E66666; " + ask_lg2},
      {"lg2.approx.f32 %f4, 0f3E99999A; mul.f32 %f5, %f4, 0f3FD9999A; ex2.approx.f32 %f9, %f5;"},
      {number + "cvt.rn.f16.f32 %h1, %f4; cvt.f32.f16 %f5, %h1; " + ask_lg2},
      {other + "cvt.rn.bf16.f32 %h1, %f4; mov.b16 %h2, %h1; cvt.f32.bf16 %f5, %h2; " + ask_lg2},
      {number +
       "cvt.rn.f16x2.f32 %r1, %f4, 0f40E66666; mov.b32 {%h1, %h2}, %r1; cvt.f32.f16 "
       "%f5, %h2; " +
       ask_lg2},
      {other +
           "cvt.rn.bf16x2.f32 %r1, 0f3ECCCCCD, %f4; mov.b32 {%h1, %h2}, %r1; "
           "cvt.f32.bf16 %f5, %h2; " +
           ask_lg2,
       false},
      {other +
           "cvt.rn.bf16x2.f32 %r1, 0f3ECCCCCD, %f4; mov.b32 {%h1, %h2}, %r1; "
           "cvt.f32.bf16 %f5, %h1; " +
           ask_lg2,
       false},
      {number +
       "cvt.rn.f16.f32 %h1, %f4; mov.b32 %r1, {%h1, %h1}; mov.b32 {%h2, %h3}, %r1; "
       "cvt.f32.f16 %f5, %h3; " +
       ask_lg2},
      {number + "min.f32 %f6, %f4, 0f40E66666; max.f32 %f5, %f6, 0f3E800000; " + ask_lg2},
      {number + "setp.ltu.f32 %p1, %f4, 0f7E800000; selp.f32 %f5, %f4, 0f3F000000, %p1; " +
       ask_lg2},
      {number + "setp.ge.f32 %p1, %f4, 0f7E800000; selp.f32 %f5, %f4, 0f3F000000, %p1; " + ask_lg2},
      {other + "rsqrt.approx.f32 %f5, %f4; add.f32 %f5, %f5, %f4; mul.f32 %f5, %f5, %f5; " +
       ask_lg2},
      {number +
       "setp.gt.f32 %p1, %f1, %f3; mov.f32 %f5, %f1; @%p1 bra A; mov.f32 %f5, %f2; A: "
       "st.global.f32 [%l1+8], %f5; mov.f32 %f5, %f4; " +
       ask_lg2},
      {number + "setp.gt.f32 %p1, %f1, %f3; mov.f32 %f5, %f4; @%p1 mov.f32 %f5, %f2; " + ask_lg2,
       false},
      {number + "mov.f32 %f5, %f4; add.f32 %f5, %f5, %f2; " + ask_lg2, false},
      {"setp.gt.f32 %p1, %f1, %f3; mov.f32 %f5, 0f3FC00000; @%p1 bra A; st.global.f32 [%l1+8], "
       "%f1; "
       "mov.f32 %f5, 0f3FC00000; A: " +
       ask_lg2},
      {"setp.gt.f32 %p1, %f1, %f3; mov.f32 %f5, 0f3FC00000; @%p1 bra A; st.global.f32 [%l1+8], "
       "%f1; "
       "mov.f32 %f5, 0f3FD00000; A: " +
           ask_lg2,
       false},
      {number + "fma.rn.f32 %f5, %f4, 0f3FD9999A, 0f3FC00000; " + ask_lg2, false},
      {number + "mul.rz.f32 %f5, %f4, 0f3FD9999A; " + ask_lg2, false},
      {number + "tanh.approx.f32 %f5, %f4; " + ask_lg2, false},
      {"mul.f32 %f5, %f1, 0f3FD9999A; " + ask_lg2, false}};
  std::vector<std::string> texts;
  for (const Lines& lines : all) texts.push_back(lines.text);
  const auto answers = ask(texts, "known_lines");
  // What ptxas -O0 makes: the unit is asked of all.
  const auto unit = ask(texts, "known_lines", "-O0");
  for (std::size_t n = 0; n < all.size(); ++n) {
    CHECK_MESSAGE(answers[n].numbers.asks_unit != all[n].known, all[n].text);
    if (all[n].known) REQUIRE(!answers[n].numbers.moved.empty());
    const std::uint32_t bits = all[n].known ? answers[n].numbers.moved.back() : unit[n].bits;
    CHECK_MESSAGE(answers[n].bits == bits, all[n].text);
  }
}

// What ptxas was told stands in a program's fat binary.
TEST_CASE(
    "without ptxas' optimizer numbers are the unit's, and with --fmad false nothing is fused") {
  const std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n" +
                           kernel("known", "lg2.approx.f32 %f9, 0f3FC00000;") +
                           kernel("fused", "mul.f32 %f5, %f2, %f2; sub.f32 %f9, %f5, 0f3F800000;");
  const auto found = [&](const char* options, const char* name) {
    return InOut(text, "options", options).run<float>(name, kIn);
  };
  const float once = 0x1p-11f + 0x1p-24f, twice = 0x1p-11f;
  for (const char* options : {"", "-O3", "-O0 -O1", "--fmad true", "--fmad false -fmad=true"}) {
    CHECK_MESSAGE(found(options, "fused") == once, options);
    CHECK_MESSAGE(found(options, "known") == 0x1.2b8034p-1f, options);
  }
  for (const char* options : {" --fmad false ", "-O1 -fmad=false"}) {
    CHECK_MESSAGE(found(options, "fused") == twice, options);
    CHECK_MESSAGE(found(options, "known") == 0x1.2b8034p-1f, options);
  }
  for (const char* options : {"-O0", "--opt-level 0", "--opt-level=0", "-O3,-O0"}) {
    CHECK_MESSAGE(found(options, "fused") == twice, options);
    CHECK_MESSAGE(found(options, "known") == 0x1.2b8036p-1f, options);
  }
}

}  // namespace lanescope::emulator::test
