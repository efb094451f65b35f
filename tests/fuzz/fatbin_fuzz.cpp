// SPDX-License-Identifier: MIT
// Damages fat binaries in every way that a bad disk, linker or attacker might and reads them. The
// reader may refuse; what it accepts must lie inside what it was given. Run it sanitized to see
// reads past the end. LANESCOPE_FUZZ_ROUNDS=1000000 for a long run; the seed is written here.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "cudart/binary/fatbinary.hpp"
#include "tests/cudart/fatbinary_builder.hpp"

using namespace lanescope::cudart;
using namespace lanescope::tests;

namespace {

constexpr std::uint32_t kSeed = 20250113;
constexpr int kRounds = 200000;

using Bytes = std::vector<std::byte>;

std::vector<Bytes> seeds() {
  const std::string old_text = module_for("sm_80");
  const std::string new_text = module_for("sm_90a");
  return {
      FatBinaryBuilder().build(),
      FatBinaryBuilder().sass(80).ptx(80, old_text, Packing::none).build(),
      FatBinaryBuilder().sass(90).ptx(80, old_text, Packing::zstd).build(),
      FatBinaryBuilder()
          .code(90, cubin_with_registers({{"gemm", 168}, {"copy", 12}}))
          .ptx(80, old_text, Packing::zstd)
          .build(),
      FatBinaryBuilder().ptx(80, old_text, Packing::lz4).ptx(90, new_text, Packing::zstd).build(),
  };
}

/// Numbers that find off-by-one errors and overflows.
std::uint64_t nasty(std::mt19937& random) {
  const std::uint64_t values[] = {0,          1,          15,         16,        63,
                                  64,         79,         80,         0xffff,    0x7fffffff,
                                  0x80000000, 0xffffffff, ~0ull - 15, ~0ull / 2, ~0ull};
  return values[random() % std::size(values)];
}

void damage(Bytes& bytes, std::mt19937& random) {
  if (bytes.empty()) return;
  const std::size_t at = random() % bytes.size();
  switch (random() % 5) {
    case 0:
      bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
      break;
    case 1:
      bytes[at] = static_cast<std::byte>(random());
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), random() % 16, std::byte{0xff});
      break;
    case 4: {  // a header field, most of which are four or eight bytes at multiples of four
      const std::uint64_t value = nasty(random);
      const std::size_t width = random() % 2 ? 4 : 8;
      const std::size_t field = at / 4 * 4;
      if (field + width <= bytes.size()) std::memcpy(bytes.data() + field, &value, width);
      break;
    }
  }
}

int rounds() {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked ? std::atoi(asked) : kRounds;
}

}  // namespace

TEST_CASE("no damage makes the reader crash or invent text") {
  std::mt19937 random(kSeed);
  const std::vector<Bytes> originals = seeds();
  int refused = 0, read_something = 0, with_registers = 0;
  for (int round = 0; round < rounds(); ++round) {
    Bytes bytes = originals[random() % originals.size()];
    const int damages = 1 + static_cast<int>(random() % 4);
    for (int count = 0; count < damages; ++count) damage(bytes, random);
    // A copy of its own exact size, so that a sanitizer sees one byte too many.
    const Bytes exact(bytes.begin(), bytes.end());
    const FatBinary read = read_fat_binary(exact);
    refused += !read.error.empty();
    read_something += !read.ptx.empty();
    for (const PtxImage& image : read.ptx) {
      REQUIRE(image.target.number > 0);
      REQUIRE(image.text.find(".target") != std::string::npos);
    }
    (void)describe(read);
    (void)choose_ptx(read, {90, 'a'});
    for (const auto& [kernel, registers] : registers_in(exact, {90, 'a'})) {
      REQUIRE(!kernel.empty());
      REQUIRE(registers <= 255);
      ++with_registers;
    }
    const std::span<const std::byte> sections[] = {exact};
    (void)choose_arch(sections, {90, 'a'});
  }
  // Both kinds of outcome must occur, or nothing was tested.
  MESSAGE(refused << " refused, " << read_something << " with PTX");
  CHECK(refused > rounds() / 4);
  CHECK(read_something > rounds() / 10);
  CHECK(with_registers > rounds() / 20);
}
