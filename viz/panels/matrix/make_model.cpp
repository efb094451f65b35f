// SPDX-License-Identifier: MIT
// From a trace to what is shown of it: fragments of one warp and instruction become a
// multiplication; where none were recorded, the products of the steps do. What does not fit its map
// becomes a remark.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "layout/scales.hpp"
#include "panels/matrix/kept.hpp"
#include "panels/matrix/model.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

std::shared_ptr<const Cells> cells_of(const layout::Instruction& instruction, int matrix) {
  auto cells = std::make_shared<Cells>();
  for (const char operand : kOperands) {
    const layout::Fragment* map = instruction.operand(operand);
    if (map == nullptr || map->values == 0) continue;
    auto& holders = (*cells)[static_cast<std::size_t>(operand_index(operand))];
    holders.reserve(static_cast<std::size_t>(map->rows) * static_cast<std::size_t>(map->cols));
    for (const layout::Held& held : layout::matrix_layout(*map))
      if (held.element.matrix == matrix) holders.push_back(held.holder);
  }
  return cells;
}

// Why the registers of `fragment` cannot be laid on `map`; "" when they can.
std::string misfit(const trace::Fragment& fragment, const layout::Fragment& map) {
  if (map.values == 0) return "its instruction does not keep it in registers";
  if (fragment.register_bits != map.register_bits)
    return fmt::format("its registers have {} bits, the map's {}", fragment.register_bits,
                       map.register_bits);
  if (static_cast<int>(fragment.registers.size()) != map.registers())
    return fmt::format("it has {} registers a lane, the map {}", fragment.registers.size(),
                       map.registers());
  for (const auto& lanes : fragment.registers)
    if (static_cast<int>(lanes.size()) != map.threads())
      return fmt::format("it has {} lanes, the map {}", lanes.size(), map.threads());
  return {};
}

// An instruction that multiplies several matrices is shown as several multiplications.
void split_matrices(std::vector<Multiplication>& all) {
  std::map<std::pair<const layout::Instruction*, int>, std::shared_ptr<const Cells>> cells;
  std::vector<Multiplication> split;
  for (const Multiplication& in : all)
    for (int matrix = 0; matrix < matrices_of(*in.instruction); ++matrix) {
      split.push_back(in);
      if (matrix == 0) continue;
      auto& made = cells[{in.instruction, matrix}];
      if (!made) made = cells_of(*in.instruction, matrix);
      split.back().cells = made;
      split.back().matrix = matrix;
    }
  all = std::move(split);
}

class Builder {
 public:
  Builder(Model& model, const FindInstruction& find) : model_(model), find_(find) {}

  void add(const trace::Fragment& fragment) {
    const layout::Instruction* instruction = known(fragment.instruction);
    if (instruction == nullptr)
      return remark(fragment, fmt::format("'{}' is not in the atlas", fragment.instruction));
    const char operand = fragment.operand.size() == 1 ? fragment.operand[0] : '?';
    if (operand == 'E') return add_metadata(fragment, *instruction);
    if (fragment.operand == "SFA" || fragment.operand == "SFB")
      return add_scales(fragment, *instruction);
    const layout::Fragment* map =
        operand_index(operand) < 0 ? nullptr : instruction->operand(operand);
    if (map == nullptr)
      return remark(fragment, fmt::format("'{}' is not an operand of it", fragment.operand));
    if (const std::string why = misfit(fragment, *map); !why.empty()) return remark(fragment, why);
    const auto slot = static_cast<std::size_t>(operand_index(operand));
    Multiplication& in = open(*instruction, fragment.place,
                              [slot](const Multiplication& m) { return m.data[slot]; });
    in.data[slot] = &fragment;
  }

  // Fragments that belong together: the next product's are not to fill what this one lacks.
  void add(StepProduct product) {
    latest_.clear();
    const std::size_t before = model_.multiplications.size();
    for (trace::Fragment& fragment : product.fragments) {
      model_.of_steps.push_back(std::make_unique<trace::Fragment>(std::move(fragment)));
      add(*model_.of_steps.back());
    }
    for (std::size_t k = before; k < model_.multiplications.size(); ++k)
      model_.multiplications[k].steps = product.steps;
  }

