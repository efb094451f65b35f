// SPDX-License-Identifier: MIT
// Where the elements of D are stored: in lines, each at its own place. See sum_checks.hpp.
#include "panels/way/sum_places.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace lanescope::viz {
namespace {

using layout::Element;
constexpr std::int64_t kFarthest = std::int64_t{1} << 40;  // lines of any matrix there is

using Places = std::vector<const StoredElement*>;

// How far apart lines may be: as far as the bytes next to each other begin, or most neighbours are.
std::set<std::int64_t> candidates(const Places& places, const layout::Fragment& map, int bytes) {
  std::set<std::int64_t> apart{std::int64_t{bytes} * map.cols, std::int64_t{bytes} * map.rows};
  std::set<std::uint64_t> all;
  for (const StoredElement* one : places)
    if (one != nullptr) all.insert(one->address);
  std::uint64_t begin = *all.begin(), before = *all.begin();
  for (const std::uint64_t address : all) {
    if (address - before > static_cast<std::uint64_t>(bytes)) {
      apart.insert(static_cast<std::int64_t>(address - begin));
      begin = address;
    }
    before = address;
  }
  std::map<std::int64_t, int> steps;
  for (std::size_t k = 0; k + static_cast<std::size_t>(map.cols) < places.size(); ++k)
    for (const std::size_t other : {k + 1, k + static_cast<std::size_t>(map.cols)})
      if (places[k] != nullptr && places[other] != nullptr)
        ++steps[static_cast<std::int64_t>(places[other]->address - places[k]->address)];
  for (const auto& [step, count] : steps)
    if (8 * count >= static_cast<int>(places.size())) apart.insert(step);
  return apart;
}

// Where element (0, 0) would be, as most have it; and how many these are.
std::pair<std::uint64_t, int> begin_of(const Places& places, const layout::Fragment& map,
                                       const TileAt& tile) {
  std::map<std::uint64_t, int> begins;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto row = static_cast<std::int64_t>(k) / map.cols,
               col = static_cast<std::int64_t>(k) % map.cols;
    const std::int64_t line = tile.columns ? col : row, along = tile.columns ? row : col;
    if (places[k] != nullptr)
      ++begins[places[k]->address - static_cast<std::uint64_t>(line * tile.apart) -
               static_cast<std::uint64_t>(along * tile.bytes)];
  }
  std::pair<std::uint64_t, int> best{0, 0};
  for (const auto& one : begins)
    if (one.second >= best.second) best = one;
  return best;
}

// Every place of the tile is taken once, whichever element is there: it begins at its lowest byte.
bool all_taken(const Places& places, const layout::Fragment& map, TileAt& tile) {
  std::set<std::uint64_t> all;
  for (const StoredElement* one : places)
    if (one != nullptr) all.insert(one->address);
  tile.first = *all.begin();
  const auto lines = static_cast<std::uint64_t>(tile.columns ? map.cols : map.rows);
  const auto along = static_cast<std::uint64_t>((tile.columns ? map.rows : map.cols) * tile.bytes);
  const auto apart = static_cast<std::uint64_t>(tile.apart);
  return all.size() == places.size() && apart > along &&
         std::all_of(all.begin(), all.end(), [&](std::uint64_t address) {
           const std::uint64_t offset = address - tile.first;
           return offset / apart < lines && offset % apart < along;
         });
}

}  // namespace

std::optional<TileAt> lines_of_stored(const Places& places, const layout::Fragment& map,
                                      int bytes) {
  std::optional<TileAt> found, taken;
  int most = static_cast<int>(places.size()) / 8;
  const auto is_stored = [](const StoredElement* one) { return one != nullptr; };
  const auto stored = std::count_if(places.begin(), places.end(), is_stored);
  for (const bool columns : {false, true}) {
    const std::int64_t least =
        std::int64_t{bytes} * line_at_least(places, map.cols, columns, is_stored);
    for (const std::int64_t apart : candidates(places, map, bytes)) {
      if (apart < least || apart > kFarthest) continue;
      TileAt tile;
      tile.apart = apart;
      tile.bytes = bytes;
      tile.columns = columns;
      if (!taken && all_taken(places, map, tile)) taken = tile;
      const auto [begin, count] = begin_of(places, map, tile);
      if (count <= most) continue;
      most = count;
      tile.first = begin;
      found = tile;
      // A square tile that lies column after column is no transposed one.
      if (count == stored) return found;
    }
  }
  return taken ? taken : found;
}

std::vector<Element> stored_at(const Places& places, const layout::Fragment& map,
                               const TileAt& tile) {
  std::vector<Element> at;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const int index = static_cast<int>(k);
    at.push_back(places[k] != nullptr ? tile.at(places[k]->address)
                                      : Element{index / map.cols, index % map.cols, 0});
  }
  return at;
}

bool in_place(const std::vector<Element>& places, const layout::Fragment& map) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    const int index = static_cast<int>(k);
    if (!(places[k] == Element{index / map.cols, index % map.cols, 0})) return false;
  }
  return true;
}

}  // namespace lanescope::viz
