// SPDX-License-Identifier: MIT
// What an answer to exercise 20 makes of every lane, right or wrong: its copies to the tile, the
// rows that it names; and, of these, what ldmatrix finds: that is compared, so that a tile may be
// laid out in any order.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 (who names which row), 9.7.9.25.3 (cp.async's source size).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace exercise_20 {

constexpr int kImages = 2, kHeight = 6, kWidth = 24, kChannels = 64, kFilters = 8, kUnits = 8;
constexpr int kK = 9 * kChannels, kSteps = kK / 16, kCopies = 10, kTileBytes = 6144;
constexpr int kPixels = kImages * kHeight * kWidth, kElements = kPixels * kChannels;

struct Copy {
  int from, bytes, to;
};
struct Lane {
  std::array<Copy, kCopies> copies;
  std::array<int, kSteps> rows;
};
struct Block {
  int image, top, left;
  std::array<Lane, 32> lanes;
};

inline std::vector<Block> all_blocks() {
  std::vector<Block> all;
  for (int image = 0; image < kImages; ++image)
    for (int top = 0; top < kHeight; top += 2)
      for (int left = 0; left < kWidth; left += 8) all.push_back({image, top, left, {}});
  return all;
}
/// A block whose 4 x 10 pixels are all inside.
inline std::size_t inner_block() { return 4; }

// ---- What is found ------------------------------------------------------------------------------

/// In the place of an element of X: why a unit, of 16 bytes of the tile, has none. Below kPart: of
/// how many bytes, kPart less, it has some.
enum None { kZeros = -1, kNothing = -2, kNoUnit = -3, kNotOfX = -4, kTwo = -5, kPart = -100 };

inline bool in_tile(int byte) { return byte >= 0 && byte % 16 == 0 && byte < kTileBytes; }

/// The element at which a copy begins, or why there is none.
inline int content(const Copy& copy) {
  if (copy.bytes == 0) return kZeros;
  if (copy.bytes < 0 || copy.bytes > 16) return kNothing;
  if (copy.from < 0 || copy.from % 8 != 0 || copy.from >= kElements) return kNotOfX;
  return copy.bytes < 16 ? kPart - copy.bytes : copy.from;
}
/// Byte of the tile to what was copied there.
inline std::map<int, int> tile_of(const Block& block) {
  std::map<int, int> tile;
  for (const Lane& lane : block.lanes)
    for (const Copy& copy : lane.copies) {
      if (!in_tile(copy.to)) continue;
      const auto [at, fresh] = tile.insert({copy.to, content(copy)});
      if (!fresh && at->second != content(copy)) at->second = kTwo;
    }
  return tile;
}
using Found = std::array<std::array<int, kSteps>, 32>;
inline Found found_by(const Block& block) {
  const std::map<int, int> tile = tile_of(block);
  Found found{};
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t step = 0; step < kSteps; ++step) {
      const int byte = block.lanes[lane].rows[step];
      const auto at = tile.find(byte);
      found[lane][step] = !in_tile(byte) ? kNoUnit : at == tile.end() ? kNothing : at->second;
    }
  return found;
}

inline std::string text_of(int found) {
  switch (found) {
    case kZeros:
      return "zeros";
    case kNothing:
      return "nothing that was copied";
    case kNoUnit:
      return "a byte that is no unit of the tile";
    case kNotOfX:
      return "no 16 bytes of X";
    case kTwo:
      return "what two copies left, of different pixels";
    default:
      break;
  }
  if (found < kPart) return std::to_string(kPart - found) + " of 16 bytes, and zeros";
  const int pixel = found / kChannels, c = found % kChannels;
  return "pixel " + std::to_string(pixel / kWidth % kHeight) + "," +
         std::to_string(pixel % kWidth) + " of image " + std::to_string(pixel / kWidth / kHeight) +
         ", channels from " + std::to_string(c) + " on";
}

// ---- How an answer is made ----------------------------------------------------------------------

struct Pixel {
  int y, x;
};
struct Tap {
  int r, s, unit;
};

struct Idea {
  /// Of a place of the tile, its pixel, counted from top,left on.
  std::function<Pixel(int place)> pixel = [](int place) {
    return Pixel{place / 10 - 1, place % 10 - 1};
  };
  std::function<bool(int y, int x)> inside = [](int y, int x) {
    return y >= 0 && y < kHeight && x >= 0 && x < kWidth;
  };
  std::function<int(int image, int y, int x, int unit)> from = [](int image, int y, int x,
                                                                  int unit) {
    return ((image * kHeight + y) * kWidth + x) * kChannels + unit * 8;
  };
  std::function<int(bool inside)> bytes = [](bool inside) { return inside ? 16 : 0; };
  std::function<int(int place, int unit)> to = [](int place, int unit) {
    return place * 128 + (unit ^ place % 8) * 16;
  };
  std::function<Tap(int step)> tap = [](int step) {
    return Tap{step / 12, step / 4 % 3, step % 4 * 2};
  };
  /// Of the row that a lane names: the pixel, of the block's 2 x 8, and which half of 16 channels.
  std::function<Pixel(int lane)> row = [](int lane) { return Pixel{lane % 16 / 8, lane % 8}; };
  std::function<int(int lane)> half = [](int lane) { return lane / 16; };
  std::function<int(int y, int x)> place = [](int y, int x) { return y * 10 + x; };
  std::function<int(int place, int unit, int lane)> at = [](int place, int unit, int) {
    return place * 128 + (unit ^ place % 8) * 16;
  };
};

/// Fills in what the lanes of a block do.
inline void apply(const Idea& idea, Block& block) {
  for (int lane = 0; lane < 32; ++lane) {
    Lane& to = block.lanes[static_cast<std::size_t>(lane)];
    for (int i = 0; i < kCopies; ++i) {
      const int place = i * 4 + lane / 8, unit = lane % 8;
      const Pixel p = idea.pixel(place);
      const int y = block.top + p.y, x = block.left + p.x;
      const bool inside = idea.inside(y, x);
      to.copies[static_cast<std::size_t>(i)] = {idea.from(block.image, y, x, unit),
                                                idea.bytes(inside), idea.to(place, unit)};
    }
    for (int step = 0; step < kSteps; ++step) {
      const Tap tap = idea.tap(step);
      const Pixel p = idea.row(lane);
      to.rows[static_cast<std::size_t>(step)] =
          idea.at(idea.place(p.y + tap.r, p.x + tap.s), tap.unit + idea.half(lane), lane);
    }
  }
}

/// Whether an idea finds what the answer finds, in every block.
inline bool explains(const Idea& idea, const std::vector<Found>& found) {
  std::vector<Block> blocks = all_blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    apply(idea, blocks[i]);
    if (found_by(blocks[i]) != found[i]) return false;
  }
  return true;
}

}  // namespace exercise_20
