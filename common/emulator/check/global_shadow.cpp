// SPDX-License-Identifier: MIT
#include "emulator/check/global_shadow.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kNear = std::uint64_t{1} << 26;  // as p - 1, p + rows * stride

// Calls act(allocation) for what looks like a pointer in the bytes of a parameter. The end of one
// allocation may be the beginning of the next. An empty range: it lies outside of all, not far from
// one, and may mean any.
template <class Act>
void each_pointer(const LaunchState& launch, const Kernel::Parameter& parameter, Act act) {
  const auto first = static_cast<std::size_t>(parameter.offset_bytes);
  const auto end = first + static_cast<std::size_t>(parameter.size_bytes);
  for (std::size_t at = first; at + 8 <= std::min(end, launch.parameters.size()); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, launch.parameters.data() + at, 8);
    const Range range = launch.memory->find(word), before = launch.memory->find(word - 1);
    if (range.end != 0) act(range);
    if (before.end != 0) act(before);
    if (range.end == 0 && before.end == 0 && launch.memory->is_near(word, kNear)) act(Range{});
  }
}

// Of the parameters that the kernel stores through, all that point to the same allocations.
SourceMask written_by(const LaunchState& launch, const CheckPlan& plan) {
  const std::size_t function =
      static_cast<std::size_t>(launch.function - launch.program->functions.data());
  const SourceMask through = plan.written[function];
  if ((through & kAnySource) != 0) return ~SourceMask{0};
  // Beside another launch what is read counts, too.
  if (launch.before != nullptr || plan.lets_begin[function]) return ~SourceMask{0};
  const auto& parameters = launch.request->kernel->parameters;
  std::vector<std::uint64_t> written;
  for (std::size_t k = 0; k < parameters.size() && k < 63; ++k)
    if (((through >> k) & 1) != 0)
      each_pointer(launch, parameters[k],
                   [&](const Range& range) { written.push_back(range.begin); });
  const auto is_written = [&](std::uint64_t begin) {
    return std::find(written.begin(), written.end(), begin) != written.end();
  };
  if (is_written(0)) return ~SourceMask{0};
  SourceMask all = kAnySource | through;
  for (std::size_t k = 0; k < parameters.size() && k < 63; ++k)
    each_pointer(launch, parameters[k], [&](const Range& range) {
      if (range.end == 0 || is_written(range.begin)) all |= SourceMask{1} << k;
    });
  return all;
}

}  // namespace

GlobalWatch::GlobalWatch(const LaunchState& launch, const CheckPlan& plan, std::uint64_t clusters)
    : shadow(*launch.memory),
      releases(clusters),
      written(written_by(launch, plan)),
      has_flags(plan.has_flags[static_cast<std::size_t>(launch.function -
                                                        launch.program->functions.data())]),
      lets_begin(plan.lets_begin[static_cast<std::size_t>(launch.function -
                                                          launch.program->functions.data())]) {}

bool GlobalShadow::find(std::uint64_t address) {
  for (const std::unique_ptr<Region>& region : regions_) {
    if (!region->range.contains(address, 1)) continue;
    last_ = region.get();
    return true;
  }
  const Range range = memory_.find(address);
  if (!range.contains(address, 1)) return false;
  Region& made = *regions_.emplace_back(std::make_unique<Region>());
  made.range = range;
  made.pages.resize((range.end - 1) / kPageBytes - range.begin / kPageBytes + 1);
  last_ = &made;
  return true;
}

const GlobalShadow::Page* GlobalShadow::existing_page(std::uint64_t address) const {
  for (const std::unique_ptr<Region>& region : regions_)
    if (region->range.contains(address, 1))
      return region->pages[address / kPageBytes - region->range.begin / kPageBytes].get();
  return nullptr;
}

std::unique_ptr<GlobalShadow::Page> GlobalShadow::new_page(std::uint64_t address,
                                                           std::uint64_t bytes) {
  auto page = std::make_unique<Page>();
  const std::uint64_t aligned = address | bytes | 16;
  page->shift = std::max(kWordShift, static_cast<unsigned>(__builtin_ctzll(aligned)));
  page->writes.resize(kPageBytes >> page->shift);
  return page;
}

// Words from now on: each knows what the larger cell knew.
void GlobalShadow::refine(Page& page) {
  const std::size_t parts = std::size_t{1} << (page.shift - kWordShift);
  const auto spread = [&](auto& cells) {
    std::remove_reference_t<decltype(cells)> words;
    words.reserve(cells.size() * parts);
    for (const auto& cell : cells) words.insert(words.end(), parts, cell);
    cells = std::move(words);
  };
  spread(page.writes);
  spread(page.reads);
  page.shift = kWordShift;
}

void GlobalShadow::split(Page& page, std::size_t word) {
  if (page.bytes.empty()) page.bytes.resize(kPageBytes);
  const GlobalReads reads = page.reads.empty() ? GlobalReads{} : page.reads[word];
  for (std::size_t k = 0; k < 4; ++k) page.bytes[4 * word + k] = {page.writes[word], reads};
  page.writes[word].mark = GlobalTouch::kIsSplit;
}

}  // namespace lanescope::emulator
