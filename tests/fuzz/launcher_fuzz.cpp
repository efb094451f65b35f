// SPDX-License-Identifier: MIT
// Damages the words of a launch and the PTX that it is of: each is read, or refused in one line;
// what was read has as many bytes as it says. Run it sanitized. LANESCOPE_FUZZ_ROUNDS=1000000 for a
// long run; the seed is written here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "launcher/command.hpp"
#include "launcher/kernel_text.hpp"
#include "launcher/saved_launch.hpp"
#include "launcher/stop.hpp"
#include "tests/fuzz/damage.hpp"

namespace lanescope::launcher {
namespace {

constexpr unsigned long kSeed = 20261128;
constexpr int kRounds = 4000;

const std::vector<std::string> kWords{"u32=5",
                                      "s64=-0x10",
                                      "f32=1.5e-3",
                                      "e4m3=nan",
                                      "f16:64x128=random",
                                      "bf16:4096=random:7",
                                      "s8:3x5x7=index",
                                      "f64:16=@/dev/null",
                                      "map:f16:64x128:32x64:128B=random",
                                      "map:u8:8x8x16:1x2x16:none",
                                      "f16:64=random,s32=64,f32=0.5,u8:3=index",
                                      "@/dev/null",
                                      "--grid",
                                      "--block",
                                      "--cluster",
                                      "--shared",
                                      "--kernel",
                                      "--print",
                                      "--write",
                                      "--like",
                                      "f16:64=whole:7",
                                      "4,2,1",
                                      "128",
                                      "0x400"};
const std::string kPtx =
    "// comment\n.version 8.7\n.target sm_90a, debug\n.address_size 64\n"
    ".extern .shared .align 16 .b8 pool[];\n.file 1 \"a.py\"\n"
    ".visible .entry first(.param .u64 .ptr .global .align 1 a, .param .u32 b)\n"
    ".reqntid 128, 1, 1\n.reqnctapercluster 2\n{ /* body */ ret; }\n"
    ".entry second() .maxntid 64, 2 .minnctapersm 1 { ret; }\n.entry third(.param .b8 m[128]);\n";

int rounds() {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : kRounds;
}

}  // namespace

TEST_CASE("damaged words of a launch are read, or refused in one line") {
  tests::Damage damage;
  damage.random.seed(kSeed);
  damage.tokens = {"=",
                   ":",
                   "x",
                   "@",
                   "-",
                   "0",
                   ",",
                   "random",
                   "map:",
                   "f16",
                   "1e999",
                   "inf",
                   "99999999999999999999",
                   "4294967296",
                   "\xff",
                   " ",
                   "index",
                   "--"};
  int read = 0, refused = 0, filled = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::vector<std::string> words{"kernel.ptx"};
    for (std::size_t count = damage.below(4); count > 0; --count) {
      std::string word = kWords[damage.below(kWords.size())];
      if (damage.below(3) != 0) word = damage.damaged(word);
      std::erase(word, '\n');
      std::erase(word, '\0');  // ends a word of a command line
      words.push_back(word);
    }
    Wanted wanted;
    try {
      wanted = read_command(words);
      ++read;
    } catch (const Stop& stop) {
      ++refused;
      REQUIRE(stop.code == kWrongUsage);
      REQUIRE(!stop.why.empty());
      REQUIRE(stop.why.find('\n') == std::string::npos);
    }
    std::vector<Argument> arguments;
    for (const Parameter& parameter : wanted.parameters) {
      const std::vector<std::size_t> offsets = parameter.offsets();
      REQUIRE(parameter.members.empty() == !parameter.file.empty());
      for (std::size_t k = 0; k < parameter.members.size(); ++k) {
        REQUIRE(offsets[k] % parameter.members[k].alignment() == 0);
        REQUIRE(offsets[k] + parameter.members[k].parameter_bytes() <= offsets[k + 1]);
        arguments.push_back(parameter.members[k]);
      }
    }
    for (const Argument& argument : arguments) {
      if (argument.kind == Argument::Kind::number || argument.bytes() > 1 << 20) continue;
      std::vector<std::byte> bytes;
      const std::string why = fill(argument, 0, bytes);
      REQUIRE((why.empty() || argument.contents.kind == Contents::Kind::file));
      if (!why.empty()) continue;
      REQUIRE(bytes.size() == argument.bytes());
      for (std::uint64_t at = 0; at < std::min<std::uint64_t>(argument.count(), 8); ++at)
        REQUIRE(!text_of(*argument.element,
                         load(*argument.element,
                              &bytes[at * static_cast<std::uint64_t>(argument.element->bytes)]))
                     .empty());
      ++filled;
    }
  }
  MESSAGE(read << " read, " << refused << " refused, " << filled << " filled");
  CHECK(read > rounds() / 5);
  CHECK(refused > rounds() / 5);
  CHECK(filled > rounds() / 40);
}

