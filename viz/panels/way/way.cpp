// SPDX-License-Identifier: MIT
// See way.hpp.
#include "panels/way/way.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/memory/touches.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/tensor_products.hpp"
#include "panels/way/way_back.hpp"
#include "panels/way/wmma_moves.hpp"

namespace lanescope::viz {
namespace {

bool writes(const trace::Step& step, std::string_view name) {
  return std::any_of(step.writes.begin(), step.writes.end(),
                     [name](const trace::Write& write) { return write.name == name; });
}

// Among the operands from `first` on.
bool reads(std::string_view ptx, std::string_view name, std::size_t first) {
  const std::vector<std::string_view> operands = operands_of(ptx);
  for (std::size_t k = first; k < operands.size(); ++k)
    if (place_among(registers_in(operands[k]), name) >= 0) return true;
  return false;
}

// Forwards: the first multiplication of the warp behind `item` that reads the register.
void into_product(Way& way, const RegisterHistory& history, int warp, int item,
                  std::string_view name, const std::string& made) {
  const auto& items = history.warp(warp).items;
  for (std::size_t at = static_cast<std::size_t>(item) + 1; at < items.size(); ++at) {
    const trace::Step& step = *items[at].step;
    if (multiplies(mnemonic_of(step.ptx)) && reads(step.ptx, name, 1)) {
      way.stops.push_back({{warp, static_cast<int>(at), {}}, -1, way_opcode(step) + ": " + made});
      return;
    }
    if (writes(step, name)) return;
  }
}

bool stores_to_global(const StepItem& item) {
  const std::string_view name = mnemonic_of(item.step->ptx);
  return name.starts_with("st.global") ||
         (name.starts_with("wmma.store") && item.access == nullptr);
}

// "global memory, byte 298 behind parameter 2": where a store takes what is in a register.
std::string stored_place(RegisterHistory& history, const StepPlace& at, std::string_view operand,
                         const Spot& from) {
  const trace::Step& step = *history.item(at.warp, at.item).step;
  const int index = place_among(registers_in(operands_of(step.ptx)[1]), from.name);
  const std::optional<int> offset =
      moves_fragment(mnemonic_of(step.ptx))
          ? offset_of_fragment(history, at, from)
          : std::optional<int>(index * element_bytes(step.ptx) + from.bit / 8);
  return offset ? history.global_place(at.warp, at.item, operand, from.lane, *offset)
                : "global memory";
}

// Forwards from D: where its lane writes it to memory.
void into_memory(Way& way, RegisterHistory& history, int warp, int item, const Spot& from) {
  const auto& items = history.warp(warp).items;
  for (std::size_t at = static_cast<std::size_t>(item) + 1; at < items.size(); ++at) {
    const trace::Step& step = *items[at].step;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    const StepPlace place{warp, static_cast<int>(at), {}};
    const bool active = (step.active >> from.lane & 1) != 0;
    if (active && stores_to_global(items[at]) && reads(step.ptx, from.name, 1)) {
      way.stops.push_back({place, from.lane,
                           fmt::format("{}: lane {} writes it to {}", way_opcode(step), from.lane,
                                       stored_place(history, place, operands[0], from))});
      return;
    }
    if (writes(step, from.name)) return;
  }
}

// Of an element of D in tensor memory: left there, brought to a lane, written to memory.
Way out_of_tensor_memory(const StepList& steps, const TensorProduct& product,
                         const layout::Holder& held) {
  const TensorProduct::Fetched& from = product.at(held.thread, held.register_index);
  if (from.arrival == nullptr) return {};
  const std::string place = tensor_place(product, held.thread, held.register_index);
  RegisterHistory history(steps);
  const StepPlace load = place_of_step(steps, *from.load);
  const StepPlace arrival = place_of_step(steps, *from.arrival);
  Way way;
  way.stops.push_back({last_of(steps, product), -1, "tcgen05.mma: leaves it in " + place});
  way.stops.push_back({load, from.lane,
                       fmt::format("tcgen05.ld: from there to lane {}, {}", from.lane, from.name)});
  if (arrival.item != load.item)
    way.stops.push_back({arrival, from.lane, "tcgen05.wait: it is there"});
  into_memory(way, history, arrival.warp, arrival.item, {from.name, from.lane, from.bit});
  return way;
}

std::string made_text(const Multiplication& in, char operand, const layout::Element& e) {
  const layout::Instruction& i = *in.instruction;
  if (operand == 'A') return fmt::format("for D[{0}][0] to D[{0}][{1}]", e.row, i.N - 1);
  if (operand == 'B') return fmt::format("for D[0][{0}] to D[{1}][{0}]", e.col, i.M - 1);
  return fmt::format("adds to it for D[{}][{}]", e.row, e.col);
}

}  // namespace

Way way_of(const trace::Trace& trace, const StepList& steps, const Multiplication& in,
           const Selection& selection) {
  const trace::Fragment* data = in.fragment(selection.operand);
  if (selection.picked != Picked::element || steps.empty()) return {};
  const std::string made = made_text(in, selection.operand, selection.element);
  if (data == nullptr) return way_through_descriptor(trace, steps, in, selection, made);
  const layout::Fragment& map = *in.map(selection.operand);
  const layout::Holder held =
      in.holder(selection.operand, selection.element.row, selection.element.col);
  const auto bits = element_bits(in, selection.operand, held);
  if (held.thread < 0 || !bits) return {};
  if (in.tensor != nullptr) return out_of_tensor_memory(steps, *in.tensor, held);
  RegisterHistory history(steps);
  const auto [by, name] =
      register_step(history, in, selection.operand, held.thread, held.register_index);
  if (by.item < 0) return {};
  const Spot at{name, held.thread % 32, held.bit};
  Way way = way_back(trace, history, by, at, map.payload_bits(), *bits);
  const StepPlace product = product_step(steps, in, held.thread);
  if (selection.operand == 'D')
    into_memory(way, history, by.warp, by.item, at);
  else if (product.item >= 0)
    way.stops.push_back(
        {product, -1, way_opcode(*history.item(product.warp, product.item).step) + ": " + made});
  else
    into_product(way, history, by.warp, by.item, at.name, made);
  return way;
}

std::vector<Way> ways_of(const trace::Trace& trace, const StepList& steps, const StepPlace& at,
                         bool written, std::string_view name, int lane) {
  RegisterHistory history(steps);
  const int item = history.writer(at.warp, written ? at.item + 1 : at.item, name, lane);
  const trace::Write* write = history.written(at.warp, item, name);
  if (write == nullptr) return {};
  const bool halves = write->bits == 32 &&
                      mnemonic_of(history.item(at.warp, item).step->ptx).starts_with("ldmatrix");
  const int width = halves ? 16 : write->bits;
  std::vector<Way> ways;
  for (int bit = 0; bit < write->bits; bit += width) {
    const std::uint64_t pattern = write->lanes[static_cast<std::size_t>(lane)] >> bit;
    const std::uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
    ways.push_back(way_back(trace, history, {at.warp, item, {}}, {write->name, lane, bit}, width,
                            pattern & mask));
    into_product(ways.back(), history, at.warp, item, write->name, "reads it");
  }
  return ways;
}

bool has_stop_at(const Way& way, const StepPlace& place) {
  return std::any_of(way.stops.begin(), way.stops.end(), [&place](const WayStop& stop) {
    return stop.place.warp == place.warp && stop.place.item == place.item;
  });
}

std::string place_of(const StepList& steps, const StepPlace& place) {
  Touch touch;
  touch.warp = place.warp;
  touch.item = place.item;
  return touch_place(steps, touch);
}

std::string way_text(const StepList& steps, const Way& way) {
  if (way.stops.empty()) return {};
  std::string text = "  its way\n";
  if (!way.before.empty()) text += fmt::format("    ({})\n", way.before);
  std::size_t widest = 0;
  for (const WayStop& stop : way.stops)
    widest = std::max(widest, place_of(steps, stop.place).size());
  for (const WayStop& stop : way.stops)
    text += fmt::format("    {:<{}}  {}\n", place_of(steps, stop.place), widest, stop.text);
  return text;
}

}  // namespace lanescope::viz
