// SPDX-License-Identifier: MIT
// See quiz_split.hpp.
//
// Source: lesson 21's shares: block x of n has steps x * all / n to (x + 1) * all / n of the row.
#include "panels/quiz/quiz_split.hpp"

#include <fmt/format.h>

namespace lanescope::viz {
namespace {

/// No fewer steps than blocks: none is without one.
struct StepRow {
  int tiles, steps, blocks;
  int all() const { return tiles * steps; }
  int first_step(int block) const { return all() * block / blocks; }
  int block_of(int step) const { return ((step + 1) * blocks - 1) / all(); }
  std::string about() const {
    return fmt::format(
        "{} tiles of {} steps make one row; block x of {} has the steps from x * {} / {} on, up to "
        "the next block's first",
        tiles, steps, blocks, all(), blocks);
  }
};
StepRow any_row(const Below& below) { return {2 + below(7), 8 + below(25), 3 + below(12)}; }

int quotient_up(int number, int by) { return (number + by - 1) / by; }

}  // namespace

QuizQuestion ask_first_step(const Below& below) {
  const StepRow row = any_row(below);
  const int block = 1 + below(static_cast<std::size_t>(row.blocks - 1));
  const int first = row.first_step(block), tile = first / row.steps, step = first % row.steps;
  QuizQuestion q;
  q.about = row.about();
  q.asks = fmt::format("With which tile does block {} begin, and with which of its steps, from 0?",
                       block);
  q.expects = "tile step, such as 1 5";
  q.parts = {"tile", "step"};
  q.limits = {row.tiles, row.steps};
  q.answers = {{tile, step}};
  q.reveal = fmt::format("{} {}\n{} * {} / {} = {}, rounded down; {} = {} * {} + {}", tile, step,
                         block, row.all(), row.blocks, first, first, tile, row.steps, step);
  return q;
}

QuizQuestion ask_parts(const Below& below) {
  const StepRow row = any_row(below);
  const int tile = below(static_cast<std::size_t>(row.tiles)), begin = tile * row.steps;
  const int first = row.block_of(begin), last = row.block_of(begin + row.steps - 1);
  QuizQuestion q;
  q.about = row.about();
  q.asks = fmt::format(
      "Which is the first block with a part of tile {}, and in how many parts is that tile?", tile);
  q.expects = "block parts, such as 2 3";
  q.parts = {"block", "number of parts"};
  q.limits = {row.blocks, row.blocks + 1};
  q.answers = {{first, last - first + 1}};
  q.reveal = fmt::format("{} {}\ntile {} is steps {} to {} of the row; block {} has {} to {}",
                         first, last - first + 1, tile, begin, begin + row.steps - 1, first,
                         row.first_step(first), row.first_step(first + 1) - 1);
  if (last != first)
    q.reveal += fmt::format(", block {} has {} to {}", last, row.first_step(last),
                            row.first_step(last + 1) - 1);
  return q;
}

QuizQuestion ask_busy(const Below& below) {
  constexpr int kSms = 132;
  const int split = 1 << below(4), steps = 16 << below(3), tiles = 3 + below(300);
  const int rounds = quotient_up(tiles * split, kSms), each = steps / split;
  const int shared = quotient_up(tiles * steps, kSms), at_least = tiles * steps / kSms;
  QuizQuestion q;
  q.about =
      fmt::format("{} tiles of {} steps on {} SMs, a block each at a time; adding costs nothing",
                  tiles, steps, kSms);
  q.asks = fmt::format(
      "How many steps until the last SM is done, with {}, and with stream-K in {} shares?",
      split == 1 ? "one block a tile" : fmt::format("K split by {}", split), kSms);
  q.expects = "two numbers, such as 65 33";
  q.parts = {"split", "stream-K"};
  q.limits = {1000, 1000};
  q.answers = {{rounds * each, shared}};
  q.reveal = fmt::format(
      "{} {}\n{} blocks on {} SMs are {} round{} of {} steps\nthe row has {} steps: {}{} for each "
      "SM",
      rounds * each, shared, tiles * split, kSms, rounds, rounds == 1 ? "" : "s", each,
      tiles * steps, at_least == shared ? "" : fmt::format("{} or ", at_least), shared);
  return q;
}

}  // namespace lanescope::viz
