// SPDX-License-Identifier: MIT
// See quiz_waits.hpp.
//
// Sources: PTX ISA 9.2, 9.7.9.25.3 (groups of cp.async), 9.7.15.7 (groups of wgmma), 9.7.13.15
// (phases, arrivals and transactions of an mbarrier), 5.5 (boxes over the edge).
#include "panels/quiz_waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {
namespace {

// How many groups a wait lets be under way, and which stage a copy goes to.
QuizQuestion ask_landed(const Below& below) {
  QuizQuestion q;
  const int groups = 2 + below(7), left = below(6);
  const int landed = std::max(0, groups - left);
  q.about = fmt::format(
      "A thread commits {} groups of cp.async, 0 to {}, then executes cp.async.wait_group {}",
      groups, groups - 1, left);
  q.asks = "How many of its groups are sure to have landed?";
  q.expects = "a number, such as 2";
  q.parts = {"number of groups"};
  q.limits = {groups + 1};
  q.answers = {{landed}};
  q.reveal = fmt::format("{} of {}: the last {} may still be under way\n", landed, groups, left);
  q.reveal += landed == 0
                  ? "so nothing is promised"
                  : fmt::format("groups land in their order: 0 to {} are there", landed - 1);
  return q;
}

QuizQuestion ask_largest_wait(const Below& below) {
  QuizQuestion q;
  const int stages = 3 + below(6);
  const bool starts_first = below(2) == 0;
  const int largest = starts_first ? stages - 1 : stages - 2;
  q.about = fmt::format(
      "A pipeline of {} stages: before the loop the copies of tiles 0 to {} are started, each a "
      "group of its own; step k of the loop first {}",
      stages, stages - 2,
      starts_first ? fmt::format("starts tile k + {}, then waits for tile k", stages - 1)
                   : fmt::format("waits for tile k, then starts tile k + {}", stages - 1));
  q.asks = "Which is the largest N of cp.async.wait_group N that is right?";
  q.expects = "a number, such as 2";
  q.parts = {"number of groups"};
  q.limits = {10};
  q.answers = {{largest}};
  q.reveal = fmt::format(
      "N = {}\nwhen step k waits, the groups after tile k's are those of tiles k + 1 to k + {}: {}",
      largest, largest, largest);
  if (largest == 1) q.reveal = "N = 1\nwhen step k waits, one group follows tile k's: tile k + 1's";
  return q;
}

QuizQuestion ask_stage(const Below& below) {
  QuizQuestion q;
  const int stages = 2 + below(7), tile = stages + below(20);
  q.about = fmt::format("A pipeline of {} stages; tile 0 lies in stage 0, tile 1 in stage 1, ...",
                        stages);
  q.asks = fmt::format(
      "Into which stage is tile {} copied, and which tile must everybody have read before?", tile);
  q.expects = "stage and tile, such as 1 4";
  q.parts = {"stage", "tile"};
  q.limits = {stages, tile};
  q.answers = {{tile % stages, tile - stages}};
  q.reveal = fmt::format(
      "stage {}, tile {}\n{} % {} = {}, and the one before there was {} - {} = {}", tile % stages,
      tile - stages, tile, stages, tile % stages, tile, stages, tile - stages);
  return q;
}

/// "no group follows it", "2 groups follow it".
std::string that_follow(int groups) {
  return groups == 0   ? std::string("no group follows it")
         : groups == 1 ? std::string("one group follows it")
                       : fmt::format("{} groups follow it", groups);
}

// What is missing until a phase is over.
QuizQuestion ask_missing(const Below& below) {
  QuizQuestion q;
  const int count = 2 + below(7), arrived = below(static_cast<std::size_t>(count));
  const int tile = 1024 << below(3), announced = 2 * tile;
  // The phase is not over: where all have arrived, bytes are missing.
  const int come = arrived == count - 1 ? below(2) * tile : below(3) * tile;
  const int arrivals = count - 1 - arrived, bytes = announced - come;
  q.about = fmt::format(
      "A new mbarrier, init {}. One thread executes mbarrier.arrive.expect_tx of {} bytes, {} "
      "mbarrier.arrive; of the bytes {} have come",
      count, announced,
      arrived == 0   ? "no other"
      : arrived == 1 ? "one other"
                     : fmt::format("{} others", arrived),
      come);
  q.asks = "How many arrivals and how many bytes does phase 0 still wait for?";
  q.expects = "arrivals and bytes, such as 1 4096";
  q.parts = {"number of arrivals", "number of bytes"};
  q.limits = {10, 16385};
  q.answers = {{arrivals, bytes}};
  q.reveal = fmt::format(
      "{} and {}\n{} - 1 - {} = {}: arrive.expect_tx is an arrival, too, a copy's bytes are none\n"
      "{} - {} = {}; the phase is over when both are 0",
      arrivals, bytes, count, arrived, arrivals, announced, come, bytes);
  return q;
}

// A box may stick out of its tensor: all its bytes come all the same.
QuizQuestion ask_announced(const Below& below) {
  QuizQuestion q;
  const int rows = 8 << below(4), cols = 16 << below(3);
  const int row = below(60), col = below(90), tensor_rows = 40 + below(40),
            tensor_cols = 8 * (6 + below(8));
  const int bytes = rows * cols * 2;
  const auto inside = [](int first, int count, int size) {
    return std::max(0, std::min(first + count, size) - first);
  };
  const int elements = inside(row, rows, tensor_rows) * inside(col, cols, tensor_cols);
  q.about = fmt::format(
      "TMA copies a box of {} x {} f16 from row {}, column {} of a tensor of {} x {} on", rows,
      cols, row, col, tensor_rows, tensor_cols);
  q.asks = "How many bytes must expect_tx announce?";
  q.expects = "a number, such as 1024";
  q.parts = {"number of bytes"};
  q.limits = {32769};
  q.answers = {{bytes}};
  q.reveal = fmt::format("{} bytes\n{} * {} * 2, the whole box: ", bytes, rows, cols);
  q.reveal += elements == rows * cols ? "and all of it lies inside"
                                      : fmt::format(
                                            "{} of its {} elements lie inside, the others "
                                            "come as zeros, and count",
                                            elements, rows * cols);
  return q;
}

// How many arrivals each of a ring's two mbarriers is made for.
QuizQuestion ask_counts(const Below& below) {
  QuizQuestion q;
  const int warpgroups = 1 + below(3), who = below(3), boxes = 1 + below(3);
  constexpr const char* kWho[] = {"every consumer thread", "one lane of every consumer warp",
                                  "one thread of every consumer warpgroup"};
  constexpr int kEach[] = {128, 4, 1};
  const int empty = warpgroups * kEach[who];
  q.about = fmt::format(
      "A ring: one thread executes arrive.expect_tx at full, then starts {} a stage; {} consumer "
      "warpgroup{}, and {} arrives at empty",
      boxes == 1 ? std::string("one TMA copy") : fmt::format("{} TMA copies", boxes), warpgroups,
      warpgroups == 1 ? "" : "s", kWho[who]);
  q.asks = "With which counts are full and empty initialised?";
  q.expects = "full and empty, such as 1 128";
  q.parts = {"count of full", "count of empty"};
  q.limits = {1000, 1000};
  q.answers = {{1, empty}};
  q.reveal = fmt::format(
      "1 and {}\nfull: the one thread that announces the bytes; copies bring bytes, they do not "
      "arrive\nempty: {} * {} = {} arrivals",
      empty, warpgroups, kEach[who], empty);
  return q;
}

}  // namespace

