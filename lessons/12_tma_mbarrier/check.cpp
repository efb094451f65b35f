// SPDX-License-Identifier: MIT
// Check of exercise 12: the position of 64 tiles in the ring, against what follows from the phases
// of an mbarrier, counted out here tile by tile, and the bytes announced for each. Only then the
// ring is run: with a wrong parity, or bytes that nobody brings, it would wait for ever, on a card
// without a word.
//
// Source: PTX ISA 9.2, 9.7.13.15.16 (test_wait: the phase that is waited for).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "diagnosis.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> ring_on_device(const std::vector<std::uint16_t>& tiles, bool runs,
                                          const char* trace);

namespace {

using namespace exercise_12;

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
  REQUIRE(words.size() == 4 * kTiles);
  std::vector<Position> all;
  for (std::size_t i = 0; i < words.size(); i += 4)
    all.push_back({static_cast<int>(words[i]), static_cast<int>(words[i + 1]),
                   static_cast<int>(words[i + 2]), static_cast<int>(words[i + 3])});
  return all;
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
  const std::string problem =
      "\n" + std::to_string(wrong) + " of 64 tiles have another place in the ring:\n" + shown +
      "\n" + diagnosis(answer, right) + "\n  A ring of three stages: ./learn lesson 12\n";
  FAIL(problem);
}

void check_bytes() {
  constexpr std::size_t kShown = 3;
  const std::vector<Position> answer = ask();
  std::vector<int> wrong;
  for (int tile = 0; tile < kTiles; ++tile)
    if (answer[static_cast<std::size_t>(tile)].bytes != kBytes) wrong.push_back(tile);
  if (wrong.empty()) return;
  std::string problem =
      "\n" + std::to_string(wrong.size()) + " of 64 tiles announce other bytes:\n";
  for (std::size_t i = 0; i < wrong.size() && i < kShown; ++i)
    problem += "  tile " + std::to_string(wrong[i]) + ": expected " + std::to_string(kBytes) +
               ", found " + std::to_string(answer[static_cast<std::size_t>(wrong[i])].bytes) + "\n";
  if (wrong.size() > kShown)
    problem += "  ... and " + std::to_string(wrong.size() - kShown) + " more\n";
  problem +=
      "\n" + bytes_diagnosis(wrong[0], answer[static_cast<std::size_t>(wrong[0])].bytes) + "\n";
  FAIL(problem);
}

void check_ring() {
  constexpr std::size_t kElements = kBytes / 2;  // of a stage
  std::vector<std::uint16_t> tiles(kTiles * kElements);
  std::vector<std::uint32_t> sums(kTiles, 0);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    // Knuth's multiplicative hash; its upper bits are the better ones.
    tiles[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(i) * 2654435761u >> 16);
    sums[i / kElements] += tiles[i];
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
TEST_CASE("the bytes that are announced for each") { check_bytes(); }
TEST_CASE("the ring itself") { check_ring(); }
