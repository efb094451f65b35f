// SPDX-License-Identifier: MIT
#include "emulator/check/shadow.hpp"

#include <algorithm>

namespace lanescope::emulator {

void Shadow::start(std::size_t shared_bytes) {
  const std::size_t count = (shared_bytes + 15) / 16;
  if (cells_.size() != count) {
    cells_.assign(count, Cell{});
    words_.clear();
    bytes_.clear();
  } else {
    std::fill(cells_.begin(), cells_.end(), Cell{});
  }
  many.clear();
}

void Shadow::split_cell(Cell& cell, std::uint32_t offset) {
  if (words_.empty()) words_.resize(cells_.size() * 4);
  for (std::size_t k = 0; k < 4; ++k) {
    words_[offset / kWord + k] = cell;
    if (k > 0) copy_readers(words_[offset / kWord + k]);
  }
  cell.state = CellState::split;
}

void Shadow::split_word(Cell& word, std::uint32_t offset) {
  if (bytes_.empty()) bytes_.resize(cells_.size() * 16);
  for (std::size_t k = 0; k < 4; ++k) {
    bytes_[offset + k] = word;
    if (k > 0) copy_readers(bytes_[offset + k]);
  }
  word.state = CellState::split;
}

// A long list of readers belongs to one cell.
void Shadow::copy_readers(Cell& to) {
  if (to.readers != Cell::kMany) return;
  many.push_back(many[to.reads[0].time]);
  to.reads[0].time = static_cast<Time>(many.size() - 1);
}

}  // namespace lanescope::emulator
