// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 20 knows by name: each changes an idea, which then
// predicts what ldmatrix finds for every lane, step and block.
#pragma once

#include <algorithm>
#include <vector>

#include "20_convolution/answer.hpp"

namespace exercise_20 {

struct Mistake {
  const char *name, *advice;  // "It looks as if ..."
  void (*make)(Idea&);
};

namespace why {
inline constexpr const char* kCorner =
    "the tile begins one pixel above and one left of top,left: place p is pixel top + p / 10 - 1, "
    "left + p % 10 - 1";
inline constexpr const char* kInside =
    "inside is 0 <= y < kHeight and 0 <= x < kWidth; all else is copied with bytes = 0";
inline constexpr const char* kFrom = "((image * kHeight + y) * kWidth + x) * kChannels + unit * 8";
inline constexpr const char* kWide = "8 pixels and one more on either side: a row has 10 places";
inline constexpr const char* kOrder =
    "k goes as F's elements do: r slowest, then s, then c. A tap has 64 of k, four steps";
inline constexpr const char* kLanes =
    "lanes 0 to 7 and 8 to 15 name the rows of the upper and the lower 8, lanes 16 to 31 the same "
    "rows 8 channels further on (lesson 03)";
inline constexpr const char* kTap =
    "for tap r,s row i is pixel top + i / 8 + r - 1, left + i % 8 + s - 1, which lies at "
    "place (i / 8 + r) * 10 + i % 8 + s";
inline constexpr const char* kBoth =
    "store and load must agree, and what both know is the pixel's place: unit ^ place % 8";
}  // namespace why

/// In the copies: which pixels come into the tile, and from where.
inline const std::vector<Mistake>& mistakes_of_copies() {
  static const std::vector<Mistake> all{
      {"the padding is forgotten: the tile begins at pixel top,left", why::kCorner,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 10, p % 10};
                     }; }},
      {"the padding is forgotten in y", why::kCorner,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 10, p % 10 - 1};
                     }; }},
      {"the padding is forgotten in x", why::kCorner,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 10 - 1, p % 10};
                     }; }},
      {"the padding is on the wrong side: the tile begins at pixel top + 1, left + 1", why::kCorner,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 10 + 1, p % 10 + 1};
                     }; }},
      {"the padding is 2: the tile begins at pixel top - 2, left - 2", why::kCorner,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 10 - 2, p % 10 - 2};
                     }; }},
      {"a row of the tile has 8 pixels in the copies", why::kWide,
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p / 8 - 1, p % 8 - 1};
                     }; }},
      {"the tile is copied column after column", "place p is row p / 10, column p % 10 of the tile",
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p % 4 - 1, p / 4 - 1};
                     }; }},
      {"y and x are exchanged in the copies", "place p is row p / 10, column p % 10 of the tile",
       [](Idea& i) { i.pixel = [](int p) {
                       return Pixel{p % 10 - 1, p / 10 - 1};
                     }; }},
      {"a pixel left or right of the image is not 0, but the end or the beginning of another row",
       why::kInside, [](Idea& i) { i.inside = [](int y, int) { return y >= 0 && y < kHeight; }; }},
      {"a pixel above or below the image is not 0, but one of another image, or none of X",
       why::kInside, [](Idea& i) { i.inside = [](int, int x) { return x >= 0 && x < kWidth; }; }},
      {"nothing is 0: what lies outside of the image is copied, too", why::kInside,
       [](Idea& i) { i.inside = [](int, int) { return true; }; }},
      {"pixels of another row, or of none, stand right of and below the image: < kHeight and "
       "< kWidth are missing, or are <=",
       why::kInside,
       [](Idea& i) {
         i.inside = [](int y, int x) { return y >= 0 && y <= kHeight && x >= 0 && x <= kWidth; };
       }},
      {"row 0 and column 0 of the image are taken for outside: > in the place of >=", why::kInside,
       [](Idea& i) {
         i.inside = [](int y, int x) { return y > 0 && y < kHeight && x > 0 && x < kWidth; };
       }},
      {"the last row and column of the image are taken for outside", why::kInside,
       [](Idea& i) {
         i.inside = [](int y, int x) {
           return y >= 0 && y < kHeight - 1 && x >= 0 && x < kWidth - 1;
         };
       }},
      {"kHeight and kWidth are exchanged where a pixel is found to be inside", why::kInside,
       [](Idea& i) {
         i.inside = [](int y, int x) { return y >= 0 && y < kWidth && x >= 0 && x < kHeight; };
       }},
      {"the image's edge is repeated outside of it", why::kInside,
       [](Idea& i) {
         i.inside = [](int, int) { return true; };
         i.from = [](int image, int y, int x, int unit) {
           y = std::clamp(y, 0, kHeight - 1), x = std::clamp(x, 0, kWidth - 1);
           return ((image * kHeight + y) * kWidth + x) * kChannels + unit * 8;
         };
       }},
      {"bytes is 0 inside and 16 outside", "bytes is how many are read: 16 inside, 0 outside",
       [](Idea& i) { i.bytes = [](bool inside) { return inside ? 0 : 16; }; }},
      {"bytes counts elements: 8 are half of a unit", "a copy has 16 bytes: 8 elements of f16",
       [](Idea& i) { i.bytes = [](bool inside) { return inside ? 8 : 0; }; }},
      {"bytes is 1 inside", "it is no yes or no: 16 bytes inside, 0 outside",
       [](Idea& i) { i.bytes = [](bool inside) { return inside ? 1 : 0; }; }},
      {"X is taken for NCHW: channel after channel, and pixels in each",
       "in NHWC the 64 channels of a pixel are neighbours",
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return ((image * kChannels + unit * 8) * kHeight + y) * kWidth + x;
         };
       }},
      {"`from` is counted in bytes", "from is an element of X, of two bytes",
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return ((image * kHeight + y) * kWidth + x) * kChannels * 2 + unit * 16;
         };
       }},
      {"the unit is missing in `from`: all units of a pixel are its channels 0 to 7", why::kFrom,
       [](Idea& i) {
         i.from = [](int image, int y, int x, int) {
           return ((image * kHeight + y) * kWidth + x) * kChannels;
         };
       }},
      {"a unit is one channel in `from`", "a unit is 16 bytes, 8 channels: + unit * 8",
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return ((image * kHeight + y) * kWidth + x) * kChannels + unit;
         };
       }},
      {"both images are image 0", why::kFrom,
       [](Idea& i) {
         i.from = [](int, int y, int x, int unit) {
           return (y * kWidth + x) * kChannels + unit * 8;
         };
       }},
      {"a row of the image has kHeight pixels", why::kFrom,
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return ((image * kWidth + y) * kHeight + x) * kChannels + unit * 8;
         };
       }},
      {"a row of the image has 10 pixels in X, as it has in the tile", why::kFrom,
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return (image * kHeight * kWidth + y * 10 + x) * kChannels + unit * 8;
         };
       }},
      {"y and x are exchanged in `from`", why::kFrom,
       [](Idea& i) {
         i.from = [](int image, int y, int x, int unit) {
           return (image * kHeight * kWidth + x * kHeight + y) * kChannels + unit * 8;
         };
       }},
  };
  return all;
}

