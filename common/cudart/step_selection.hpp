// SPDX-License-Identifier: MIT
// Which steps to record, in the words of `lanescope run --steps`:
//
//     kernel=gemm,block=1,0,0,warp=2,from=100,count=50
//     mma,warp=0
//
// Every part may be left out: the first launch, block 0,0,0, all warps, from the beginning, 100,000
// steps of each warp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::cudart {

struct StepSelection {
  std::string kernel;  // a part of its name; "": any
  int launch = -1;     // counted from 0; -1: the first of those
  std::array<int, 3> block{0, 0, 0};
  int warp = -1;  // -1: all
  std::int64_t from = 0;
  std::int64_t count = 100'000;
  bool mma = false;  // only a kernel that multiplies: by mma, wmma, wgmma or tcgen05.mma
  friend bool operator==(const StepSelection&, const StepSelection&) = default;
};

/// Reads `words`; what is wrong with them, or "".
std::string read_selection(std::string_view words, StepSelection& selection);

/// Whether a launch is among those, by its kernel's name, as the PTX or as the source has it,
/// whether that multiplies, and its number.
bool selects(const StepSelection& selection, const std::string& kernel, bool multiplies,
             int launch);

/// The same words again, without what is as it would be anyway.
std::string words_of(const StepSelection& selection);

}  // namespace lanescope::cudart
