// SPDX-License-Identifier: MIT
// See step_products.hpp.
#include "panels/steps/step_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "layout/instruction.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/steps/wgmma_numbers.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

constexpr std::size_t kWarps = 4;  // of a warpgroup
constexpr std::size_t kLanes = 32;

using Registers = std::vector<const trace::Write*>;  // of one operand of a warp

// What a warp knows while its steps go by.
class Warp {
 public:
  std::optional<Registers> read(const std::vector<std::string_view>& names) const {
    Registers found;
    for (const std::string_view name : names) {
      const auto known = latest_.find(name);
      if (known == latest_.end() || known->second->lanes.size() != kLanes) return std::nullopt;
      found.push_back(known->second);
    }
    if (found.empty()) return std::nullopt;
    return found;
  }
  void write(const trace::Step& step) {
    for (const trace::Write& one : step.writes) latest_[one.name] = &one;
  }

  // wgmmas whose sums have not arrived, by the first register of D.
  struct Open {
    const trace::Step* step;
    int number;  // of its warpgroup's
    std::optional<Registers> a;
  };
  std::map<std::string_view, Open> open;

 private:
  std::unordered_map<std::string_view, const trace::Write*> latest_;
};

// The registers of one warp, or of a warpgroup's four behind each other.
trace::Fragment fragment_of(char operand, const trace::Step& step,
                            const std::vector<Registers>& warps) {
  trace::Fragment fragment;
  fragment.place = step.place;
  fragment.name = fragment.operand = layout::operand_name(operand);
  fragment.instruction = mnemonic_of(step.ptx);
  fragment.source = step.source;
  fragment.register_bits = warps.front().front()->bits;
  fragment.registers.resize(warps.front().size());
  for (const Registers& warp : warps)
    for (std::size_t r = 0; r < warp.size(); ++r)
      fragment.registers[r].insert(fragment.registers[r].end(), warp[r]->lanes.begin(),
                                   warp[r]->lanes.end());
  return fragment;
}

class Collector {
 public:
  explicit Collector(std::size_t most) : most_(most) {}

  void add(const trace::Step& step) {
    Warp& warp = warps_[{step.place.launch, step.place.block, step.place.warp}];
    const std::string_view mnemonic = mnemonic_of(step.ptx);
    const bool whole = step.active == 0xffffffffu;
    const std::vector<std::string_view> sums = matrix_registers(step.ptx, 'D');
    if (!sums.empty() && whole) {
      if (!mnemonic.starts_with("wgmma")) return add_product(step, warp);
      warp.open[sums.front()] = {&step, numbers_.next(step.place),
                                 warp.read(matrix_registers(step.ptx, 'A'))};
    }
    warp.write(step);
    if (mnemonic.starts_with("wgmma.wait_group") || mnemonic.starts_with("mov."))
      arrive(step, warp);
  }

  StepProducts made() { return std::move(made_); }

 private:
  void add_product(const trace::Step& step, Warp& warp) {
    StepProduct product;
    product.steps[0] = &step;
    const auto keep = [&](char operand) {
      if (const auto read = warp.read(matrix_registers(step.ptx, operand)))
        product.fragments.push_back(fragment_of(operand, step, {*read}));
    };
    for (const char operand : {'A', 'B', 'C', 'E'}) keep(operand);
    if (const int selector = metadata_selector(step.ptx);
        selector != 0 && !product.fragments.empty() && product.fragments.back().operand == "E")
      product.fragments.back().name = fmt::format("E selector {}", selector);
    for (const char operand : {'S', 'T'}) {
      const std::size_t before = product.fragments.size();
      keep(operand);
      if (product.fragments.size() > before)
        product.fragments.back().name += selectors_text(step, warp, operand);
    }
    warp.write(step);  // D may be where C was
    keep('D');
    add(std::move(product));
  }

  // " thread-id 1 byte-id 2"; "" where both are 0. In a register they are those of lane 0.
  static std::string selectors_text(const trace::Step& step, const Warp& warp, char operand) {
    std::array<std::uint64_t, 2> ids{};
    const std::array<std::string_view, 2> words = scale_selectors(step.ptx, operand);
    for (std::size_t n = 0; n < ids.size(); ++n) {
      if (const auto read = is_register(words[n]) ? warp.read({words[n]}) : std::nullopt)
        ids[n] = read->front()->lanes[0];
      else if (!words[n].empty())
        ids[n] = static_cast<std::uint64_t>(whole_number(words[n]).value_or(0));
    }
    return ids[0] == 0 && ids[1] == 0 ? std::string()
                                      : fmt::format(" thread-id {} byte-id {}", ids[0], ids[1]);
  }

  void add(StepProduct product) {
    if (product.fragments.empty()) return;
    if (made_.all.size() < most_)
      made_.all.push_back(std::move(product));
    else
      ++made_.left_out;
  }

  // Those of the warp's wgmmas whose sums this wait has written, or this mov.
  void arrive(const trace::Step& wait, Warp& warp) {
    for (auto it = warp.open.begin(); it != warp.open.end();) {
      const bool here =
          hands_over(wait, it->second.step->ptx) &&
          std::any_of(wait.writes.begin(), wait.writes.end(),
                      [&it](const trace::Write& write) { return write.name == it->first; });
      if (!here) {
        ++it;
        continue;
      }
      add_part(warp, it->second);
      it = warp.open.erase(it);
    }
  }

