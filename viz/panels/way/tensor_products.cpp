// SPDX-License-Identifier: MIT
// See tensor_products.hpp.
#include "panels/way/tensor_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "layout/tcgen05.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/way/tensor_loads.hpp"

namespace lanescope::viz {
namespace {

bool is_tensor_product(const trace::Event& event) {
  const auto* step = std::get_if<trace::Step>(&event);
  return step != nullptr && mnemonic_of(step->ptx).starts_with("tcgen05.mma.");
}

class TensorCollector {
 public:
  TensorCollector(Model& model, RegisterHistory& history)
      : model_(model),
        history_(history),
        sums_(tensor_sums(history)),
        loads_(tensor_loads(history, sums_)) {}

  void add(std::size_t most) {
    for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
      if (model_.multiplications.size() >= most)
        return remark(fmt::format("{} more sums of tcgen05.mma are not shown: record fewer steps",
                                  sums_.size() - sum));
      add_sum(sum);
    }
  }

 private:
  const trace::Step& step_at(const StepPlace& place) const {
    return *history_.item(place.warp, place.item).step;
  }

  void remark(std::string text) {
    auto& all = model_.remarks;
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }

  void add_sum(std::size_t sum) {
    const StepPlace& last = sums_[sum].back().place;
    const trace::Step& step = step_at(last);
    const TensorD d = tensor_d(history_, last);
    const auto kept = [&](const std::string& why) {
      remark(fmt::format("{} of step {} is not shown: {}", mnemonic_of(step.ptx), step.step, why));
    };
    if (!d.why.empty()) return kept(d.why);
    auto made = std::make_shared<TensorProduct>();
    if (d.ctas == 2) made->half = half_of(*d.map);
    made->map = made->half ? made->half.get() : d.map;
    made->lane = d.lane, made->column = d.column;
    for (const Adding& one : sums_[sum]) made->adding.push_back(&step_at(one.place));
    const TensorShape shape = tensor_shape(history_, last);
    made->a_in_tensor = shape.a_in_tensor, made->sparse = shape.sparse;
    made->instruction = instruction_of(step, *made->map, shape);
    fetch(*made, static_cast<int>(sum));
    append(step, std::move(made));
  }

  // The CTA is the highest bit of the map's lanes, and half of D's rows. One map for all products.
  std::shared_ptr<const layout::Mover> half_of(const layout::Mover& whole) {
    auto& known = halves_[&whole];
    if (known) return known;
    auto half = std::make_shared<layout::Mover>(whole);
    --half->registers.thread.count;
    half->registers.rows /= 2;
    return known = half;
  }

  static layout::Instruction instruction_of(const trace::Step& step, const layout::Mover& map,
                                            const TensorShape& shape) {
    layout::Instruction i;
    i.mnemonic = mnemonic_of(step.ptx);
    i.family = map.family;
    i.M = map.registers.rows, i.N = map.registers.cols, i.K = shape.k;
    i.D = map.registers;
    i.A.type = shape.a, i.A.rows = i.M, i.A.cols = shape.sparse ? i.K / 2 : i.K;
    i.B.type = shape.b, i.B.rows = i.K, i.B.cols = i.N;
    i.source = map.source, i.ptx = map.ptx, i.target = map.target, i.note = map.note;
    i.standing = map.standing;
    return i;
  }

  // What tcgen05.ld brings more than once is what the first one brought.
  void fetch(TensorProduct& made, int sum) const {
    const layout::Fragment& D = made.map->registers;
    made.fetched.resize(static_cast<std::size_t>(D.threads() * D.values));
    for (const TensorLoaded& load : loads_)
      if (load.sum == sum) fetch(made, load);
  }

  void fetch(TensorProduct& made, const TensorLoaded& load) const {
    const layout::Fragment& D = made.map->registers;
    const layout::Fragment& registers = load.mover->registers;
    const trace::Step& step = step_at(load.place);
    const trace::Step& arrival = step_at(load.arrival);
    const std::vector<std::string_view> names = registers_in(operands_of(step.ptx).front());
    for (int thread = 0; thread < registers.threads(); ++thread)
      for (int value = 0; value < registers.values; ++value) {
        const TensorLoaded::Place at = load.at(*load.mover, thread, value);
        const int lane = at.lane - made.lane, column = at.column - made.column;
        const layout::Holder held = registers.holder(thread, value);
        const auto name = static_cast<std::size_t>(held.register_index);
        if (lane < 0 || lane >= D.threads() || column < 0 || column >= D.values ||
            !D.provided_by(lane) || name >= names.size())
          continue;
        auto& slot = made.fetched[static_cast<std::size_t>(lane * D.values + column)];
        if (slot.arrival == nullptr) slot = {&step, &arrival, names[name], thread, held.bit};
      }
  }

