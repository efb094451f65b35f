// SPDX-License-Identifier: MIT
// What an answer to exercise 18 hands in, right or with one of the mistakes that the check knows:
// sfa and sfb of every lane, to the bit.
//
// Source of the right places: PTX ISA 9.2, 9.7.14.3, figure 44; the check holds them against
// common/layout.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace exercise_18 {

constexpr int kLines = 16, kK = 256, kBlocks = 8;  // rows of A, columns of B

using Scales = std::vector<std::uint8_t>;  // [row or column][block], and what lies behind them
using Words = std::vector<std::uint32_t>;  // sfa and sfb, lane after lane

/// What one side of an answer puts into byte i of a lane; -1: nothing.
struct Side {
  std::function<int(int lane)> line;  // row of A, column of B
  std::function<int(int lane, int i)> block;
  std::function<int(int i)> shift = [](int i) { return i * 8; };
  int line_apart = kBlocks, block_apart = 1;  // in `scales`
};
inline Side right_a() {
  return {[](int lane) { return lane / 4 + lane % 2 * 8; },
          [](int lane, int i) { return lane % 4 / 2 * 4 + i; }};
}
inline Side right_b() {
  return {[](int lane) { return lane / 4 + lane % 4 / 2 * 8; },
          [](int lane, int i) { return lane % 2 * 4 + i; }};
}

inline std::uint32_t word_of(const Side& side, const Scales& scales, int lane) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) {
    const int line = side.line(lane), block = side.block(lane, i);
    const int at = line * side.line_apart + block * side.block_apart;
    if (line < 0 || block < 0 || at >= static_cast<int>(scales.size())) continue;
    word |= static_cast<std::uint32_t>(scales[static_cast<std::size_t>(at)]) << side.shift(i);
  }
  return word;
}

struct Mistake {
  std::string name, advice;
  Side side;
};

