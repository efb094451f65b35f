// SPDX-License-Identifier: MIT
// See pieces.hpp.
#include "panels/way/pieces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace lanescope::viz {
namespace {

constexpr std::int64_t kMostApart = std::int64_t{1} << 40;  // lines of any matrix there is

std::int64_t between(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

// From one line that is there to the next one.
struct Step {
  std::size_t from = 0, to = 0;
  std::int64_t bytes = 0;
  std::int64_t lines() const { return static_cast<std::int64_t>(to - from); }
};

std::vector<Step> steps_of(const Addresses& begins) {
  std::vector<Step> steps;
  std::size_t from = begins.size();
  for (std::size_t to = 0; to < begins.size(); ++to) {
    if (!begins[to]) continue;
    if (from < to) steps.push_back({from, to, between(*begins[from], *begins[to])});
    from = to;
  }
  return steps;
}

// The same of lines that are there in both; `bytes` is the jump beyond lines that are `apart`.
std::vector<Step> jumps_between(const Addresses& begins, const std::vector<Step>& steps,
                                std::int64_t apart) {
  std::vector<Step> jumps;
  for (const Step& one : steps)
    jumps.push_back(
        {one.from, one.to, between(*begins[one.from], *begins[one.to]) - one.lines() * apart});
  return jumps;
}

std::vector<Step> steps_of_both(const Addresses& one, const Addresses& other) {
  Addresses both = one;
  for (std::size_t k = 0; k < both.size(); ++k)
    if (k >= other.size() || !other[k]) both[k].reset();
  return steps_of(both);
}

}  // namespace

Addresses line_begins(const Addresses& all, int rows, int cols, bool of_rows) {
  const int lines = of_rows ? rows : cols, along = of_rows ? cols : rows;
  const auto at = [&](int line, int place) {
    return all[static_cast<std::size_t>(of_rows ? line * cols + place : place * cols + line)];
  };
  Addresses begins;
  std::optional<std::int64_t> step;  // from element to element
  for (int line = 0; line < lines; ++line) {
    const auto first = at(line, 0);
    begins.push_back(first);
    for (int place = 1; place < along; ++place) {
      const auto one = at(line, place);
      if (one.has_value() != first.has_value()) return {};
      if (!one) continue;
      const std::int64_t bytes = between(*at(line, place - 1), *one);
      if (!step) step = bytes;
      if (bytes != *step) return {};
    }
  }
  return step && *step > 0 ? begins : Addresses();
}

std::int64_t apart_in_pieces(const Addresses& begins) {
  std::map<std::int64_t, int> counts;  // of neighbours
  int neighbours = 0;
  bool is_cut = false;
  for (const Step& step : steps_of(begins))
    if (step.lines() == 1) {
      ++counts[step.bytes];
      ++neighbours;
    }
  if (counts.empty() || 2 * counts.begin()->second < neighbours) return 0;
  const std::int64_t apart = counts.begin()->first;
  if (apart <= 0 || apart > kMostApart) return 0;
  for (const Step& step : steps_of(begins)) {
    if (step.bytes > kMostApart || step.bytes < step.lines() * apart) return 0;
    is_cut = is_cut || step.bytes > step.lines() * apart;
  }
  return is_cut ? apart : 0;
}

bool lie_alike(const Addresses& one, const Addresses& other) {
  const std::vector<Step> steps = steps_of_both(one, other);
  return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.bytes == between(*other[step.from], *other[step.to]);
  });
}

bool cut_alike(const Addresses& one, const Addresses& other) {
  const auto jumps = jumps_of(one, other);
  const bool is_cut =
      std::any_of(jumps.begin(), jumps.end(), [](const auto& jump) { return jump.first != 0; });
  return is_cut && std::all_of(jumps.begin(), jumps.end(), [](const auto& jump) {
           return jump.first != 0 ? jump.second.count(0) == 0
                                  : jump.second == std::set<std::int64_t>{0};
         });
}

std::map<std::int64_t, std::set<std::int64_t>> jumps_of(const Addresses& one,
                                                        const Addresses& other) {
  std::map<std::int64_t, std::set<std::int64_t>> jumps;
  const std::int64_t apart = apart_in_pieces(one), its = apart_in_pieces(other);
  if (apart == 0 || its == 0) return jumps;
  const std::vector<Step> steps = steps_of_both(one, other);
  const std::vector<Step> of_one = jumps_between(one, steps, apart),
                          of_other = jumps_between(other, steps, its);
  for (std::size_t k = 0; k < steps.size(); ++k) jumps[of_one[k].bytes].insert(of_other[k].bytes);
  return jumps;
}

std::string pieces_text(const Addresses& begins, const char* rows) {
  const std::int64_t apart = apart_in_pieces(begins);
  std::vector<std::size_t> cut;
  for (const Step& step : steps_of(begins))
    if (step.bytes != step.lines() * apart) cut.push_back(step.to);
  return fmt::format("in pieces, cut before {}{} {}", rows, cut.size() == 1 ? "" : "s",
                     fmt::join(cut, ", "));
}

}  // namespace lanescope::viz
