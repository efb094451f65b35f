// SPDX-License-Identifier: MIT
// See way_begin.hpp.
#include "panels/way/way_begin.hpp"

#include <fmt/format.h>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

// "of parameter 0": as any of this CTA's copies of that tensor names it, or "at 0x7f3a...".
std::string tensor_name(RegisterHistory& history, const SharedHistory& block,
                        const Arrival& arrival) {
  const Arrival* told = arrival.item < 0 ? block.of_tensor(arrival.copy->global) : &arrival;
  if (told != nullptr) {
    const trace::Step& step = *history.item(told->warp, told->item).step;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    if (operands.size() > 1)
      if (const std::string name =
              history.tensor_map_place(told->warp, told->item, operands[1], first_lane(step));
          !name.empty())
        return "of " + name;
  }
  return fmt::format("at 0x{:x}", arrival.copy->global);
}

}  // namespace

Beginning begin_of_access(RegisterHistory& history, const StepPlace& at, std::string_view operand,
                          int lane, int offset) {
  return {history.global_address(at.warp, at.item, operand, lane, offset),
          history.global_base(at.warp, at.item, operand, lane),
          history.global_place(at.warp, at.item, operand, lane, offset)};
}

Beginning begin_of_copy(RegisterHistory& history, const SharedHistory& block,
                        const Arrival& arrival, const BulkSource& source) {
  const trace::Sync& copy = *arrival.copy;
  if (!copy.tensor.empty())
    return {source.address, copy.global,
            fmt::format("{} of the tensor {}", coordinates_text(source.element),
                        tensor_name(history, block, arrival))};
  if (arrival.item >= 0) {
    const trace::Step& step = *history.item(arrival.warp, arrival.item).step;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    for (int lane = 0; lane < 32 && operands.size() > 1; ++lane)  // each may copy what it likes
      if ((step.active >> lane & 1) != 0 &&
          history.global_address(arrival.warp, arrival.item, operands[1], lane, 0) == copy.global)
        return begin_of_access(history, {arrival.warp, arrival.item, {}}, operands[1], lane,
                               static_cast<int>(source.address - copy.global));
  }
  return {source.address, 0, fmt::format("global memory at 0x{:x}", source.address)};
}

GlobalAccess access_of_copy(RegisterHistory& history, const Arrival& arrival) {
  if (arrival.item < 0) return {StepPlace::none(), {}, 0};
  const trace::Step& step = *history.item(arrival.warp, arrival.item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (operands.size() < 2) return {StepPlace::none(), {}, 0};
  return {{arrival.warp, arrival.item, {}}, operands[1], first_lane(step)};
}

std::string place_of_copied(const trace::Trace& trace, RegisterHistory& history, const StepWarp& of,
                            const Arrival& arrival, std::uint64_t address) {
  const std::optional<BulkSource> source = bulk_source(*arrival.copy, address);
  if (!source) return {};
  if (!source->inside) return "outside of the tensor";
  return begin_of_copy(history, history.shared(trace, of), arrival, *source).place;
}

}  // namespace lanescope::viz
