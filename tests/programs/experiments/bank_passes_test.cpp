// SPDX-License-Identifier: MIT
// How many passes an H200 needs for an access to shared memory: as many as common/layout/banks.hpp
// says, and as the window says of a recorded access (docs/experiments/bank_passes.md).
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "tests/lines_of.hpp"
#include "tests/programs/experiments/answers.hpp"

using namespace lanescope;
using namespace lanescope::tests;

namespace {

/// "ld.shared.v2.u32,pairs 4,2.03,96,-,...": of one pattern.
struct Timed {
  std::string kind;
  double cycles = 0;
  std::vector<std::uint32_t> addresses;
  std::uint32_t active = 0;
};
Timed timed(const std::string& line) {
  Timed t;
  std::istringstream parts(line);
  std::string family, cycles, at;
  std::getline(parts, t.kind, ',');
  std::getline(parts, family, ',');
  std::getline(parts, cycles, ',');
  t.cycles = std::stod(cycles);
  while (std::getline(parts, at, ',')) {
    if (at != "-") t.active |= 1u << t.addresses.size();
    t.addresses.push_back(at == "-" ? 0 : static_cast<std::uint32_t>(std::stoul(at)));
  }
  return t;
}

int bytes_of(const std::string& kind) {
  static const std::map<std::string, int> bytes{{"u8", 1}, {"u16", 2}, {"u32", 4}};
  if (kind.find("matrix") != kind.npos || kind.find(".v4.") != kind.npos) return 16;
  return kind.find(".v2.") != kind.npos ? 8 : bytes.at(kind.substr(kind.rfind('.') + 1));
}

int passes(const Timed& t) {
  const int bytes = bytes_of(t.kind);
  const int together =
      layout::lanes_together(t.addresses, t.active, bytes, t.kind.starts_with("ld."));
  int sum = 0;
  const int lanes = static_cast<int>(t.addresses.size());
  for (int first = 0; first < lanes; first += together) {
    std::vector<std::uint32_t> phase;
    for (int lane = first; lane < std::min(first + together, lanes); ++lane)
      if (((t.active >> lane) & 1) != 0)
        phase.push_back(t.addresses[static_cast<std::size_t>(lane)]);
    if (!phase.empty()) sum += layout::passes(phase, bytes);
  }
  return sum;
}

}  // namespace

TEST_CASE("an access takes the card as many cycles as it has passes") {
  int all = 0, sampled = 0, in_pairs = 0;
  for (const std::string& line : lines_of(answer("bank_passes"))) {
    CAPTURE(line);
    if (line.find(',') < line.find(' ')) {
      const Timed t = timed(line);
      const int said = passes(t);
      CHECK(std::fabs(t.cycles - said) < 0.5);
      ++sampled;
      // What a load gains by lanes that want the same.
      const int lanes = layout::lanes_per_phase(std::max(bytes_of(t.kind), layout::kBankBytes));
      in_pairs += t.kind.starts_with("ld.shared.v") && said < 32 / lanes;
      continue;
    }
    // "ld.shared.u8       4083 of 4083 as said, cycles less passes +0.03 to +0.07"
    std::istringstream words(line);
    std::string kind, of;
    int right = 0, patterns = 0;
    words >> kind >> right >> of >> patterns;
    CHECK(patterns >= 2483);
    CHECK(right == patterns);
    all += patterns;
  }
  CHECK(all == 53245);
  CHECK(sampled > 1500);
  CHECK(in_pairs > 10);
}

TEST_CASE("the program that asked runs here, too") {
  const Finished ran = ask_emulator("bank_passes", {"small"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("stmatrix.x4") != std::string::npos);
}
