// SPDX-License-Identifier: MIT
// Check of exercise 12: the position of 64 tiles in the ring, against what follows from the phases
// of an mbarrier, counted out here tile by tile. Only then the ring is run: with a wrong parity it
// would wait for ever, on a card without a word.
//
// Source: PTX ISA 9.2, 9.7.13.15.16 (test_wait: the phase that is waited for).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

// exercise.cu or solution.cu
std::vector<std::uint32_t> ring_on_device(const std::vector<std::uint32_t>& tiles, bool runs,
                                          const char* trace);

namespace {

constexpr int kStages = 4, kTiles = 64, kTileWords = 256;

struct Position {
  int stage = 0, full_parity = 0, empty_parity = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// Counted, not computed: each stage's barriers complete one phase a round. A wait for the parity
/// of the phase that is complete returns; before the first phase that is parity 1.
std::vector<Position> expected() {
  std::vector<Position> all;
  std::vector<int> phases_full(kStages, 0), phases_empty(kStages, -1);
  int stage = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    // The phase of `empty` that must be over: -1 is the one before the first, of parity 1.
    all.push_back({stage, phases_full[static_cast<std::size_t>(stage)] & 1,
                   phases_empty[static_cast<std::size_t>(stage)] & 1});
    ++phases_full[static_cast<std::size_t>(stage)];
    ++phases_empty[static_cast<std::size_t>(stage)];
    stage = stage == kStages - 1 ? 0 : stage + 1;
  }
  return all;
}

std::vector<Position> ask() {
  const std::vector<std::uint32_t> words = ring_on_device({}, false, nullptr);
  REQUIRE(words.size() == 3 * kTiles);
  std::vector<Position> all;
  for (std::size_t i = 0; i < words.size(); i += 3)
    all.push_back({static_cast<int>(words[i]), static_cast<int>(words[i + 1]),
                   static_cast<int>(words[i + 2])});
  return all;
}

// ---- What mistake is it? ------------------------------------------------------------------------

struct Mistake {
  const char* name;
  const char* advice;
  std::function<Position(int tile)> predicts;
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"the parity changed with every tile",
       "a stage's mbarrier completes one phase a round: the parity changes when the ring has gone "
       "round, every four tiles",
       [](int tile) {
         return Position{tile % 4, tile % 2, 1 - tile % 2};
       }},
      {"the parity never changed", "in the second round full[0] is in its phase 1: parity 1",
       [](int tile) {
         return Position{tile % 4, 0, 1};
       }},
      {"full and empty were exchanged",
       "the first wait for full must wait (parity 0), the first for empty must not (parity 1)",
       [](int tile) {
         return Position{tile % 4, 1 - tile / 4 % 2, tile / 4 % 2};
       }},
      {"producer and consumers waited for the same parity",
       "then the producer waits for ever: nobody has ever read anything in the first round",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, tile / 4 % 2};
       }},
      {"both waited for the parity that the producer needs",
       "the consumers' first wait would be over before the tile has come: they begin with parity 0",
       [](int tile) {
         return Position{tile % 4, 1 - tile / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"the parity of full were the number of the round", "a parity is 0 or 1: the round modulo 2",
       [](int tile) {
         return Position{tile % 4, tile / 4, 1 - tile / 4 % 2};
       }},
      {"both parities were the number of the round, or that and one more",
       "a parity is 0 or 1: modulo 2",
       [](int tile) {
         return Position{tile % 4, tile / 4, tile / 4 + 1};
       }},
      {"a parity lasted two rounds", "every round the parity is the other one: tile / 4 modulo 2",
       [](int tile) {
         return Position{tile % 4, tile / 8 % 2, 1 - tile / 8 % 2};
       }},
      {"the parity changed one tile too early", "tiles 0 to 3 are the first round: tile / 4",
       [](int tile) {
         return Position{tile % 4, (tile + 1) / 4 % 2, 1 - (tile + 1) / 4 % 2};
       }},
      {"the ring had three stages, as the lesson's", "this one has kStages = 4",
       [](int tile) {
         return Position{tile % 3, tile / 3 % 2, 1 - tile / 3 % 2};
       }},
      {"the stage were the tile", "there are four stages: after stage 3 comes stage 0",
       [](int tile) {
         return Position{tile, tile / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"tile / 4 and tile % 4 had changed places",
       "neighbouring tiles go into neighbouring stages: tile % 4 is the stage, tile / 4 the round",
       [](int tile) {
         return Position{tile / 4 % 4, tile % 4 % 2, 1 - tile % 4 % 2};
       }},
      {"the first tile went into stage 1",
       "stages are counted from 0, and tile 0 goes into stage 0",
       [](int tile) {
         return Position{(tile + 1) % 4, (tile + 1) / 4 % 2, 1 - (tile + 1) / 4 % 2};
       }},
      {"the producer waited in the first round, too",
       "nobody has read anything yet: that wait must be over at once, so parity 1, that of the "
       "phase "
       "before the first",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, tile < 4 ? 0 : 1 - tile / 4 % 2};
       }},
      {"the producer never had to wait",
       "from the second round on a stage holds a tile that somebody may still be reading",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, 1};
       }},
  };
  return all;
}

