// SPDX-License-Identifier: MIT
// What clusters publish of themselves: kept as long as somebody may ask, and not longer.
#include "emulator/check/elsewhere.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace lanescope::emulator {
namespace {

constexpr std::uint32_t kAll = 0xffffffff;

Clock up_to(std::size_t component, Time time) {
  Clock clock;
  clock.raise(component, kAll, time);
  return clock;
}

Heard hears(Releases& releases, std::uint64_t cluster, Clock clock) {
  const std::shared_ptr<Elsewhere> made = releases.make(nullptr);
  made->heard.resize(2, 0);
  made->heard[cluster] = releases.add(cluster, std::move(clock));
  return made;
}

}  // namespace

TEST_CASE("releases that nobody names go, the others answer as before") {
  Releases releases(2);
  const Heard old = hears(releases, 1, up_to(0, 5)), aside = hears(releases, 1, up_to(3, 9));
  Heard latest;
  for (Time time = 6; time < 100'000; ++time) latest = hears(releases, 1, up_to(0, time));
  CHECK(releases.kept() <= Releases::kMany);
  CHECK(releases.last(1) == 99'996);
  CHECK(old->covers(1, 0, kAll, 5));
  CHECK_FALSE(old->covers(1, 0, kAll, 6));
  CHECK(aside->covers(1, 3, kAll, 9));
  CHECK(latest->covers(1, 0, kAll, 99'999));
  CHECK(joined(latest, old) == latest);
  const Heard both = joined(aside, latest);
  CHECK(both->covers(1, 0, kAll, 99'999));
  CHECK(both->covers(1, 3, kAll, 9));
  CHECK_FALSE(both->covers(1, 3, kAll, 10));
  CHECK_FALSE(both->covers(0, 0, kAll, 1));
}

TEST_CASE("releases that somebody names stay, however many") {
  Releases releases(2);
  std::vector<Heard> all;
  for (Time time = 1; time <= 3 * Releases::kMany; ++time)
    all.push_back(hears(releases, 0, up_to(0, time)));
  CHECK(releases.kept() == all.size());
  for (Time time = 1; time < all.size(); time += 97) {
    CHECK(all[time - 1]->covers(0, 0, kAll, time));
    CHECK_FALSE(all[time - 1]->covers(0, 0, kAll, time + 1));
  }
}

}  // namespace lanescope::emulator
