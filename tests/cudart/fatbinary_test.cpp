// SPDX-License-Identifier: MIT
// The fat binary reader: every packing, the choice among architectures, and damage.
#include "cudart/binary/fatbinary.hpp"

#include <doctest/doctest.h>

#include "tests/cudart/fatbinary_builder.hpp"

using namespace lanescope::cudart;
using namespace lanescope::tests;

TEST_CASE("targets read as nvcc writes them") {
  CHECK(parse_target("sm_80") == Target{80, 0});
  CHECK(parse_target("sm_90a") == Target{90, 'a'});
  CHECK(parse_target("compute_120f") == Target{120, 'f'});
  for (const char* text : {"", "sm_", "sm_9x", "sm_90aa", "90", "SM_90", "sm_a", "sm_99999999999"})
    CHECK_MESSAGE(parse_target(text).number == 0, text);
  CHECK(to_string(Target{90, 'a'}) == "sm_90a");
  CHECK(to_string(Target{80, 0}) == "sm_80");
}

TEST_CASE("PTX runs on its target and, without a suffix, on newer ones") {
  CHECK(runs_on({80, 0}, {80, 0}));
  CHECK(runs_on({80, 0}, {90, 'a'}));
  CHECK_FALSE(runs_on({90, 0}, {89, 0}));
  CHECK(runs_on({90, 'a'}, {90, 'a'}));
  CHECK_FALSE(runs_on({90, 'a'}, {90, 0}));
  CHECK_FALSE(runs_on({90, 'a'}, {100, 'a'}));
  CHECK(runs_on({100, 'f'}, {103, 'a'}));
  CHECK_FALSE(runs_on({100, 'f'}, {120, 'a'}));
  CHECK_FALSE(runs_on({103, 'f'}, {100, 'a'}));
}

TEST_CASE("plain, zstd and LZ4 give the same text") {
  const std::string text = module_for("sm_80");
  for (const Packing packing : {Packing::none, Packing::zstd, Packing::lz4}) {
    const FatBinary read =
        read_fat_binary(FatBinaryBuilder().sass(80).ptx(80, text, packing).build());
    CHECK(read.error == "");
    REQUIRE(read.ptx.size() == 1);
    CHECK(read.ptx[0].text == text);
    CHECK(read.ptx[0].target == Target{80, 0});
    REQUIRE(read.sass.size() == 1);
    CHECK(read.sass[0] == Target{80, 0});
  }
}

TEST_CASE("what ptxas was told is read, and nothing beyond the header") {
  FatBinaryBuilder builder;
  builder.ptx(80, module_for("sm_80"), Packing::zstd).options(" --fmad false ");
  builder.ptx(90, module_for("sm_90"), Packing::zstd);
  const FatBinary read = read_fat_binary(builder.build());
  REQUIRE(read.ptx.size() == 2);
  CHECK(read.ptx[0].ptxas_options == "");
  CHECK(read.ptx[1].ptxas_options == " --fmad false ");
  // a header that says something else about their place or size
  for (const std::size_t field : {20, 64, 68}) {
    FatBinaryBuilder damaged;
    damaged.options(" --fmad false ").ptx(80, module_for("sm_80"), Packing::zstd);
    damaged.put<std::uint32_t>(16 + field, 0x7ffffff0u);
    const FatBinary found = read_fat_binary(damaged.build());
    REQUIRE(found.ptx.size() == 1);
    CHECK(found.ptx[0].ptxas_options == "");
  }
}

TEST_CASE("the highest PTX that runs is chosen") {
  FatBinaryBuilder builder;
  for (const char* target : {"sm_80", "sm_90a", "sm_89", "sm_90", "sm_100a"})
    builder.ptx(parse_target(target).number, module_for(target), Packing::zstd);
  const FatBinary read = read_fat_binary(builder.build());
  REQUIRE(read.error == "");
  const auto chosen = [&](const char* arch) {
    const PtxImage* image = choose_ptx(read, parse_target(arch));
    return image ? to_string(image->target) : std::string("none");
  };
  CHECK(chosen("sm_75") == "none");
  CHECK(chosen("sm_80") == "sm_80");
  CHECK(chosen("sm_86") == "sm_80");
  CHECK(chosen("sm_89") == "sm_89");
  CHECK(chosen("sm_90") == "sm_90");
  CHECK(chosen("sm_90a") == "sm_90a");
  CHECK(chosen("sm_100") == "sm_90");
  CHECK(chosen("sm_100a") == "sm_100a");
}

TEST_CASE("without a choice of the user's a program gets the GPU it has PTX for") {
  using Targets = std::vector<const char*>;
  // One container for each list, one after another, with zeros between them as the linker leaves.
  const auto chosen = [](const std::vector<Targets>& containers) {
    std::vector<std::byte> section(24);
    for (const Targets& targets : containers) {
      FatBinaryBuilder builder;
      builder.sass(90);
      for (const char* target : targets)
        builder.ptx(parse_target(target).number, module_for(target), Packing::lz4);
      const auto bytes = builder.build();
      section.insert(section.end(), bytes.begin(), bytes.end());
      section.resize((section.size() + 7) / 8 * 8 + 16);
    }
    const std::span<const std::byte> sections[] = {section};
    return to_string(choose_arch(sections, parse_target("sm_90a")));
  };
  CHECK(chosen({}) == "sm_90a");
  CHECK(chosen({{}}) == "sm_90a");
  CHECK(chosen({{"sm_80"}}) == "sm_90a");
  CHECK(chosen({{"sm_80", "sm_100a"}}) == "sm_90a");
  CHECK(chosen({{"sm_100a"}}) == "sm_100a");
  CHECK(chosen({{"sm_100f"}}) == "sm_100");
  CHECK(chosen({{"sm_100", "sm_120a", "sm_103a"}}) == "sm_120a");
  CHECK(chosen({{"sm_100", "sm_120a"}, {"sm_100"}}) == "sm_120a");
  CHECK(chosen({{"sm_100a", "sm_120a"}, {"sm_100a"}, {}}) == "sm_100a");
  CHECK(chosen({{"sm_90a"}, {"sm_100a"}}) == "sm_90a");  // none for both: the usual complaint
  CHECK(chosen({{"sm_121a"}}) == "sm_90a");              // the emulator knows no such card
}

