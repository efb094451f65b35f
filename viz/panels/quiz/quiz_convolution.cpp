// SPDX-License-Identifier: MIT
// See quiz_convolution.hpp.
//
// Sources: lesson 20's block (4 x 16 pixels, four warps, 64 channels of f16); PTX ISA 9.2,
// 9.7.14.5.15 (which row a lane names); common/layout/banks.hpp (passes).
#include "panels/quiz/quiz_convolution.hpp"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "layout/banks.hpp"

namespace lanescope::viz {
namespace {

constexpr int kWide = 16, kRows = 64, kApart = 18, kPlaces = 6 * kApart;
constexpr const char* kAbout =
    "a block of 4 x 16 pixels, row i of A is pixel i / 16, i % 16; warp w has rows 16w to 16w + "
    "15. "
    "Its tile of X has 6 x 18 places of 64 channels (f16), unit u of place p lies at p * 128 + (u "
    "^ "
    "p % 8) * 16. Filters of 3 x 3, padding 1";

std::string where(int row, int r, int s) {
  return fmt::format(
      "row {} of A is pixel {},{}; for tap {},{} it lies at ({} + {}) * 18 + {} + {}", row,
      row / kWide, row % kWide, r, s, row / kWide, r, row % kWide, s);
}

}  // namespace

QuizQuestion ask_tap_place(const Below& below) {
  const int warp = below(4), lane = below(32), r = below(3), s = below(3), step = below(4);
  const int row = warp * 16 + lane % 16, unit = step * 2 + lane / 16;
  const int place = (row / kWide + r) * kApart + row % kWide + s;
  const int byte = place * 128 + (unit ^ place % 8) * 16;
  QuizQuestion q;
  q.about = kAbout;
  q.asks = fmt::format(
      "For tap {},{}, channels {} to {}: which place and which byte of the tile does lane {} of "
      "warp "
      "{} name to ldmatrix.x4?",
      r, s, step * 16, step * 16 + 15, lane, warp);
  q.expects = "place byte, such as 19 2480";
  q.parts = {"place", "byte"};
  q.limits = {kPlaces, kPlaces * 128};
  q.answers = {{place, byte}};
  q.reveal = fmt::format(
      "{} {}\nlane {} names row {} of its warp's 16, and the {} 8 channels: unit {}\n{} = {}\n"
      "{} * 128 + ({} ^ {}) * 16 = {}",
      place, byte, lane, lane % 16, lane < 16 ? "first" : "second", unit, where(row, r, s), place,
      place, unit, place % 8, byte);
  return q;
}

QuizQuestion ask_row_of_pixel(const Below& below) {
  const int row = below(kRows), r = below(3), s = below(3);
  const int y = row / kWide + r, x = row % kWide + s;
  QuizQuestion q;
  q.about = kAbout;
  q.asks = fmt::format(
      "Place {} of the tile, its row {}, column {}: which row of A is it for tap "
      "{},{}?",
      y * kApart + x, y, x, r, s);
  q.expects = "a row from 0 to 63";
  q.parts = {"row"};
  q.limits = {kRows};
  q.answers = {{row}};
  q.reveal = fmt::format("row {}\n({} - {}) * 16 + {} - {}\n{}", row, y, r, x, s, where(row, r, s));
  return q;
}

QuizQuestion ask_tap_of_k(const Below& below) {
  const int channels = 16 << below(4), k = below(static_cast<std::size_t>(9 * channels));
  const int tap = k / channels;
  QuizQuestion q;
  q.about = fmt::format("filters F[f][r][s][c] of 3 x 3 with {} channels, as columns of B, {} x N",
                        channels, 9 * channels);
  q.asks = fmt::format("Which tap, r and s, and which channel is k = {}?", k);
  q.expects = "r s channel, such as 1 2 5";
  q.parts = {"r", "s", "channel"};
  q.limits = {3, 3, channels};
  q.answers = {{tap / 3, tap % 3, k % channels}};
  const std::string before =
      tap == 0   ? fmt::format("the first tap has {} of k", channels)
      : tap == 1 ? fmt::format("the one tap before it has {} of k", channels)
                 : fmt::format("the {} taps before it have {} of k each", tap, channels);
  q.reveal = fmt::format("{} {} {}\n{} / {} = {}, {}\ntap {} is r = {} / 3, s = {} % 3", tap / 3,
                         tap % 3, k % channels, k, channels, tap, before, tap, tap, tap);
  return q;
}

QuizQuestion ask_tile_passes(const Below& below) {
  struct Order {
    const char* words;
    int divisor, modulus;
  };
  constexpr Order kOrders[] = {{"p % 8", 1, 8}, {"p / 2 % 8", 2, 8}, {"p % 4", 1, 4}};
  const Order& order = kOrders[below(std::size(kOrders))];
  const int width = 4 << below(2), stride = 1 + below(2), first = below(40), unit = below(8);
  const int apart = (width - 1) * stride + 3 + below(6);
  std::vector<std::uint32_t> addresses;
  std::string places, turns;
  for (int row = 0; row < 8; ++row) {
    const int place = first + row / width * stride * apart + row % width * stride;
    const int turn = place / order.divisor % order.modulus;
    addresses.push_back(static_cast<std::uint32_t>(place * 128 + (unit ^ turn) * 16));
    places += fmt::format(" {}", place);
    turns += fmt::format(" {}", turn);
  }
  const int passes = layout::passes(addresses, 16);
  QuizQuestion q;
  q.about = fmt::format(
      "a block {} pixels wide, stride {}; the rows of its tile lie {} places apart; a place has 64 "
      "channels, 128 bytes, and its unit u lies at p * 128 + (u ^ ({})) * 16",
      width, stride, apart, order.words);
  q.asks = fmt::format(
      "Rows 0 to 7 of A, a phase of ldmatrix, are at places{}. How many passes does it take?",
      places);
  q.expects = "a number, such as 2";
  q.parts = {"number of passes"};
  q.limits = {9};
  q.answers = {{passes}};
  q.reveal =
      fmt::format("{}\n{} is{}: {}", passes == 1 ? "1 pass" : fmt::format("{} passes", passes),
                  order.words, turns,
                  passes == 1 ? "all different, and so are the banks"
                              : fmt::format("{} alike, in the same four banks", passes));
  return q;
}

}  // namespace lanescope::viz
