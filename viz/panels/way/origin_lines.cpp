// SPDX-License-Identifier: MIT
// See origin_lines.hpp.
#include "panels/way/origin_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "panels/way/tile_at.hpp"

namespace lanescope::viz {
namespace {

const Came* lowest_of(const std::vector<Came>& all) {
  return &*std::min_element(all.begin(), all.end(), [](const Came& a, const Came& b) {
    return a.zero != b.zero ? b.zero : a.address < b.address;
  });
}

// How far apart most neighbours are; 0 where they are not alike.
std::int64_t usual_step(const std::vector<Came>& all, const layout::Fragment& map, int down,
                        int right) {
  std::map<std::int64_t, int> counts;
  int pairs = 0;
  for (int row = 0; row + down < map.rows; ++row)
    for (int col = 0; col + right < map.cols; ++col) {
      const auto from = static_cast<std::size_t>(row * map.cols + col);
      const auto to = static_cast<std::size_t>((row + down) * map.cols + col + right);
      if (all[from].zero || all[to].zero) continue;
      ++counts[static_cast<std::int64_t>(all[to].address - all[from].address)];
      ++pairs;
    }
  for (const auto& [step, count] : counts)
    if (2 * count >= pairs) return step;
  return 0;
}

// The lowest address; where elements were filled in, (0, 0) may be one of them: then where it would
// be, as most of the others have it.
std::uint64_t first_of(const std::vector<Came>& all, const layout::Fragment& map,
                       const Lines& lines, int bytes) {
  if (std::none_of(all.begin(), all.end(), [](const Came& one) { return one.zero; }))
    return lines.begin->address;
  std::map<std::uint64_t, std::size_t> counts;
  std::size_t known = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].zero) continue;
    const auto row = static_cast<std::int64_t>(k) / map.cols;
    const auto col = static_cast<std::int64_t>(k) % map.cols;
    const std::int64_t offset =
        (lines.columns ? col : row) * lines.apart + (lines.columns ? row : col) * bytes;
    ++counts[all[k].address - static_cast<std::uint64_t>(offset)];
    ++known;
  }
  for (const auto& [address, count] : counts)
    if (2 * count > known) return address;
  return lines.begin->address;
}

// Where the two of each pair are exchanged, every second neighbour is where it should be.
std::int64_t step_of(const std::vector<Came>& all, const layout::Fragment& map, int down,
                     int right) {
  const std::int64_t step = usual_step(all, map, down, right);
  if (step > 0) return step;
  const std::int64_t twice = usual_step(all, map, 2 * down, 2 * right);
  return twice > 0 && twice % 2 == 0 ? twice / 2 : step;
}

}  // namespace

std::string order_of_registers(const std::vector<Came>& all, const layout::Fragment& map) {
  if (map.registers() < 2 || !std::all_of(all.begin(), all.end(), [](const Came& one) {
        return one.by_its_lane && !one.zero;
      }))
    return {};
  const std::uint64_t lowest = lowest_of(all)->address;
  const int bytes = map.register_bits / 8, lane = bytes * map.registers();
  int last = 0;  // thread
  bool by_lanes = true, by_registers = true;
  const std::vector<layout::Held> held = layout::register_layout(map);
  for (const layout::Held& one : held) last = std::max(last, one.holder.thread);
  const int reg = bytes * (last + 1);
  for (const layout::Held& one : held) {
    const layout::Holder& at = one.holder;
    const std::uint64_t offset =
        all[static_cast<std::size_t>(one.element.row * map.cols + one.element.col)].address -
        lowest;
    const auto is = [&](int of_lane, int of_register) {
      return offset == static_cast<std::uint64_t>(at.thread * of_lane +
                                                  at.register_index * of_register + at.bit / 8);
    };
    by_lanes = by_lanes && is(lane, bytes);
    by_registers = by_registers && is(bytes, reg);
  }
  return by_lanes       ? fmt::format("lane after lane, {} bytes each", lane)
         : by_registers ? fmt::format("register after register, {} bytes each", reg)
                        : std::string();
}

std::optional<Lines> lines_of(const std::vector<Came>& all, const layout::Fragment& map,
                              int bytes) {
  const std::int64_t down = step_of(all, map, 1, 0), right = step_of(all, map, 0, 1);
  Lines lines;
  lines.columns = right != bytes;
  lines.apart = lines.columns ? right : down;
  if ((lines.columns ? down : right) != bytes) return std::nullopt;
  const auto is_there = [](const Came& one) { return !one.zero; };
  if (lines.apart < bytes * line_at_least(all, map.cols, lines.columns, is_there))
    return std::nullopt;
  lines.begin = lowest_of(all);
  lines.first = first_of(all, map, lines, bytes);
  return lines;
}

std::optional<Lines> lines_of_bytes(const std::vector<Came>& all, const layout::Fragment& map,
                                    int bytes, bool columns) {
  std::set<std::uint64_t> taken;
  for (const Came& one : all)
    if (!one.zero) taken.insert(one.address);
  if (taken.size() != all.size()) return std::nullopt;
  const int along = columns ? map.rows : map.cols;
  std::vector<std::uint64_t> begins;
  std::uint64_t before = 0;
  for (const std::uint64_t address : taken) {
    if (begins.empty() || address != before + static_cast<std::uint64_t>(bytes))
      begins.push_back(address);
    before = address;
  }
  if (begins.size() != all.size() / static_cast<std::size_t>(along) || begins.size() < 2)
    return std::nullopt;
  Lines lines;
  lines.columns = columns;
  lines.apart = static_cast<std::int64_t>(begins[1] - begins[0]);
  lines.begin = lowest_of(all);
  lines.first = begins.front();
  const TileAt tile{0, lines.first, lines.apart, bytes, columns};
  for (const std::uint64_t address : taken) {
    const layout::Element at = tile.at(address);
    if (at.row >= map.rows || at.col >= map.cols) return std::nullopt;
  }
  return lines;
}

}  // namespace lanescope::viz
