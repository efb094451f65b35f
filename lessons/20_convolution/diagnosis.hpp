// SPDX-License-Identifier: MIT
// What the check of exercise 20 says of a wrong answer: the mistake that predicts what is found, or
// two of them, or which number goes on by too much.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "20_convolution/mistakes.hpp"
#include "strides.hpp"

namespace exercise_20 {

inline constexpr const char* kTodo = ".\n  What to do: ";

/// What should be found: see Idea.
inline int wanted(const Block& block, int lane, int step) {
  const Idea right;
  const Tap tap = right.tap(step);
  const Pixel row = right.row(lane);
  const int y = block.top + row.y + tap.r - 1, x = block.left + row.x + tap.s - 1;
  return right.inside(y, x) ? right.from(block.image, y, x, tap.unit + right.half(lane)) : kZeros;
}

/// What is wrong with a copy, whatever it was meant for; "": nothing.
inline std::string wrong_copy(const Copy& copy) {
  const auto number = [](int n) { return std::to_string(n); };
  if (!in_tile(copy.to))
    return "to is " + number(copy.to) + kTodo + "a byte of the tile, a multiple of 16 from 0 to " +
           number(kTileBytes - 16);
  if (copy.bytes != 0 && copy.bytes != 16)
    return "bytes is " + number(copy.bytes) + kTodo + "16, or 0 for zeros";
  if (content(copy) == kNotOfX)
    return "from is " + number(copy.from) + kTodo + "an element of X, a multiple of 8 from 0 to " +
           number(kElements - 8) + ", where bytes is not 0";
  return "";
}
inline std::string wrong_copies(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::size_t i = 0; i < kCopies; ++i)
        if (const std::string wrong = wrong_copy(block.lanes[lane].copies[i]); !wrong.empty())
          return "In image " + std::to_string(block.image) + ", the block at " +
                 std::to_string(block.top) + "," + std::to_string(block.left) + ", lane " +
                 std::to_string(lane) + ", copies[" + std::to_string(i) + "], " + wrong;
  return "";
}

/// Where all that is wrong is that zeros stand in the place of pixels, or pixels in that of zeros:
/// which pixel of which block, first.
inline std::string wrong_edge(const std::vector<Block>& blocks, const std::vector<Found>& found) {
  std::string first;
  bool should_be_zeros = false;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int lane = 0; lane < 32; ++lane)
      for (int step = 0; step < kSteps; ++step) {
        const int should = wanted(blocks[i], lane, step);
        const int is = found[i][static_cast<std::size_t>(lane)][static_cast<std::size_t>(step)];
        if (is == should) continue;
        if (is != kZeros && (should != kZeros || is < 0)) return "";
        if (!first.empty() && should_be_zeros != (should == kZeros)) return "";
        should_be_zeros = should == kZeros;
        const Idea right;
        const Pixel row = right.row(lane);
        const Tap tap = right.tap(step);
        if (first.empty())
          first = std::to_string(blocks[i].top + row.y + tap.r - 1) + "," +
                  std::to_string(blocks[i].left + row.x + tap.s - 1) + " of image " +
                  std::to_string(blocks[i].image) + " for the block at " +
                  std::to_string(blocks[i].top) + "," + std::to_string(blocks[i].left);
      }
  if (first.empty()) return "";
  return should_be_zeros
             ? "Pixels stand in the place of zeros, the first of them where X has no pixel " + first
             : "Zeros stand in the place of pixels of the image, the first of them in that of "
               "pixel " +
                   first;
}

/// Whether the blocks of an image, which are at different places of it, copy the same.
inline bool same_copies(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::size_t i = 0; i < kCopies; ++i) {
        const Copy& one = blocks[block.image == 0 ? 0 : blocks.size() / 2].lanes[lane].copies[i];
        const Copy& other = block.lanes[lane].copies[i];
        if (one.bytes != other.bytes || (one.bytes != 0 && one.from != other.from)) return false;
      }
  return true;
}

