// SPDX-License-Identifier: MIT
#include "emulator/check/shadow.hpp"

#include <algorithm>

namespace lanescope::emulator {

void Shadow::start(std::size_t shared_bytes) {
  const std::size_t count = (shared_bytes + 15) / 16;
  if (quads_.cells.size() != count) {
    words_ = {};
    bytes_ = {};
  }
  quads_.resize(count);
  std::fill(quads_.cells.begin(), quads_.cells.end(), Cell{});  // which makes their details void
  log.entries.clear();
  many.clear();
}

void Shadow::split(Level& from, std::size_t index, Level& into) {
  if (into.cells.empty()) into.resize(from.cells.size() * 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const WholeCell part = into.at(4 * index + k);
    part.become(from.at(index));
    if (k > 0) copy_readers(part);
  }
  from.cells[index].state = CellState::split;
}

// A long list of readers belongs to one cell.
void Shadow::copy_readers(const WholeCell& to) {
  if (to.cell.readers != Cell::kMany) return;
  many.push_back(many[to.detail.reads[0].time]);
  to.detail.reads[0].time = static_cast<Time>(many.size() - 1);
}

}  // namespace lanescope::emulator
