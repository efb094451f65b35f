// SPDX-License-Identifier: MIT
// A recording of arithmetic, read back. Text lines with binary results behind them:
//
//     lanescope arithmetic 1|CARD|ARCH|driver N|runtime N|NOTE
//     INSTRUCTION|FULL|FINGERPRINTS|BYTES     FULL tiles of BYTES, then a word of 32 bits for each
//     ...                                     of the others
//
// The operands are not in it: vectors.hpp draws them again.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/arithmetic/case.hpp"

namespace lanescope::golden {

struct RecordedCase {
  Case what;
  int full = 0, prints = 0;
  std::size_t tile_bytes = 0;
  std::size_t first_tile = 0, first_print = 0;  // where they begin in Recording::bytes
};

struct Recording {
  std::string bytes, header, problem;  // problem: what is wrong with it, or ""
  std::vector<RecordedCase> cases;
};

Recording parse_recording(std::string bytes);

/// The same from a file compressed with zstd.
Recording read_recording(const std::string& path);

}  // namespace lanescope::golden
