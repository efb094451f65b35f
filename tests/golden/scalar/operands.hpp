// SPDX-License-Identifier: MIT
// The operands of the forms: for each kind, and each place that an operand can have, a column of
// words. Edges meet edges first (64 x 64 in the first two places), then edges at random, then
// random bits and numbers of every size: whole ones, half-way cases of narrower formats, neighbours
// of what would cancel. Everything follows from the numbers here; nothing depends on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "form.hpp"

namespace lanescope::golden::scalar {

/// Word t is the operand of tuple t; 65,536 of them for all16, else 16,384.
std::vector<std::uint64_t> column(Kind kind, int place);

/// A number for a sequence of words. The same words give the same number.
struct Hash {
  std::uint64_t value = 0x6c616e6573636f70ull;
  void add(std::uint64_t word) {
    value = (value ^ word) * 0x9e3779b97f4a7c15ull;
    value ^= value >> 29;
  }
};

}  // namespace lanescope::golden::scalar
