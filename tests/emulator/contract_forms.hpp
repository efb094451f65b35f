// SPDX-License-Identifier: MIT
// A product, something between, and a sum: as ptxas' machine code has them, and as the emulator
// does. Used by the tests of contract.hpp.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/emulator/in_out.hpp"
#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {

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
inline int compare_with_ptxas(const std::vector<Form>& forms, const char* file) {
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

}  // namespace lanescope::emulator::test