TEST_CASE("damaged PTX has the kernels that it has") {
  tests::Damage damage;
  damage.random.seed(kSeed);
  damage.tokens = {".entry",
                   ".param",
                   ".reqntid",
                   "(",
                   ")",
                   "{",
                   "}",
                   ";",
                   ",",
                   "/*",
                   "*/",
                   "//",
                   "\"",
                   ".target",
                   ".extern .shared",
                   "99999999999999999999",
                   "\xff",
                   std::string(1, '\0')};
  std::size_t kernels = 0;
  for (int round = 0; round < rounds(); ++round) {
    const std::string text = damage.damaged(kPtx);
    const PtxText found = read_ptx(text);
    for (const KernelText& kernel : found.kernels)
      REQUIRE(text.find(kernel.name) != std::string::npos);
    kernels += found.kernels.size();
  }
  CHECK(kernels > static_cast<std::size_t>(rounds()));
}

TEST_CASE("a damaged launch is read, or refused in one line") {
  const std::string text =
      "//@launch 1\n//@grid 2,1,1\n//@block 32,4,1\n//@cluster 2,1,1\n//@shared 49152\n"
      "//@parameters 00f0ad0b0000000003000000\n//@memory badf000 64\n//@memory badf100 32\n"
      "//@variable bae0000 8 where\n.version 8.7\n";
  std::string memory = "lanescope memory 1\n";
  for (const char* piece : {"\x10\xf0\xad\x0b\0\0\0\0\x04\0\0\0\0\0\0\0abcd",
                            "\0\0\xae\x0b\0\0\0\0\x04\0\0\0\0\0\0\0abcd"})
    memory.append(piece, 20);
  SavedLaunch whole;
  REQUIRE(read_saved_launch(text, memory, whole) == "");
  tests::Damage damage;
  damage.random.seed(kSeed);
  damage.tokens = {
      "//@", "//@memory 0 1\n", "//@memory badf03f 2\n", " ", "\n", ",", "0", "ff", "-1", "x",
      "\xff"};
  int read = 0, refused = 0;
  for (int round = 0; round < rounds(); ++round) {
    const bool of_memory = damage.below(2) == 0;
    SavedLaunch launch;
    const std::string why = read_saved_launch(of_memory ? text : damage.damaged(text),
                                              of_memory ? damage.damaged(memory) : memory, launch);
    ++(why.empty() ? read : refused);
    REQUIRE(why.find('\n') == std::string::npos);
    if (!why.empty()) continue;
    for (SavedMemory& one : launch.memories) one.now = one.address + 0x1000;
    std::vector<std::byte> moved = launch.parameters;
    move_addresses(launch, moved);
    REQUIRE(moved.size() == launch.parameters.size());
  }
  MESSAGE(read << " read, " << refused << " refused");
  CHECK(read > rounds() / 20);
  CHECK(refused > rounds() / 5);
}

}  // namespace lanescope::launcher
