// SPDX-License-Identifier: MIT
// Damages the PTX of programs of several files and links it. Whatever comes of it the parser reads
// afterwards and may refuse; linking ends, keeps to the length of what it was given, and leaves
// what is not damaged linked as before. Run it sanitized. LANESCOPE_FUZZ_ROUNDS=1000000 for a long
// run; the seed is written here.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cudart/binary/ptx_link.hpp"

using lanescope::cudart::link_ptx;

namespace {

constexpr std::uint32_t kSeed = 20261121;
constexpr int kRounds = 30000;

const std::string kHead = ".version 9.0\n.target sm_90a\n.address_size 64\n";
const std::vector<std::string>& originals() {
  static const std::vector<std::string> kOriginals = {
      kHead +
          ".file 1 \"first.cu\"\n.extern .func (.param .b32 r) twice(.param .b32 a);\n"
          ".extern .shared .align 16 .b8 tile[];\n.const .align 4 .u32 table[2] = {1, 2};\n"
          ".visible .entry first(.param .u64 p)\n{\n.reg .b32 %r<3>;\n.loc 1 7 3\n{ }\n"
          "call.uni (r), twice, (a);\n.loc 1 8 1, function_name $L__info_string0, inlined_at 1 3 "
          "5\nret;\n}\n.section .debug_str\n{\n$L__info_string0:\n.b8 95, 90, 0\n}\n",
      kHead +
          ".file 1 \"second.cu\"\n.global .align 8 .u64 counters[4] = {0, 1, 2, 3};\n"
          ".func local(.param .b32 x)\n{\nret; // } \"\n}\n"
          ".visible .func (.param .b32 r) twice(.param .b32 a)\n{\n.loc 1 3 1\n/* { */\n"
          "call local, (a);\nret;\n}\n.weak .func shared_one()\n{\nret;\n}\n",
      kHead +
          ".common .global .align 4 .b8 words[64];\n.weak .func shared_one()\n{\nret;\n}\n"
          ".func local(.param .b32 x)\n{\nbra $L1;\n$L1: ret;\n}\n.alias other, local;\n"
          ".visible .entry third()\n{\ncall local, (a);\ncall shared_one, ();\nret;\n}\n",
  };
  return kOriginals;
}

void damage(std::string& text, std::mt19937& random) {
  static const std::string kPieces[] = {"{",          "}",
                                        "(",          ")",
                                        ";",          "=",
                                        "\"",         "/*",
                                        "//",         "\n",
                                        ".loc ",      ".file ",
                                        "inlined_at", ".extern",
                                        ".weak",      ".func",
                                        ".visible",   ".loc 2147483647 ",
                                        "local",      std::string(1, '\0')};
  if (text.empty()) return;
  const std::size_t at = random() % text.size();
  switch (random() % 5) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.resize(at);
      break;
    case 2:
      text.insert(at, kPieces[random() % std::size(kPieces)]);
      break;
    case 3:
      text.erase(at, random() % 20);
      break;
    case 4:
      text.insert(at, text.substr(random() % text.size(), random() % 60));
      break;
  }
}

int rounds() {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : kRounds;
}

}  // namespace

TEST_CASE("linking damaged PTX ends, and invents nothing") {
  std::mt19937 random(kSeed);
  const std::string whole = link_ptx(originals());
  int same = 0, different = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::vector<std::string> files = originals();
    std::string& one = files[random() % files.size()];
    for (int count = 1 + static_cast<int>(random() % 4); count > 0; --count) damage(one, random);
    one.shrink_to_fit();
    const std::string linked = link_ptx(files);
    std::size_t given = 0;
    for (const std::string& file : files) given += file.size();
    // A definition is declared, too; names and numbers of files grow by a few characters.
    REQUIRE(linked.size() <= 8 * given + 1000);
    ++(linked == whole ? same : different);
    if (round % 100 == 0) REQUIRE(link_ptx(originals()) == whole);
  }
  MESSAGE(different << " came out otherwise");
  CHECK(different > rounds() / 2);
}
