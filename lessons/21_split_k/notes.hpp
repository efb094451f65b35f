// SPDX-License-Identifier: MIT
// What the blocks of exercise 21 did, as they noted it: of each warp its first thread's calls of
// core, in order, and of each block how many threads made a call.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace exercise_21 {

constexpr int kRows = 32, kCols = 32, kTiles = 2, kTileCols = 16, kThreads = 128, kWarps = 4;
constexpr int kKinds = 11, kMostNotes = 100;
enum Kind { kMultiply = 1, kStore, kFence, kBarrier, kCount, kTell, kTold, kAdd, kWrite, kReset };
constexpr const char* kNames[kKinds] = {"",     "multiply", "store", "fence", "barrier", "count",
                                        "tell", "told",     "add",   "write", "reset"};

/// `at`: its number among its warp's notes; `barriers`: how many of the warp's came before it.
struct Note {
  int what, which, value, at, barriers;
};
using Notes = std::vector<Note>;

inline Notes all(const Notes& notes, int what) {
  Notes found;
  for (const Note& note : notes)
    if (note.what == what) found.push_back(note);
  return found;
}

struct Block {
  int tile = 0, part = 0;
  std::array<int, kKinds> calls{};  // by all threads; 0: the counters that were reset, a bit each
  std::array<Notes, kWarps> warps;

  std::vector<int> steps() const {
    std::vector<int> steps;
    for (const Note& note : all(warps[0], kMultiply)) steps.push_back(note.which);
    return steps;
  }
  /// The place where its part lies; only where store was called as it should be.
  int place() const { return all(warps[0], kStore).front().which; }
  bool told() const {
    const Notes told = all(warps[0], kTold);
    return !told.empty() && told.back().value != 0;
  }
};

struct Launch {
  bool backwards = false;
  std::vector<Block> blocks;     // in the order of the grid
  std::vector<float> D, places;  // of the workspace: 128 times four sums each
};

/// The answer to one problem, launched twice.
struct Answer {
  int steps, parts;
  std::array<Launch, 2> launches;
};

inline std::string text(int number) { return std::to_string(number); }
inline std::string name_of(const Block& block) {
  return "part " + text(block.part) + " of tile " + text(block.tile);
}

/// "multiply(0), multiply(1), store(0), fence"
inline std::string words(const Notes& notes) {
  std::string words;
  int shown = 0;
  for (const Note& note : notes) {
    if (++shown > 24) return words + " ...";
    words += (words.empty() ? "" : ", ") + std::string(kNames[note.what]);
    if (note.what == kMultiply || note.what == kStore || note.what == kAdd || note.what == kReset)
      words += "(" + text(note.which) + ")";
    if (note.what == kCount) words += "(" + text(note.which) + "): " + text(note.value);
    if (note.what == kTell) words += note.value != 0 ? "(true)" : "(false)";
    if (note.what == kTold) words += note.value != 0 ? ": true" : ": false";
  }
  return words;
}

/// "store, fence, barrier": without the multiplications, what is repeated once.
inline std::string order(const Notes& notes) {
  std::string names, last;
  for (const Note& note : notes) {
    if (note.what == kMultiply || kNames[note.what] == last) continue;
    last = kNames[note.what];
    names += (names.empty() ? "" : ", ") + last;
  }
  return names.empty() ? "nothing" : names;
}

inline Answer answer_of(int steps, int parts, const std::vector<float>& D,
                        const std::vector<float>& places, const std::vector<int>& numbers) {
  Answer answer{steps, parts, {}};
  auto next = numbers.begin();
  for (std::size_t i = 0; i < 2; ++i) {
    Launch& launch = answer.launches[i];
    launch.backwards = i == 1;
    const auto half = [i](const std::vector<float>& both) {
      const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
      return i == 0 ? std::vector<float>(both.begin(), middle)
                    : std::vector<float>(middle, both.end());
    };
    launch.D = half(D), launch.places = half(places);
    for (int number = 0; number < kTiles * parts; ++number) {
      Block block;
      block.tile = number / parts;
      block.part = launch.backwards ? parts - 1 - number % parts : number % parts;
      for (int& calls : block.calls) calls = *next++;
      for (Notes& notes : block.warps) {
        int barriers = 0;
        for (int at = 0; at < kMostNotes; ++at, next += 3) {
          if (next[0] < kMultiply || next[0] > kReset) continue;
          notes.push_back({next[0], next[1], next[2], at, barriers});
          barriers += next[0] == kBarrier;
        }
      }
      launch.blocks.push_back(block);
    }
  }
  return answer;
}

}  // namespace exercise_21
