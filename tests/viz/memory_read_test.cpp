// SPDX-License-Identifier: MIT
// A tile that its program put down swizzled, read through the same swizzle: what stands where, why,
// and in how many passes.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "panels/memory/memory_tile.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

using layout::Swizzle;

// 16 rows of 64 halves; row r, column c holds 100 r + c. Unit u of row r was put to u ^ (r & 7).
trace::Memory put_down(bool swizzled, std::uint64_t address = 0x400) {
  trace::Memory tile = recorded::tile();
  tile.cols = 64;
  tile.row_stride_bytes = 128;
  tile.address = address;
  tile.bytes.assign(16 * 128, 0);
  const numeric::Format* f16 = numeric::find_format("f16");
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 64; ++col) {
      const std::uint64_t bits = numeric::encode(*f16, 100 * row + col);
      const int unit = swizzled ? col / 8 ^ (row & 7) : col / 8;
      const auto at = static_cast<std::size_t>(128 * row + 16 * unit + 2 * (col % 8));
      tile.bytes[at] = static_cast<std::uint8_t>(bits & 0xff);
      tile.bytes[at + 1] = static_cast<std::uint8_t>(bits >> 8);
    }
  return tile;
}

TEST_CASE("read through its swizzle, a tile is in order, and a column of units takes one pass") {
  const trace::Memory tile = put_down(true);
  CHECK(as_read(tile, Swizzle::b128) == put_down(false));
  CHECK(as_read(tile, Swizzle::none) == tile);
  for (const Swizzle mode : {Swizzle::b32, Swizzle::b64}) CHECK(as_read(tile, mode) != tile);
  for (int block = 0; block < 2; ++block)
    for (int unit = 0; unit < 8; ++unit) {
      CHECK(eight_row_passes(tile, block, unit) == 8);
      CHECK(eight_row_passes(tile, block, unit, Swizzle::b128) == 1);
      CHECK(eight_row_passes(tile, block, unit, Swizzle::b64) == 2);
      CHECK(eight_row_passes(tile, block, unit, Swizzle::b32) == 4);
    }
}

TEST_CASE("a tile that was put down swizzled is known by its numbers, another is not") {
  CHECK(seems_swizzled(put_down(true)) == Swizzle::b128);
  CHECK(seems_swizzled(put_down(true, 0x480)) != Swizzle::b64);
  CHECK(seems_swizzled(put_down(false)) == Swizzle::none);
  for (const Swizzle mode : {Swizzle::b64, Swizzle::b32})
    CHECK(seems_swizzled(as_read(put_down(false), mode)) == mode);
  trace::Memory tile = put_down(true);
  tile.space = "global";
  CHECK(seems_swizzled(tile) == Swizzle::none);
  tile = put_down(true);
  std::fill(tile.bytes.begin(), tile.bytes.end(), std::uint8_t{0});  // nothing to tell it by
  CHECK(seems_swizzled(tile) == Swizzle::none);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : tile.bytes)  // numbers in no order
    byte = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  CHECK(seems_swizzled(tile) == Swizzle::none);
  tile = put_down(true);
  tile.rows = 3;  // too few to tell
  tile.bytes.resize(3 * 128);
  CHECK(seems_swizzled(tile) == Swizzle::none);
}

TEST_CASE("of swizzles that do the same to a box the one as wide as its rows is named") {
  for (const Swizzle mode : {Swizzle::b128, Swizzle::b64, Swizzle::b32}) {
    trace::Memory box = put_down(false);  // 8 rows, as TMA puts them down
    const auto bytes = static_cast<std::size_t>(16 * layout::units_per_row(mode));
    const std::vector<std::uint8_t> all = std::exchange(box.bytes, {});
    for (std::size_t row = 0; row < 8; ++row)
      box.bytes.insert(box.bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(128 * row),
                       all.begin() + static_cast<std::ptrdiff_t>(128 * row + bytes));
    box.rows = 8;
    box.cols = static_cast<int>(bytes) / 2;
    box.row_stride_bytes = static_cast<int>(bytes);
    CHECK(seems_swizzled(box) == Swizzle::none);
    CHECK(seems_swizzled(as_read(box, mode)) == mode);
  }
}

TEST_CASE("where it lies and why is said of an element read through a swizzle") {
  const TileFacts facts = tile_facts(put_down(true), 9, 5, Swizzle::b128);
  CHECK(facts.title == "A in shared memory[9][5], read through 128B");
  CHECK(facts.value == "905");
  CHECK(facts.lines[0] == "lies at  [9][13]");
  CHECK(facts.lines[1] == "because  unit 0 ^ (line 17 & 7) = unit 1");
  CHECK(facts.lines[3].find("0x89a = 0x400 + 9 x 128 + 13 x 16 / 8") != std::string::npos);
}

