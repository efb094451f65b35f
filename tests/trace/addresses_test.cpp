// SPDX-License-Identifier: MIT
// Words that are the address of the same byte in two runs: what differs in these alone is counted
// and passed over, everything beside it is a difference.
#include "trace/addresses.hpp"

#include <doctest/doctest.h>

#include "tests/trace/sample.hpp"
#include "trace/diff.hpp"

using namespace lanescope::trace;

namespace {

constexpr std::uint64_t kFirst = 0x55c4a55d3000, kSecond = 0x7f3a40000000;

// Two allocations, and a step that writes `words`, the same in all lanes, into 64-bit registers.
Trace run_of(std::uint64_t first, std::uint64_t second, std::vector<std::uint64_t> words) {
  Trace t;
  t.header = sample::trace().header;
  Launch launch;
  launch.kernel = "k";
  launch.allocations = {{first, 512}, {second, 4096}};
  Step step;
  step.ptx = "nop;";
  for (const std::uint64_t word : words)
    step.writes.push_back(
        {"%rd" + std::to_string(step.writes.size()), "", 64, sample::counted(32, word, 0)});
  t.events = {launch, step};
  return t;
}

struct Found {
  std::vector<Difference> all;
  std::int64_t moved = 0;
};

Found found(const Trace& a, const Trace& b) {
  Found f;
  f.all = differences(a, b, 100, Addresses(a, b), f.moved);
  CHECK(differences(a, b, 100).size() == f.all.size());
  return f;
}

// One word of a run and one of another, whose allocations lie 0x10000 and 0x40000000 further.
Found of_words(std::uint64_t a, std::uint64_t b) {
  return found(run_of(kFirst, kSecond, {a}), run_of(kFirst + 0x10000, kSecond + 0x40000000, {b}));
}

}  // namespace

TEST_CASE("the same byte of the same allocation is no difference, and that is counted") {
  for (const std::uint64_t inside : {0, 1, 511, 512}) {
    CAPTURE(inside);
    const Found f = of_words(kFirst + inside, kFirst + 0x10000 + inside);
    CHECK(f.all.empty());
    CHECK(f.moved == 1);
  }
  CHECK(of_words(kSecond + 64, kSecond + 0x40000000 + 64).all.empty());
  CHECK(of_words(17, 17).moved == 0);  // nothing was passed over
}

TEST_CASE("another byte, another allocation, a number: a difference") {
  CHECK(of_words(kFirst, kFirst + 0x10000 + 4).all.size() == 1);
  CHECK(of_words(kFirst, kSecond + 0x40000000).all.size() == 1);
  CHECK(of_words(kFirst, kFirst + 0x40000000).all.size() == 1);  // as the other one has moved
  CHECK(of_words(3, 3 + 0x10000).all.size() == 1);               // no address of a
  CHECK(of_words(kFirst, kFirst + 0x10000 + 4).moved == 0);
}

TEST_CASE("pointers that a loop carries up to a mebibyte out of their allocation") {
  constexpr std::uint64_t kOut = std::uint64_t{1} << 20;
  const auto differ = [](std::uint64_t at) { return of_words(at, at + 0x10000).all.size(); };
  CHECK(differ(kFirst - kOut) == 0);
  CHECK(differ(kFirst - kOut - 1) == 1);
  CHECK(differ(kFirst + 512 + kOut) == 0);
  CHECK(differ(kFirst + 512 + kOut + 1) == 1);
}

TEST_CASE("what differs beside an address is found, and a step of both is not counted") {
  const Found f =
      found(run_of(kFirst, kSecond, {kFirst, 5}), run_of(kFirst + 64, kSecond, {kFirst + 64, 6}));
  REQUIRE(f.all.size() == 1);
  CHECK(f.all[0].text ==
        "step 0 of launch 0, block 0,0,0, warp 0 (nop;): lane 0, %rd1: 0000000000000005 in a, "
        "0000000000000006 in b");
  CHECK(f.moved == 0);
}

TEST_CASE("where one of the two does not say where memory was, every word counts") {
  const Trace a = run_of(kFirst, kSecond, {kFirst});
  Trace b = run_of(kFirst + 64, kSecond, {kFirst + 64});
  CHECK(Addresses(a, b).known());
  std::get<Launch>(b.events[0]).allocations.clear();
  CHECK(found(a, b).all.size() == 1);
  CHECK(found(b, a).all.size() == 1);
  CHECK_FALSE(Addresses(a, b).known());
}

TEST_CASE("registers of 32 bits hold no address, another launch has other memory") {
  Trace a = run_of(kFirst, kSecond, {kFirst}), b = run_of(kFirst + 64, kSecond, {kFirst + 64});
  for (Trace* t : {&a, &b}) std::get<Step>(t->events[1]).place.launch = 1;
  CHECK(found(a, b).all.size() == 1);
  a = run_of(0x1000, kSecond, {0x1000}), b = run_of(0x1040, kSecond, {0x1040});
  for (Trace* t : {&a, &b}) std::get<Step>(t->events[1]).writes[0].bits = 32;
  CHECK(found(a, b).all.size() == 1);
}