  // A quarter of a warpgroup's product; with the fourth it is whole.
  void add_part(Warp& warp, const Warp::Open& one) {
    const trace::Place& at = one.step->place;
    const auto quarter = static_cast<std::size_t>(at.warp) % kWarps;
    const auto key =
        std::make_tuple(at.launch, at.block, at.warp / static_cast<int>(kWarps), one.number);
    Group& group = groups_[key];
    group.steps[quarter] = one.step;
    group.d[quarter] = warp.read(matrix_registers(one.step->ptx, 'D'));
    group.a[quarter] = one.a;
    const auto is_there = [](const auto& part) { return part != nullptr; };
    if (!std::all_of(group.steps.begin(), group.steps.end(), is_there)) return;
    const trace::Step& first = *group.steps[0];
    StepProduct product;
    product.steps = group.steps;
    const auto same = [&first](const trace::Step* step) { return step->ptx == first.ptx; };
    if (std::all_of(group.steps.begin(), group.steps.end(), same)) {
      keep(product, 'A', first, group.a);
      keep(product, 'D', first, group.d);
      add(std::move(product));
    }
    groups_.erase(key);
  }

  using Parts = std::array<std::optional<Registers>, kWarps>;
  static void keep(StepProduct& product, char operand, const trace::Step& first,
                   const Parts& parts) {
    std::vector<Registers> warps;
    for (const std::optional<Registers>& part : parts)
      if (part && part->size() == parts[0]->size()) warps.push_back(*part);
    if (warps.size() == kWarps) product.fragments.push_back(fragment_of(operand, first, warps));
  }

  struct Group {
    std::array<const trace::Step*, kWarps> steps{};
    Parts a, d;
  };
  std::size_t most_;
  StepProducts made_;
  std::map<std::tuple<int, std::array<int, 3>, int>, Warp> warps_;
  WgmmaNumbers numbers_;
  std::map<std::tuple<int, std::array<int, 3>, int, int>, Group> groups_;
};

}  // namespace

StepProducts products_of_steps(const trace::Trace& trace, std::size_t most) {
  Collector collector(most);
  for (const trace::Event& event : trace.events)
    if (const auto* step = std::get_if<trace::Step>(&event)) collector.add(*step);
  return collector.made();
}

StepPlace product_step(const StepList& steps, const Multiplication& in, int thread) {
  if (in.tensor != nullptr) return last_of(steps, *in.tensor);
  const auto quarter = static_cast<std::size_t>(std::max(thread, 0)) / kLanes;
  const trace::Step* step = quarter < in.steps.size() ? in.steps[quarter] : nullptr;
  if (step == nullptr) return StepPlace::none();
  return step_of(steps, step->place.launch, step->place.block, step->place.warp, step->step);
}

RegisterStep register_step(RegisterHistory& history, const Multiplication& in, char operand,
                           int thread, int register_index) {
  const StepList& steps = history.list();
  const trace::Fragment* data = in.fragment(operand);
  if (data == nullptr || thread < 0 || register_index < 0) return {StepPlace::none(), {}};
  const auto item_at = [&steps](const StepPlace& at) -> const StepItem& {
    return steps.warps[static_cast<std::size_t>(at.warp)].items[static_cast<std::size_t>(at.item)];
  };
  const auto index = static_cast<std::size_t>(register_index);
  if (in.tensor != nullptr) {
    const TensorProduct::Fetched& from = in.tensor->at(thread, register_index);
    if (from.arrival == nullptr) return {StepPlace::none(), {}};
    return {place_of_step(steps, *from.arrival), from.name};
  }
  const StepPlace product = product_step(steps, in, thread);
  if (product.item < 0) {
    const int warp = data->place.warp + thread / static_cast<int>(kLanes);
    const std::string watch = fmt::format("{}.r{}", data->name, register_index);
    const StepPlace by = written_by(steps, data->place, warp, watch, operand == 'D');
    if (by.item >= 0)
      for (const trace::Write& write : item_at(by).step->writes)
        if (write.watch == watch) return {by, write.name};
    return {StepPlace::none(), {}};
  }
  const std::vector<std::string_view> names = matrix_registers(item_at(product).step->ptx, operand);
  if (index >= names.size()) return {StepPlace::none(), {}};
  RegisterStep found{product, names[index]};
  if (operand != 'D') {
    const int lane = thread % static_cast<int>(kLanes);
    found.place.item = history.writer(product.warp, product.item, found.name, lane);
  } else if (in.threads() > static_cast<int>(kLanes)) {
    const StepWarp& warp = steps.warps[static_cast<std::size_t>(product.warp)];
    found.place.item = arrives_at(warp, writers_of(warp), product.item);
  }
  return found;
}

RegisterStep register_step(const StepList& steps, const Multiplication& in, char operand,
                           int thread, int register_index) {
  RegisterHistory history(steps);
  return register_step(history, in, operand, thread, register_index);
}

int product_at(const Model& model, const trace::Step& step) {
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    const Multiplication& in = model.multiplications[k];
    for (const trace::Step* one : in.steps)
      if (one == &step) return static_cast<int>(k);
    if (in.tensor == nullptr) continue;
    for (const trace::Step* one : in.tensor->adding)
      if (one == &step) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace lanescope::viz
