// SPDX-License-Identifier: MIT
// See touches.hpp.
#include "panels/memory/touches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/mover.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/memory/shared_history.hpp"

namespace lanescope::viz {
namespace {

bool starts(std::string_view words, std::string_view with) {
  return words.substr(0, with.size()) == with;
}

void name_register(Touch& touch, const trace::Step& step, int index) {
  if (index < 0 || index >= static_cast<int>(step.writes.size())) return;
  const trace::Write& write = step.writes[static_cast<std::size_t>(index)];
  touch.register_name = write.name;
  touch.watch = write.watch;
}

// ldmatrix: the lane whose address it is, is not the lane that gets it.
void through_matrix(Touch& touch, const layout::Mover& mover, const trace::Step& step,
                    int offset_bits) {
  const auto place = mover.addressed_row(touch.lane);
  if (!place || mover.registers.element_bits <= 0) return;
  const layout::Element element{place->row, offset_bits / mover.registers.element_bits,
                                place->matrix};
  for (const layout::Holder& holder : layout::holders(mover.registers, element)) {
    touch.to_lane = holder.thread;
    touch.bit = holder.bit + offset_bits % mover.registers.element_bits;
    name_register(touch, step, holder.register_index);
    return;
  }
}

// ld: the bytes go to the lane's own registers, one after the other.
void to_itself(Touch& touch, const trace::Step& step, int offset_bits) {
  int from = 0;
  for (std::size_t k = 0; k < step.writes.size(); ++k) {
    const int bits = step.writes[k].bits;
    if (offset_bits < from + bits) {
      touch.to_lane = touch.lane;
      touch.bit = offset_bits - from;
      return name_register(touch, step, static_cast<int>(k));
    }
    from += bits;
  }
}

// wmma.load: the pieces of a lane fill its registers one after another.
void through_fragment(Touch& touch, const StepItem& item, std::size_t piece, int offset_bits) {
  const std::size_t pieces = item.access->addresses.size() / 32;
  const std::size_t each = pieces / std::max<std::size_t>(item.step->writes.size(), 1);
  if (each == 0) return;
  touch.to_lane = touch.lane;
  touch.bit = static_cast<int>(piece % each) * item.access->bytes_per_lane * 8 + offset_bits;
  name_register(touch, *item.step, static_cast<int>(piece / each));
}

// `place`: of the address, among all of them.
Touch touch_of(const StepItem& item, std::size_t place, int offset_bits) {
  Touch touch;
  touch.lane = static_cast<int>(place % 32);
  touch.writes = writes_memory(item.access->instruction);
  if (touch.writes) return touch;
  if (starts(item.access->instruction, "ldmatrix")) {
    if (const layout::Mover* mover = layout::find_mover(item.access->instruction))
      through_matrix(touch, *mover, *item.step, offset_bits);
  } else if (starts(item.access->instruction, "ld.")) {
    to_itself(touch, *item.step, offset_bits);
  } else if (starts(item.access->instruction, "wmma.")) {
    through_fragment(touch, item, place / 32, offset_bits);
  }
  return touch;
}

}  // namespace

std::vector<Touch> touches(const StepList& steps, const trace::Memory& tile, int row, int col,
                           std::size_t most) {
  if (tile.space != "shared" || row < 0 || row >= tile.rows || col < 0 || col >= tile.cols)
    return {};
  const std::uint64_t address = element_address(tile, row, col);
  const int bit = element_bits(tile) * col % 8;
  std::vector<Touch> found;
  for (std::size_t w = 0; w < steps.warps.size(); ++w) {
    const StepWarp& warp = steps.warps[w];
    if (warp.launch != tile.place.launch || warp.block != tile.place.block) continue;
    for (std::size_t k = 0; k < warp.items.size(); ++k) {
      const trace::Access* access = warp.items[k].access;
      if (access == nullptr) continue;
      for (std::size_t at = 0; at < access->addresses.size(); ++at) {
        const std::uint64_t from = access->addresses[at];
        if ((access->active >> at % 32 & 1) == 0 || address < from ||
            address >= from + static_cast<std::uint64_t>(access->bytes_per_lane))
          continue;
        if (found.size() >= most) return found;
        found.push_back(touch_of(warp.items[k], at, static_cast<int>(address - from) * 8 + bit));
        found.back().warp = static_cast<int>(w);
        found.back().item = static_cast<int>(k);
      }
    }
  }
  return found;
}

std::string touch_place(const StepList& steps, const Touch& touch) {
  if (touch.item < 0) return "not recorded";
  const StepWarp& warp = steps.warps[static_cast<std::size_t>(touch.warp)];
  const auto number = warp.items[static_cast<std::size_t>(touch.item)].step->step;
  return steps.warps.size() > 1 ? fmt::format("warp {}, step {}", warp.warp, number)
                                : fmt::format("step {}", number);
}

std::string touch_text(const StepList& steps, const Touch& touch, int bits) {
  if (!touch.words.empty()) return touch.words;
  const StepItem& item =
      steps.warps[static_cast<std::size_t>(touch.warp)].items[static_cast<std::size_t>(touch.item)];
  const std::string& whole = item.access->instruction;
  const std::string name = whole.substr(0, whole.find('.'));
  if (touch.writes) return fmt::format("{}: lane {} writes it", name, touch.lane);
  if (touch.to_lane < 0) return fmt::format("{}: lane {} reads it", name, touch.lane);
  const bool its_own = name == "ld" || name == "wmma";
  const std::string by =
      touch.to_lane == touch.lane && its_own ? "" : fmt::format(" lane {}'s address,", touch.lane);
  return fmt::format("{}:{} to lane {}, {}, bits {}..{}", name, by, touch.to_lane,
                     touch.watch.empty() ? touch.register_name : touch.watch, touch.bit,
                     touch.bit + bits - 1);
}

}  // namespace lanescope::viz
