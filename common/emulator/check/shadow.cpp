// SPDX-License-Identifier: MIT
#include "emulator/check/shadow.hpp"

#include <algorithm>

namespace lanescope::emulator {

void Shadow::start(std::size_t shared_bytes, std::size_t reserved_bytes) {
  const std::size_t count = (shared_bytes + 15) / 16;
  if (quads_.cells.size() != count) {
    words_ = {};
    bytes_ = {};
  }
  quads_.resize(count);
  std::fill(quads_.cells.begin(), quads_.cells.end(), Cell{});  // which makes their details void
  for (std::size_t k = 0; k < std::min(count, reserved_bytes / 16); ++k)
    quads_.cells[k].state = CellState::reserved;
  log.entries.clear();
  log.is_in_vain = false;
  many.clear();
  free_.clear();
  limit_ = kFewestLists;
}

void Shadow::split(Level& from, std::size_t index, Level& into) {
  if (into.cells.empty()) into.resize(from.cells.size() * 4);
  for (std::size_t k = 0; k < 4; ++k) into.at(4 * index + k).become(from.at(index));
  from.cells[index].state = CellState::split;
  for (std::size_t k = 1; k < 4; ++k) copy_readers(into.at(4 * index + k));
}

// A long list of readers belongs to one cell.
void Shadow::copy_readers(const WholeCell& to) {
  if (to.cell.readers != Cell::kMany) return;
  const std::size_t list = fresh_list();
  many[list] = many[to.detail.reads[0].time];
  to.detail.reads[0].time = static_cast<Time>(list);
}

std::size_t Shadow::fresh_list() {
  if (free_.empty() && many.size() >= limit_) find_free_lists();
  if (free_.empty()) {
    many.emplace_back();
    return many.size() - 1;
  }
  const std::size_t list = free_.back();
  free_.pop_back();
  many[list].clear();
  return list;
}

// A write forgets the readers of its cells without a word of it here, so now and then all cells are
// asked: not before there are twice as many lists as the last time were needed.
void Shadow::find_free_lists() {
  std::vector<bool> is_used(many.size());
  const auto use = [&](const WholeCell& at) {
    if (at.cell.readers == Cell::kMany) is_used[at.detail.reads[0].time] = true;
  };
  for (std::size_t quad = 0; quad < quads_.cells.size(); ++quad) {
    if (quads_.cells[quad].state != CellState::split) {
      use(quads_.at(quad));
      continue;
    }
    for (std::size_t word = 4 * quad; word < 4 * quad + 4; ++word) {
      if (words_.cells[word].state != CellState::split) {
        use(words_.at(word));
        continue;
      }
      for (std::size_t byte = 4 * word; byte < 4 * word + 4; ++byte) use(bytes_.at(byte));
    }
  }
  for (std::size_t list = 0; list < many.size(); ++list)
    if (!is_used[list]) free_.push_back(list);
  limit_ = std::max(kFewestLists, 2 * (many.size() - free_.size()));
}

}  // namespace lanescope::emulator
