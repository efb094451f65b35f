// SPDX-License-Identifier: MIT
// What a card gave for random programs: h200.txt.zst, lines of `HASH SEED` behind `# ` provenance.
// Those with a third word, -O0, were assembled so: what ptxas makes of them when it optimizes is
// not what the PTX says (docs/experiments/ptxas_mistakes.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::golden::random {

struct Recorded {
  std::uint64_t hash = 0, seed = 0;
  bool is_plain = false;  // assembled with -O0
};

struct Recording {
  std::vector<std::string> provenance;
  std::uint64_t text = 0;  // hash of the programs' PTX, in order
  std::vector<Recorded> programs;
};

Recording read_recording();
/// Lines of the scalar recording and of instructions.txt: what forms.hpp sorts.
std::vector<std::string> form_lines();

}  // namespace lanescope::golden::random
