// SPDX-License-Identifier: MIT
// The checker's memory of who has read a cell, where more have than fit: in a loop that writes and
// reads a tile again and again it does not grow, and a list that a cell needs stays its own.
#include "emulator/check/shadow.hpp"

#include <doctest/doctest.h>

namespace lanescope::emulator::test {
namespace {

constexpr std::uint32_t kBytes = 65536;

/// The cell gets a list of readers with `mark` in it, as Checker::add_reader makes one.
void give_list(Shadow& shadow, const WholeCell& at, Time mark) {
  const std::size_t list = shadow.fresh_list();
  REQUIRE(list < shadow.many.size());
  CHECK(shadow.many[list].empty());
  shadow.many[list].push_back({mark, 1, 0});
  at.cell.readers = Cell::kMany;
  at.detail.reads[0].time = static_cast<Time>(list);
}

Time mark_of(const Shadow& shadow, const WholeCell& at) {
  REQUIRE(at.cell.readers == Cell::kMany);
  return shadow.many[at.detail.reads[0].time].at(0).time;
}

}  // namespace

TEST_CASE("lists of readers are used again once their cells are written") {
  Shadow shadow;
  shadow.start(kBytes);
  for (Time round = 1; round <= 50; ++round) {
    for (std::uint32_t at = 0; at < kBytes; at += 16)
      shadow.each(at, 16, true, [&](const WholeCell& cell, std::uint32_t, std::uint32_t) {
        cell.set({round, 1, 0}, CellState::valid, 0);
      });
    for (std::uint32_t at = 0; at < kBytes; at += 16) give_list(shadow, shadow.at(at), round);
  }
  CHECK(shadow.many.size() <= 2 * (kBytes / 16) + 1024);
  for (std::uint32_t at = 0; at < kBytes; at += 16) CHECK(mark_of(shadow, shadow.at(at)) == 50);
}

TEST_CASE("the parts of a split cell have lists of their own, which nobody else gets") {
  Shadow shadow;
  shadow.start(kBytes);
  const std::uint32_t kept = 32, churned = 4096;
  give_list(shadow, shadow.at(kept), 7);
  const auto check_parts = [&](Time first) {
    Time wanted = first;
    shadow.each(kept, 4, false, [&](const WholeCell& part, std::uint32_t, std::uint32_t) {
      CHECK(mark_of(shadow, part) == wanted);
    });
    wanted = 7;
    for (std::uint32_t at = kept + 4; at < kept + 16; ++at)
      shadow.each(at, 1, false, [&](const WholeCell& part, std::uint32_t, std::uint32_t) {
        CHECK(mark_of(shadow, part) == wanted);
      });
  };
  check_parts(7);
  shadow.each(kept, 4, false, [&](const WholeCell& part, std::uint32_t, std::uint32_t) {
    shadow.many[part.detail.reads[0].time][0].time = 8;  // no other part hears of it
  });
  for (int turn = 0; turn < 5000; ++turn) {
    shadow.at(churned).cell.readers = 0;
    give_list(shadow, shadow.at(churned), 9);
  }
  CHECK(shadow.many.size() < 3000);
  check_parts(8);
}

}  // namespace lanescope::emulator::test
