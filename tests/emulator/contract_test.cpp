// SPDX-License-Identifier: MIT
// Which mul and add become one fma (contract.hpp), against ptxas itself: random straight lines of
// f32 arithmetic are assembled, the machine code is evaluated here, and the emulator must give the
// same bits from the PTX.
//
#include "emulator/contract.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/emulator/in_out.hpp"
#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr int kInputs = 6, kOutputs = 4, kTuples = 32;
constexpr const char* kOperations[] = {"mul",     "add",     "sub",     "neg",
                                       "mov",     "fma.rn",  "mul.rn",  "add.rn",
                                       "add.sat", "mul.ftz", "sub.ftz", "neg.ftz"};
constexpr int kSources[] = {2, 2, 2, 1, 1, 3, 2, 2, 2, 2, 2, 1};
constexpr double kWeights[] = {42, 18, 20, 6, 5, 3, 2, 2, 2, 3, 3, 1};

/// A kernel that loads a to f, computes `length` values of values made before, and stores a few. A
/// register is sometimes written again. Some factors may be numbers.
std::string random_kernel(std::mt19937& random, const std::string& name, int length,
                          bool numbers = false) {
  std::string text = ".visible .entry " + name +
                     "(.param .u64 out, .param .u64 in)\n{\n"
                     ".reg .b64 %rd<3>;\n.reg .f32 %f<100>;\n"
                     "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\n";
  std::vector<int> made;
  for (int k = 0; k < kInputs; ++k) {
    text += fmt::format("ld.global.f32 %f{}, [%rd2+{}];\n", k, 4 * k);
    made.push_back(k);
  }
  std::discrete_distribution<int> operations(std::begin(kWeights), std::end(kWeights));
  const auto one_of = [&](std::size_t from) {
    return made[from + random() % (made.size() - from)];
  };
  for (int k = 0; k < length; ++k) {
    const int operation = operations(random);
    const int result = random() % 5 == 0 ? one_of(0) : kInputs + k;
    std::string operands;
    for (int s = 0; s < kSources[operation]; ++s)
      operands += fmt::format(", %f{}", one_of(random() % 4 == 0 ? 0 : made.size() - 6));
    if (numbers && operation == 0 && random() % 2 == 0)
      operands = fmt::format(", %f{}, 0f3fa{:05x}", one_of(made.size() - 6), random() % 0x100000);
    text += fmt::format("{}.f32 %f{}{};\n", kOperations[operation], result, operands);
    made.erase(std::remove(made.begin(), made.end(), result), made.end());
    made.push_back(result);
  }
  for (int k = 0; k < kOutputs; ++k)
    text += fmt::format("st.global.f32 [%rd1+{}], %f{};\n", 4 * k, one_of(made.size() - 5));
  return text + "ret;\n}\n";
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// What straight-line code stores.
std::array<float, kOutputs> evaluate(const std::vector<Code>& kernel, const float* in, int& fused) {
  std::array<float, 256> registers{};
  std::array<float, kOutputs> out{};
  fused = 0;
  for (const Code& code : kernel) {
    const std::uint32_t opcode = code.field(0, 9), form = code.field(9, 3);
    const bool ftz = code.field(80, 1) != 0;
    const auto operand = [&](int at, int absolute, int negative) {
      float value = registers[code.field(at, 8)];
      if (code.field(absolute, 1) != 0) value = std::fabs(value);
      if (code.field(negative, 1) != 0) value = -value;
      return ftz ? flushed(value) : value;
    };
    if (opcode == 0x14d) break;  // EXIT
    if (opcode == 0x181)         // LDG
      registers[code.field(16, 8)] = in[code.field(40, 24) / 4];
    if (opcode == 0x186)  // STG
      out[code.field(40, 24) / 4] = registers[code.field(32, 8)];
    if (opcode != 0x20 && opcode != 0x21 && opcode != 0x23) continue;
    REQUIRE_MESSAGE((form == 1 || form == 4), "operands that are not registers, nor a factor");
    REQUIRE(code.field(12, 4) == 7);
    const float a = operand(24, 73, 72), c = operand(64, 74, 75);
    float b = form == 4 ? 0 : operand(32, 62, 63);
    if (const std::uint32_t number = code.field(32, 32); form == 4)
      std::memcpy(&b, &number, sizeof b);
    float made = opcode == 0x20 ? a * b : opcode == 0x21 ? a + b : std::fma(a, b, c);
    if (opcode == 0x23 && code.field(64, 8) != 255) ++fused;
    if (ftz) made = flushed(made);
    if (code.field(77, 1) != 0) made = made > 0 ? std::fmin(made, 1.0f) : 0.0f;
    registers[code.field(16, 8)] = made;
    registers[255] = 0;
  }
  return out;
}

std::uint32_t bits_of(float value) {
  if (value != value) return 0x7fffffff;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The emulator's results beside those of ptxas' code, for all kernels of `text`.
void compare(const std::string& text, const std::vector<std::string>& names, int& all_fused) {
  const auto kernels = machine_code(assembled(text, "contract"));
  InOut machine(text, "contract");
  std::mt19937 random(5);
  std::uniform_real_distribution<float> numbers(1.0f, 2.0f);
  int wrong = 0;
  for (const std::string& name : names) {
    const auto kernel = kernels.find(name);
    REQUIRE(kernel != kernels.end());
    bool differs = false;
    for (int tuple = 0; tuple < kTuples; ++tuple) {
      float given[kInputs];
      for (float& value : given) value = (random() % 2 != 0 ? 1.0f : -1.0f) * numbers(random);
      const auto found = machine.run<std::array<float, kOutputs>>(name, given, 1);
      int fused = 0;
      const auto expected = evaluate(kernel->second, given, fused);
      for (int k = 0; k < kOutputs; ++k)
        differs = differs || bits_of(found[static_cast<std::size_t>(k)]) !=
                                 bits_of(expected[static_cast<std::size_t>(k)]);
      if (tuple == 0) all_fused += fused;
    }
    if (!differs) continue;
    if (++wrong > 2) continue;
    const std::size_t at = text.find(name + "(");
    MESSAGE(text.substr(at, text.find('}', at) - at));
  }
  CHECK(wrong == 0);
}

/// A product, something else, and a sum that has the product; {0} is where a rounding may be said.
struct Form {
  std::string between;
  std::string product = "mul{0}.f32 %f4, %f1, %f2;";
  std::string sum = "sub{0}.f32 %f5, %f4, %f3;";

  std::string kernel(const std::string& name, const char* rounding) const {
    const auto rounded = [&](const std::string& text) {
      return fmt::format(fmt::runtime(text), rounding);
    };
    return fmt::format(
        ".visible .entry {0}(.param .u64 out, .param .u64 in)\n{{\n.reg .f32 %f<10>; .reg .f64 "
        "%d<4>; .reg .b64 %l<8>; .reg .b32 %r<8>; .reg .b16 %h<8>; .reg .pred %p<4>;\n"
        "ld.param.u64 %l1, [out]; ld.param.u64 %l2, [in];\nld.global.f32 %f1, [%l2]; "
        "ld.global.f32 %f2, [%l2+4]; ld.global.f32 %f3, [%l2+8];\nld.global.b64 %l3, [%l2]; "
        "ld.global.f64 %d1, [%l2+8];\ncvt.u32.u64 %r1, %l3; cvt.u16.u64 %h1, %l3;\n"
        "{1}\n{2}\n{3}\nst.global.f32 [%l1], %f5;\nret;\n}}\n",
        name, rounded(product), between, rounded(sum));
  }
};

/// Wants of every form the bits that ptxas' machine code has, as it fuses or does not; how many it
/// does not. Of products of 1 + 2^-12 and sums with 1 the rounding shows.
int compare_with_ptxas(const std::vector<Form>& forms, const char* file) {
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  for (std::size_t n = 0; n < forms.size(); ++n)
    text += forms[n].kernel(fmt::format("open{}", n), "") +
            forms[n].kernel(fmt::format("rounded{}", n), ".rn");
  const auto kernels = machine_code(assembled(text, file));
  const auto products = [&](const std::string& name) {
    int found = 0;
    for (const Code& code : kernels.at(name)) found += code.field(0, 9) == 0x20;
    return found;
  };
  InOut machine(text, file);
  const float given[4] = {1 + 0x1p-12f, 1 + 0x1p-12f, 1.0f, 1.0f};
  int apart = 0;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const std::string name = fmt::format("open{}", n);
    const auto found = machine.run<float>(name, given);
    const bool fused = products(name) < products(fmt::format("rounded{}", n));
    apart += !fused;
    CHECK_MESSAGE(found == (fused ? 0x1p-11f + 0x1p-24f : 0x1p-11f), forms[n].product, " ",
                  forms[n].between, " ", forms[n].sum);
  }
  return apart;
}

}  // namespace

