// SPDX-License-Identifier: MIT
// See gathered.hpp.
#include "panels/way/gathered.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace lanescope::viz {
namespace {

using Groups = std::map<Numbers, std::set<std::uint64_t>>;  // addresses, by what found them

constexpr std::uint64_t kApart = 4096;  // of lines that are found one by one

// How far apart the lines of one are at least; `each` bytes an element. 0: it has only one.
std::uint64_t apart_in(const std::set<std::uint64_t>& addresses, int each) {
  std::uint64_t apart = 0, begin = *addresses.begin(), before = begin;
  for (const std::uint64_t address : addresses) {
    if (address > before + static_cast<std::uint64_t>(each)) {
      apart = apart == 0 ? address - begin : std::min(apart, address - begin);
      begin = address;
    }
    before = address;
  }
  return apart;
}

// Of lines that are found by one number each; 0: by several.
std::uint64_t apart_of_numbers(const Groups& groups) {
  std::uint64_t apart = 0, before = 0;
  for (const auto& [numbers, addresses] : groups) {
    if (numbers.size() != 1) return 0;
    const std::uint64_t here = *numbers.begin();
    if (before != 0) apart = std::gcd(apart, here - before);
    before = here;
  }
  return apart;
}

}  // namespace

std::vector<Numbers> without_common(std::vector<Numbers> all) {
  std::optional<Numbers> common;
  for (const Numbers& one : all) {
    if (one.empty()) continue;
    if (!common) common = one;
    for (auto at = common->begin(); at != common->end();)
      at = one.count(*at) != 0 ? std::next(at) : common->erase(at);
  }
  for (Numbers& one : all)
    for (auto at = one.begin(); at != one.end();)
      at = common->count(*at) != 0 ? one.erase(at) : std::next(at);
  return all;
}

std::optional<LaidAnew> laid_anew(const std::vector<std::optional<FoundBy>>& all, int each,
                                  bool gaps) {
  std::vector<Numbers> own;
  for (const auto& one : all) own.push_back(one ? one->numbers : Numbers());
  own = without_common(std::move(own));
  Groups groups;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k]) groups[own[k]].insert(all[k]->address);
  if (groups.size() < 2) return std::nullopt;
  std::uint64_t apart = 0;
  for (const auto& [numbers, addresses] : groups)
    if (const std::uint64_t one = apart_in(addresses, each); one != 0)
      apart = apart == 0 ? one : std::min(apart, one);
  const std::uint64_t numbers_apart = gaps && apart == 0 ? apart_of_numbers(groups) : 0;
  LaidAnew found;
  found.apart = static_cast<std::int64_t>(apart);
  if (apart == 0) apart = kApart;
  found.groups = groups.size();
  found.one_by_one = numbers_apart != 0;
  std::map<Numbers, std::uint64_t> begins;  // of each, less where it lies
  std::uint64_t next = kApart;
  for (const auto& [numbers, addresses] : groups) {
    if (numbers_apart != 0)
      next = kApart + (*numbers.begin() - *groups.begin()->first.begin()) / numbers_apart * apart;
    begins[numbers] = next - *addresses.begin();
    next += ((*addresses.rbegin() - *addresses.begin()) / apart + 1) * apart;
    if (found.first == 0 && !numbers.empty()) found.first = *numbers.begin();
    if (!numbers.empty()) found.last = *numbers.rbegin();
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    found.at.push_back(all[k] ? all[k]->address + begins.at(own[k]) : 0);
  return found;
}

}  // namespace lanescope::viz
