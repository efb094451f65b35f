// SPDX-License-Identifier: MIT
// Which lanes are served together, and which of them want the same banks.
#include <algorithm>

#include "layout/banks.hpp"
#include "layout/shared_bytes.hpp"

namespace lanescope::layout {
namespace {

// Those of one group, from `from` on. `asked`: the byte whose lane others may clash with.
std::vector<ServedLane> served(const Bytes& bytes, const WarpAccess& access, std::size_t from,
                               std::int64_t asked) {
  std::vector<ServedLane> all;
  const std::size_t end =
      std::min(from + static_cast<std::size_t>(access.lanes), access.firsts.size());
  for (std::size_t i = from; i < end; ++i) {
    const Element& e = access.firsts[i];
    if (e.row >= 0) all.push_back({static_cast<int>(i % 32), e, bytes.at(e.row, e.col)});
  }
  const auto own = std::find_if(all.begin(), all.end(), [&](const ServedLane& lane) {
    return asked >= lane.byte && asked < lane.byte + access.bytes;
  });
  if (own == all.end()) return {};
  const auto words = [&](const ServedLane& lane) {
    return std::pair{lane.byte / kBankBytes, (lane.byte + access.bytes - 1) / kBankBytes};
  };
  const auto [first, last] = words(*own);
  for (ServedLane& lane : all) {
    const auto [begin, stop] = words(lane);
    for (std::int64_t word = begin; word <= stop; ++word)
      for (std::int64_t wanted = first; wanted <= last; ++wanted)
        lane.clashes = lane.clashes || (word != wanted && word % kBanks == wanted % kBanks);
  }
  return all;
}

}  // namespace

std::vector<ServedLane> served_with(const SharedMatrix& m, const WarpAccess& access, int row,
                                    int col, bool applied) {
  const Bytes bytes(m, applied);
  const std::int64_t asked = bytes.at(row, col);
  for (std::size_t i = 0; i < access.firsts.size(); ++i) {
    const Element& e = access.firsts[i];
    if (e.row < 0) continue;
    const std::int64_t begin = bytes.at(e.row, e.col);
    if (asked >= begin && asked < begin + access.bytes)
      return served(bytes, access, i - i % static_cast<std::size_t>(access.lanes), asked);
  }
  return {};
}

std::vector<ServedLane> worst_clash(const SharedMatrix& m, const WarpAccess& access, bool applied) {
  if (access.most < 2) return {};
  const Bytes bytes(m, applied);
  const auto lanes = static_cast<std::size_t>(access.lanes);
  std::vector<ServedLane> worst;
  for (std::size_t from = 0; from < access.firsts.size(); from += lanes) {
    for (std::size_t i = from; i < std::min(from + lanes, access.firsts.size()); ++i) {
      const Element& e = access.firsts[i];
      if (e.row < 0) continue;
      std::vector<ServedLane> all = served(bytes, access, from, bytes.at(e.row, e.col));
      const auto own = static_cast<int>(i % 32);
      all.erase(
          std::remove_if(all.begin(), all.end(),
                         [&](const ServedLane& lane) { return !lane.clashes && lane.lane != own; }),
          all.end());
      if (all.size() > worst.size()) worst = std::move(all);
    }
    // As many as there are passes: no other group has more.
    if (static_cast<int>(worst.size()) >= access.most) return worst;
  }
  return worst;
}

}  // namespace lanescope::layout
