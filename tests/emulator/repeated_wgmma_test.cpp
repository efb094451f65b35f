// SPDX-License-Identifier: MIT
// Of which wgmmas ptxas makes one (repeated_wgmma.hpp), against ptxas itself: random kernels are
// assembled, and the products in the machine code counted.
#include "emulator/ptxas/repeated_wgmma.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/emulator/machine_code.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr const char* kHopper = ".version 9.0\n.target sm_90a\n.address_size 64\n";

std::string straight_kernel(const std::string& name, const std::string& body) {
  std::string text = fmt::format(
      ".visible .entry {}(.param .u64 out, .param .u64 a, .param .u64 b)\n.reqntid 128\n{{\n"
      ".reg .pred %p<4>; .reg .f32 %f<12>; .reg .b32 %r<9>; .reg .b64 %d<8>;\n"
      ".shared .b64 cell;\n"
      "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];\n"
      "ld.global.u32 %r4, [%d0+96]; setp.ne.u32 %p1, %r4, 0; setp.ne.u32 %p2, 1, 0;\n",
      name);
  for (int k = 0; k < 8; ++k) text += fmt::format("ld.global.f32 %f{}, [%d0+{}];\n", k, 4 * k);
  for (int k = 0; k < 4; ++k) text += fmt::format("ld.global.b32 %r{}, [%d0+{}];\n", k, 64 + 4 * k);
  text += "wgmma.fence.sync.aligned;\n" + body;
  text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  for (int k = 0; k < 8; ++k) text += fmt::format("st.global.f32 [%d0+{}], %f{};\n", 4 * k, k);
  return text + "st.global.u32 [%d0+100], %r4;\nret;\n}\n";
}

template <std::size_t kCount>
const char* one_of(std::mt19937& random, const char* const (&all)[kCount]) {
  return all[random() % kCount];
}

std::string random_product(std::mt19937& random) {
  constexpr const char* kSums[] = {"{%f0, %f1, %f2, %f3}", "{%f0, %f1, %f2, %f3}",
                                   "{%f4, %f5, %f6, %f7}"};
  constexpr const char* kDescriptors[] = {"%d1", "%d1", "%d1", "%d2", "%d3"};
  constexpr const char* kScales[] = {"%p1", "%p2", "1", "1", "1", "1"};
  const bool registers = random() % 4 == 0;
  const char* a = registers ? "{%r0, %r1, %r2, %r3}" : one_of(random, kDescriptors);
  return fmt::format("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {}, {}, {}, {}, 1, {}{};\n",
                     one_of(random, kSums), a, one_of(random, kDescriptors),
                     one_of(random, kScales), random() % 8 == 0 ? "-1" : "1",
                     registers ? ", 0" : ", 0, 0");
}

// What stands between, mostly nothing. %d3 is always a or b and 2 more.
std::string random_rest(std::mt19937& random) {
  constexpr const char* kRest[] = {"",
                                   "",
                                   "",
                                   "",
                                   "",
                                   "",
                                   "add.u64 %d3, %d1, 2;\n",
                                   "add.u64 %d3, %d2, 2;\n",
                                   "mov.u64 %d3, %d1;\n",
                                   "add.u32 %r4, %r4, 3;\n",
                                   "ld.shared.u32 %r4, [cell];\n",
                                   "mov.u32 %r4, %clock;\n",
                                   "shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;\n",
                                   "wgmma.commit_group.sync.aligned;\n",
                                   "st.shared.b64 [cell], %d1;\n",
                                   "bar.sync 0;\n",
                                   "red.global.add.u32 [%d0+104], 1;\n",
                                   "fence.proxy.async;\n",
                                   "wgmma.fence.sync.aligned;\n"};
  return one_of(random, kRest);
}

// HGMMA and IGMMA with a result: what keeps groups that are empty writes to RZ.
std::ptrdiff_t products_in(const std::vector<Code>& code) {
  return std::count_if(code.begin(), code.end(), [](const Code& one) {
    const std::uint32_t opcode = one.field(0, 12);
    return (opcode == 0x9f0 || opcode == 0xdf0 || opcode == 0x9f1) && one.field(16, 8) != 0xff;
  });
}

struct Asked {
  std::string body;
  int products = 0;
};

/// How many kernels ptxas makes fewer products of; repeated_wgmma must say so of them alone.
int with_fewer(const std::vector<Asked>& all, const char* file) {
  std::string text = kHopper;
  for (std::size_t n = 0; n < all.size(); ++n)
    text += straight_kernel(fmt::format("k{}", n), all[n].body);
  const auto kernels = machine_code(assembled(text, file));
  const PtxModule module = parse_ptx(text, file);
  int fewer = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const bool is_fewer = products_in(kernels.at(fmt::format("k{}", n))) < all[n].products;
    CHECK_MESSAGE((repeated_wgmma(module.functions[n]) != nullptr) == is_fewer, all[n].body);
    fewer += is_fewer ? 1 : 0;
  }
  return fewer;
}

}  // namespace

TEST_CASE("of wgmmas that say the same ptxas makes one, where nothing is between that is seen") {
  std::mt19937 random(23);
  std::vector<Asked> all(400);
  for (Asked& asked : all) {
    asked.products = 3 + static_cast<int>(random() % 4);
    for (int k = 0; k < asked.products; ++k) {
      asked.body += k == 0 ? "add.u64 %d3, %d1, 2;\n" : random_rest(random);
      asked.body += random_product(random);
    }
  }
  const int fewer = with_fewer(all, "repeated_wgmma");
  CHECK(fewer > 60);
  CHECK(fewer < 200);
}

TEST_CASE("the first that adds to zeros is another instruction") {
  std::string zeros;
  for (int k = 0; k < 4; ++k)
    zeros += fmt::format("mov.f32 %f{0}, 0f00000000; mov.u32 %r{0}, 0;\n", k);
  const std::string real =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d1, %d2, 1, 1, 1, "
      "0, "
      "0;\n";
  const std::string integer =
      "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r0, %r1, %r2, %r3}, %d1, %d2, 1;\n";
  const std::string store = "add.u32 %r4, %r4, %r0;\n";
  CHECK(with_fewer({{zeros + real + real, 2}, {zeros + integer + integer + store, 2}},
                   "repeated_wgmma_zeros") == 0);
  CHECK(with_fewer(
            {{zeros + real + real + real, 3}, {zeros + integer + integer + integer + store, 3}},
            "repeated_wgmma_three") == 2);
}

TEST_CASE("ptxas makes all of them in a kernel with a branch, or with a store that has a guard") {
  const std::string product =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d1, %d2, 1, 1, 1, "
      "0, "
      "0;\n";
  CHECK(with_fewer({{product + product, 2}}, "repeated_wgmma_straight") == 1);
  CHECK(with_fewer({{"@%p1 bra here;\nadd.u32 %r4, %r4, 1;\nhere:\n" + product + product, 2},
                    {product + product + "@%p1 st.shared.u32 [cell], %r4;\n", 2}},
                   "repeated_wgmma_branch") == 0);
}

}  // namespace lanescope::emulator::test
