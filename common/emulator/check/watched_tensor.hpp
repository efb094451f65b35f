// SPDX-License-Identifier: MIT
// Tensor memory of a CTA as the checker sees it: who wrote 16 lanes of a column last, and who has
// read them since.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/check/shadow.hpp"

namespace lanescope::emulator {

/// What is done with columns. `ends`: they are given back, and whatever was done with them must be
/// over; nothing of that stays in the cells.
enum class TensorUse : std::uint8_t { reads, writes, ends };

/// `chunks`: a bit for every 16 of the 128 lanes.
struct TensorRange {
  int column = 0, columns = 0;
  unsigned chunks = 0;
};

struct TensorCell {
  Touch write;   // time 0: nobody
  Touch issuer;  // of the mma or cp that wrote it: its thread's warp; else as `write`
  std::vector<Touch> reads;
};

struct WatchedTensor {
  static constexpr int kChunks = 8;
  std::vector<TensorCell> cells;  // [column][chunk]; none before it is touched
};

}  // namespace lanescope::emulator
