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
constexpr std::int64_t kWidest = 8;                         // a filter of 7 pixels, and more

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
  return steps_of(those_of_both(one, other));
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
  const std::vector<Step> steps = steps_of(begins);
  for (const Step& step : steps)
    if (step.lines() == 1) {
      ++counts[step.bytes];
      ++neighbours;
    }
  std::int64_t apart = 0;
  for (const auto& [bytes, count] : counts)
    if (apart == 0 && 2 * count >= neighbours) apart = bytes;
  if (apart <= 0 || apart > kMostApart) return 0;
  std::set<std::int64_t> jumps;
  for (const Step& step : steps) {
    const std::int64_t jump = step.bytes - step.lines() * apart;
    if (step.bytes > kMostApart || jump <= -kWidest * apart) return 0;
    jumps.insert(jump);
  }
  jumps.erase(0);
  // Who jumps on and back as far has taken another line in between.
  const auto comes_back = [&jumps](std::int64_t jump) { return jumps.count(-jump) != 0; };
  return jumps.empty() || std::any_of(jumps.begin(), jumps.end(), comes_back) ? 0 : apart;
}

std::int64_t apart_in_one(const Addresses& begins) {
  std::int64_t apart = 0;
  for (const Step& step : steps_of(begins)) {
    if (apart == 0) apart = step.bytes / step.lines();
    if (apart <= 0 || step.bytes != step.lines() * apart) return 0;
  }
  return apart;
}

Addresses those_of_both(Addresses one, const Addresses& other) {
  for (std::size_t k = 0; k < one.size(); ++k)
    if (k >= other.size() || !other[k]) one[k].reset();
  return one;
}

bool lie_alike(const Addresses& one, const Addresses& other) {
  const std::vector<Step> steps = steps_of_both(one, other);
  return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.bytes == between(*other[step.from], *other[step.to]);
  });
}

void fill_in(Addresses& one, const Addresses& other) {
  if (one.empty()) one.resize(other.size());
  const auto is_none = [](const std::optional<std::uint64_t>& line) { return !line; };
  if (std::all_of(one.begin(), one.end(), is_none)) {
    one = other;
    return;
  }
  std::size_t both = 0;
  while (both < one.size() && (both >= other.size() || !one[both] || !other[both])) ++both;
  if (both == one.size()) return;
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k)
    if (!one[k] && other[k]) one[k] = *one[both] + (*other[k] - *other[both]);
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
