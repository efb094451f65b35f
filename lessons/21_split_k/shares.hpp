// SPDX-License-Identifier: MIT
// Which steps the blocks of exercise 21 took: whether each is somebody's, once, and whether the
// shares are alike; and if not, which mistake predicts them all.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "21_split_k/notes.hpp"

namespace exercise_21 {

/// No words: nothing is broken.
struct Verdict {
  std::string words, advice, found;
  Block block;  // where it can be seen
  std::string expected =
      "store, fence, barrier, count, tell, barrier, told; the last one: fence, add, write, reset";
};

struct WrongShare {
  const char *words, *advice;
  std::function<std::vector<int>(const Block&, int steps, int parts)> steps;
};

/// From `first` up to `end`, which is not among them.
inline std::vector<int> from_to(int first, int end, int stride = 1) {
  std::vector<int> steps;
  for (int step = first; step < end; step += stride) steps.push_back(step);
  return steps;
}

inline const std::vector<WrongShare>& wrong_shares() {
  constexpr const char* kEqual =
      "from steps * part / parts to steps * (part + 1) / parts: where one ends the next begins";
  static const std::vector<WrongShare> all{
      {"every block multiplies all steps", kEqual,
       [](const Block&, int steps, int) { return from_to(0, steps); }},
      {"a share is steps / parts, rounded down: what is left over is nobody's", kEqual,
       [](const Block& b, int steps, int parts) {
         return from_to(b.part * (steps / parts), (b.part + 1) * (steps / parts));
       }},
      {"a share is steps / parts, rounded up (or + 1), and the last one is not cut off at `steps`",
       kEqual,
       [](const Block& b, int steps, int parts) {
         const int each = (steps + parts - 1) / parts;
         return from_to(b.part * each, (b.part + 1) * each);
       }},
      {"a share goes on to the step that the next one begins with: <= in the place of <",
       "the end of a share is not among its steps",
       [](const Block& b, int steps, int parts) {
         return from_to(steps * b.part / parts, steps * (b.part + 1) / parts + 1);
       }},
      {"a share begins one step too late", kEqual,
       [](const Block& b, int steps, int parts) {
         return from_to(steps * b.part / parts + 1, steps * (b.part + 1) / parts);
       }},
      {"a share ends one step too early", "its last step is the one before the next share's first",
       [](const Block& b, int steps, int parts) {
         return from_to(steps * b.part / parts, steps * (b.part + 1) / parts - 1);
       }},
      {"a share begins with step `part`", kEqual,
       [](const Block& b, int steps, int parts) {
         return from_to(b.part, b.part + steps / parts);
       }},
      {"a block multiplies one step, its `part`", kEqual,
       [](const Block& b, int, int) { return from_to(b.part, b.part + 1); }},
      {"the steps are counted through all tiles", "core.multiply wants those of this tile, from 0",
       [](const Block& b, int steps, int parts) {
         return from_to(b.tile * steps + steps * b.part / parts,
                        b.tile * steps + steps * (b.part + 1) / parts);
       }},
      {"the share is chosen by tile, not by part", kEqual,
       [](const Block& b, int steps, int parts) {
         return from_to(steps * b.tile / parts, steps * (b.tile + 1) / parts);
       }},
      {"parts are counted from 1", "the first is part 0",
       [](const Block& b, int steps, int parts) {
         return from_to(steps * (b.part - 1) / parts, steps * b.part / parts);
       }},
      {"every block begins with step 0 and goes on by `parts`", "begin with step `part`",
       [](const Block&, int steps, int parts) { return from_to(0, steps, parts); }},
      {"part 0 multiplies all steps, the others none", kEqual,
       [](const Block& b, int steps, int) { return from_to(0, b.part == 0 ? steps : 0); }},
  };
  return all;
}

/// What is wrong with the steps of a launch.
inline Verdict wrong_steps(const Launch& launch, int steps, int parts) {
  const auto list = [](const std::vector<int>& steps) {
    std::string list;
    for (const int step : steps) list += (list.empty() ? "" : ", ") + text(step);
    return list.empty() ? std::string("none") : list;
  };
  std::map<int, int> times[kTiles];
  std::size_t most = 0, least = 1000;
  const Block* none = nullptr;
  for (const Block& block : launch.blocks) {
    const std::vector<int> its = block.steps();
    for (int warp = 1; warp < kWarps; ++warp) {
      const Notes others = all(block.warps[static_cast<std::size_t>(warp)], kMultiply);
      bool same = others.size() == its.size();
      for (std::size_t i = 0; i < its.size() && same; ++i) same = others[i].which == its[i];
      if (!same)
        return {"warp " + text(warp) + " multiplies other steps than warp 0",
                "all 128 threads multiply the same steps: look for an `if`",
                "other steps in warp " + text(warp), block, "the same steps in all warps"};
    }
    for (const int step : its) {
      ++times[block.tile][step];
      if (step < 0 || step >= steps) none = &block;
    }
    most = std::max(most, its.size()), least = std::min(least, its.size());
  }
  std::string found, words, expected = "each step of a tile once";
  const Block* where = &launch.blocks.front();
  for (int tile = kTiles - 1; tile >= 0; --tile)
    for (int step = steps - 1; step >= 0; --step)
      if (const int count = times[tile].count(step) != 0 ? times[tile][step] : 0; count != 1) {
        found = "step " + text(step) + " of tile " + text(tile) + " " +
                (count == 0 ? "by nobody" : "by " + text(count) + " blocks");
        words = "step " + text(step) + " of tile " + text(tile) + " is " +
                (count == 0 ? "nobody's" : "multiplied " + text(count) + " times");
      }
  if (none != nullptr) {
    const std::vector<int> its = none->steps();
    const int bad = *std::find_if(its.begin(), its.end(),
                                  [steps](int step) { return step < 0 || step >= steps; });
    if (words.empty()) words = name_of(*none) + " asks for step " + text(bad) + ", which is none";
    found = "step " + text(bad) + " by " + name_of(*none);
    where = none;
  }
  if (words.empty() && most > least + 1) {
    found = "shares of " + text(static_cast<int>(least)) + " and of " +
            text(static_cast<int>(most)) + " steps";
    expected = "shares that differ by one step at most";
    words = "the shares are not alike: the longest block is the one that all wait for";
  }
  if (words.empty()) return {};
  for (const WrongShare& wrong : wrong_shares()) {
    bool explains = true;
    for (const Block& block : launch.blocks)
      explains = explains && block.steps() == wrong.steps(block, steps, parts);
    if (explains) return {wrong.words, wrong.advice, found, *where, expected};
  }
  return {words,
          "write down the first and the last step of each part, here of " + text(steps) +
              " steps in " + text(parts) + " parts",
          found + "; " + name_of(*where) + ": " + list(where->steps()), *where, expected};
}

}  // namespace exercise_21