 private:
  void add_metadata(const trace::Fragment& fragment, const layout::Instruction& instruction) {
    const int selector = selector_of(fragment);
    const layout::Fragment* map = instruction.operand('E', selector);
    if (map == nullptr)
      return remark(fragment, instruction.E.empty()
                                  ? "'E' is not an operand of it"
                                  : fmt::format("its instruction has no selector {}", selector));
    if (const std::string why = misfit(fragment, *map); !why.empty()) return remark(fragment, why);
    Multiplication& in =
        open(instruction, fragment.place, [](const Multiplication& m) { return m.metadata; });
    in.metadata = &fragment;
    in.selector = selector;
    in.kept =
        std::make_shared<const std::vector<int>>(kept_columns(instruction, selector, fragment));
  }

  void add_scales(const trace::Fragment& fragment, const layout::Instruction& instruction) {
    const char operand = *layout::operand_letter(fragment.operand);
    const auto [thread_id, byte_id] = trace::scale_selector_of(fragment);
    const std::string why = layout::problem(instruction, operand, {thread_id, byte_id});
    if (!why.empty()) return remark(fragment, why);
    const layout::Instruction with = layout::with_scales(instruction, {thread_id, byte_id});
    if (const std::string bad = misfit(fragment, *with.operand(operand)); !bad.empty())
      return remark(fragment, bad);
    const std::size_t side = operand == 'S' ? 0 : 1;
    Multiplication& in = open(instruction, fragment.place,
                              [side](const Multiplication& m) { return m.scales[side]; });
    in.scales[side] = &fragment;
    auto both = std::make_shared<layout::Instruction>(in.scaled ? *in.scaled : instruction);
    (operand == 'S' ? both->SFA : both->SFB) = *with.operand(operand);
    in.scaled = std::move(both);
  }

  const layout::Instruction* known(const std::string& mnemonic) {
    auto [found, is_new] = known_.try_emplace(mnemonic, nullptr);
    if (is_new) found->second = find_(mnemonic);
    return found->second;
  }

  // The latest multiplication of this warp and instruction, unless it has the operand already.
  template <class Operand>
  Multiplication& open(const layout::Instruction& instruction, const trace::Place& place,
                       Operand operand) {
    const auto key = std::make_tuple(place.launch, place.block, place.warp, &instruction);
    const auto found = latest_.find(key);
    if (found != latest_.end()) {
      Multiplication& in = model_.multiplications[found->second];
      if (operand(in) == nullptr) return in;
    }
    latest_[key] = model_.multiplications.size();
    auto& cells = cells_[&instruction];
    if (!cells) cells = cells_of(instruction, 0);
    model_.multiplications.push_back({&instruction, place, {}, cells, 0, {}});
    return model_.multiplications.back();
  }

  // Once, where a loop's products are all alike.
  void remark(const trace::Fragment& fragment, const std::string& why) {
    std::string text = fmt::format("fragment '{}' is not shown: {}", fragment.name, why);
    auto& all = model_.remarks;
    const auto recent = all.end() - std::min<std::ptrdiff_t>(std::ssize(all), 4);
    if (std::find(recent, all.end(), text) == all.end()) all.push_back(std::move(text));
  }

  Model& model_;
  const FindInstruction& find_;
  std::map<std::string, const layout::Instruction*> known_;
  std::map<std::tuple<int, std::array<int, 3>, int, const layout::Instruction*>, std::size_t>
      latest_;
  std::map<const layout::Instruction*, std::shared_ptr<const Cells>> cells_;
};

}  // namespace

Model make_model(trace::Trace trace, const FindInstruction& find) {
  Model model;
  model.trace = std::move(trace);
  Builder builder(model, find);
  bool recorded = false;
  for (const trace::Event& event : model.trace.events)
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) {
      builder.add(*fragment);
      recorded = true;
    }
  if (!recorded) {
    StepProducts products = products_of_steps(model.trace, kMostOfSteps);
    for (StepProduct& product : products.all) builder.add(std::move(product));
    model.left_out = products.left_out;
    if (model.left_out > 0)
      model.remarks.push_back(fmt::format(
          "{} more products of its steps are not shown: record fewer steps", model.left_out));
    add_tensor_products(model, kMostOfSteps);
  }
  split_matrices(model.multiplications);
  return model;
}

Multiplication bare(const layout::Instruction& instruction) {
  return {&instruction, {}, {}, cells_of(instruction, 0), 0, {}};
}

Model model_of(const layout::Instruction& instruction) {
  Model model;
  model.multiplications.push_back(bare(instruction));
  split_matrices(model.multiplications);
  return model;
}

}  // namespace lanescope::viz
