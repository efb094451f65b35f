// SPDX-License-Identifier: MIT
// What the blocks of exercise 21 stored; and what the last ones added, in which order, and wrote.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "21_split_k/protocol.hpp"

namespace exercise_21 {

/// Element [row][col] of D, as far as some steps of k make it.
using SumOf = std::function<int(int row, int col, const std::vector<int>& steps)>;

inline const Block& last_of(const Launch& launch, int tile) {
  return *std::find_if(launch.blocks.begin(), launch.blocks.end(),
                       [tile](const Block& b) { return b.tile == tile && b.told(); });
}
inline const Block* at_place(const Launch& launch, int place) {
  for (const Block& block : launch.blocks)
    if (block.place() == place) return &block;
  return nullptr;
}

/// Where an element of a tile lies in the workspace: its thread's sum, in the place of its part.
inline std::size_t stored_at(const Block& block, int row, int col) {
  const int thread = row / 16 * 32 + col % kTileCols / 8 * 64 + row % 8 * 4 + col % 8 / 2;
  const int i = row % 16 / 8 * 2 + col % 2;
  return static_cast<std::size_t>((block.place() * kThreads + thread) * 4 + i);
}

/// Whether a tile of D is `times(part)` times each part of it.
inline bool is_sum(const Launch& launch, int tile, const SumOf& sum_of,
                   const std::function<int(int part)>& times) {
  for (int row = 0; row < kRows; ++row)
    for (int col = tile * kTileCols; col < (tile + 1) * kTileCols; ++col) {
      int sum = 0;
      for (const Block& block : launch.blocks)
        if (block.tile == tile) sum += times(block.part) * sum_of(row, col, block.steps());
      if (launch.D[static_cast<std::size_t>(row * kCols + col)] != static_cast<float>(sum))
        return false;
    }
  return true;
}

inline std::string list_of(const std::vector<int>& parts) {
  std::string list = parts.size() == 1 ? "part" : "parts";
  for (const int part : parts) list += " " + text(part);
  return list;
}
constexpr const char* kInOrder = "core.add for parts 0, 1, 2, ..., whoever comes last";

/// What the last block of a tile added, against 0, 1, 2, ...: what there is too much or too little.
inline Verdict wrong_set(const Launch& launch, int parts, const Block& last, const SumOf& sum_of,
                         std::vector<int>& added) {
  for (const Note& add : all(last.warps[0], kAdd)) {
    const Block* block = at_place(launch, add.which);
    if (block == nullptr)
      return {"a place is added at which nothing is stored", kInOrder,
              "core.add(sums, " + text(add.which) + ")", last};
    if (block->tile != last.tile)
      return {
          "the last block of tile " + text(last.tile) + " adds a part of tile " + text(block->tile),
          kInOrder, name_of(*block), last};
    added.push_back(block->part);
  }
  const std::string did = list_of(added), should = list_of(from_to(0, parts));
  if (added.empty()) return {"the last block adds nothing", kInOrder, "no core.add", last};
  for (int part = 0; part < parts; ++part) {
    const auto times = std::count(added.begin(), added.end(), part);
    if (times == 1) continue;
    if (times > 1)
      return {"part " + text(part) + " is added " + text(static_cast<int>(times)) + " times",
              kInOrder, did, last, should};
    if (part == last.part && is_sum(launch, last.tile, sum_of, [](int) { return 1; }))
      return {
          "the last block takes its own part out of its registers: the order in which the parts "
          "are added depends on who comes last, and so do the last bits of D",
          "its own part comes out of the workspace, too, in its turn", did, last, should};
    return {part == last.part ? "the last block leaves out its own part"
                              : "part " + text(part) + " is left out",
            kInOrder, did, last, should};
  }
  return {};
}

/// The order of the parts, in both launches: in these it is not the same block that comes last.
inline Verdict wrong_order(const Launch& launch, const Block& last, const std::vector<int>& added) {
  if (std::is_sorted(added.begin(), added.end())) return {};
  const std::string found = list_of(added);
  std::vector<int> sorted = added;
  std::sort(sorted.begin(), sorted.end());
  const std::string should = list_of(sorted);
  const bool down = std::is_sorted(added.rbegin(), added.rend());
  std::vector<int> others;
  for (const int part : added)
    if (part != last.part) others.push_back(part);
  const bool own_apart = std::is_sorted(others.begin(), others.end());
  if (down && !launch.backwards)
    return {"the parts are added from the last to the first", kInOrder, found, last, should};
  if (own_apart)
    return {"the order depends on who comes last: its own part is added out of turn", kInOrder,
            found, last, should};
  return {"the parts are not added in their order", kInOrder, found, last, should};
}

/// What lies in the workspace, against what its block multiplied.
inline Verdict wrong_parts(const Launch& launch, const SumOf& sum_of) {
  for (const Block& block : launch.blocks) {
    bool zeros = true, right = true;
    for (int row = 0; row < kRows; ++row)
      for (int col = block.tile * kTileCols; col < (block.tile + 1) * kTileCols; ++col) {
        const float is = launch.places[stored_at(block, row, col)];
        zeros = zeros && is == 0;
        right = right && is == static_cast<float>(sum_of(row, col, block.steps()));
      }
    if (!right)
      return {zeros ? "zeros are stored, and not what was multiplied"
                    : "something else is stored than the sum of the block's steps",
              "core.multiply(d, step), then core.store(place, d): the same four sums, and d "
              "begins with 0",
              zeros ? "zeros" : "other numbers", block, "the sum of the block's steps, stored"};
  }
  return {};
}

inline Verdict wrong_sums(const Launch& launch, int parts, const SumOf& sum_of) {
  for (int tile = 0; tile < kTiles; ++tile) {
    const Block& last = last_of(launch, tile);
    std::vector<int> added;
    if (Verdict set = wrong_set(launch, parts, last, sum_of, added); !set.words.empty()) return set;
    if (Verdict order = wrong_order(launch, last, added); !order.words.empty()) return order;
    if (last.calls[kWrite] == 0)
      return {"D is not written", "core.write(sums) by the last block", "no core.write", last};
    if (all(last.warps[0], kWrite).back().at < all(last.warps[0], kAdd).back().at)
      return {"D is written before all parts are added",
              "core.write(sums) behind the last core.add",
              "write, then add(" + text(all(last.warps[0], kAdd).back().which) + ")", last,
              "all adds, then write"};
    const auto written = [&](const std::function<int(int part)>& times) {
      return is_sum(launch, tile, sum_of, times);
    };
    if (written([](int) { return 1; })) continue;
    const std::string own = "part " + text(last.part), should = "D = the sum of all parts";
    if (written([&](int part) { return part == last.part ? 2 : 1; }))
      return {"the last block's own part is in D twice",
              "sums begin with 0: its own part comes out of the workspace, like all others",
              "D = that, and " + own + " once more", last, should};
    if (written([&](int part) { return part == last.part; })) {
      const bool came_last = added.back() == last.part;  // then it may be sums that begin anew
      return {"the last block writes " + own + " alone, its own" +
                  (came_last ? " and the last that was added" : ""),
              std::string("core.write(sums), not d") +
                  (came_last ? "; and every core.add goes on with the same sums" : ""),
              "D = " + own, last, should};
    }
    if (written([](int) { return 0; }))
      return {"zeros are written", "core.add and core.write want the same four sums", "D = 0", last,
              should};
    if (written([](int) { return 2; }))
      return {"every sum is 2 times what it should be", "each part once, as it is", "D = 2 * that",
              last, should};
  }
  return {};
}

}  // namespace exercise_21
