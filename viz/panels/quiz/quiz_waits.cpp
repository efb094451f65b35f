// SPDX-License-Identifier: MIT
// See quiz_waits.hpp.
//
// Sources: PTX ISA 9.2, 9.7.9.25.3 (groups of cp.async), 9.7.15.7 (groups of wgmma).
#include "panels/quiz/quiz_waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {

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
  if (left == 0)
    q.reveal = fmt::format("{} of {}: none may still be under way\n", landed, groups);
  else if (landed == 0)
    q.reveal = fmt::format("0 of {}: {} may be under way, and there are no more\n", groups, left);
  else
    q.reveal = fmt::format("{} of {}: the last {} may still be under way\n", landed, groups,
                           left == 1 ? std::string("one") : fmt::format("{}", left));
  q.reveal += landed == 0 ? std::string("so nothing is promised")
              : landed == 1
                  ? std::string("groups land in their order: group 0 is there")
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

namespace {

/// "no group follows it", "2 groups follow it".
std::string that_follow(int groups) {
  return groups == 0   ? std::string("no group follows it")
         : groups == 1 ? std::string("one group follows it")
                       : fmt::format("{} groups follow it", groups);
}

}  // namespace

// What a wait for wgmma allows: to read sums, or to write over the tiles they are made of.
QuizQuestion ask_accumulators(const Below& below) {
  QuizQuestion q;
  const int newest = 3 + below(8);
  const bool reads = below(2) == 0;
  // To read the only d is to wait for all: asked now and then.
  const int sums = reads && below(5) > 0 ? 2 + below(3) : 1 + below(3);
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

}  // namespace lanescope::viz
