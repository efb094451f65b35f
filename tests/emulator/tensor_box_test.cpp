// SPDX-License-Identifier: MIT
// Which rows of a tensor a copy moves, in the order in which they come: numbers that an H200 gave
// (tests/programs/experiments/h200/im2col.txt), and boxes counted by hand, interleaved ones by the
// rules that the same card has shown (interleaved.txt).
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "emulator/execute/tensor_box.hpp"

namespace lanescope::emulator::test {
namespace {

// A dense tensor of 4-byte elements: channels, W, H{, D}, N. Its address is 0x1000.
TensorMap dense(int rank, std::array<std::uint64_t, 5> size) {
  TensorMap map;
  map.type = TensorMapType::u32;
  map.rank = rank;
  map.address = 0x1000;
  map.size = size;
  std::uint64_t bytes = 4;
  for (std::size_t d = 0; d < 5; ++d) {
    map.stride_bytes[d] = bytes;
    bytes *= size[d];
  }
  return map;
}

TensorMap im2col(int rank, std::array<std::uint64_t, 5> size, std::array<std::int32_t, 3> lower,
                 std::array<std::int32_t, 3> upper, std::array<std::uint32_t, 5> step,
                 std::uint32_t pixels) {
  TensorMap map = dense(rank, size);
  map.is_im2col = true;
  map.lower = lower;
  map.upper = upper;
  map.element_stride = step;
  map.box[0] = 4;
  map.pixels = pixels;
  return map;
}

// Pixels by number, those outside of the tensor as ".".
std::string walk(const TensorMap& map, const TensorPlace& place) {
  std::string text;
  BoxRows rows(map, place);
  for (std::uint32_t left = map.rows(); left > 0; --left) {
    const BoxRow row = rows.next();
    const std::uint64_t number = (row.address - map.address) / map.stride_bytes[1];
    text += row.is_inside ? " " + std::to_string(number) : " .";
  }
  return text;
}

}  // namespace

TEST_CASE("im2col walks through the bounding box as an H200 does") {
  const TensorMap map = im2col(4, {8, 6, 4, 2, 1}, {-1, -1, 0}, {-1, -1, 0}, {1, 1, 1, 1, 1}, 30);
  CHECK(walk(map, {}) == " 0 1 2 3 4 . 6 7 8 9 10 . 12 13 14 15 16 . . . . . . . 24 25 26 27 28 .");
  CHECK(walk(map, {{}, {256, 0, 0}}) == walk(map, {}));  // 8 bits of an offset count
  const TensorMap strided =
      im2col(4, {8, 6, 4, 2, 1}, {-1, -1, 0}, {-1, -1, 0}, {1, 2, 2, 1, 1}, 14);
  CHECK(walk(strided, {}) == " 0 2 4 . 13 15 . . . . 31 33 . .");
  CHECK(walk(strided, {{0, -1, 0, 0, 0}, {}}) == " . 1 3 . 13 15 . . . . 31 33 . .");
  const TensorMap volume =
      im2col(5, {12, 3, 4, 3, 3}, {1, -3, -2}, {-1, -3, 0}, {1, 1, 3, 2, 1}, 5);
  CHECK(walk(volume, {{0, 1, -2, 1, 1}, {0, 4, 2}}) == " . 76 . 100 .");
  const TensorMap deep = im2col(5, {8, 6, 4, 2, 2}, {-1, 0, 0}, {-1, -1, 0}, {1, 1, 1, 1, 1}, 7);
  CHECK(walk(deep, {{}, {33, 0, 0}}) == " 7 8 9 10 11 12 13");  // 1 along W, 1 along H
  CHECK(walk(deep, {{}, {0, 0, 32}}) == walk(deep, {}));
  const TensorMap images =
      im2col(4, {8, 6, 4, 2, 1}, {-1, -1, 0}, {-1, -1, 0}, {1, 1, 1, 2, 1}, 30);
  CHECK(walk(images, {{0, 0, 0, -2, 0}, {}}).substr(48) == " 0 1 2 3 4 .");
}

TEST_CASE("a tile's rows, every second of them, and beyond the edge") {
  TensorMap map = dense(3, {8, 4, 3, 1, 1});
  map.box = {4, 3, 2, 1, 1};
  map.element_stride = {1, 2, 1, 1, 1};
  CHECK(map.rows() == 4);
  CHECK(walk(map, {{0, 1, 1, 0, 0}, {}}) == " 5 7 9 11");
  CHECK(walk(map, {{0, 3, 2, 0, 0}, {}}) == " 11 . . .");
  const TouchedBytes all = touched_bytes(map, {{0, 1, 1, 0, 0}, {}});
  CHECK(all.begin == 0x1000 + 5 * 32);
  CHECK(all.end == 0x1000 + 11 * 32 + 16);
  const TouchedBytes none = touched_bytes(map, {{0, 4, 0, 0, 0}, {}});
  CHECK(none.begin == none.end);
  const TouchedBytes left = touched_bytes(map, {{-8, 0, 0, 0, 0}, {}});
  CHECK(left.begin == left.end);
}

TEST_CASE("out of shared memory come whole units of 16 bytes, as an H200 has it") {
  TensorMap map = dense(2, {5, 4, 1, 1, 1});  // rows of 20 bytes
  map.stride_bytes[1] = 32;
  map.box = {8, 2, 1, 1, 1};
  TensorPlace place{{4, 1, 0, 0, 0}, {}};
  const RowPart in = part_of_rows(map, place);
  CHECK(in.begin == 16);
  CHECK(in.end == 20);
  place.whole_units = true;
  const RowPart out = part_of_rows(map, place);
  CHECK(out.begin == 16);
  CHECK(out.end == 32);
  CHECK(touched_bytes(map, place).end == 0x1000 + 2 * 32 + 32);
  map.box[0] = 4;
  place.at = {};
  CHECK(part_of_rows(map, place).end == 16);  // no further than the box
  place.at[0] = 8;
  CHECK(part_of_rows(map, place).end == 0);  // what begins behind it is not there
}

TEST_CASE("offsets too large for their bits are carried into the next, as an H200 has it") {
  const auto pixel = [](std::array<std::uint16_t, 3> offset) {
    return walk(im2col(5, {4, 70, 40, 32, 1}, {}, {}, {1, 1, 1, 1, 1}, 1), {{}, offset});
  };
  CHECK(pixel({33, 1, 0}) == " 141");     // w 1, h 2
  CHECK(pixel({33, 33, 0}) == " 2941");   // w 1, h 2, d 1
  CHECK(pixel({63, 31, 0}) == " 2831");   // w 31, h 0, d 1
  CHECK(pixel({0, 33, 1}) == " 5670");    // h 1, d 2
  CHECK(pixel({63, 63, 3}) == " 14031");  // w 31, h 0, d 5
  CHECK(pixel({994, 481, 650}) == " 72802");
}

namespace {

TensorMap interleaved(int rank, std::uint32_t bytes) {
  TensorMap map = dense(rank, {32, 4, 3, 3, 1});
  map.interleave_bytes = bytes;
  map.stride_bytes = {bytes, 0x1000, 0x10000, 0x100000, 0};
  map.address = 0x1000000;
  return map;
}

// Slices by their place in hexadecimal.
std::string slices(const TensorMap& map, const TensorPlace& place) {
  std::string text;
  BoxRows rows(map, place);
  for (std::uint32_t left = map.rows(); left > 0; --left) {
    const BoxRow row = rows.next();
    char place_of_row[20];
    std::snprintf(place_of_row, sizeof(place_of_row), " %llx",
                  static_cast<unsigned long long>(row.address - map.address));
    text += row.is_inside ? place_of_row : " .";
  }
  return text;
}

}  // namespace

TEST_CASE(
    "an interleaved tensor's first dimension counts slices, and its boxes are one slice deep") {
  TensorMap map = interleaved(4, 16);  // W, H, C/8, N
  map.box = {4, 2, 2, 2, 1};
  CHECK(map.box_bytes() == 256);
  CHECK(slices(map, {}) ==
        " 0 10 20 30 1000 1010 1020 1030 100000 100010 100020 100030 101000 101010 101020 101030");
  CHECK(slices(map, {{30, 3, 2, 2, 0}, {}}) == " 2231e0 2231f0 . . . . . . . . . . . . . .");
  map.element_stride = {3, 2, 1, 2, 1};
  CHECK(slices(map, {{-1, 0, 1, 0, 0}, {}}) == " . 10020");
  map = interleaved(3, 32);  // W, C/16, N
  map.box = {2, 4, 1, 1, 1};
  CHECK(map.row_bytes() == 32);
  CHECK(slices(map, {{1, 2, 1, 0, 0}, {}}) == " 12020 12040");
  const TouchedBytes all = touched_bytes(map, {{1, 2, 1, 0, 0}, {}});
  CHECK(all.begin == map.address + 0x12020);
  CHECK(all.end == map.address + 0x12060);
}

TEST_CASE("im2col walks along the slices of an interleaved tensor") {
  TensorMap map = interleaved(4, 16);
  map.is_im2col = true;
  map.box[0] = 4;
  map.pixels = 8;
  map.size[0] = 3;
  map.lower = {-1, 0, 0};
  map.upper = {-1, -2, 0};
  CHECK(slices(map, {{0, 1, 1, 1, 0}, {}}) == " 111000 111010 . 210000 210010 . 211000 211010");
  CHECK(slices(map, {{0, 1, 1, 1, 0}, {1, 2, 0}}) ==
        " 113010 113020 212000 212010 212020 213000 213010 213020");
}

namespace {

// Nobody but the driver counts the bytes of a box.
bool is_copied_by(const std::string& problem) {
  return problem.empty() || problem.starts_with("the box has ");
}

}  // namespace

TEST_CASE("interleaved tensor maps that a driver refuses are named") {
  const auto problem_of = [](auto change) {
    TensorMap map = interleaved(4, 32);
    map.box[0] = 4;
    change(map);
    CHECK(decode_tensor_map(encode(map).data()).has_value() == is_copied_by(problem(map)));
    return problem(map);
  };
  CHECK(problem_of([](TensorMap&) {}) == "");
  CHECK(problem_of([](TensorMap& map) { map.rank = 2; }) ==
        "tensorRank is 2, it must be 3 to 5 where interleave is not none");
  CHECK(problem_of([](TensorMap& map) { map.address += 16; }) ==
        "globalAddress is 0x1000010, it must be a multiple of 32");
  CHECK(problem_of([](TensorMap& map) { map.stride_bytes[1] = 48; }) ==
        "globalStrides[0] is 48 bytes, it must be a multiple of 32 below 2^40");
  CHECK(problem_of([](TensorMap& map) { map.box[0] = 256, map.swizzle = layout::Swizzle::b32; }) ==
        "");
  CHECK(problem_of([](TensorMap& map) { map.box = {256, 2, 256, 1, 1}; }) != "");
  CHECK(problem_of([](TensorMap& map) {
          map.box = {256, 2, 256, 1, 1};
          map.element_stride = {1, 1, 1, 2, 1};
        }) == "");
}

TEST_CASE("tensor maps that im2col cannot have are named") {
  const auto problem_of = [](auto change) {
    TensorMap map = im2col(4, {8, 6, 4, 2, 1}, {-1, -1, 0}, {-1, -1, 0}, {1, 1, 1, 1, 1}, 30);
    change(map);
    CHECK(decode_tensor_map(encode(map).data()).has_value() == is_copied_by(problem(map)));
    return problem(map);
  };
  CHECK(problem_of([](TensorMap&) {}) == "");
  CHECK(problem_of([](TensorMap& map) { map.lower[1] = -129; }) ==
        "a corner of the bounding box is -129, it must be -128 to 127");
  CHECK(problem_of([](TensorMap& map) { map.upper[0] = -7; }) ==
        "the bounding box is empty in dimension 1");
  CHECK(problem_of([](TensorMap& map) { map.pixels = 0; }) ==
        "pixelsPerColumn is 0, it must be 1 to 1024");
  CHECK(problem_of([](TensorMap& map) { map.box[0] = 257; }) ==
        "channelsPerPixel is 257, it must be 1 to 256");
  CHECK(problem_of([](TensorMap& map) { map.box[0] = 256, map.pixels = 1024; }) ==
        "the box has 1048576 bytes, it must have at most 233472");
  CHECK(problem_of([](TensorMap& map) { map.rank = 2; }) == "tensorRank is 2, it must be 3 to 5");
}

}  // namespace lanescope::emulator::test