QuizQuestion ask_arrivals(const Below& below) {
  const int which = below(3);
  return which == 0 ? ask_missing(below) : which == 1 ? ask_announced(below) : ask_counts(below);
}

// What a wait for wgmma allows: to read sums, or to write over the tiles they are made of.
QuizQuestion ask_accumulators(const Below& below) {
  QuizQuestion q;
  const int sums = 1 + below(3), newest = 3 + below(8);
  const bool reads = below(2) == 0;
  const int which = below(static_cast<std::size_t>(sums));
  // The last step that adds to `which`; or one of the last four, whose tile is to be written over.
  const int step = reads ? newest - (newest - which) % sums : newest - below(4);
  const int groups = newest - step;
  q.about = sums == 1
                ? fmt::format(
                      "The wgmmas of every step add to the same d; those of a step are a group. "
                      "Steps 0 to {} are committed",
                      newest)
                : fmt::format(
                      "{} accumulators take turns: the wgmmas of step k add to d[k % {}], and are "
                      "a group. Steps 0 to {} are committed",
                      sums, sums, newest);
  const std::string name = sums == 1 ? "d" : fmt::format("d[{}]", which);
  q.asks = reads
               ? fmt::format("After wgmma.wait_group N, {} is read. Which is the largest N?", name)
               : fmt::format(
                     "After wgmma.wait_group N, step {}'s tiles in shared memory are "
                     "written over. Which is the largest N?",
                     step);
  q.expects = "a number, such as 2";
  q.parts = {"number of groups"};
  q.limits = {20};
  q.answers = {{groups}};
  q.reveal =
      reads ? fmt::format("N = {}\nstep {} is the last that adds to {}: {}", groups, step, name,
                          that_follow(groups))
            : fmt::format("N = {}\nthe wgmmas of step {} read its tiles until they are done: {}",
                          groups, step, that_follow(groups));
  q.reveal += reads ? "\nuntil then d's registers are the tensor core's"
                    : "\nthat d is not ready yet does not matter for the tiles";
  return q;
}

QuizQuestion ask_wait(const Below& below) {
  const int which = below(3);
  return which == 0 ? ask_landed(below) : which == 1 ? ask_largest_wait(below) : ask_stage(below);
}

// A ring of stages with two mbarriers each.
QuizQuestion ask_ring(const Below& below) {
  QuizQuestion q;
  const int stages = 2 + below(5), tile = 1 + below(29), round = tile / stages;
  const bool full = below(2) == 0;
  q.about = fmt::format(
      "A ring of {} stages, two new mbarriers each, full and empty; tile 0 goes to "
      "stage 0",
      stages);
  q.asks =
      fmt::format("Tile {}: in which stage, and with which parity {}?", tile,
                  full ? "do the consumers wait for full" : "does the producer wait for empty");
  q.expects = "stage and parity, such as 2 1";
  q.parts = {"stage", "parity"};
  q.limits = {stages, 2};
  q.answers = {{tile % stages, full ? round % 2 : (round + 1) % 2}};
  q.reveal =
      fmt::format("stage {}, parity {}\n{} % {} = {}; it is round {} / {} = {} of the ring\n",
                  tile % stages, q.answers[0][1], tile, stages, tile % stages, tile, stages, round);
  q.reveal +=
      full ? fmt::format("full's phase {} is the one that its bytes complete: {} % 2", round, round)
      : round > 0 ? fmt::format("empty's phase {} says that round {} has been read: {} % 2",
                                round - 1, round - 1, round - 1)
                  : "before phase 0 there was one of parity 1, and it counts as over";
  return q;
}

}  // namespace lanescope::viz
