// SPDX-License-Identifier: MIT
// A recording of the approximate functions (record.cu), read back. Text lines with binary results
// behind them:
//
//     lanescope approximate 1|CARD|ARCH|driver N|runtime N|NOTE
//     MNEMONIC|INPUTS       two words of 32 bits for each block of 256: the first output (its
//     ...                   upper word, if it has two), and the fingerprint of all
//
// The inputs are not in it: inputs.hpp makes them again.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/approximate/inputs.hpp"

namespace lanescope::golden::approximate {

struct RecordedForm {
  std::string mnemonic;
  Word inputs = 0;
  std::vector<Word> words;  // first output, fingerprint, first output, ...
};

struct Recording {
  std::string header, problem;  // problem: what is wrong with it, or ""
  std::vector<RecordedForm> forms;
};

Recording parse_recording(const std::string& bytes);

}  // namespace lanescope::golden::approximate
