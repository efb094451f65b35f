// SPDX-License-Identifier: MIT
// Lesson 04 on the emulator: its counts are those of common/layout's rule, the swizzle is the
// atlas's, the four layouts load one fragment, and a layout that does not is noticed.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "layout/swizzle.hpp"
#include "numeric/format.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_04 {
namespace {

const std::string kLesson = "04_banks_and_swizzle";

/// An independent transcription of the layouts.
int byte_of(int layout, int row, int unit) {
  switch (layout) {
    case 0:
      return (row * 8 + unit) * 16;
    case 1:
      return (unit / 2 * 16 + row) * 32 + unit % 2 * 16;
    case 2:
      return (row * 9 + unit) * 16;
    default:
      return static_cast<int>(layout::swizzled(static_cast<std::uint32_t>((row * 8 + unit) * 16),
                                               layout::Swizzle::b128));
  }
}

constexpr const char* kNames[] = {"rows of 128 bytes", "rows of 32 bytes", "128, and 16 of padding",
                                  "128, unit ^ row % 8"};

}  // namespace

TEST_CASE("lesson 04 counts passes as common/layout does") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  std::string words = "  passes  ";
  for (const int stride : {1, 2, 3, 4, 8, 16, 32, 33}) {
    std::vector<std::uint32_t> addresses;
    for (int lane = 0; lane < 32; ++lane)
      addresses.push_back(static_cast<std::uint32_t>(lane * stride * 4));
    char number[16];
    std::snprintf(number, sizeof number, "%6d", layout::passes(addresses, 4));
    words += number;
  }
  CHECK(says(ran, words + "\n"));
  for (int layout = 0; layout < 4; ++layout) {
    std::string line = "  " + std::string(kNames[layout]);
    line.resize(28, ' ');
    char number[64];
    for (int lane = 0; lane < 8; ++lane) {
      std::snprintf(number, sizeof number, "%3d", byte_of(layout, lane, 0) / 4 % 32);
      line += number;
    }
    int phases[4], sum = 0, stores = 0;
    for (int phase = 0; phase < 4; ++phase) {
      std::vector<std::uint32_t> addresses;
      for (int lane = phase * 8; lane < phase * 8 + 8; ++lane)
        addresses.push_back(static_cast<std::uint32_t>(byte_of(layout, lane % 16, lane / 16)));
      sum += phases[phase] = layout::passes(addresses, 16);
    }
    for (int row = 0; row < 16; ++row) {
      std::vector<std::uint32_t> addresses;
      for (int unit = 0; unit < 8; ++unit)
        addresses.push_back(static_cast<std::uint32_t>(byte_of(layout, row, unit)));
      stores += layout::passes(addresses, 16);
    }
    std::snprintf(number, sizeof number, "   %d+%d+%d+%d = %2d  %5d  %5d\n", phases[0], phases[1],
                  phases[2], phases[3], sum, stores, layout == 2 ? 2304 : 2048);
    CHECK(says(ran, line + number));
  }
}

TEST_CASE("lesson 04 does not claim to have timed the emulator") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CHECK(ran.status == 0);
    CHECK(!says(ran, "cycles"));
    CHECK(says(ran, "The emulator has no clock"));
  }
}

TEST_CASE("lesson 04 records the tile as each layout has it, and one fragment four times") {
  const auto path = scratch() / "lesson_04.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int layout = 0;
  const trace::Fragment* first = nullptr;
  int fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) {
      if (first == nullptr) first = fragment;
      CHECK(fragment->registers == first->registers);
      ++fragments;
    }
    const auto* tile = std::get_if<trace::Memory>(&event);
    if (tile == nullptr) continue;
    REQUIRE(layout < 4);
    REQUIRE(tile->bytes.size() == 2048);
    const int row_bytes = static_cast<int>(tile->bytes.size()) / tile->rows;
    for (int row = 0; row < 16; ++row)
      for (int unit = 0; unit < 8; ++unit) {
        const int byte = byte_of(layout, row, unit);
        const int at = byte / static_cast<int>(tile->row_stride_bytes) * row_bytes +
                       byte % static_cast<int>(tile->row_stride_bytes);
        const auto bits =
            static_cast<std::uint16_t>(tile->bytes.at(static_cast<std::size_t>(at)) |
                                       tile->bytes.at(static_cast<std::size_t>(at + 1)) << 8);
        const int number = 100 * row + 8 * unit;  // below 2048: exact
        CHECK(numeric::decode(numeric::kF16, bits) == number);
      }
    ++layout;
  }
  CHECK(layout == 4);
  CHECK(fragments == 4);
}

TEST_CASE("the emulator counts the passes that lesson 04 predicts") {
  const int predicted[] = {32, 8, 4, 4};
  for (int launch = 0; launch < 4; ++launch) {
    const auto path = scratch() / ("lesson_04_steps_" + std::to_string(launch) + ".lanes");
    const auto build = tests::build_folder();
    const Ran ran = run(shell_word(build / "bin" / "lanescope") + " run --trace " +
                        shell_word(path) + " --steps launch=" + std::to_string(launch) + " -- " +
                        shell_word(build / "lessons" / kLesson / kLesson));
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    const trace::ReadResult result = trace::read_file(path.string());
    REQUIRE(result.ok());
    int loads = 0, passes = 0;
    for (const trace::Event& event : result.trace.events) {
      const auto* access = std::get_if<trace::Access>(&event);
      if (access == nullptr || access->instruction.rfind("ldmatrix", 0) != 0) continue;
      ++loads;
      REQUIRE(access->addresses.size() == 32);
      for (int phase = 0; phase < 4; ++phase)
        passes += layout::passes({&access->addresses[static_cast<std::size_t>(phase * 8)], 8}, 16);
    }
    CAPTURE(launch);
    CHECK(loads == 1);
    CHECK(passes == predicted[launch]);
  }
}

TEST_CASE("lesson 04 notices a swizzle on one side only" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "one_side", "tile + kPlace(i / kUnits, i % kUnits)",
                                    "tile + i * 16");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "of 128 registers are right"));
  CHECK(says(ran, "Not every layout loads the fragment"));
}

}  // namespace lesson_04
