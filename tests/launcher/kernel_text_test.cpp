// SPDX-License-Identifier: MIT
// What the launcher reads of PTX: targets, kernels, their sizes; comments and text are none.
#include <doctest/doctest.h>

#include "launcher/kernel_text.hpp"

namespace lanescope::launcher {

TEST_CASE("kernels, with the sizes that they ask for") {
  const PtxText text = read_ptx(
      ".version 8.7\n.target sm_90a\n.address_size 64\n"
      ".extern .func helper();\n"
      ".entry declared(.param .u64 a);\n"
      ".visible .entry first(.param .u64 .ptr .global .align 1 a, .param .u32 b)\n"
      ".reqntid 128\n{ ret; }\n"
      ".visible .entry second() .maxntid 64, 2 .minnctapersm 1 { ret; }\n"
      ".entry third (.param .align 64 .b8 map[128]) .maxntid 256 .reqntid 32, 2, 3\n"
      ".reqnctapercluster 2, 1 { ret; }\n");
  CHECK(text.version == "8.7");
  CHECK(text.target == "sm_90a");
  CHECK(!text.has_dynamic_shared);
  REQUIRE(text.kernels.size() == 3);
  CHECK(text.kernels[0].name == "first");
  CHECK(text.kernels[0].block == std::array<unsigned, 3>{128, 1, 1});
  CHECK(text.kernels[1].block == std::array<unsigned, 3>{64, 2, 1});
  CHECK(text.kernels[2].block == std::array<unsigned, 3>{32, 2, 3});
}

TEST_CASE("what stands in comments and in quotes is not there") {
  const PtxText text = read_ptx(
      "// .target sm_10\n/* .entry no() { */ .target sm_80 // .entry neither() {}\n"
      ".file 1 \".entry nor() {}\"\n.extern .shared .align 16 .b8 pool[];\n.entry yes() { ret; }");
  CHECK(text.target == "sm_80");
  CHECK(text.has_dynamic_shared);
  REQUIRE(text.kernels.size() == 1);
  CHECK(text.kernels[0].name == "yes");
}

TEST_CASE("a text that ends early, or is none, has no kernel") {
  for (const char* text :
       {"", ".entry", ".entry a", ".entry a(", ".entry a(.param", ".entry a()",
        ".entry a() .reqntid", ".entry a() .reqntid 1,", "/* ", "\"", ".target", "//"})
    CHECK_MESSAGE(read_ptx(text).kernels.empty(), text);
}

TEST_CASE("the first line may say how it is launched") {
  const std::vector<std::string> words{"--grid", "2", "f16:8=@a b", "u32=1"};
  CHECK(words_in("// run: --grid 2 'f16:8=@a b'  u32=1 \r\n.version 7.0\n") == words);
  for (const char* text :
       {"", "// run:", "// run: ", "\n// run: u32=1", " // run: u32=1", "// run"})
    CHECK_MESSAGE(words_in(text).empty(), text);
  CHECK(words_in("// run: 'u32=1") == std::vector<std::string>{"u32=1"});  // it never closes
}

}  // namespace lanescope::launcher
