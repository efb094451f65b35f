// SPDX-License-Identifier: MIT
// What an H200 computed against what the emulator computes: every mma.sync, mma.sp and wgmma type
// and accumulator, at least 24,000 outputs each, no bit may differ. And the other way round: a
// model that is wrong by little is noticed by these operands.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/golden/arithmetic/replay.hpp"
#include "tests/golden/documents.hpp"
#include "tests/golden/emulated.hpp"
#include "tests/sample.hpp"

using namespace lanescope::golden;
using lanescope::emulator::MmaArithmetic;

namespace {

// Sanitized, all tiles take half a minute: of each instruction each seventh.
const int kEach = lanescope::tests::one_in(7);

const Recording& h200() {
  static const Recording recording =
      read_recording(LANESCOPE_SOURCE_DIR "/tests/golden/arithmetic/h200.bin.zst");
  return recording;
}

const RecordedCase& recorded(const std::string& name) {
  for (const RecordedCase& one : h200().cases)
    if (one.what.name == name) return one;
  FAIL("not recorded: " << name);
  return h200().cases.front();
}

/// Wrong tiles, with the numbers of the model changed by `change`.
template <class Change>
int wrong_tiles(const std::string& name, Change change) {
  const RecordedCase& one = recorded(name);
  MmaArithmetic how = *recorded_arithmetic(one.what);
  change(how);
  return compare(h200(), one, how, kModel).wrong_tiles;
}

constexpr const char* kHalf = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kHalfSum = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
constexpr const char* kBrain = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
constexpr const char* kTf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
constexpr const char* kFp8 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
constexpr const char* kWideFp8 = "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3";
constexpr const char* kWideFp8Half = "wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3";
constexpr const char* kQuadPair = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16";

}  // namespace

TEST_CASE("the recording is whole") {
  REQUIRE(h200().problem == "");
  CHECK(h200().header.find("|NVIDIA H200|sm_90|") != std::string::npos);
  CHECK(h200().cases.size() == 271);
  CHECK(says("docs/arithmetic.md", 271, "instructions"));
  for (const RecordedCase& one : h200().cases) {
    CAPTURE(one.what.name);
    const long outputs = long{one.full + one.prints} * one.what.M * one.what.N;
    CHECK(outputs >= 24000);
    CHECK(recorded_arithmetic(one.what) != nullptr);
  }
}

TEST_CASE("the model has the card's bits") {
  for (const RecordedCase& one : h200().cases) {
    CAPTURE(one.what.name);
    const Comparison found = compare(h200(), one, *recorded_arithmetic(one.what), kModel, kEach);
    CHECK(found.wrong_tiles == 0);
    CHECK(found.first == "");
  }
}

TEST_CASE("the fast paths have the card's bits") {
  for (const auto host : lanescope::emulator::hosts().subspan(1)) {  // the first is the model
    CAPTURE(name(host));
    for (const RecordedCase& one : h200().cases) {
      CAPTURE(one.what.name);
      const Comparison found =
          compare(h200(), one, *recorded_arithmetic(one.what), {false, host}, kEach);
      CHECK(found.wrong_tiles == 0);
      CHECK(found.first == "");
    }
  }
}

TEST_CASE("one place less, or half as many products at once, would be noticed") {
  for (const char* name : {kHalf, kHalfSum, kBrain, kTf32, kFp8, kWideFp8, kWideFp8Half}) {
    CAPTURE(name);
    CHECK(wrong_tiles(name, [](MmaArithmetic& how) { --how.fraction_bits; }) > 0);
    CHECK(wrong_tiles(name, [](MmaArithmetic& how) { how.block_products /= 2; }) > 0);
  }
}

TEST_CASE("an e_zero that is off by one would be noticed") {
  for (const char* name : {kHalfSum, kBrain, kTf32}) {
    CAPTURE(name);
    CHECK(wrong_tiles(name, [](MmaArithmetic& how) { ++how.zero_exponent; }) > 0);
    CHECK(wrong_tiles(name, [](MmaArithmetic& how) { --how.zero_exponent; }) > 0);
  }
}

TEST_CASE("another way through the machine would be noticed") {
  CHECK(wrong_tiles(kFp8, [](MmaArithmetic& how) { how.through_f16_pairs = false; }) > 0);
  CHECK(wrong_tiles(kWideFp8, [](MmaArithmetic& how) { how.drops_ten_bits = false; }) > 0);
  CHECK(wrong_tiles(kQuadPair, [](MmaArithmetic& how) { how = {4, 25, -21}; }) > 0);
}

TEST_CASE("what the operands are for: the results are of every kind") {
  std::map<std::string, long> kinds;
  const RecordedCase& one = recorded(kHalfSum);
  for (int number = 0; number < 192; ++number) {
    const Tile tile = make_tile(one.what, number);
    const auto d = compute(one.what, tile, *recorded_arithmetic(one.what), kModel);
    for (std::size_t i = 0; i < d.size(); i += 2) {
      const unsigned size = (d[i] | static_cast<unsigned>(d[i + 1]) << 8) & 0x7fff;
      ++kinds[size > 0x7c00    ? "NaN"
              : size == 0x7c00 ? "infinite"
              : size == 0      ? "zero"
              : size < 0x400   ? "subnormal"
                               : "normal"];
    }
  }
  for (const char* kind : {"NaN", "infinite", "zero", "subnormal", "normal"}) {
    CAPTURE(kind);
    CHECK(kinds[kind] > 300);
  }
}

#ifdef LANESCOPE_RECORD
TEST_CASE("the recording program writes on the emulator what it wrote on the card") {
  const std::string ours = recorded_on_emulator(LANESCOPE_RECORD, "192 16 emulator");
  REQUIRE(ours != "");
  const Recording emulated = parse_recording(ours);
  REQUIRE(emulated.problem == "");
  // All but the first line, which names the card.
  CHECK((ours.substr(ours.find('\n')) == h200().bytes.substr(h200().bytes.find('\n'))));
}
#endif

TEST_CASE("a recording that is cut off or is none says so") {
  CHECK(parse_recording("").problem != "");
  CHECK(parse_recording("lanescope trace 1\n").problem == "not a recording of arithmetic");
  const std::string header = "lanescope arithmetic 1|card|sm_90|driver 1|runtime 1|note\n";
  CHECK(parse_recording(header).problem == "");
  CHECK(parse_recording(header + "mma.nonsense|1|0|8\n").problem != "");
  const std::string line = std::string(kHalf) + "|1|1|512\n";
  CHECK(parse_recording(header + line).problem == std::string("cut off in ") + kHalf);
  CHECK(parse_recording(header + line + std::string(516, '\0')).problem == "");
  CHECK(parse_recording(header + std::string(kHalf) + "|1|0|511\n").problem != "");
}
