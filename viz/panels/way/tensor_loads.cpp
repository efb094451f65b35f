// SPDX-License-Identifier: MIT
// See tensor_loads.hpp.
#include "panels/way/tensor_loads.hpp"

#include <optional>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_reads.hpp"

namespace lanescope::viz {
namespace {

struct SumPlace {
  const trace::Step* first = nullptr;
  const StepWarp* warp = nullptr;
  TensorD d;
};

bool of_one_block(const StepWarp& a, const StepWarp& b) {
  return a.launch == b.launch && a.block == b.block;
}

std::optional<TensorLoaded> loaded(RegisterHistory& history, int warp, int item,
                                   const Writers& writers) {
  const trace::Step& step = *history.item(warp, item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  TensorLoaded load;
  load.place = {warp, item, {}};
  load.mover = layout::find_mover(mnemonic_of(step.ptx));
  // ld.red has a register more, before the address.
  const std::size_t at = mnemonic_of(step.ptx).starts_with("tcgen05.ld.red.") ? 2 : 1;
  if (load.mover == nullptr || operands.size() <= at) return std::nullopt;
  const auto address = tensor_memory_address(history, load.place, operands[at]);
  if (!address) return std::nullopt;
  load.lane = static_cast<int>(*address >> 16);
  load.column = static_cast<int>(*address & 0xffff);
  if (operands.size() > at + 1)
    load.apart = static_cast<int>(whole_number(operands[at + 1]).value_or(load.apart));
  const int wait = arrives_at(history.warp(warp), writers, item);
  if (wait < 0 && step.writes.empty()) return std::nullopt;
  load.arrival = {warp, wait < 0 ? item : wait, {}};
  return load;
}

// D of M 64 has 16 lanes of a warp's 32; another one's may lie in the others, in the same columns.
bool is_of_other_half(const TensorD& d, const TensorLoaded& load) {
  const layout::Fragment& map = d.map->registers;
  return !map.provided_by(16) && load.mover->registers.rows == 16 &&
         ((load.lane ^ d.lane) & 16) != 0;
}

// The last that had begun, of those whose D has the place where the load begins.
int sum_at(const std::vector<SumPlace>& sums, const StepWarp& warp, const trace::Step* when,
           const TensorLoaded& load) {
  int found = -1;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const SumPlace& one = sums[k];
    if (one.d.map == nullptr || !of_one_block(*one.warp, warp) || one.first > when) continue;
    const int columns = one.d.map->registers.values;
    if (load.column + load.mover->registers.cols <= one.d.column ||
        load.column >= one.d.column + columns || is_of_other_half(one.d, load))
      continue;
    if (found < 0 || one.first > sums[static_cast<std::size_t>(found)].first)
      found = static_cast<int>(k);
  }
  return found;
}

}  // namespace

TensorLoaded::Place TensorLoaded::at(const layout::Mover& as, int thread, int value) const {
  const layout::Fragment& map = as.registers;
  const layout::Element e = map.element(thread, value);
  return {lane + e.row, column + e.col + e.matrix * apart};
}

std::vector<TensorLoaded> tensor_loads(RegisterHistory& history,
                                       const std::vector<TensorSum>& sums) {
  std::vector<SumPlace> places;
  for (const TensorSum& sum : sums) {
    const StepPlace& first = sum.front().place;
    places.push_back({history.item(first.warp, first.item).step, &history.warp(first.warp),
                      tensor_d(history, first)});
  }
  std::vector<TensorLoaded> all;
  for (std::size_t w = 0; w < history.list().warps.size(); ++w) {
    const StepWarp& warp = history.list().warps[w];
    const Writers writers = writers_of(warp);
    for (int item = 0; item < static_cast<int>(warp.items.size()); ++item) {
      const trace::Step* step = warp.items[static_cast<std::size_t>(item)].step;
      if (!mnemonic_of(step->ptx).starts_with("tcgen05.ld.")) continue;
      auto load = loaded(history, static_cast<int>(w), item, writers);
      if (!load) continue;
      load->sum = sum_at(places, warp, step, *load);
      all.push_back(*load);
    }
  }
  return all;
}

}  // namespace lanescope::viz
