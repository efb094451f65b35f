// SPDX-License-Identifier: MIT
// See sum_sources.hpp.
#include "panels/way/sum_sources.hpp"

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/exchanges.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostSources = 64;

// The one that arrived last; none where two of one time are not the same.
SumElement later(const SumElement& a, const SumElement& b) {
  if (a.arrived == nullptr || b.arrived == nullptr) return a.arrived == nullptr ? b : a;
  if (a.arrived != b.arrived) return a.arrived < b.arrived ? b : a;
  return a == b ? a : SumElement{-1, {}, a.arrived, a.is_reduced && b.is_reduced};
}

// Sums that are scaled when a maximum changes are the element, though that came last.
SumElement joined(const SumElement& a, const SumElement& b, std::string_view name) {
  SumElement both = later(a, b);
  if (a.arrived == nullptr || b.arrived == nullptr || a == b) return both;
  if (name.starts_with("max.") || name.starts_with("min.")) both.is_reduced = true;
  if (name.starts_with("mul.") && a.is_reduced != b.is_reduced) return a.is_reduced ? b : a;
  return both;
}

}  // namespace

SumSources::SumSources(const Model& model, RegisterHistory& history,
                       const std::vector<TensorLoaded>& loads)
    : model_(model), history_(history) {
  for (std::size_t k = 0; k < loads.size(); ++k) {
    const TensorLoaded& one = loads[k];
    const std::string_view ptx = history_.item(one.place.warp, one.place.item).step->ptx;
    arrivals_[{one.arrival.warp, one.arrival.item}].push_back(
        {tensor_memory(), registers_in(operands_of(ptx).front()), 0, static_cast<int>(k),
         &one.mover->registers});
  }
  for (std::size_t p = 0; p < model.multiplications.size(); ++p) {
    const Multiplication& in = model.multiplications[p];
    if (in.map('D') == nullptr || in.fragment('D') == nullptr || in.map('D')->matrices > 1 ||
        in.tensor != nullptr)  // its loads are above
      continue;
    for (int first = 0; first < in.threads(); first += 32) {
      const RegisterStep by = register_step(history_, in, 'D', first, 0);
      const StepPlace product = product_step(history_.list(), in, first);
      if (by.place.item < 0 || product.item < 0) continue;
      arrivals_[{by.place.warp, by.place.item}].push_back(
          {static_cast<int>(p),
           matrix_registers(history_.item(product.warp, product.item).step->ptx, 'D'), first, -1,
           in.map('D')});
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
  if (warp < 0) return {};
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

SumElement SumSources::unchanged(int warp, int before, Spot at) {
  for (int step = 0; step < kMostSources && warp >= 0; ++step) {
    const int item = history_.writer(warp, before, at.name, at.lane);
    const trace::Write* write = history_.written(warp, item, at.name);
    if (write == nullptr || at.bit >= write->bits) return {};
    if (arrives(warp, item, at.name)) return of(warp, before, at);
    const std::optional<Earlier> earlier = moved(warp, item, *write, at);
    if (!earlier) return {};
    warp = earlier->warp;
    before = earlier->before;
    at = earlier->at;
  }
  return {};
}

SumElement SumSources::made(int warp, int item, const trace::Write& write, const Spot& at) {
  const trace::Step& step = *history_.item(warp, item).step;
  if (const Arrived* arrived = arrival(warp, item, at.name)) {
    const layout::Fragment& map = *arrived->map;
    const int value = place_among(arrived->names, at.name) * map.values_per_register() +
                      at.bit / map.element_bits;
    if (arrived->load >= 0) return {arrived->product, {at.lane, value, arrived->load}, &step};
    const layout::Element element = map.element(arrived->first_thread + at.lane, value);
    return map.contains(element) ? SumElement{arrived->product, element, &step} : SumElement{};
  }
  if (const std::optional<Earlier> before = moved(warp, item, write, at))
    return of(before->warp, before->before, before->at);
  const std::string_view name = mnemonic_of(step.ptx);
  for (const std::string_view other : {"atom", "mma.", "wmma", "wgmma", "tcgen05"})
    if (name.starts_with(other)) return {};
  SumElement found;
  for (const Worked& one : worked_out_from(step, write, at))
    found = joined(found, of(warp, item, one.from), name);
  return found;
}

std::optional<Earlier> SumSources::moved(int warp, int item, const trace::Write& write,
                                         const Spot& at) {
  const StepItem& it = history_.item(warp, item);
  const std::string_view name = mnemonic_of(it.step->ptx);
  const auto from = [&](const std::optional<Spot>& spot) {
    return spot ? Earlier{warp, item, *spot} : Earlier{};
  };
  if (name.starts_with("ld.") || name.starts_with("wmma.load")) {
    const std::optional<std::uint64_t> address = before_load(it, at);
    return address ? stored(warp, it.step, *address, at.bit % 8) : Earlier{};
  }
  if (name.starts_with("ldmatrix")) {
    const std::optional<MatrixByte> byte = before_ldmatrix(it, write, at);
    return byte ? stored(warp, it.step, byte->address, byte->bit) : Earlier{};
  }
  if (name.starts_with("mov.")) return from(before_move(*it.step, write, at));
  if (exchanges(name)) return from(before_exchange(history_, warp, item, at));
  if (places_bits(*it.step)) return from(before_placing(*it.step, at));
  return std::nullopt;
}

Earlier SumSources::stored(int warp, const void* before, std::uint64_t address, int bit) {
  const SharedHistory& shared = history_.shared(model_.trace, history_.warp(warp));
  const Arrival* last = shared.last(address, before);
  if (last == nullptr || last->copy != nullptr || last->item < 0) return {};
  if (!shared.sees_between(last->when, before)) return {};  // another warp may have written there
  const auto from = before_store(history_.item(last->warp, last->item), last->lane, address, bit);
  return from ? Earlier{last->warp, last->item, *from} : Earlier{};
}

SumElement SumSources::in_shared(int warp, const void* before, std::uint64_t address, int bit) {
  const Earlier from = stored(warp, before, address, bit);
  return of(from.warp, from.before, from.at);
}

}  // namespace lanescope::viz
