// SPDX-License-Identifier: MIT
// See sum_sources.hpp.
#include "panels/way/sum_sources.hpp"

#include <algorithm>

#include "layout/mover.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostSources = 64;

// The one that arrived last; none where two of one time are not the same.
SumElement later(const SumElement& a, const SumElement& b) {
  if (a.arrived == nullptr || b.arrived == nullptr) return a.arrived == nullptr ? b : a;
  if (a.arrived != b.arrived) return a.arrived < b.arrived ? b : a;
  return a == b ? a : SumElement{-1, {}, a.arrived};
}

}  // namespace

SumSources::SumSources(const Model& model, RegisterHistory& history)
    : model_(model), history_(history) {
  for (std::size_t p = 0; p < model.multiplications.size(); ++p) {
    const Multiplication& in = model.multiplications[p];
    if (in.map('D') == nullptr || in.fragment('D') == nullptr || in.map('D')->matrices > 1)
      continue;
    for (int first = 0; first < in.threads(); first += 32) {
      const RegisterStep by = register_step(history_, in, 'D', first, 0);
      const StepPlace product = product_step(history_.list(), in, first);
      if (by.place.item < 0 || product.item < 0) continue;
      arrivals_[{by.place.warp, by.place.item}].push_back(
          {static_cast<int>(p),
           matrix_registers(history_.item(product.warp, product.item).step->ptx, 'D'), first});
    }
  }
}

const SumSources::Arrived* SumSources::arrival(int warp, int item, std::string_view name) const {
  const auto here = arrivals_.find({warp, item});
  if (here == arrivals_.end()) return nullptr;
  for (const Arrived& one : here->second)
    if (place_among(one.names, name) >= 0) return &one;
  return nullptr;
}

SumElement SumSources::of(int warp, int before, const Spot& at) {
  const int item = history_.writer(warp, before, at.name, at.lane);
  const trace::Write* write = history_.written(warp, item, at.name);
  if (write == nullptr || at.bit >= write->bits) return {};
  const auto [found, is_new] = known_.try_emplace({write, at.lane, at.bit});
  if (!is_new || depth_ >= kMostSources) return found->second;
  ++depth_;
  const SumElement element = made(warp, item, *write, at);
  --depth_;
  return known_[{write, at.lane, at.bit}] = element;
}

SumElement SumSources::made(int warp, int item, const trace::Write& write, const Spot& at) {
  const trace::Step& step = *history_.item(warp, item).step;
  if (const Arrived* arrived = arrival(warp, item, at.name)) {
    const layout::Fragment& map =
        *model_.multiplications[static_cast<std::size_t>(arrived->product)].map('D');
    const int value = place_among(arrived->names, at.name) * map.values_per_register() +
                      at.bit / map.element_bits;
    const layout::Element element = map.element(arrived->first_thread + at.lane, value);
    return map.contains(element) ? SumElement{arrived->product, element, &step} : SumElement{};
  }
  const std::string_view name = mnemonic_of(step.ptx);
  if (name.starts_with("ld.")) return loaded(warp, item, at);
  for (const std::string_view other : {"ldmatrix", "shfl", "atom", "mma.", "wmma", "wgmma"})
    if (name.starts_with(other)) return {};
  if (name.starts_with("mov.")) return moved(warp, item, write, at);
  return reckoned(warp, item, write, at);
}

SumElement SumSources::moved(int warp, int item, const trace::Write& write, const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(history_.item(warp, item).step->ptx);
  if (operands.size() != 2) return {};
  const std::vector<std::string_view> to = registers_in(operands[0]),
                                      from = registers_in(operands[1]);
  if (from.empty() || to.empty()) return {};
  // One into several: the others come before it.
  const int bit = at.bit + std::max(place_among(to, at.name), 0) * write.bits * (to.size() > 1);
  const int part = write.bits * static_cast<int>(to.size()) / static_cast<int>(from.size());
  const auto which = static_cast<std::size_t>(bit / std::max(part, 1));
  if (which >= from.size()) return {};
  return of(warp, item, {from[which], at.lane, bit % std::max(part, 1)});
}

SumElement SumSources::loaded(int warp, int item, const Spot& at) {
  const StepItem& it = history_.item(warp, item);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  if (it.access == nullptr || operands.size() != 2 || (it.access->active >> at.lane & 1) == 0)
    return {};
  const int index = std::max(place_among(registers_in(operands[0]), at.name), 0);
  const std::uint64_t address =
      it.access->addresses[static_cast<std::size_t>(at.lane)] +
      static_cast<std::uint64_t>(index * element_bytes(it.step->ptx) + at.bit / 8);
  return in_shared(warp, it.step, address, at.bit % 8);
}

SumElement SumSources::in_shared(int warp, const void* before, std::uint64_t address, int bit) {
  const SharedHistory& shared = history_.shared(model_.trace, history_.warp(warp));
  const Arrival* last = shared.last(address, before);
  if (last == nullptr || last->copy != nullptr || last->item < 0) return {};
  return stored(*last, address, bit);
}

// By st.shared, or by stmatrix, whose lanes' addresses are rows.
SumElement SumSources::stored(const Arrival& arrival, std::uint64_t address, int bit) {
  const StepItem& it = history_.item(arrival.warp, arrival.item);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  const std::string_view name = mnemonic_of(it.step->ptx);
  if (operands.size() != 2) return {};
  const std::vector<std::string_view> names = registers_in(operands[1]);
  const int offset = static_cast<int>(address - arrival.begin);
  if (name.starts_with("st.")) {
    const int bytes = std::max(element_bytes(it.step->ptx), 1);
    const auto which = static_cast<std::size_t>(offset / bytes);
    if (which >= names.size()) return {};
    return of(arrival.warp, arrival.item, {names[which], arrival.lane, offset % bytes * 8 + bit});
  }
  const layout::Mover* mover = layout::find_mover(name);
  const auto row = mover != nullptr ? mover->addressed_row(arrival.lane) : std::nullopt;
  if (!row) return {};
  const int bits = mover->registers.element_bits;
  for (const layout::Holder& held :
       layout::holders(mover->registers, {row->row, offset * 8 / bits, row->matrix}))
    if (static_cast<std::size_t>(held.register_index) < names.size())
      return of(arrival.warp, arrival.item,
                {names[static_cast<std::size_t>(held.register_index)], held.thread,
                 held.bit + offset * 8 % bits + bit});
  return {};
}

// Of two numbers side by side each is made of its own half; a conversion of two has the upper
// first.
SumElement SumSources::reckoned(int warp, int item, const trace::Write& write, const Spot& at) {
  const trace::Step& step = *history_.item(warp, item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::string_view name = mnemonic_of(step.ptx);
  const bool pairs = name.find("x2") != std::string_view::npos;
  if (pairs && name.starts_with("cvt.") && operands.size() == 3) {
    const std::vector<std::string_view> from =
        registers_in(operands[at.bit >= write.bits / 2 ? 1 : 2]);
    return from.size() == 1 ? of(warp, item, {from[0], at.lane, 0}) : SumElement{};
  }
  SumElement found;
  for (std::size_t k = 1; k < operands.size(); ++k)
    for (const std::string_view source : registers_in(operands[k]))
      found = later(found, of(warp, item, {source, at.lane, pairs ? at.bit / 16 * 16 : 0}));
  return found;
}

}  // namespace lanescope::viz
