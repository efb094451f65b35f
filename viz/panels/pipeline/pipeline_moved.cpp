// SPDX-License-Identifier: MIT
// From one wait or stage of a pipeline to the next, by keys; and by words to slower copies.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "panels/pipeline/pipeline.hpp"

namespace lanescope::viz {

std::string read_copy_ticks(std::string_view words, int& ticks) {
  int read = 0;
  const std::string text(words.substr(0, 40));
  const bool whole = std::sscanf(text.c_str(), " copy %7d %n", &ticks, &read) == 1 &&
                     static_cast<std::size_t>(read) == words.size();
  return whole ? "" : "write copy 64: how many ticks a copy takes";
}

PipelinePlace moved(const Pipeline& pipeline, PipelinePlace from, int rows, int spans) {
  const int warps = static_cast<int>(pipeline.warps.size());
  const int all = warps + static_cast<int>(pipeline.stages.size());
  const auto middles = [&](int row) {
    std::vector<double> middle;
    const auto add = [&middle](const auto& list) {
      for (const auto& one : list) middle.push_back((one.begin + one.end) / 2);
    };
    if (row < warps)
      add(pipeline.warps[static_cast<std::size_t>(row)].waits);
    else
      add(pipeline.stages[static_cast<std::size_t>(row - warps)].spans);
    return middle;
  };
  if (from.row < 0 || from.row >= all) {
    for (int row = 0; row < all; ++row)
      if (!middles(row).empty()) return {row, 0};
    return {};
  }
  const std::vector<double> here = middles(from.row);
  const int last = static_cast<int>(here.size()) - 1;
  if (rows == 0) return {from.row, std::clamp(from.span + spans, 0, std::max(last, 0))};
  const double now =
      from.span >= 0 && from.span <= last ? here[static_cast<std::size_t>(from.span)] : 0;
  for (int row = from.row + rows; row >= 0 && row < all; row += rows) {
    const std::vector<double> there = middles(row);
    if (there.empty()) continue;
    const auto nearest = std::min_element(there.begin(), there.end(), [now](double a, double b) {
      return std::abs(a - now) < std::abs(b - now);
    });
    return {row, static_cast<int>(nearest - there.begin())};
  }
  return from;
}

}  // namespace lanescope::viz