TEST_CASE("the registers of kernels are read from the SASS that a driver would take") {
  constexpr std::uint64_t kSpecific = 0x100011;
  const auto container =
      FatBinaryBuilder()
          .code(80, cubin_with_registers({{"gemm", 80}}))
          .code(90, cubin_with_registers({{"gemm", 90}, {"copy", 12}}))
          .code(90, cubin_with_registers({{"gemm", 168}, {"none", 256}}), kSpecific)
          .ptx(80, module_for("sm_80"), Packing::zstd)
          .build();
  using Registers = std::map<std::string, int>;
  const auto of = [&](const char* arch) { return registers_in(container, parse_target(arch)); };
  CHECK(of("sm_75") == Registers{});
  CHECK(of("sm_80") == Registers{{"gemm", 80}});
  CHECK(of("sm_86") == Registers{{"gemm", 80}});
  CHECK(of("sm_90") == Registers{{"gemm", 90}, {"copy", 12}});
  CHECK(of("sm_90a") == Registers{{"gemm", 168}});
  CHECK(of("sm_100a") == Registers{});  // machine code of another generation
  CHECK(registers_in(FatBinaryBuilder().sass(90).build(), {90, 'a'}) == Registers{});
}

TEST_CASE("what is there is described") {
  CHECK(describe(read_fat_binary(FatBinaryBuilder().sass(80).sass(90, 0x108011).build())) ==
        "no PTX and SASS for sm_80, sm_90a");
  CHECK(describe(read_fat_binary(
            FatBinaryBuilder().ptx(90, module_for("sm_90a"), Packing::lz4).build())) ==
        "PTX for sm_90a");
}

TEST_CASE("an empty fat binary is no error: nvcc writes one beside every program") {
  const FatBinary read = read_fat_binary(FatBinaryBuilder().build());
  CHECK(read.error == "");
  CHECK(read.ptx.empty());
}

TEST_CASE("damage is named") {
  const std::string text = module_for("sm_80");
  const auto error_of = [](const std::vector<std::byte>& bytes) {
    return read_fat_binary(bytes).error;
  };
  CHECK(error_of({}) == "not a fat binary");
  auto good = FatBinaryBuilder().ptx(80, text, Packing::zstd).build();

  auto bytes = good;
  bytes[0] = std::byte{0};
  CHECK(error_of(bytes) == "not a fat binary");

  bytes = good;
  bytes.pop_back();
  CHECK(error_of(bytes) == "the fat binary is cut off");

  // The container says it is shorter than its entry.
  auto builder = FatBinaryBuilder().ptx(80, text, Packing::zstd);
  bytes = builder.build();
  const std::uint64_t short_bytes = 80;
  std::memcpy(bytes.data() + 8, &short_bytes, 8);
  CHECK(error_of(bytes) == "the entry at byte 16 is longer than the fat binary");

  bytes = good;
  const std::uint64_t endless = ~std::uint64_t{0};
  std::memcpy(bytes.data() + 16 + 8, &endless, 8);
  CHECK(error_of(bytes) == "the entry at byte 16 is longer than the fat binary");

  bytes = good;
  bytes[16 + 80 + 6] ^= std::byte{0xff};  // inside the zstd frame
  CHECK(error_of(bytes).find("the entry at byte 16 is damaged") == 0);

  bytes = FatBinaryBuilder().ptx(80, "no directive here", Packing::none).build();
  CHECK(error_of(bytes) == "the entry at byte 16 is damaged: its PTX has no .target");
}

TEST_CASE("a header's lie about the size costs no memory") {
  for (const Packing packing : {Packing::zstd, Packing::lz4}) {
    auto bytes = FatBinaryBuilder().ptx(80, module_for("sm_80"), packing).build();
    for (const std::uint64_t claim :
         {std::uint64_t{1} << 62, std::uint64_t{1} << 27, std::uint64_t{0}, std::uint64_t{7}}) {
      std::memcpy(bytes.data() + 16 + 56, &claim, 8);
      const FatBinary read = read_fat_binary(bytes);
      CHECK(read.ptx.empty());
      CHECK(read.error == "the entry at byte 16 is damaged: its PTX does not unpack");
    }
  }
}

TEST_CASE("every cut is survived") {
  const auto whole = FatBinaryBuilder()
                         .sass(80)
                         .ptx(80, module_for("sm_80"), Packing::zstd)
                         .ptx(90, module_for("sm_90a"), Packing::lz4)
                         .build();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const FatBinary read = read_fat_binary({whole.data(), bytes});
    CHECK(read.error != "");
  }
}