/// Of sfa (`of_a`) or of sfb.
inline std::vector<Mistake> mistakes(bool of_a) {
  const Side right = of_a ? right_a() : right_b(), other = of_a ? right_b() : right_a();
  const std::string name = of_a ? "sfa" : "sfb", line = of_a ? "row" : "column";
  const std::string scales = of_a ? "scales_a" : "scales_b";
  const std::string reads = of_a ? "lane 4g is read for row g, lane 4g + 1 for row g + 8, with "
                                   "thread-id 0; lanes 4g + 2 and 4g + 3 with thread-id 1"
                                 : "lane 4g + thread-id is read for column g of the tile";
  const std::string halves = of_a ? "thread-id-a is step / 2, and chooses lanes 4g + 2 * step / 2"
                                  : "thread-id-b is tile * 2 + step / 2";
  std::vector<Mistake> all;
  const auto add = [&](const std::string& what, const std::string& advice, auto change) {
    Side side = right;
    change(side);
    all.push_back({name + what, advice, side});
  };
  const auto lines = [&](const std::string& what, auto rule) {
    add(" has " + what, reads, [&](Side& side) { side.line = rule; });
  };
  const auto blocks = [&](const std::string& what, const std::string& advice, auto rule) {
    add(" has " + what, advice, [&](Side& side) { side.block = rule; });
  };
  all.push_back({name + " is made as the other side's is", reads, other});
  all.push_back({name + " is not set",
                 "between the two `your code` lines: sfa and sfb",
                 {[](int) { return -1; }, right.block}});
  add(" has its " + line + "s in the lanes where the other side has its own", reads,
      [&](Side& side) { side.line = other.line; });
  blocks("blocks 4 to 7 where 0 to 3 belong, and the other way round", halves,
         [right](int lane, int i) { return (right.block(lane, i) + 4) % 8; });
  blocks("the halves of K in the lanes where the other side has them", halves,
         [other](int lane, int i) { return other.block(lane, i); });
  blocks("blocks 0 to 3 in every lane", halves, [](int, int i) { return i; });
  blocks("blocks 4 to 7 in every lane", halves, [](int, int i) { return 4 + i; });
  blocks("blocks 0, 2, 4, 6 or 1, 3, 5, 7 in a lane",
         "bytes 0 and 1 are one step's two blocks, bytes 2 and 3 the next step's",
         [right](int lane, int i) { return i * 2 + right.block(lane, 0) / 4; });
  blocks("the blocks of a lane by its thread in the group, 2 * (lane % 4) on", halves,
         [](int lane, int i) { return (lane % 4 * 2 + i) % 8; });
  blocks("the blocks of a lane backwards",
         "block of step % 2 * 2 is byte step % 2 * 2: low bits "
         "first",
         [right](int lane, int i) { return right.block(lane, 3 - i); });
  blocks("the two blocks of each step exchanged",
         "k 0 to 31 is the byte at byte-id, k 32 to 63 the "
         "next",
         [right](int lane, int i) { return right.block(lane, i ^ 1); });
  blocks("the steps of a half exchanged",
         "byte-id is step % 2 * 2: bytes 0 and 1 are the first "
         "step's",
         [right](int lane, int i) { return right.block(lane, i ^ 2); });
  blocks("one block in all four bytes", "byte i is block i of the lane's four",
         [right](int lane, int) { return right.block(lane, 0); });
  blocks("one block for both bytes of a step", "with scale_vec::2X 64 of k have two scales",
         [right](int lane, int i) { return right.block(lane, i / 2 * 2); });
  blocks("bytes 0 and 1 only", "byte-id 2 reads bytes 2 and 3: the second step of the half",
         [right](int lane, int i) { return i < 2 ? right.block(lane, i) : -1; });
  blocks("byte 0 only", "with scale_vec::2X, byte-ids 0 and 2: all four bytes are read",
         [right](int lane, int i) { return i == 0 ? right.block(lane, i) : -1; });
  blocks("the blocks of a lane by its thread in the group, 4 * (lane % 4) on",
         "a " + line + " has eight blocks, two lanes' worth: " + halves,
         [](int lane, int i) { return lane % 4 * 4 + i; });
  blocks("the second half of K from block 8 on", "a half of K is four blocks: 4 to 7",
         [right](int lane, int i) { return right.block(lane, 0) * 2 + i; });
  lines("the " + line + " lane, of which there are 16", [](int lane) { return lane; });
  lines("the " + line + " lane / 4 in every lane", [](int lane) { return lane / 4; });
  lines("the " + line + " lane / 2", [](int lane) { return lane / 2; });
  lines("the " + line + " lane % 16", [](int lane) { return lane % 16; });
  lines("the " + line + " lane / 4 * 2 + lane % 2",
        [](int lane) { return lane / 4 * 2 + lane % 2; });
  lines("the " + line + " lane / 4 + 8 in every lane", [](int lane) { return lane / 4 + 8; });
  lines(line + "s g and g + 8 exchanged",
        [right](int lane) { return (right.line(lane) + 8) % 16; });
  lines("the " + line + " of the group's number, lane % 4", [](int lane) { return lane % 4; });
  add(" has the same in all four lanes of a group: " + line + " lane / 4, blocks 0 to 3", reads,
      [](Side& side) {
        side.line = [](int lane) { return lane / 4; };
        side.block = [](int, int i) { return i; };
      });
  add(" has rows and blocks by lane % 8 and lane / 8", reads, [right](Side& side) {
    const auto as = [](int lane) { return lane % 8 * 4 + lane / 8; };
    side.line = [=](int lane) { return right.line(as(lane)); };
    side.block = [=](int lane, int i) { return right.block(as(lane), i); };
  });
  add(" has the " + line + " lane % 16, and blocks by lane / 16", reads, [](Side& side) {
    side.line = [](int lane) { return lane % 16; };
    side.block = [](int lane, int i) { return lane / 16 * 4 + i; };
  });
  blocks("the second half of K from block 2 on", "a half of K is four blocks: 4 to 7",
         [right](int lane, int i) { return right.block(lane, 0) / 2 + i; });
  blocks("bytes 0 to 2 only", "a register has four bytes, 0 to 3: a loop ends too early",
         [right](int lane, int i) { return i < 3 ? right.block(lane, i) : -1; });
  blocks("two of the four blocks that a lane hands in, one in each half of the register",
         "with scale_vec::2X, byte-ids 0 and 2, all four bytes are read: byte i is block i",
         [right](int lane, int i) { return i % 2 == 0 ? right.block(lane, i / 2) : -1; });
  blocks("two blocks a lane, in bytes 0 and 1: the other two steps have none",
         "a lane hands in the four blocks of two steps: 0 to 3, or 4 to 7",
         [right](int lane, int i) { return i < 2 ? right.block(lane, 0) / 2 + i : -1; });
  blocks("one byte, of block 0 in every lane", "four blocks a lane, a byte each: 0 to 3, or 4 to 7",
         [](int, int i) { return i == 0 ? 0 : -1; });
  lines("nothing in the lanes of odd number",
        [right](int lane) { return lane % 2 == 0 ? right.line(lane) : -1; });
  lines("nothing in lanes 4g + 2 and 4g + 3",
        [right](int lane) { return lane % 4 < 2 ? right.line(lane) : -1; });
  add(" is taken from " + line + "s of four scales",
      scales + "[" + line +
          " * kBlocks + block]: "
          "a " +
          line + " has eight",
      [](Side& side) { side.line_apart = kBlocks / 2; });
  add(" is taken from " + line + "s of " + std::to_string(kK) + " scales",
      scales + "[" + line + " * kBlocks + block]: a " + line + " has eight, one for 32 of its " +
          std::to_string(kK) + " numbers",
      [](Side& side) { side.line_apart = kK; });
  add(" is taken from scales that lie column after column, 16 apart",
      scales + "[" + line + " * kBlocks + block]: the eight of a " + line + " are neighbours",
      [](Side& side) { side.line_apart = 1, side.block_apart = kLines; });
  add(" has block 3 or 7 alone, in its last byte",
      "each byte is added to those before: |=, not =", [right](Side& side) {
        side.block = [right](int lane, int i) { return i == 3 ? right.block(lane, i) : -1; };
      });
  add(" has its four bytes in one place", "byte i is at bit i * 8",
      [](Side& side) { side.shift = [](int) { return 0; }; });
  add(" has its bytes one bit apart", "a shift counts bits: byte i is at bit i * 8",
      [](Side& side) { side.shift = [](int i) { return i; }; });
  add(" has its bytes four bits apart", "byte i is at bit i * 8",
      [](Side& side) { side.shift = [](int i) { return i * 4; }; });
  add(" has its bytes sixteen bits apart", "byte i is at bit i * 8",
      [](Side& side) { side.shift = [](int i) { return i * 16 % 32; }; });
  return all;
}

}  // namespace exercise_18
