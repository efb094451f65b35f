// SPDX-License-Identifier: MIT
// Which mul and add become one fma (contract.hpp), against ptxas itself: random straight lines of
// f32 arithmetic, some with fp8 mma, are assembled, the machine code is evaluated here, and the
// emulator must give the same bits from the PTX.
#include "emulator/ptxas/contract.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
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

enum class With { nothing, numbers, mma };

/// A kernel that loads a to f, computes `length` values of values made before, and stores a few. A
/// register is sometimes written again. Some factors may be numbers, some sums an mma: its A and B
/// are such that each of its HMMAs adds -1.
std::string random_kernel(std::mt19937& random, const std::string& name, int length,
                          With with = With::nothing) {
  std::string text = ".visible .entry " + name +
                     "(.param .u64 out, .param .u64 in)\n{\n"
                     ".reg .b64 %rd<3>;\n.reg .f32 %f<300>;\n.reg .b32 %a, %b;\n"
                     "mov.b32 %a, 0x38003800;\nmov.b32 %b, 0xa000a000;\n"
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
  const auto makes = [&](int result) {
    made.erase(std::remove(made.begin(), made.end(), result), made.end());
    made.push_back(result);
  };
  // D is new registers, or C's.
  const auto add_mma = [&](int first) {
    std::array<int, 4> c, d;
    for (int& reg : c) reg = one_of(made.size() - 6);
    const bool differ = std::set<int>(c.begin(), c.end()).size() == c.size();
    for (std::size_t e = 0; e < 4; ++e) d[e] = first + static_cast<int>(e);
    if (differ && random() % 2 == 0) d = c;
    text += fmt::format(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {{%f{}, %f{}, %f{}, %f{}}}, {{%a, %a, "
        "%a, %a}}, {{%b, %b}}, {{%f{}, %f{}, %f{}, %f{}}};\n",
        d[0], d[1], d[2], d[3], c[0], c[1], c[2], c[3]);
    for (const int reg : d) makes(reg);
  };
  for (int k = 0; k < length; ++k) {
    if (with == With::mma && random() % 6 == 0) add_mma(100 + 4 * k);
    const int operation = operations(random);
    const int result = random() % 5 == 0 ? one_of(0) : kInputs + k;
    std::string operands;
    for (int s = 0; s < kSources[operation]; ++s)
      operands += fmt::format(", %f{}", one_of(random() % 4 == 0 ? 0 : made.size() - 6));
    if (with == With::numbers && operation == 0 && random() % 2 == 0)
      operands = fmt::format(", %f{}, 0f3fa{:05x}", one_of(made.size() - 6), random() % 0x100000);
    text += fmt::format("{}.f32 %f{}{};\n", kOperations[operation], result, operands);
    makes(result);
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
    if (opcode == 0x3c) {  // HMMA, of four registers
      const std::uint32_t c = code.field(64, 8), d = code.field(16, 8);
      for (std::uint32_t e = 0; e < 4; ++e)
        registers[d + e] = (c == 255 ? 0 : registers[c + e]) - 1;
    }
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
      const auto found = machine.run<std::array<float, kOutputs>>(name, given);
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
    MESSAGE(text.substr(at, text.find("ret;", at) - at));
  }
  CHECK(wrong == 0);
}

}  // namespace

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
    text += random_kernel(random, names.back(), 4 + k % 30, With::numbers);
  }
  int fused = 0;
  compare(text, names, fused);
  CHECK(fused > 300);
}

TEST_CASE("mul and fp8 mma of random programs become one fma where ptxas makes one") {
  std::mt19937 random(1123);
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  std::vector<std::string> names;
  for (int k = 0; k < 400; ++k) {
    names.push_back(fmt::format("mma_{}", k));
    text += random_kernel(random, names.back(), 2 + k % 30, With::mma);
  }
  int fused = 0;
  compare(text, names, fused);
  CHECK(fused > 300);
}

}  // namespace lanescope::emulator::test
