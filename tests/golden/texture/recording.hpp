// SPDX-License-Identifier: MIT
// A recording of fetches (record.cu), read back. Text lines with binary results behind them:
//
//     lanescope texture 1|CARD|ARCH|driver N|runtime N|NOTE
//     FORM|FETCHES          four words of 32 bits for each fetch
//     ...
//
// What was fetched from, and where, is not in it: forms.hpp makes that again.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/texture/forms.hpp"

namespace lanescope::golden::texture {

struct RecordedForm {
  std::string name;
  Word fetches = 0;
  std::vector<Word> words;
};

struct Recording {
  std::string header, problem;  // problem: what is wrong with it, or ""
  std::vector<RecordedForm> forms;
};

Recording parse_recording(const std::string& bytes);

}  // namespace lanescope::golden::texture