/// Which factor of the pixel or of the channel is wrong in the rows, in a block without an edge.
inline std::string wrong_factor(const std::vector<Found>& found) {
  const auto at = [&found](const std::vector<int>& v) {
    const int lane = v[0] + v[1] * 8 + v[2] * 16, step = v[3] + v[4] * 4 + v[5] * 12;
    return found[inner_block()][static_cast<std::size_t>(lane)][static_cast<std::size_t>(step)];
  };
  const strides::Maps maps{{{"lane % 8", 8},
                            {"lane % 16 / 8", 2},
                            {"lane / 16", 2},
                            {"step % 4", 4},
                            {"s", 3},
                            {"r", 3}},
                           [](const std::vector<int>& v) {
                             const int lane = v[0] + v[1] * 8 + v[2] * 16,
                                       step = v[3] + v[4] * 4 + v[5] * 12;
                             const int element = wanted(all_blocks()[inner_block()], lane, step);
                             return strides::Place{element / kChannels, element % kChannels};
                           },
                           [at](const std::vector<int>& v) -> std::optional<strides::Place> {
                             if (at(v) < 0) return std::nullopt;
                             return strides::Place{at(v) / kChannels, at(v) % kChannels};
                           },
                           [at](const std::vector<int>& v, strides::Place place) {
                             return at(v) == place.row * kChannels + place.col;
                           },
                           "pixel",
                           "channel"};
  const std::string steps = strides::wrong_steps(maps);
  return !steps.empty() ? steps : strides::wrong_where(maps);
}

/// Nobody has set a number: of the copies, of the rows.
inline bool copies_unset(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    for (const Lane& lane : block.lanes)
      for (const Copy& copy : lane.copies)
        if (copy.from != -1 || copy.bytes != -1 || copy.to != -1) return false;
  return true;
}
inline bool rows_unset(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    for (const Lane& lane : block.lanes)
      for (const int row : lane.rows)
        if (row != -1) return false;
  return true;
}

inline std::string diagnosis(const std::vector<Block>& blocks, const std::vector<Found>& found) {
  if (copies_unset(blocks) && rows_unset(blocks))
    return std::string("The gap is still empty") + kTodo +
           "lessons/20_convolution/exercise.cu, between the two `your code` lines.";
  if (copies_unset(blocks))
    return std::string("copies is not set") + kTodo + "ten copies of a lane, 320 of the warp.";
  if (rows_unset(blocks))
    return std::string("rows is not set") + kTodo + "a byte of the tile for each of 36 steps.";
  const std::vector<Mistake>& all = mistakes();
  for (const Mistake& mistake : all) {
    Idea idea;
    mistake.make(idea);
    if (explains(idea, found))
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  }
  for (const Mistake& one : all)
    for (const Mistake& other : all) {
      Idea idea;
      one.make(idea), other.make(idea);
      if (explains(idea, found))
        return std::string("It looks as if ") + one.name + "; and " + other.name + kTodo +
               one.advice + "; and " + other.advice + ".";
    }
  if (const std::string wrong = wrong_edge(blocks, found); !wrong.empty())
    return wrong + kTodo + why::kInside + ".";
  if (same_copies(blocks))
    return std::string("All blocks of an image copy the same pixels") + kTodo +
           "top and left say where this block's are: " + why::kCorner + ".";
  if (const std::string wrong = wrong_copies(blocks); !wrong.empty()) return wrong + ".";
  if (const std::string wrong = wrong_factor(found); !wrong.empty())
    return "In the block at 2,8, which has no edge, " + wrong + kTodo +
           "look for that number in your places.";
  return std::string("It is wrong in a way that this check does not know") + kTodo +
         "take one line above: which place is that byte, and what was copied there?";
}

/// Of a right answer with bank conflicts.
inline std::string slow(const Block& inner) {
  std::vector<std::optional<int>> unit_at(40 * kUnits);
  for (const Lane& lane : inner.lanes)
    for (const Copy& copy : lane.copies) {
      const int pixel = copy.from / kChannels, unit = copy.from % kChannels / 8;
      const int y = pixel / kWidth % kHeight - inner.top + 1, x = pixel % kWidth - inner.left + 1;
      if (copy.bytes != 16 || y < 0 || y > 3 || x < 0 || x > 9) continue;
      unit_at[static_cast<std::size_t>((y * 10 + x) * kUnits + unit)] = copy.to;
    }
  for (const Order& order : slow_orders()) {
    bool same = true;
    for (int i = 0; i < 40 * kUnits && same; ++i) {
      const int to = i / kUnits * 128 + order.unit(i / kUnits, i % kUnits) * 16;
      same = unit_at[static_cast<std::size_t>(i)] == to;
    }
    if (same) return std::string("It looks as if ") + order.name + kTodo + order.advice + ".";
  }
  return std::string("This order is none that the check knows") + kTodo +
         "take a phase above: at which byte of 128 does each of its eight units begin?";
}

}  // namespace exercise_20
