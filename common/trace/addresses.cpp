// SPDX-License-Identifier: MIT
// See addresses.hpp.
#include "trace/addresses.hpp"

#include <algorithm>

namespace lanescope::trace {
namespace {

// So far outside of its allocation an address is still one of it: loops carry their pointers past
// the end, and begin before the first element.
constexpr std::uint64_t kOutside_bytes = std::uint64_t{1} << 20;
constexpr int kAddressBits = 64;

using Given = std::map<int, const std::vector<Allocation>*>;  // by launch

Given given(const Trace& trace) {
  Given all;
  for (const Event& event : trace.events)
    if (const auto* launch = std::get_if<Launch>(&event);
        launch != nullptr && !launch->allocations.empty())
      all.emplace(launch->launch, &launch->allocations);
  return all;
}

}  // namespace

Addresses::Addresses(const Trace& a, const Trace& b) {
  const Given others = given(b);
  for (const auto& [launch, mine] : given(a)) {
    const auto there = others.find(launch);
    if (there == others.end()) continue;
    Moved& moved = launches_[launch];
    const std::size_t count = std::min(mine->size(), there->second->size());
    for (std::size_t n = 0; n < count; ++n) {
      const Allocation& from = (*mine)[n];
      const std::uint64_t begin = from.address, end = begin + from.bytes;
      moved[(*there->second)[n].address - begin].push_back(
          {begin - std::min(begin, kOutside_bytes),
           end > ~kOutside_bytes ? ~std::uint64_t{0} : end + kOutside_bytes});
    }
  }
}

bool Addresses::are_alike(const Step& a, std::size_t write, std::size_t lane, const Step& b) const {
  if (a.writes[write].bits != kAddressBits || b.writes[write].bits != kAddressBits) return false;
  const auto launch = launches_.find(a.place.launch);
  if (launch == launches_.end()) return false;
  const std::uint64_t word = a.writes[write].lanes[lane];
  const auto moved = launch->second.find(b.writes[write].lanes[lane] - word);
  if (moved == launch->second.end()) return false;
  return std::any_of(moved->second.begin(), moved->second.end(), [word](const Range& range) {
    return word >= range.begin && word <= range.end;
  });
}

}  // namespace lanescope::trace