  static std::optional<std::uint64_t> bits_of(const TensorProduct::Fetched& from) {
    if (from.arrival == nullptr) return std::nullopt;
    for (const trace::Write& write : from.arrival->writes)
      if (write.name == from.name && from.lane < static_cast<int>(write.lanes.size()))
        return write.lanes[static_cast<std::size_t>(from.lane)] >> from.bit;
    return std::nullopt;
  }

  // D, column by column as registers are; nullptr where a part of it is not recorded.
  std::unique_ptr<trace::Fragment> fragment_of(const trace::Step& step,
                                               const TensorProduct& made) const {
    const layout::Fragment& D = made.map->registers;
    auto fragment = std::make_unique<trace::Fragment>();
    fragment->place = step.place;
    fragment->name = fragment->operand = "D";
    fragment->instruction = made.map->mnemonic;
    fragment->source = step.source;
    fragment->register_bits = D.register_bits;
    const std::uint64_t mask = D.type == layout::ElementType::f16 ? 0xffff : 0xffffffff;
    const auto lanes = static_cast<std::size_t>(D.threads());
    fragment->registers.assign(static_cast<std::size_t>(D.values),
                               std::vector<std::uint64_t>(lanes));
    for (int lane = 0; lane < D.threads(); ++lane)
      for (int column = 0; column < D.values && D.provided_by(lane); ++column) {
        const auto bits = bits_of(made.at(lane, column));
        if (!bits) return nullptr;
        fragment->registers[static_cast<std::size_t>(column)][static_cast<std::size_t>(lane)] =
            *bits & mask;
      }
    return fragment;
  }

  void append(const trace::Step& step, std::shared_ptr<const TensorProduct> made) {
    Multiplication in = bare(made->instruction);
    auto& cells = cells_[made->map];
    if (!cells) cells = in.cells;
    in.cells = cells;
    in.place = step.place;
    in.steps[0] = &step;
    if (auto fragment = fragment_of(step, *made)) {
      model_.of_steps.push_back(std::move(fragment));
      in.data[static_cast<std::size_t>(operand_index('D'))] = model_.of_steps.back().get();
    } else {
      remark(
          fmt::format("D of step {}: no tcgen05.ld that is recorded brings all of it", step.step));
    }
    in.tensor = std::move(made);
    model_.multiplications.push_back(std::move(in));
  }

  Model& model_;
  RegisterHistory& history_;
  std::vector<TensorSum> sums_;
  std::vector<TensorLoaded> loads_;
  std::map<const layout::Mover*, std::shared_ptr<const Cells>> cells_;
  std::map<const layout::Mover*, std::shared_ptr<const layout::Mover>> halves_;
};

}  // namespace

const TensorProduct::Fetched& TensorProduct::at(int from_lane, int from_column) const {
  return fetched[static_cast<std::size_t>(from_lane * map->registers.values + from_column)];
}

void add_tensor_products(Model& model, std::size_t most) {
  const auto& events = model.trace.events;
  if (std::none_of(events.begin(), events.end(), is_tensor_product)) return;
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  TensorCollector(model, history).add(most);
}

std::string tensor_place(const TensorProduct& product, int lane, int column) {
  return fmt::format("lane {}, column {} of tensor memory", product.lane + lane,
                     product.column + column);
}

bool is_with_peer(const TensorProduct& product, char operand, const layout::Element& element) {
  return product.half && operand == 'B' && element.col >= product.instruction.N / 2;
}

std::vector<std::string> tensor_rules(const TensorProduct& product) {
  if (product.half)
    return {fmt::format("one CTA's half of a pair's: {} of {} rows, from the first of its own on",
                        product.instruction.M, 2 * product.instruction.M),
            "D begins at " + tensor_place(product, 0, 0), "lane = " + product.map->rules.lane,
            "column = " + product.map->rules.column};
  return {"D begins at " + tensor_place(product, 0, 0), "lane = " + product.map->rules.lane,
          "column = " + product.map->rules.column};
}

std::string tensor_sources(const TensorProduct& product) {
  return product.a_in_tensor ? "A there, too, B from shared memory" : "A and B from shared memory";
}

StepPlace place_of_step(const StepList& steps, const trace::Step& step) {
  return step_of(steps, step.place.launch, step.place.block, step.place.warp, step.step);
}

StepPlace last_of(const StepList& steps, const TensorProduct& product) {
  return place_of_step(steps, *product.adding.back());
}

}  // namespace lanescope::viz