// ptxas says which are; what is stored of the others keeps them from being left out.
TEST_CASE("what is several blocks of machine code stands between a product and its sum") {
  const std::string store32 = " st.global.b32 [%l1+8], %r2;",
                    store64 = " st.global.b64 [%l1+8], %l4;",
                    storef = " st.global.f32 [%l1+8], %f6;",
                    stored = " st.global.f64 [%l1+8], %d2;",
                    storeh = " st.global.b16 [%l1+8], %h2;";
  std::vector<std::string> between;
  // the product is written over: by one of numbers, which is no product any more, and by others
  for (const char* product :
       {"mul.f32 %f4, 0f3f800800, 0f3f800800;", "mov.f32 %f6, 0f3f800800; mul.f32 %f4, %f6, %f6;",
        "mov.f32 %f6, 0f3f800800; mul.f32 %f4, %f6, %f2;", "mul.f32 %f4, %f1, 0f3f800800;"})
    between.push_back(product);
  for (const char* operation : {"div", "rem"}) {
    for (const char* type : {"u32", "s32"})
      between.push_back(fmt::format("{}.{} %r2, %r1, 7;{}", operation, type, store32));
    for (const char* type : {"u64", "s64"})
      between.push_back(fmt::format("{}.{} %l4, %l3, %l2;{}", operation, type, store64));
    for (const char* type : {"u16", "s16"})
      between.push_back(fmt::format("{}.{} %h2, %h1, %h1;{}", operation, type, storeh));
    between.push_back(fmt::format("{}.s32 %r2, %r1, %r1;", operation));
  }
  for (const char* how : {"rn", "rz", "rn.ftz", "rp.ftz", "rm"}) {
    between.push_back(fmt::format("div.{}.f32 %f6, %f1, %f2;{}", how, storef));
    between.push_back(fmt::format("rcp.{}.f32 %f6, %f1;{}", how, storef));
    between.push_back(fmt::format("sqrt.{}.f32 %f6, %f1;{}", how, storef));
  }
  for (const char* how : {"full", "approx", "full.ftz"})
    between.push_back(fmt::format("div.{}.f32 %f6, %f1, %f2;{}", how, storef));
  for (const char* one :
       {"rcp.approx.f32", "sqrt.approx.f32", "ex2.approx.f32", "sin.approx.ftz.f32"})
    between.push_back(fmt::format("{} %f6, %f1;{}", one, storef));
  for (const char* one : {"rcp.rn.f64", "rcp.rz.f64", "sqrt.rn.f64", "sqrt.rp.f64",
                          "rsqrt.approx.f64", "rsqrt.approx.ftz.f64", "rcp.approx.ftz.f64"})
    between.push_back(fmt::format("{} %d2, %d1;{}", one, stored));
  between.push_back("div.rn.f64 %d2, %d1, %d1;" + stored);
  for (const char* one : {"bfind.u32", "bfind.shiftamt.s32"})
    between.push_back(fmt::format("{} %r2, %r1;{}", one, store32));
  for (const char* one : {"bfind.u64", "bfind.s64", "clz.b64", "popc.b64"})
    between.push_back(fmt::format("{} %r2, %l3;{}", one, store32));
  for (const char* one :
       {"div.rn.f32 %f6, %f1, %f2;", "membar.cta;", "membar.gl;", "fence.acq_rel.gpu;",
        "fence.sc.cta;", "fence.proxy.async;", "bar.sync 0;", "bar.warp.sync -1;",
        "nanosleep.u32 1;", "pmevent 3;", "griddepcontrol.launch_dependents;",
        "griddepcontrol.wait;", "cp.async.wait_all;", "vote.sync.ballot.b32 %r2, 1, -1;"})
    between.push_back(one);
  std::vector<Form> forms;
  for (const std::string& one : between) forms.push_back({one});
  const int blocks = compare_with_ptxas(forms, "contract_blocks");
  CHECK(blocks > 30);
  CHECK(blocks < static_cast<int>(between.size()) - 15);
}