/// In the order of the tile: where a unit is put, and where it is looked for.
inline const std::vector<Mistake>& mistakes_of_order() {
  static const std::vector<Mistake> all{
      {"the swizzle of the load goes by the row of A, unit ^ lane % 8", why::kBoth,
       [](Idea& i) {
         i.at = [](int p, int unit, int lane) { return p * 128 + (unit ^ lane % 8) * 16; };
       }},
      {"the swizzle of the load goes by the place that the pixel has for tap 0,0", why::kBoth,
       [](Idea& i) {
         i.at = [](int p, int unit, int lane) {
           return p * 128 + (unit ^ (lane % 16 / 8 * 10 + lane % 8) % 8) * 16;
         };
       }},
      {"only the store swizzles the units of a pixel, or only the load", why::kBoth,
       [](Idea& i) { i.at = [](int p, int unit, int) { return p * 128 + unit * 16; }; }},
      {"the eight units of a pixel are stored at one place",
       "who goes by lane % 8 takes the unit for the pixel: unit ^ unit is 0. Go by place % 8",
       [](Idea& i) { i.to = [](int p, int) { return p * 128; }; }},
      {"`to` is counted in elements", "to is a byte: 128 a pixel, 16 a unit",
       [](Idea& i) { i.to = [](int p, int unit) { return p * 64 + (unit ^ p % 8) * 8; }; }},
      {"rows are counted in elements", "a row is a byte of the tile: 128 a pixel, 16 a unit",
       [](Idea& i) { i.at = [](int p, int unit, int) { return p * 64 + (unit ^ p % 8) * 8; }; }},
      {"`to` and rows are counted in elements", "both are bytes: 128 a pixel, 16 a unit",
       [](Idea& i) {
         i.to = [](int p, int unit) { return p * 64 + (unit ^ p % 8) * 8; };
         i.at = [](int p, int unit, int) { return p * 64 + (unit ^ p % 8) * 8; };
       }},
  };
  return all;
}

