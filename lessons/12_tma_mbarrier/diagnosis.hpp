// SPDX-License-Identifier: MIT
// What the check of exercise 12 says of a wrong answer: the name of the mistake where mistakes.hpp
// knows it, else which of the numbers is wrong, and what waits for what then.
//
// Source: PTX ISA 9.2, 9.7.13.15 (phases, arrivals and bytes of an mbarrier).
#pragma once

#include <string>
#include <vector>

#include "mistakes.hpp"

namespace exercise_12 {

inline constexpr int kUnset = -99;  // what tell() of exercise.cu begins with: no wrong answer is it

/// ": empty_parity alone is wrong" where it is one of the three; else "".
inline std::string alone_wrong(const std::vector<Position>& answer,
                               const std::vector<Position>& right) {
  int stages = 0, full = 0, no_empty = 0;
  for (std::size_t tile = 0; tile < right.size(); ++tile) {
    stages += answer[tile].stage != right[tile].stage;
    full += answer[tile].full_parity != right[tile].full_parity;
    no_empty += answer[tile].empty_parity != right[tile].empty_parity;
  }
  if ((stages > 0) + (full > 0) + (no_empty > 0) > 1) return "";
  return std::string(": ") +
         (stages > 0 ? "stage"
          : full > 0 ? "full_parity"
                     : "empty_parity") +
         " alone is wrong";
}

/// ", at tile 4 of every eight" where those and no others are wrong; else "".
inline std::string which_of_eight(const std::vector<Position>& answer,
                                  const std::vector<Position>& right) {
  int at = -1;
  for (int tile = 0; tile < kTiles; ++tile) {
    const bool good =
        answer[static_cast<std::size_t>(tile)] == right[static_cast<std::size_t>(tile)];
    if (at < 0 && !good) at = tile;
    if (good == (at >= 0 && tile % 8 == at % 8)) return "";
  }
  return at < 8 ? ", at tile " + std::to_string(at) + " of every eight" : "";
}

/// What a kernel would do at the first tile with a wrong parity: who goes on too early, and who
/// waits for ever. "": nothing is known of a stage that is wrong, or a parity that is none.
inline std::string what_it_does(const std::vector<Position>& answer,
                                const std::vector<Position>& right) {
  std::size_t tile = 0;
  while (answer[tile] == right[tile]) ++tile;
  const Position &is = answer[tile], &should = right[tile];
  if (is.stage != should.stage || (is.full_parity & ~1) != 0 || (is.empty_parity & ~1) != 0)
    return "";
  const auto name = [tile](std::size_t behind) {
    return "tile " + std::to_string(tile + behind - kStages);
  };
  const std::string at = "\n  What it does: at " + name(kStages) + " the ";
  const std::string stage = "[" + std::to_string(is.stage) + "] for parity ";
  const bool first = tile < kStages;
  if (is.full_parity != should.full_parity)
    return at + "consumers wait at full" + stage + std::to_string(is.full_parity) + ", that of " +
           (first ? "the phase before the first" : name(0) + "'s phase") +
           ", which is over:\n  they read before the tile has come. Where it has come they wait "
           "for " +
           name(2 * kStages) + ", for ever.";
  return at + "producer waits at empty" + stage + std::to_string(is.empty_parity) +
         (first ? ", until somebody has read the tile\n  that it has not brought yet: for ever."
                : ", that of an older phase, which is over:\n  it overwrites " + name(0) +
                      " while that is read. Where all have read it the wait is for " +
                      name(kStages) + ", for ever.");
}

/// The last word on a wrong answer: what it looks like, and what to do. `right`: what was expected.
inline std::string diagnosis(const std::vector<Position>& answer,
                             const std::vector<Position>& right) {
  const std::string todo = ".\n  What to do: ";
  bool empty = true;
  for (const Position& position : answer)
    empty = empty && position == Position{kUnset, kUnset, kUnset} && position.bytes == kUnset;
  if (empty)
    return "The gap is still empty" + todo +
           "lessons/12_tma_mbarrier/exercise.cu, between the two `your code` lines.";
  for (const Mistake& mistake : mistakes()) {
    bool explains = true;
    for (int tile = 0; tile < kTiles; ++tile)
      explains = explains && answer[static_cast<std::size_t>(tile)] == mistake.predicts(tile);
    if (explains)
      return std::string("It looks as if ") + mistake.name + todo + mistake.advice + ".";
  }
  bool stage = false, full = false, no_empty = false;
  for (const Position& position : answer) {
    stage = stage || position.stage == kUnset;
    full = full || position.full_parity == kUnset;
    no_empty = no_empty || position.empty_parity == kUnset;
  }
  if (stage || full || no_empty)
    return std::string("Not everything is set: ") +
           (stage  ? "stage"
            : full ? "full_parity"
                   : "empty_parity") +
           " stays as it was" + todo + "all four, for every tile.";
  std::vector<Position> one_bit = answer;
  for (Position& position : one_bit) position.full_parity &= 1, position.empty_parity &= 1;
  if (one_bit == right)
    return "It looks as if a parity had more than one bit" + todo + "a parity is 0 or 1: modulo 2.";
  for (std::size_t tile = 0; tile < answer.size(); ++tile)
    for (const int parity : {answer[tile].full_parity, answer[tile].empty_parity})
      if ((parity & ~1) != 0)
        return "It looks as if a parity were " + std::to_string(parity) + ", at tile " +
               std::to_string(tile) + todo + "a parity is 0 or 1: that of the round, tile / 4 % 2.";
  return "This is not one of the mistakes this check knows" + alone_wrong(answer, right) +
         which_of_eight(answer, right) + todo +
         "play it through: which phase of full[stage] does that tile complete, and which of "
         "empty[stage] was the last?" +
         what_it_does(answer, right);
}

/// The same where the positions are right and `tile`'s bytes are not, and what a kernel would do.
inline std::string bytes_diagnosis(int tile, int bytes) {
  const std::string todo = ".\n  What to do: ";
  if (bytes == kUnset)
    return "Not everything is set: bytes stays as it was" + todo + "all four, for every tile.";
  std::string text = "This is not a number of bytes that this check knows" + todo +
                     "announce what the two copies bring, " + std::to_string(kBytesA) +
                     " bytes of A and " + std::to_string(kBytesB) + " of B.";
  for (const WrongBytes& wrong : wrong_bytes())
    if (bytes == wrong.bytes)
      text = std::string("It looks as if ") + wrong.name + todo + wrong.advice + ".";
  const std::string full = "full[" + std::to_string(tile % kStages) + "]";
  if (bytes > kBytes)
    return text + "\n  What it does: nobody brings the other " + std::to_string(bytes - kBytes) +
           " bytes: the wait for " + full + " never ends.";
  return text + "\n  What it does: " + full + " may be over while " +
         std::to_string(kBytes - bytes) +
         " bytes are still under way, and they count in its next\n  phase: wrong sums, or a wait "
         "that never ends.";
}

}  // namespace exercise_12