TEST_CASE("a product by a number is made where its sums are, in whatever block") {
  const std::string by_number = "mul{0}.f32 %f4, %f1, 0f3f800800;",
                    branch =
                        "setp.gt.f32 %p1, %f1, %f3; @%p1 bra A; st.volatile.global.f32 "
                        "[%l1+8], %f1; A:",
                    loop =
                        "shr.u32 %r3, %r1, 28; mov.u32 %r2, 0; B: add.u32 %r2, %r2, 1; "
                        "st.volatile.global.b32 [%l1+8], %r2;",
                    again = "setp.lt.u32 %p2, %r2, %r3; @%p2 bra B;",
                    store = "st.global.f32 [%l1+12], %f4;";
  const std::vector<Form> fused{
      {branch, by_number},
      {branch, "mul{0}.f32 %f4, 0f3f800800, %f1;"},
      {branch, "mov.f32 %f6, 0f3f800800; mul{0}.f32 %f4, %f1, %f6;"},
      {"div.rn.f32 %f6, %f1, %f2; st.global.f32 [%l1+8], %f6;", by_number},
      {"membar.gl;", by_number},
      {loop + again, by_number},
      {"setp.lt.f32 %p1, %f1, %f3; mov.f32 %f5, %f1; @%p1 bra A;", by_number,
       "sub{0}.f32 %f5, %f4, %f3; A:"},
      {loop, by_number, "sub{0}.f32 %f5, %f4, %f3;" + again},
      {branch + " neg.f32 %f6, %f4;", by_number, "add{0}.f32 %f5, %f6, %f3; neg.f32 %f5, %f5;"},
      {"mov.f32 %f6, %f4; " + branch, by_number, "sub{0}.f32 %f5, %f6, %f3;"},
      {branch, by_number + " sub{0}.f32 %f6, %f4, %f2; st.global.f32 [%l1+8], %f6;"},
      {branch, by_number,
       "sub{0}.f32 %f6, %f4, %f2; st.global.f32 [%l1+8], %f6; sub{0}.f32 %f5, %f4, %f3;"},
      {loop + "ld.volatile.global.f32 %f7, [%l2];", "",
       "mul{0}.f32 %f4, %f7, 0f3f800800; setp.lt.f32 %p1, %f7, %f3; "
       "@%p1 bra A; st.volatile.global.b32 [%l1+8], %r3; A: sub{0}.f32 %f5, %f4, %f3;" +
           again}};
  const std::vector<Form> apart{
      {branch},
      {branch, "mul{0}.f32 %f4, %f1, %f1;"},
      {branch + store, by_number},
      {branch, by_number + store},
      {"membar.gl; " + store, by_number},
      {loop + "ld.volatile.global.f32 %f7, [%l2]; mul.f32 %f4, %f7, 0f3f800800;" + again, ""},
      {"setp.lt.f32 %p1, %f1, %f3; mov.f32 %f4, %f2; @%p1 bra A; mul.f32 %f4, %f1, 0f3f800800; A:",
       ""}};
  CHECK(compare_with_ptxas(fused, "contract_numbers") == 0);
  CHECK(compare_with_ptxas(apart, "contract_registers") == static_cast<int>(apart.size()));
}

