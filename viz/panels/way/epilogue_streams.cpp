// SPDX-License-Identifier: MIT
// What all elements of a D meet, one ingredient at a time. See epilogue_checks.hpp.
#include <algorithm>
#include <map>
#include <tuple>

#include "panels/way/epilogue_checks.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {

std::vector<Stream> streams_of(Epilogue& epilogue, const std::vector<StoredElement>& stored,
                               const layout::Fragment& map) {
  std::vector<Stream> all;
  const auto count = static_cast<std::size_t>(map.rows * map.cols);
  std::vector<bool> known(count);
  for (const StoredElement& one : stored) {
    const auto at = static_cast<std::size_t>(one.element.row * map.cols + one.element.col);
    if (known[at]) continue;
    known[at] = true;
    std::map<std::tuple<Ingredient::Role, std::string, std::uint64_t, bool>, int> nth;
    for (const Ingredient& found : epilogue.of(one)) {
      const auto key = std::tuple(found.role, found.parameter, found.base, found.address == 0);
      const int n = nth[key]++;
      const auto same = [&](const Stream& s) {
        return s.nth == n &&
               key == std::tuple(s.like.role, s.like.parameter, s.like.base, s.like.address == 0);
      };
      auto stream = std::find_if(all.begin(), all.end(), same);
      if (stream == all.end()) {
        all.push_back({found, n, Addresses(count), 0});
        stream = all.end() - 1;
      }
      stream->at[at] = found.address;
      ++stream->there;
    }
  }
  return all;
}

std::optional<Stream> initial_stream(const trace::Trace& trace, RegisterHistory& history,
                                     const Multiplication& in) {
  const layout::Fragment* map = in.map('C');
  if (map == nullptr || in.fragment('C') == nullptr) return std::nullopt;
  Stream found;
  found.at.resize(static_cast<std::size_t>(map->rows * map->cols));
  for (std::size_t k = 0; k < found.at.size(); ++k) {
    const auto row = static_cast<int>(k) / map->cols, col = static_cast<int>(k) % map->cols;
    const Way way = way_back_to(trace, history, in, 'C', row, col);
    if (!way.address) {
      if (k == 0) return std::nullopt;
      continue;
    }
    if (found.there++ == 0)
      found.like = {Ingredient::Role::initial,
                    0,
                    parameter_text(way.place),
                    *way.address,
                    way.base,
                    way.bits / 8};
    found.at[k] = way.address;
  }
  return found.like.bytes == 0 ? std::nullopt : std::optional(std::move(found));
}

}  // namespace lanescope::viz