std::string diagnosis(const std::vector<Position>& answer) {
  const std::string todo = ".\n  What to do: ";
  bool empty = true;
  for (const Position& position : answer) empty = empty && position == Position{-1, -1, -1};
  if (empty)
    return "The gap is still empty" + todo +
           "lessons/12_tma_mbarrier/exercise.cu, between the two `your code` lines.";
  bool stage = false, full = false, no_empty = false;
  for (const Position& position : answer) {
    stage = stage || position.stage == -1;
    full = full || position.full_parity == -1;
    no_empty = no_empty || position.empty_parity == -1;
  }
  if (stage || full || no_empty)
    return std::string("Not everything is set: ") +
           (stage  ? "stage"
            : full ? "full_parity"
                   : "empty_parity") +
           " stays as it was" + todo + "all three, for every tile.";
  for (const Mistake& mistake : mistakes()) {
    bool explains = true;
    for (int tile = 0; tile < kTiles; ++tile)
      explains = explains && answer[static_cast<std::size_t>(tile)] == mistake.predicts(tile);
    if (explains)
      return std::string("It looks as if ") + mistake.name + todo + mistake.advice + ".";
  }
  std::vector<Position> one_bit = answer;
  for (Position& position : one_bit) position.full_parity &= 1, position.empty_parity &= 1;
  if (one_bit == expected())
    return "It looks as if a parity had more than one bit" + todo + "a parity is 0 or 1: modulo 2.";
  return "This is not one of the mistakes this check knows" + todo +
         "play it through: which phase of full[stage] does that tile complete, and which of "
         "empty[stage] was the last?";
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string words_of(const Position& p) {
  return "stage " + std::to_string(p.stage) + ", full " + std::to_string(p.full_parity) +
         ", empty " + std::to_string(p.empty_parity);
}

void check_table() {
  constexpr int kShown = 3;
  const std::vector<Position> answer = ask(), right = expected();
  int wrong = 0;
  std::string shown;
  for (std::size_t tile = 0; tile < right.size(); ++tile) {
    if (answer[tile] == right[tile]) continue;
    if (wrong++ < kShown)
      shown += "  tile " + std::to_string(tile) + ": expected " + words_of(right[tile]) +
               ", found " + words_of(answer[tile]) + "\n";
  }
  if (wrong == 0) return;
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  const std::string problem = "\n" + std::to_string(wrong) +
                              " of 64 tiles have another place in the ring:\n" + shown + "\n" +
                              diagnosis(answer) + "\n  A ring of three stages: ./learn lesson 12\n";
  FAIL(problem);
}

void check_ring() {
  std::vector<std::uint32_t> tiles(static_cast<std::size_t>(kTiles * kTileWords)), sums(kTiles, 0);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    tiles[i] = static_cast<std::uint32_t>(i * 2654435761u);  // Knuth's multiplicative hash
    sums[i / kTileWords] += tiles[i];
  }
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const std::vector<std::uint32_t> found = ring_on_device(tiles, true, trace);
  REQUIRE(found.size() == sums.size());
  for (std::size_t tile = 0; tile < sums.size(); ++tile) {
    CAPTURE(tile);
    REQUIRE(found[tile] == sums[tile]);
  }
}

}  // namespace

TEST_CASE("the position of 64 tiles in the ring") { check_table(); }
TEST_CASE("the ring itself") { check_ring(); }
