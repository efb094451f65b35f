// SPDX-License-Identifier: MIT
// See touches.hpp: what no lane's address leads to. Bulk copies into and out of shared memory, and
// wgmma, which reads what its descriptors lead to.
#include <fmt/format.h>

#include <algorithm>

#include "layout/swizzle.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/memory/touches.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/way_begin.hpp"

namespace lanescope::viz {
namespace {

void add_copies(std::vector<Touch>& found, const trace::Trace& trace, RegisterHistory& history,
                const StepWarp& of, std::uint64_t address) {
  for (const Arrival* one : history.shared(trace, of).all(address)) {
    if (one->copy == nullptr) continue;
    Touch touch;
    touch.warp = one->item < 0 ? 0 : one->warp;
    touch.item = one->item;
    touch.writes = true;
    const std::string from = place_of_copied(trace, history, of, *one, address);
    const char* who = one->copy->action == "written" ? "a store of another CTA"
                      : one->began == nullptr        ? "a bulk copy of another CTA"
                                                     : "a bulk copy";
    touch.words = fmt::format("{} of {} bytes writes it{}", who, one->copy->bytes,
                              from.empty() ? "" : ", from " + from);
    found.push_back(std::move(touch));
  }
}

// What leaves by a bulk copy lies where it begins, one byte behind the other, where it is no box.
void add_stores(std::vector<Touch>& found, const trace::Trace& trace, const StepList& steps,
                const StepWarp& of, std::uint64_t address) {
  for (const trace::Event& event : trace.events) {
    const auto* sync = std::get_if<trace::Sync>(&event);
    if (sync == nullptr || sync->action != "store" || sync->address < 0 ||
        sync->place.launch != of.launch || sync->place.block != of.block)
      continue;
    const auto begin = static_cast<std::uint64_t>(sync->address);
    if (address < begin || address - begin >= static_cast<std::uint64_t>(sync->bytes)) continue;
    Touch touch;
    const StepPlace at = step_of(steps, of.launch, of.block, sync->place.warp, sync->step);
    touch.warp = at.item < 0 ? 0 : at.warp;
    touch.item = at.item;
    touch.words = fmt::format("a bulk copy of {} bytes out of shared memory reads it", sync->bytes);
    found.push_back(std::move(touch));
  }
}

// "A[9][5]": the element of a wgmma's operand that lies at that byte; "": it reads others.
std::string element_at(const DescriptorRead& read, std::uint64_t address) {
  if (!read.bits || read.width < 8) return {};
  const layout::Descriptor& d = read.descriptor;
  const layout::Tile tile{d.mode, read.major,  read.width,  0,
                          0,      d.lbo_bytes, d.sbo_bytes, d.lbo_bytes};
  // A swizzle moves bytes within their 128.
  constexpr std::uint32_t kLine = 128;
  const std::uint64_t first = d.start_bytes / kLine * kLine;
  const std::uint64_t last =
      d.start_bytes + layout::linear_offset(tile, read.mn - 1, read.k - 1) + kLine;
  if (address < first || address > last) return {};
  for (int mn = 0; mn < read.mn; ++mn)
    for (int k = 0; k < read.k; ++k) {
      const std::uint32_t byte = read.byte(mn, k);
      if (address < byte || address >= byte + static_cast<std::uint32_t>(read.width / 8)) continue;
      return read.element(mn, k);
    }
  return {};
}

// A warpgroup's wgmma is told of once, of the first of its warps that is recorded.
bool leads(const StepList& steps, const StepWarp& warp) {
  return std::none_of(steps.warps.begin(), steps.warps.end(), [&warp](const StepWarp& other) {
    return other.launch == warp.launch && other.block == warp.block &&
           other.warp / 4 == warp.warp / 4 && other.warp < warp.warp;
  });
}

void add_wgmmas(std::vector<Touch>& found, RegisterHistory& history, const StepWarp& of,
                std::uint64_t address) {
  const StepList& steps = history.list();
  for (std::size_t w = 0; w < steps.warps.size(); ++w) {
    const StepWarp& warp = steps.warps[w];
    if (warp.launch != of.launch || warp.block != of.block || !leads(steps, warp)) continue;
    for (const int item : history.wgmmas(static_cast<int>(w)))
      for (const char operand : {'A', 'B'}) {
        const StepPlace place{static_cast<int>(w), item, {}};
        const auto read = descriptor_read(history, place, operand);
        const std::string element = read ? element_at(*read, address) : "";
        if (element.empty()) continue;
        Touch touch;
        touch.warp = place.warp;
        touch.item = item;
        touch.words =
            fmt::format("wgmma: reads it as {}, through descriptor {}", element, read->name);
        found.push_back(std::move(touch));
      }
  }
}

}  // namespace

std::vector<Touch> touches(const trace::Trace& trace, RegisterHistory& history,
                           const trace::Memory& tile, int row, int col, std::size_t most) {
  const StepList& steps = history.list();
  std::vector<Touch> found = touches(steps, tile, row, col, most);
  const auto of =
      std::find_if(steps.warps.begin(), steps.warps.end(), [&tile](const StepWarp& one) {
        return one.launch == tile.place.launch && one.block == tile.place.block;
      });
  if (of == steps.warps.end() || tile.space != "shared" || row < 0 || row >= tile.rows || col < 0 ||
      col >= tile.cols)
    return found;
  const std::uint64_t address = element_address(tile, row, col);
  std::vector<Touch> others;
  add_copies(others, trace, history, *of, address);
  add_stores(others, trace, steps, *of, address);
  add_wgmmas(others, history, *of, address);
  found.insert(found.begin(), others.begin(), others.end());
  std::stable_sort(found.begin(), found.end(), [](const Touch& a, const Touch& b) {
    return std::pair(a.warp, a.item) < std::pair(b.warp, b.item);
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace lanescope::viz
