// SPDX-License-Identifier: MIT
// Lesson 20 on the emulator: the bytes and the nine rows of a pixel, counted anew; passes that the
// banks' rule gives; the trace's A is what its tile has, by the atlas's map; a wrong kernel is
// noticed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_20 {
namespace {

const std::string kLesson = "20_convolution";
const char* const kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

/// Passes of a block that loads its tile, of 6 x 18 pixels of 128 bytes, and reads it 36 times.
int passes_of_block(int (*turn)(int place, int row)) {
  int passes = 108 * 8 / 8;  // the copies: eight lanes have the eight units of a pixel
  for (int tap = 0; tap < 9; ++tap)
    for (int unit = 0; unit < 8; ++unit)
      for (int first = 0; first < 64; first += 8) {
        std::vector<std::uint32_t> addresses;
        for (int row = first; row < first + 8; ++row) {
          const int place = (row / 16 + tap / 3) * 18 + row % 16 + tap % 3;
          addresses.push_back(
              static_cast<std::uint32_t>(place * 128 + (unit ^ turn(place, row)) * 16));
        }
        passes += layout::passes(addresses, 16);
      }
  return passes;
}

/// Pixels of X that are read: by all blocks with their halos; once for each tap.
int pixels_read(bool halos) {
  int read = 0;
  const auto inside = [](int y, int x) { return y >= 0 && y < 8 && x >= 0 && x < 32; };
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 32; ++x) {
      for (int tap = 0; !halos && tap < 9; ++tap) read += inside(y + tap / 3 - 1, x + tap % 3 - 1);
      // How many tiles, of 4 x 16, have it within one pixel of them.
      const auto tiles = [](int at, int size, int each) {
        int count = 0;
        for (int first = 0; first < size; first += each)
          count += at >= first - 1 && at <= first + each;
        return count;
      };
      if (halos) read += tiles(y, 8, 4) * tiles(x, 32, 16);
    }
  return 4 * read;  // images
}

}  // namespace

TEST_CASE("lesson 20 counts bytes, rows and passes, and so does this test") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    const int matrix = 4 * 8 * 32 * 9 * 64 * 2, x = matrix / 9;
    const auto bytes = [&ran, x](const char* A, int pixels, int matrix_bytes) {
      const double all = pixels * 128 + 2.0 * matrix_bytes;
      CHECK(says(ran, fmt::format("   {:<18} {:10} {:14} {:12} {:9.1f} times X\n", A, pixels * 128,
                                  matrix_bytes, matrix_bytes, all / x)));
    };
    bytes("written out", pixels_read(false), matrix);
    bytes("never stored", pixels_read(true), 0);
    for (int r = 0; r < 3; ++r)  // place 58 is row 3, column 4 of the tile
      CHECK(says(ran, fmt::format("   r = {}{:8}{:8}{:8}\n", r, (3 - r) * 16 + 4, (3 - r) * 16 + 3,
                                  (3 - r) * 16 + 2)));
    const int least = passes_of_block([](int place, int) { return place % 8; });
    const auto passes = [&ran, least](const char* order, const std::string& exact, int count) {
      CHECK(says(ran, fmt::format("the tile with halo    {:<15} {:>8} of 16384 {:17} {:8} {:10}\n",
                                  order, exact, 576 + 27, count, least)));
    };
    CHECK(least == 108 + 9 * 64);
    CHECK(count(ran, "16384 of 16384") == 3);
    passes("u ^ place % 8", "16384", least);
    passes("u", "16384", passes_of_block([](int, int) { return 0; }));
  }
}

TEST_CASE("the checker has nothing to report of lesson 20") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "6 launches checked, nothing to report"));
}

TEST_CASE("lesson 20 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

TEST_CASE("lesson 20 records an A that its tile has, pixel by pixel") {
  const auto path = scratch() / "lesson_20.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  const trace::Fragment* a = nullptr;
  const trace::Memory* tile = nullptr;
  std::string operands;
  for (const trace::Event& event : result.trace.events) {
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) {
      operands += fragment->operand;
      if (fragment->operand == "A") a = fragment;
    }
    if (const auto* memory = std::get_if<trace::Memory>(&event)) tile = memory;
  }
  CHECK(operands == "ABD");
  REQUIRE(a != nullptr);
  REQUIRE(tile != nullptr);
  const layout::Instruction* mma = layout::find(kMma);
  REQUIRE(mma != nullptr);
  for (const layout::Held& held : layout::register_layout(mma->A)) {
    const auto lane = static_cast<std::size_t>(held.holder.thread);
    const auto reg = static_cast<std::size_t>(held.holder.register_index);
    const auto bits = static_cast<std::uint16_t>(a->registers.at(reg).at(lane) >> held.holder.bit);
    // Tap 2,0, channels from 16 on; the pixels are numbered 100 * x + 10 * y + unit.
    const int x = held.element.row, unit = 2 + held.element.col / 8, place = 2 * 18 + x;
    const std::size_t byte =
        static_cast<std::size_t>(place * 128 + (unit ^ place % 8) * 16 + held.element.col % 8 * 2);
    const int in_tile = tile->bytes.at(byte) | tile->bytes.at(byte + 1) << 8;
    CHECK(bits == in_tile);
    const int number = x == 0 ? 0 : (x - 1) * 100 + 10 + unit;
    CHECK(numeric::decode(numeric::kF16, bits) == number);
  }
}

TEST_CASE("lesson 20 notices edges that are not 0, an exchanged r and s, and a swizzle by the row" *
          doctest::test_suite("compiled")) {
  const auto noticed = [](const char* name, const char* from, const char* to) {
    const Ran ran = run_broken_kernel(kLesson, name, from, to);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "Something above is not as it should be."));
  };
  noticed("edges", "bool there = inside(y, x);",
          "bool there = y >= 0 && y < kHeight && pixel(image, y, x) >= 0 && pixel(image, y, x) < "
          "kPixels;");
  noticed("taps", "place_of(my_row(), tap / 3, tap % 3)", "place_of(my_row(), tap % 3, tap / 3)");
  noticed("swizzle", "(kSwizzle == kByRow ? row : place) % 8", "row % 8");
}

}  // namespace lesson_20