/// In the rows: which pixel and which channels a lane names.
inline const std::vector<Mistake>& mistakes_of_rows() {
  static const std::vector<Mistake> all{
      {"r and s are exchanged", why::kOrder,
       [](Idea& i) {
         i.tap = [](int step) { return Tap{step / 4 % 3, step / 12, step % 4 * 2}; };
       }},
      {"the filter is flipped: tap r,s reads what belongs to tap 2 - r, 2 - s", why::kTap,
       [](Idea& i) {
         i.tap = [](int step) { return Tap{2 - step / 12, 2 - step / 4 % 3, step % 4 * 2}; };
       }},
      {"the filter is flipped upside down: tap r,s reads what belongs to tap 2 - r, s", why::kTap,
       [](Idea& i) {
         i.tap = [](int step) { return Tap{2 - step / 12, step / 4 % 3, step % 4 * 2}; };
       }},
      {"the filter is mirrored: tap r,s reads what belongs to tap r, 2 - s", why::kTap,
       [](Idea& i) {
         i.tap = [](int step) { return Tap{step / 12, 2 - step / 4 % 3, step % 4 * 2}; };
       }},
      {"all taps read what belongs to tap 0,0", why::kTap,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{0, 0, step % 4 * 2};
                     }; }},
      {"all taps read what belongs to tap 1,1, the pixel itself", why::kTap,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{1, 1, step % 4 * 2};
                     }; }},
      {"r is missing: taps r,s read what belongs to tap 0,s", why::kTap,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{0, step / 4 % 3, step % 4 * 2};
                     }; }},
      {"s is missing: taps r,s read what belongs to tap r,0", why::kTap,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{step / 12, 0, step % 4 * 2};
                     }; }},
      {"1 is taken off for the padding again: tap 0,0 is looked for at place -11",
       "the tile begins above and left of top,left already: r * 10 + s is added, no 1 taken off",
       [](Idea& i) {
         i.tap = [](int step) { return Tap{step / 12 - 1, step / 4 % 3 - 1, step % 4 * 2}; };
       }},
      {"k goes channels first: r and s are the fastest, as in F[filter][c][r][s]", why::kOrder,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{step % 9 / 3, step % 3, step / 9 * 2};
                     }; }},
      {"k goes in the order r, c, s", why::kOrder,
       [](Idea& i) {
         i.tap = [](int step) { return Tap{step / 12, step % 3, step / 3 % 4 * 2}; };
       }},
      {"every step is another tap: step % 9", why::kOrder,
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{step % 9 / 3, step % 3, step % 4 * 2};
                     }; }},
      {"all steps of a tap have its channels 0 to 15", "a tap has four steps: units step % 4 * 2",
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{step / 12, step / 4 % 3, 0};
                     }; }},
      {"a step has one unit: step % 4 in the place of step % 4 * 2",
       "16 of k are two units of 8 channels, the second one is named by lanes 16 to 31",
       [](Idea& i) { i.tap = [](int step) {
                       return Tap{step / 12, step / 4 % 3, step % 4};
                     }; }},
      {"lanes 16 to 31 name the same channels as lanes 0 to 15", why::kLanes,
       [](Idea& i) { i.half = [](int) { return 0; }; }},
      {"the two halves of 16 channels are exchanged", why::kLanes,
       [](Idea& i) { i.half = [](int lane) { return 1 - lane / 16; }; }},
      {"lanes 8 to 15 name the second 8 channels, lanes 16 to 31 the lower rows", why::kLanes,
       [](Idea& i) {
         i.row = [](int lane) { return Pixel{lane / 16, lane % 8}; };
         i.half = [](int lane) { return lane / 8 % 2; };
       }},
      {"lane / 16 is the row of pixels, and the half of the channels, too", why::kLanes,
       [](Idea& i) { i.row = [](int lane) {
                       return Pixel{lane / 16, lane % 8};
                     }; }},
      {"the 16 rows of A are 16 pixels of one row of the image",
       "a block has 2 x 8 pixels: row i is pixel i / 8, i % 8 of them",
       [](Idea& i) { i.row = [](int lane) {
                       return Pixel{0, lane % 16};
                     }; }},
      {"the rows of A go down the image first: i % 2, i / 2",
       "a block has 2 x 8 pixels: row i is pixel i / 8, i % 8 of them",
       [](Idea& i) { i.row = [](int lane) {
                       return Pixel{lane % 2, lane % 16 / 2};
                     }; }},
      {"rows 8 to 15 of A are the pixels of rows 0 to 7", why::kLanes,
       [](Idea& i) { i.row = [](int lane) {
                       return Pixel{0, lane % 8};
                     }; }},
      {"the two rows of pixels are exchanged", why::kLanes,
       [](Idea& i) { i.row = [](int lane) {
                       return Pixel{1 - lane % 16 / 8, lane % 8};
                     }; }},
      {"lane / 8 is the row of pixels, 0 to 3: lanes from 16 on have rows that the block has not",
       why::kLanes, [](Idea& i) { i.row = [](int lane) {
                                    return Pixel{lane / 8, lane % 8};
                                  }; }},
      {"the lane is missing: all rows of A are one pixel", why::kLanes,
       [](Idea& i) { i.row = [](int) {
                       return Pixel{0, 0};
                     }; }},
      {"a row of the tile has 8 places where the rows are named", why::kWide,
       [](Idea& i) { i.place = [](int y, int x) { return y * 8 + x; }; }},
      {"a row of the tile has kWidth places where the rows are named", why::kWide,
       [](Idea& i) { i.place = [](int y, int x) { return y * kWidth + x; }; }},
      {"y and x are exchanged where the rows are named", why::kTap,
       [](Idea& i) { i.place = [](int y, int x) { return x * 10 + y; }; }},
      {"a row of the tile has 8 places, in the copies and where the rows are named", why::kWide,
       [](Idea& i) {
         i.pixel = [](int p) { return Pixel{p / 8 - 1, p % 8 - 1}; };
         i.place = [](int y, int x) { return y * 8 + x; };
       }},
  };
  return all;
}

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> some = mistakes_of_copies();
    for (const auto* more : {&mistakes_of_order(), &mistakes_of_rows()})
      some.insert(some.end(), more->begin(), more->end());
    return some;
  }();
  return all;
}

