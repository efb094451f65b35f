// SPDX-License-Identifier: MIT
// What a card gave for random programs: h200.txt.zst, lines of `HASH SEED` behind `# ` provenance.
// A third word says why the emulator has another answer: what ptxas made is not what the PTX says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::golden::random {

struct Recorded {
  std::uint64_t hash = 0, seed = 0;
  std::string why_not;  // empty: the emulator has the same
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
