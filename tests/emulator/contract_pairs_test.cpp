// SPDX-License-Identifier: MIT
// mul and add of .f32x2 that become one fma, .rn or not, against ptxas' machine code for sm_100a:
// what that has of FMUL2 (0x24a) and FADD2 (0x24b) it has not fused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/emulator/in_out.hpp"
#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {
namespace {

struct Pairs {
  std::string body;  // of %l3, %l4, %l5, leaves its result in %l6
  const char* options = "";

  std::string kernel(std::size_t n) const {
    return fmt::format(
        ".visible .entry k{}(.param .u64 out, .param .u64 in)\n{{\n.reg .b64 %l<12>;\n"
        "ld.param.u64 %l1, [out]; ld.param.u64 %l2, [in]; ld.global.b64 %l3, [%l2]; "
        "ld.global.b64 %l4, [%l2+8]; ld.global.b64 %l5, [%l2+16];\n{}\n"
        "st.global.b64 [%l1], %l6;\nret;\n}}\n",
        n, body);
  }
};

}  // namespace

TEST_CASE("mul and add of .f32x2 that are rounded alike are one fma, as ptxas has them") {
  std::vector<Pairs> forms;
  for (const char* sum : {"add{1}.f32x2 %l6, %l7, %l5;", "sub{1}.f32x2 %l6, %l7, %l5;",
                          "sub{1}.f32x2 %l6, %l5, %l7;"})
    for (const char* of_product : {"", ".rn", ".rz", ".rm", ".ftz", ".rn.ftz"})
      for (const char* of_sum : {"", ".rn", ".rz", ".rm", ".rn.ftz"})
        forms.push_back({fmt::format(
            fmt::runtime(std::string("mul{0}.f32x2 %l7, %l3, %l4; ") + sum), of_product, of_sum)});
  for (const char* others :
       {"mul.f32x2 %l7, %l3, %l4; add.f32x2 %l6, %l7, %l5; st.global.b64 [%l1+8], %l7;",
        "mul.f32x2 %l7, %l3, %l4; add.f32x2 %l6, %l7, %l5; add.f32x2 %l8, %l7, %l3; "
        "st.global.b64 [%l1+8], %l8;",
        "mul.f32x2 %l7, %l3, %l4; mov.b64 %l8, %l7; add.f32x2 %l6, %l8, %l5;",
        "mul.f32x2 %l7, %l3, %l4; add.f32x2 %l6, %l7, %l7;",
        "mul.rn.f32x2 %l7, %l3, %l4; add.rn.f32x2 %l6, %l7, %l5; mov.b64 %l3, 0;",
        "mul.rn.f32x2 %l7, %l3, %l4; mov.b64 %l3, %l5; add.rn.f32x2 %l6, %l7, %l3;"})
    forms.push_back({others});
  std::string text = ".version 9.0\n.target sm_100a\n.address_size 64\n";
  for (std::size_t n = 0; n < forms.size(); ++n) text += forms[n].kernel(n);
  const auto kernels = machine_code(assembled(text, "contract_pairs", "sm_100a"));
  // Without contraction, as with -fmad false, which of pairs says nothing.
  InOut machine(text, "contract_pairs", "", "sm_100a");
  InOut unasked(text, "contract_pairs", "--fmad false", "sm_100a");
  constexpr float kA = 1 + 0x1p-12f, kB = 1 + 0x1.8p-12f;
  int apart = 0;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    CAPTURE(forms[n].body);
    const std::string name = fmt::format("k{}", n);
    int products = 0;
    for (const Code& code : kernels.at(name)) products += code.field(0, 12) == 0x24a;
    apart += products > 0;
    // What is lost of kA * kA where the product is rounded: 2^-24 of 1 + 2^-11 + 2^-24.
    const float c = forms[n].body.find("add") != std::string::npos ? -1.0f : 1.0f;
    const std::array<float, 6> given{kA, kB, kA, kB, c, c};
    const auto found = machine.run<std::array<float, 2>>(name, given);
    CHECK(found == unasked.run<std::array<float, 2>>(name, given));
    if (forms[n].body.find("%l7, %l7") != std::string::npos) continue;  // the same bits either way
    CHECK((std::abs(found[0]) == 0x1p-11f + 0x1p-24f) == (products == 0));
    CHECK((std::abs(found[1]) == 0x1.8p-11f + 0x1.2p-23f) == (products == 0));
  }
  CHECK(apart > 20);
  CHECK(apart < 70);
}

}  // namespace lanescope::emulator::test
