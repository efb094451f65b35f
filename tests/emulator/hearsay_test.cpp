// SPDX-License-Identifier: MIT
// What the checker keeps of tellings and looks answers as all of them would, and stays small.
#include "emulator/check/hearsay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kClusters = 6;

// Each telling and each look, in order, as the rule has it word by word.
struct Diary {
  struct Entry {
    std::uint64_t cluster;
    bool tells;
    Time time;
  };
  std::vector<Entry> entries;

  bool may_know(std::uint64_t listener, std::uint64_t teller, Time time) const {
    bool told = false;
    for (const Entry& entry : entries) {
      if (entry.tells && entry.cluster == teller && entry.time >= time) told = true;
      if (!entry.tells && entry.cluster == listener && told) return true;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("what is merged of what clusters have told gives the answers that all of it gives") {
  std::mt19937 random(20261121);
  int known = 0, asked = 0;
  for (int round = 0; round < 20; ++round) {
    Hearsay hearsay;
    Diary diary;
    std::vector<Time> now(kClusters, 1);
    // Some clusters look seldom: what they know lies far back.
    std::vector<unsigned> seldom;
    for (std::uint64_t k = 0; k < kClusters; ++k) seldom.push_back(1 + random() % 300);
    for (int step = 0; step < 3000; ++step) {
      const std::uint64_t cluster = random() % kClusters;
      if (random() % 2 == 0) {
        now[cluster] += random() % 3;
        hearsay.tells(cluster, now[cluster]);
        diary.entries.push_back({cluster, true, now[cluster]});
      } else if (random() % seldom[cluster] == 0) {
        hearsay.looks(cluster);
        diary.entries.push_back({cluster, false, 0});
      }
      if (step % 10 != 0) continue;
      const std::uint64_t teller = random() % kClusters;
      const std::uint64_t listener = (teller + 1 + random() % (kClusters - 1)) % kClusters;
      const Time time = random() % (now[teller] + 2);
      const bool wanted = diary.may_know(listener, teller, time);
      REQUIRE(hearsay.may_know(listener, teller, time) == wanted);
      known += wanted ? 1 : 0;
      ++asked;
    }
    for (std::uint64_t k = 0; k < kClusters; ++k) CHECK(hearsay.kept(k) <= Hearsay::kAlways);
  }
  CHECK(known > asked / 10);
  CHECK(known < asked - asked / 10);
}

TEST_CASE("of clusters that have ended nothing is kept apart") {
  Hearsay hearsay;
  for (std::uint64_t k = 1; k <= 1000; ++k) {
    hearsay.tells(0, static_cast<Time>(k));
    hearsay.looks(k);
    hearsay.leaves(k);
  }
  hearsay.looks(2000);
  CHECK(hearsay.kept(0) <= Hearsay::kAlways);
  CHECK(hearsay.may_know(2000, 0, 1000));
  CHECK_FALSE(hearsay.may_know(2000, 0, 1001));
  CHECK_FALSE(hearsay.may_know(1000, 0, 1));  // it has ended
}

}  // namespace lanescope::emulator