TEST_CASE("a product is wanted behind its block only where it is read before it is written over") {
  const std::string difference = "sub{0}.f32 %f5, %f4, %f3; setp.gt.f32 %p1, %f1, %f3; ",
                    either = "@%p1 bra A; st.volatile.global.f32 [%l1+8], %f1; ",
                    later =
                        "setp.lt.f32 %p2, %f2, %f3; @%p2 bra B; st.volatile.global.f32 "
                        "[%l1+8], %f2; B: st.global.f32 [%l1+12], %f4;";
  const std::string product = "mul{0}.f32 %f4, %f1, %f2;";
  const std::vector<Form> fused{
      {"", product, difference + either + "A: mov.f32 %f4, %f1; " + later},
      {"", product, difference + either + "A: add.rn.f32 %f4, %f1, %f3; " + later}};
  const std::vector<Form> apart{
      {"", product, difference + either + "A: " + later},
      {"", product, difference + either + "mov.f32 %f4, %f1; A: " + later},
      {"", product, difference + either + "A: add.rn.f32 %f4, %f4, %f3; " + later}};
  CHECK(compare_with_ptxas(fused, "contract_overwritten") == 0);
  CHECK(compare_with_ptxas(apart, "contract_wanted") == static_cast<int>(apart.size()));
}

TEST_CASE("mul and add of random programs become one fma where ptxas makes one") {
  std::mt19937 random(2026);
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  std::vector<std::string> names;
  for (int k = 0; k < 400; ++k) {
    names.push_back(fmt::format("kernel{}", k));
    text += random_kernel(random, names.back(), 2 + static_cast<int>(random() % 24));
  }
  int fused = 0;
  compare(text, names, fused);
  CHECK(fused > 300);
}

TEST_CASE("mul by numbers and add of random programs become one fma where ptxas makes one") {
  std::mt19937 random(1121);
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  std::vector<std::string> names;
  for (int k = 0; k < 400; ++k) {
    names.push_back(fmt::format("numbers_{}", k));
    text += random_kernel(random, names.back(), 4 + k % 30, true);
  }
  int fused = 0;
  compare(text, names, fused);
  CHECK(fused > 300);
}

}  // namespace lanescope::emulator::test
