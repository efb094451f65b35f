// SPDX-License-Identifier: MIT
// Which mul and add of halves become one fma (contract.hpp), against ptxas itself: of a register
// and a number, of two numbers, whose product is no number to ptxas, in one block and in two.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/ptxas/contract.hpp"
#include "tests/emulator/in_out.hpp"
#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {
namespace {

/// A half next to 1 whose square is not one, its bits as f32, its square rounded, and what
/// rounding took away.
struct Half {
  const char* type;
  std::uint16_t factor, square;
  const char* factor_f32;
  std::uint16_t rest;
};
constexpr std::array<Half, 2> kHalves{{{"f16", 0x3c01, 0x3c02, "0f3F802000", 0x0010},
                                       {"bf16", 0x3f81, 0x3f82, "0f3F810000", 0x3880}}};

struct Case {
  std::string text;
  std::uint16_t square, rest;
};

std::string kernel(std::size_t n, const std::string& text) {
  return fmt::format(
      ".visible .entry k{}(.param .u64 out, .param .u64 in)\n{{\n.reg .b64 %l<4>; .reg .b32 %r<4>; "
      ".reg .b16 %h<8>; .reg .pred %p<4>;\nld.param.u64 %l1, [out]; ld.param.u64 %l2, [in];\n"
      "ld.global.b16 %h1, [%l2]; ld.global.b16 %h4, [%l2+2]; ld.global.b32 %r1, [%l2+4];\n{}\n"
      "st.global.b16 [%l1], %h5;\nret;\n}}\n",
      n, text);
}

std::vector<Case> cases() {
  const std::string branch =
      "setp.gt.s32 %p1, %r1, 3; @%p1 bra A; st.volatile.global.b32 [%l1+8], %r1; A: ";
  std::vector<Case> all;
  for (const Half& half : kHalves) {
    const std::string moved = fmt::format("mov.b16 {{}}, {};", half.factor),
                      converted =
                          fmt::format("cvt.rn.{}.f32 {{}}, {};", half.type, half.factor_f32);
    for (const std::string& first : {std::string(), moved, converted})
      for (const std::string& second : {std::string(), moved, converted})
        for (const std::string& between : {std::string(), branch})
          all.push_back(
              {(first.empty() ? "mov.b16 %h2, %h1; " : fmt::format(fmt::runtime(first), "%h2")) +
                   (second.empty() ? "mov.b16 %h3, %h1; "
                                   : fmt::format(fmt::runtime(second), "%h3")) +
                   fmt::format(" mul.{} %h6, %h2, %h3; ", half.type) + between +
                   fmt::format("sub.{} %h5, %h6, %h4;", half.type),
               half.square, half.rest});
  }
  return all;
}

}  // namespace

TEST_CASE("a product of halves that are numbers goes into a sum where ptxas has it there") {
  const std::vector<Case> all = cases();
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  for (std::size_t n = 0; n < all.size(); ++n) text += kernel(n, all[n].text);
  const auto kernels = machine_code(assembled(text, "contract_halves"));
  InOut machine(text, "contract_halves");
  int fused = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const std::string name = fmt::format("k{}", n);
    const auto& codes = kernels.at(name);
    const bool is_fused = std::none_of(codes.begin(), codes.end(), [](const Code& code) {
      return code.field(0, 9) == 0x30 || code.field(0, 9) == 0x32;  // HADD2, HMUL2
    });
    fused += is_fused;
    const auto factor = static_cast<std::uint16_t>(all[n].square - 1);
    const std::array<std::uint16_t, 4> given{factor, all[n].square, 1, 0};
    CHECK_MESSAGE(machine.run<std::uint16_t>(name, given) == (is_fused ? all[n].rest : 0),
                  all[n].text);
  }
  CHECK(fused == 34);  // all but those of two registers in two blocks
}

}  // namespace lanescope::emulator::test