// ---- Orders that are right, and slow ------------------------------------------------------------

struct Order {
  const char *name, *advice;
  int (*unit)(int place, int unit);  // where it lies in its pixel
};
inline const std::vector<Order>& slow_orders() {
  static const char* const kEight =
      "eight neighbours in a row of pixels need eight orders: unit ^ place % 8";
  static const std::vector<Order> all{
      {"nothing is moved", kEight, [](int, int unit) { return unit; }},
      {"all pixels have their units in the same order", kEight,
       [](int, int unit) { return 7 - unit; }},
      {"only two orders take turns", kEight, [](int place, int unit) { return unit ^ place % 2; }},
      {"only four orders take turns", kEight, [](int place, int unit) { return unit ^ place % 4; }},
      {"the order changes every two pixels", kEight,
       [](int place, int unit) { return unit ^ place / 2 % 8; }},
      {"the order changes every two pixels, and only four take turns", kEight,
       [](int place, int unit) { return unit ^ place / 2 % 4; }},
      {"the order changes every eight pixels", kEight,
       [](int place, int unit) { return unit ^ place / 8 % 8; }},
      {"the order goes by the row of the tile, so that eight neighbours have the same", kEight,
       [](int place, int unit) { return unit ^ place / 10; }},
  };
  return all;
}

}  // namespace exercise_20
