// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 12 knows: in the position of a tile in the ring, and in
// the bytes that are announced for it.
//
// Source: PTX ISA 9.2, 9.7.13.15 (phases, arrivals and bytes of an mbarrier).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace exercise_12 {

inline constexpr int kStages = 4, kTiles = 64;
inline constexpr int kBytesA = 40 * 16 * 2, kBytesB = 24 * 16 * 2, kBytes = kBytesA + kBytesB;

/// What the exercise says of a tile. Positions are alike whatever their bytes: those are looked at
/// when all positions are right.
struct Position {
  int stage = 0, full_parity = 0, empty_parity = 0, bytes = kBytes;
  friend bool operator==(const Position& a, const Position& b) {
    return a.stage == b.stage && a.full_parity == b.full_parity && a.empty_parity == b.empty_parity;
  }
};

/// Each predicts stage and parities for every tile; the first that explains an answer is it.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<Position(int tile)> predicts;
};

inline const std::vector<Mistake>& mistakes() {
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
      {"the parity changed once, and never back", "round 2 has parity 0 again: the round modulo 2",
       [](int tile) {
         return Position{tile % 4, tile < 4 ? 0 : 1, tile < 4 ? 1 : 0};
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
      {"empty's parity were its own in the first round only, and then full's",
       "what the producer waits for is a phase behind what it fills, in every round: never full's "
       "parity",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, tile < 4 ? 1 : tile / 4 % 2};
       }},
      {"tile / 4 and tile % 4 were exchanged",
       "neighbouring tiles go into neighbouring stages: tile % 4 is the stage, tile / 4 the round",
       [](int tile) {
         return Position{tile / 4, tile % 4 % 2, 1 - tile % 4 % 2};
       }},
      {"tile 0 went into stage 1", "stages are counted from 0, as tiles are",
       [](int tile) {
         return Position{(tile + 1) % 4, tile / 4 % 2, 1 - tile / 4 % 2};
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
      {"the parity of empty were ~ of full's: -1 or -2",
       "~ turns all 32 bits of an int round, and a parity is 0 or 1: full_parity ^ 1",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, ~(tile / 4 % 2)};
       }},
      {"the parity of empty were -1 in the first round",
       "in C++ -1 % 2 is -1: the parity before phase 0 is 1, always the other one than full's",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, (tile / 4 - 1) % 2};
       }},
      {"the parity of empty were full's minus 1: -1 in every other round",
       "a parity is 0 or 1, the other one than full's: full_parity ^ 1",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, tile / 4 % 2 - 1};
       }},
      {"tile 0 went into stage -1", "stages are counted from 0, as tiles are: tile % kStages",
       [](int tile) {
         return Position{(tile - 1) % 4, tile / 4 % 2, 1 - tile / 4 % 2};
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
      {"the parity of empty were (tile - 4) / 4, which is 0 for the tiles 1 to 3 as well",
       "C++ divides towards zero: take the round, tile / 4, and the other parity than full's",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, (tile - 4) / 4 & 1};
       }},
      {"the parity of full never changed",
       "in the second round full[0] is in its phase 1: parity 1",
       [](int tile) {
         return Position{tile % 4, 0, 1 - tile / 4 % 2};
       }},
      {"the producer always waited for parity 0",
       "its first wait must be over at once: parity 1, and in every round the other one than "
       "full's",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, 0};
       }},
      {"the parity of full changed one tile too early",
       "tiles 0 to 3 are the first round: tile / 4",
       [](int tile) {
         return Position{tile % 4, (tile + 1) / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"the parity of empty changed one tile too early",
       "tiles 0 to 3 are the first round: tile / 4",
       [](int tile) {
         return Position{tile % 4, tile / 4 % 2, 1 - (tile + 1) / 4 % 2};
       }},
      {"the stage were one bit, tile & 4", "tile % 4, or its lowest two bits: tile & 3",
       [](int tile) {
         return Position{tile & 4, tile / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"the stages were those of a ring of three, and the parities of four",
       "this ring has kStages = 4: tile % kStages",
       [](int tile) {
         return Position{tile % 3, tile / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"every tile went into stage 0", "neighbouring tiles go into neighbouring stages: tile % 4",
       [](int tile) {
         return Position{0, tile / 4 % 2, 1 - tile / 4 % 2};
       }},
      {"there were one stage", "this ring has kStages = 4: tile % kStages",
       [](int tile) {
         return Position{0, tile % 2, 1 - tile % 2};
       }},
  };
  return all;
}

/// A wrong number of bytes, and what it is of.
struct WrongBytes {
  int bytes;
  const char* name;
  const char* advice;
};

inline const std::vector<WrongBytes>& wrong_bytes() {
  static const std::vector<WrongBytes> all{
      {kBytesA, "B were forgotten", "two copies bring bytes to full[stage]: announce A's and B's"},
      {kBytesB, "A were forgotten", "two copies bring bytes to full[stage]: announce A's and B's"},
      {kBytes / 2, "elements were counted, not bytes", "an f16 number has two bytes"},
      {kBytes * 2, "the numbers were 32 bits wide", "an f16 number has two bytes"},
      {kBytes * 8, "bits were counted, not bytes", "an f16 number has two bytes"},
      {kBytesA * 2, "B had as many rows as A", "a tile of B has kRowsB rows"},
      {kBytesB * 2, "A had as many rows as B", "a tile of A has kRowsA rows"},
      {kBytes * kStages, "all stages were announced at once",
       "every stage has an mbarrier of its own: full[stage] waits for this tile alone"},
      {kBytes * 128, "every consumer announced the bytes",
       "the producer announces them, once, for all 128 that wait"},
      {40 * 24 * 16 * 2, "the rows of A and of B were multiplied by each other",
       "two copies, each with rows of its own: their bytes are added"},
      {40 + kBytesB, "A's rows were added to B's bytes: * binds more tightly than +",
       "(kRowsA + kRowsB) * kColumns numbers of two bytes"},
      {0, "nothing were announced", "the phase must not be over before both copies have come"},
  };
  return all;
}

}  // namespace exercise_12
