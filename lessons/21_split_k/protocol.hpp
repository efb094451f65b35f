// SPDX-License-Identifier: MIT
// The protocol of the last block in exercise 21, gone through call by call: what comes before what
// in each block, and which block does what. A missing fence is invisible in D: the emulator's
// memory has no surprises, and a card's need not have any.
//
// Source of the rules: PTX ISA 9.2, 8 (memory consistency): a fence orders what came before it, in
// its thread or handed on to it by a barrier, before an atomic behind it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "21_split_k/shares.hpp"

namespace exercise_21 {

/// What all threads of a block have to call, or none.
inline Verdict some_threads_only(const Block& block) {
  for (const int kind : {kMultiply, kStore, kBarrier, kTold, kAdd, kWrite, kFence}) {
    const int calls = block.calls[static_cast<std::size_t>(kind)];
    const int of_warp_1 = static_cast<int>(all(block.warps[1], kind).size());
    const bool alone = kind == kFence && calls >= kThreads * of_warp_1;  // thread 0 may fence, too
    bool alike = true;
    for (const Notes& notes : block.warps)
      alike = alike && static_cast<int>(all(notes, kind).size()) == of_warp_1;
    if (alone || (alike && calls == kThreads * of_warp_1)) continue;
    const std::string name = std::string("core.") + kNames[kind];
    return {
        name + " is not called by all threads of a block",
        "all 128 call it: each has its own four sums" +
            std::string(kind == kFence ? ", and a fence is about the stores of its thread" : ""),
        text(calls) + (calls == 1 ? " call of " : " calls of ") + name, block,
        "calls of " + name + " by all 128 threads"};
  }
  return {};
}

inline Verdict wrong_store(const Launch& launch, int parts) {
  std::vector<const Block*> at(static_cast<std::size_t>(kTiles * parts), nullptr);
  for (const Block& block : launch.blocks) {
    const Notes stores = all(block.warps[0], kStore);
    if (stores.empty())
      return {name_of(block) + " is not stored", "core.store(place, d), when d is summed",
              "no core.store", block};
    if (stores.size() > 1)
      return {name_of(block) + " is stored " + text(static_cast<int>(stores.size())) + " times",
              "once, behind the loop over its steps", words(stores), block};
    const Notes multiplied = all(block.warps[0], kMultiply);
    if (!multiplied.empty() && multiplied.back().at > stores[0].at)
      return {"a part is stored before all of its steps are multiplied",
              "core.store behind the loop over the steps", "store before the last multiply", block};
    const int place = stores[0].which;
    if (place < 0 || place >= kTiles * parts)
      return {name_of(block) + " is stored at a place that there is not",
              "there are tiles * parts places: tile * parts + part",
              "place " + text(place) + " of " + text(kTiles * parts), block};
    const Block*& other = at[static_cast<std::size_t>(place)];
    if (other != nullptr)
      return {name_of(block) + " is stored where " + name_of(*other) + " is",
              "a place for each part of each tile: tile * parts + part",
              "both at place " + text(place), block};
    other = &block;
  }
  return {};
}

/// Who counts, and where.
inline Verdict wrong_count(const Launch& launch) {
  int counter_of[kTiles] = {-1, -1};
  for (const Block& block : launch.blocks) {
    const int calls = block.calls[kCount];
    if (calls == 0)
      return {"a block does not count itself", "thread 0: core.count(tile), when all have stored",
              "no core.count", block};
    if (calls > 1)
      return {text(calls) + " threads of a block count",
              "a block counts once: if (thread == 0) ... core.count(tile)",
              text(calls) + " calls of core.count", block};
    const Notes counts = all(block.warps[0], kCount);
    if (counts.empty())
      return {"a block is counted by another thread than thread 0",
              "let thread 0 do it: of the others the check has no notes", "no note of it", block};
    int& counter = counter_of[block.tile];
    const int which = counts[0].which;
    if (which < 0 || which >= kTiles)
      return {"a block counts at a counter that there is not", "core.count(tile)",
              "counter " + text(which) + " of " + text(kTiles), block};
    if (counter >= 0 && counter != which)
      return {"the blocks of a tile count at different counters",
              "one counter for all that share a tile: core.count(tile)",
              "counters " + text(counter) + " and " + text(which) + " for tile " + text(block.tile),
              block};
    counter = which;
  }
  if (counter_of[0] == counter_of[1])
    return {"the blocks of both tiles count at the same counter",
            "a counter for each tile: core.count(tile)",
            "counter " + text(counter_of[0]) + " for both", launch.blocks.back()};
  return {};
}

/// Whether what warp `from` did at `before` is ordered before `behind` of warp 0 by a fence: its
/// own, before a barrier, or thread 0's, behind one.
inline bool fenced(const Block& block, std::size_t from, const Note& before, const Note& behind) {
  for (const Note& fence : all(block.warps[from], kFence))
    if (fence.at > before.at && fence.barriers < behind.barriers) return true;
  for (const Note& fence : all(block.warps[0], kFence))
    if (fence.at < behind.at && fence.barriers > before.barriers) return true;
  return false;
}

/// Before the count: store, fence, barrier.
inline Verdict before_the_count(const Block& block) {
  const Note count = all(block.warps[0], kCount).front();
  const std::string did = order(block.warps[0]);
  if (all(block.warps[0], kStore).front().at > count.at)
    return {"a block counts itself before its part is stored",
            "who hears of the count loads the part: core.store first", did, block};
  for (std::size_t warp = 0; warp < kWarps; ++warp)
    if (all(block.warps[warp], kStore).front().barriers >= count.barriers)
      return {"no barrier stands between the stores of all threads and the count",
              "core.barrier(): thread 0 counts for all 128, so all must have stored", did, block};
  for (std::size_t warp = 0; warp < kWarps; ++warp) {
    const Note store = all(block.warps[warp], kStore).front();
    if (fenced(block, warp, store, count)) continue;
    const Notes fences = all(block.warps[warp], kFence);
    const std::string advice =
        "core.fence() by all threads behind core.store, before the barrier and the count";
    if (warp > 0 && fenced(block, 0, all(block.warps[0], kStore).front(), count))
      return {"only the stores of warp 0 are fenced before the count", advice,
              "in warp " + text(static_cast<int>(warp)) + ": " + order(block.warps[warp]), block};
    if (!fences.empty() && fences[0].at < store.at)
      return {"the fence stands before the store, not behind it", advice, did, block};
    return {"no fence stands between the store of a part and the count", advice, did, block};
  }
  return {};
}

/// Between the count and the last block's work: tell, barrier, told.
inline Verdict told_wrong(const Block& block) {
  const std::string did = order(block.warps[0]);
  const Notes tells = all(block.warps[0], kTell);
  if (block.calls[kTold] == 0)
    return {
        "nobody asks core.told()",
        "thread 0 knows whether this block is the last: core.tell(...), core.barrier(), and all "
        "ask core.told()",
        did, block};
  if (tells.empty())
    return {"nobody is told whether this block is the last",
            "thread 0: core.tell(core.count(tile) == parts - 1)", did, block};
  for (const Notes& notes : block.warps)
    if (all(notes, kTold).front().barriers <= tells.back().barriers)
      return {"core.told() is asked with no barrier behind core.tell()",
              "core.barrier() between the two: the other threads may be ahead of thread 0", did,
              block};
  // Where several tell the same, or one behind the other, it does no harm.
  bool against = all(block.warps[0], kTold).front().value != tells.back().value;
  for (const Notes& notes : block.warps)
    for (const Note& other : all(notes, kTell))
      against =
          against || (other.barriers == tells.back().barriers && other.value != tells.back().value);
  if (against)
    return {"other threads tell something else than thread 0, at the same time",
            "thread 0 alone knows what core.count gave: if (thread == 0) core.tell(...)",
            text(block.calls[kTell]) + " calls of core.tell", block, "one call of core.tell"};
  return {};
}

/// Which block of a tile takes itself for the last.
inline Verdict wrong_last(const Launch& launch, int parts) {
  for (int tile = 0; tile < kTiles; ++tile) {
    std::vector<const Block*> last;
    for (const Block& block : launch.blocks)
      if (block.tile == tile && block.told()) last.push_back(&block);
    const auto came = [](const Block& block) { return all(block.warps[0], kCount)[0].value; };
    const std::string advice =
        "core.count gives how many came before: the last of them finds parts - 1";
    if (last.empty())
      return {"no block takes itself for the last", advice, "core.told() false in all blocks",
              launch.blocks.back()};
    const std::string found = "core.told() true where core.count gave " + text(came(*last[0]));
    if (last.size() > 1)
      return {
          text(static_cast<int>(last.size())) + " blocks of a tile take themselves for the last",
          advice, found + " and " + text(came(*last[1])), *last[1]};
    if (const int rank = came(*last[0]); rank != parts - 1)
      return {rank == 0
                  ? "the block that comes first takes itself for the last"
                  : "the block before which " + text(rank) + " came takes itself for the last",
              advice, found, *last[0]};
  }
  return {};
}

/// Of the others nobody adds, writes or resets.
inline Verdict others_meddle(const Launch& launch) {
  for (const Block& block : launch.blocks)
    for (const int kind : {kAdd, kWrite, kReset})
      if (!block.told() && block.calls[static_cast<std::size_t>(kind)] > 0)
        return {std::string("core.") + kNames[kind] + " is called by blocks that are not the last",
                "if (!core.told()) return; before all that the last block does alone",
                order(block.warps[0]), block};
  return {};
}

/// A fence between the count and the last block's loads.
inline Verdict before_the_adds(const Block& block) {
  const Note count = all(block.warps[0], kCount).front();
  for (std::size_t warp = 0; warp < kWarps; ++warp) {
    const Notes adds = all(block.warps[warp], kAdd);
    if (adds.empty()) continue;
    bool ordered = false;
    for (const Note& fence : all(block.warps[warp], kFence))
      ordered = ordered || (fence.barriers > count.barriers && fence.at < adds[0].at);
    for (const Note& fence : all(block.warps[0], kFence))
      ordered = ordered || (fence.at > count.at && fence.barriers < adds[0].barriers);
    if (!ordered)
      return {
          "no fence stands between the count and the loads of the parts",
          "core.fence() behind core.told(): what others stored before they counted comes before "
          "the loads",
          "in warp " + text(static_cast<int>(warp)) + ": " + order(block.warps[warp]), block};
  }
  return {};
}

inline Verdict wrong_reset(const Block& last) {
  const Note count = all(last.warps[0], kCount).front();
  if (last.calls[kReset] == 0)
    return {"the counter is not set to 0 again",
            "core.reset(tile) by the last block: the next launch counts from where this one ended",
            "no core.reset", last};
  for (int counter = 0; counter <= kTiles; ++counter)
    if ((last.calls[0] >> counter & 1) != 0 && counter != count.which)
      return {"another counter is reset than the one that was counted at", "core.reset(tile)",
              (counter < kTiles ? "a reset of counter " + text(counter)
                                : std::string("a reset of a counter that there is not")) +
                  " in a block of tile " + text(last.tile),
              last};
  return {};
}

}  // namespace exercise_21