TEST_CASE("a swizzle is its own inverse, wherever the tile begins") {
  for (const std::uint64_t address : {0x400u, 0x480u, 0x610u})
    for (const Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128}) {
      const trace::Memory tile = put_down(true, address);
      int outside = 0;
      for (int row = 0; row < tile.rows; ++row)
        for (int col = 0; col < tile.cols; ++col) {
          const TileSpot there = through(mode, tile, row, col);
          if (there.row < 0) {
            ++outside;
            continue;
          }
          const TileSpot back = through(mode, tile, there.row, there.col);
          CHECK(back.row == row);
          CHECK(back.col == col);
        }
      if (mode == Swizzle::none || address % 128 == 0) CHECK(outside == 0);
      if (mode == Swizzle::b128 && address % 128 != 0) CHECK(outside > 0);
    }
}

TEST_CASE("elements narrower than a byte: dense in rows of whole bytes, or a byte each") {
  const auto row = [](const char* type, int cols, std::vector<std::uint8_t> bytes) {
    trace::Memory tile;
    tile.type = type;
    tile.rows = 1;
    tile.cols = cols;
    tile.bytes = std::move(bytes);
    std::string values;
    for (int col = 0; col < cols; ++col) values += element_text(tile, 0, col) + " ";
    return values;
  };
  CHECK(row("u4", 3, {0x21, 0x03}) == "1 2 3 ");
  CHECK(row("u4", 3, {1, 2, 3}) == "1 2 3 ");
  CHECK(row("b1", 4, {0x05}) == "1 0 1 0 ");
  CHECK(row("s8", 2, {0xff, 2}) == "-1 2 ");
}

TEST_CASE("what leads out of the tile is at no place of it, and is read as 0") {
  trace::Memory tile = put_down(false, 0x600);  // line 12: units move by 4
  tile.rows = 1;
  tile.cols = 32;
  tile.bytes.resize(64);
  CHECK(through(Swizzle::b128, tile, 0, 0).row == -1);
  const TileFacts facts = tile_facts(tile, 0, 3, Swizzle::b128);
  CHECK(facts.value == "-");
  CHECK(facts.lines[0] == "lies at  no place of the tile");
  CHECK(element_text(as_read(tile, Swizzle::b128), 0, 3) == "0");
  CHECK(element_text(tile, 0, 3) == "3");
  tile.space = "global";  // nobody swizzles there
  CHECK(through(Swizzle::b128, tile, 0, 3).col == 3);
}

TEST_CASE("two elements of four bits in a byte keep their order") {
  trace::Memory tile = put_down(true);
  tile.type = "u4";
  tile.cols = 256;
  const TileSpot even = through(Swizzle::b128, tile, 1, 0),
                 odd = through(Swizzle::b128, tile, 1, 1);
  CHECK(even.col == 32);
  CHECK(odd.col == 33);
}

TEST_CASE("a tile is told from its like by the kernel that left it") {
  trace::Trace trace;
  trace::Launch launch;
  launch.launch = 3;
  launch.kernel = "_Z8multiplyILi3ELi2EEvPKtS1_PfiPx14DeviceRecorder";
  trace.events.emplace_back(launch);
  for (const int number : {3, 4}) {
    trace::Memory tile = recorded::tile();
    tile.place.launch = number;
    trace.events.emplace_back(tile);
  }
  CHECK(kernels_of(trace, tiles_of(trace)) == std::vector<std::string>{"multiply<3, 2>", ""});
}

TEST_CASE("a swizzle among the words is taken off them") {
  const auto taken = [](std::string_view words) {
    Swizzle mode = Swizzle::b32;
    const bool found = take_reading(words, mode);
    return std::string(found ? layout::name(mode) : "-") + "|" + std::string(words);
  };
  CHECK(taken("128B") == "128B|");
  CHECK(taken(" 64B  3,5 ") == "64B|3,5");
  CHECK(taken("row 3 128B") == "128B|row 3");
  CHECK(taken("straight 3,5") == "none|3,5");
  CHECK(taken("3,5") == "-|3,5");
  CHECK(taken("row 32") == "-|row 32");
  CHECK(taken("128Bx 3,5") == "-|128Bx 3,5");
}

}  // namespace
}  // namespace lanescope::viz
