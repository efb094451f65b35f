// SPDX-License-Identifier: MIT
// See verdicts.hpp.
#include "panels/way/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "panels/way/places.hpp"
#include "panels/way/scale_factors.hpp"
#include "panels/way/tensor_products.hpp"
#include "panels/way/way_back.hpp"
#include "panels/way/wgmma_registers.hpp"

namespace lanescope::viz {
namespace {

using trace::Verdict;

constexpr std::size_t kMostLooked =
    64;  // at worst a second, where nothing explains what wgmma read

std::vector<bool> wrong_elements(const Multiplication& in, char operand, const OriginCheck& check) {
  const layout::Fragment& map = *in.map(operand);
  const ByteMap bytes = in_bytes(map);
  std::vector<bool> wrong;
  if (check.came_from.size() != static_cast<std::size_t>(bytes.map.rows * bytes.map.cols))
    return wrong;
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const layout::Element at{row / bytes.row, col / bytes.col, 0};
      const layout::Element& from =
          check.came_from[static_cast<std::size_t>(at.row * bytes.map.cols + at.col)];
      wrong.push_back(from.row != at.row || from.col != at.col);
    }
  return wrong;
}

// What its fragment is, held against the matrices of the trace.
std::optional<ShownVerdict> of_record(const Model& model, int product, char operand) {
  const Multiplication& in = model.multiplications[static_cast<std::size_t>(product)];
  const std::vector<trace::Event>& events = model.trace.events;
  const auto at = std::find_if(events.begin(), events.end(), [&](const trace::Event& event) {
    return in.fragment(operand) != nullptr &&
           std::get_if<trace::Fragment>(&event) == in.fragment(operand);
  });
  if (at == events.end() || in.map(operand) == nullptr) return std::nullopt;
  const trace::Diagnosis d =
      trace::diagnose(model.trace, static_cast<int>(at - events.begin()), *in.map(operand));
  if (d.verdict == Verdict::not_compared) return std::nullopt;
  ShownVerdict one{in_words(model.trace, d), product, operand, {}, {}};
  const layout::Fragment& map = *in.map(operand);
  if (d.misplaced.empty() || map.matrices > 1) return one;
  one.first_at = d.misplaced.front();
  one.wrong.resize(static_cast<std::size_t>(map.rows * map.cols));
  for (const layout::Element& e : d.misplaced)
    one.wrong[static_cast<std::size_t>(e.row * map.cols + e.col)] = true;
  return one;
}

ShownVerdict shown(const Model& model, int product, char operand, const OriginCheck& check,
                   bool in_order) {
  ShownVerdict one{in_words(check, operand, in_order), product, operand, {}, {}};
  if (!one.words.is_wrong()) return one;
  if (!one.words.first.empty()) one.first_at = check.first_at;
  const Multiplication& in = model.multiplications[static_cast<std::size_t>(product)];
  if (one.first_at && in.map(operand) != nullptr) one.wrong = wrong_elements(in, operand, check);
  return one;
}

}  // namespace

Verdicts::Verdicts(const Model& model, const StepList& steps)
    : model_(model),
      history_(steps),
      origins_(model.trace, history_),
      descriptors_(model.trace, history_),
      looked_at_(std::min(model.multiplications.size(), kMostLooked)) {}

const ProductCheck& Verdicts::product(std::size_t index) {
  const auto [found, is_new] = products_.try_emplace(index);
  ProductCheck& check = found->second;
  if (!is_new) return check;
  const Multiplication& in = model_.multiplications[index];
  if (in.tensor != nullptr) return check = of_tensor(index);
  DescriptorOrigins::Checks behind = descriptors_.check(in);
  check.a = behind.a ? std::move(*behind.a) : origins_.check(in, 'A');
  check.b = behind.b ? std::move(*behind.b) : origins_.check(in, 'B');
  check.in_order = judge_scores(in, check) || same_order_of_k(in, check.a, check.b);
  if (check.in_order) return check;
  leave_packed(check.a);
  leave_packed(check.b);
  name_order_of_k(in, 'A', check.a, check.b);
  name_order_of_k(in, 'B', check.b, check.a);
  leave_reordered(in, 'A', check.a, check.b);
  leave_reordered(in, 'B', check.b, check.a);
  name_slots(in, 'A', check.a);
  name_slots(in, 'B', check.b);
  if (!behind.a && check.a.tile && check.a.diagnosis.verdict == Verdict::right)
    if (auto other =
            other_part_of_A(model_.trace, history_, descriptors_, in, *check.a.tile, check.b.tile))
      check.a = std::move(*other);
  return check;
}

// An A that was worked out may be made of the sums of an earlier product; whether its k are in
// another order, as B's are.
bool Verdicts::judge_scores(const Multiplication& in, ProductCheck& check) {
  if (check.a.diagnosis.verdict != Verdict::not_compared || !model_.is_of_steps()) return false;
  if (scores_ == nullptr) {
    sources_ = std::make_unique<SumSources>(model_, history_);
    scores_ = std::make_unique<Scores>(model_, history_, *sources_);
  }
  const auto keys = [this, &in](int of) -> std::optional<TileAt> {
    const auto index = static_cast<std::size_t>(of);
    if (&model_.multiplications[index] >= &in) return std::nullopt;
    const OriginCheck& b = product(index).b;
    return b.diagnosis.verdict == Verdict::right ? b.tile : std::nullopt;
  };
  auto found = scores_->check(in, check.b, keys);
  if (!found) return false;
  check.a = std::move(*found);
  return check.a.diagnosis.verdict == Verdict::right &&
         check.b.diagnosis.verdict != Verdict::right && order_of_k(in, 'B', check.b).has_value();
}

std::size_t Verdicts::tensor_sum(std::size_t index) {
  if (!tensor_sums_) {
    tensor_sums_ = tensor_sums(history_);
    tensor_stored_ = std::make_unique<TensorStored>(model_, history_, *tensor_sums_);
  }
  const trace::Step* last = model_.multiplications[index].steps[0];
  const auto ends_there = [&](const TensorSum& sum) {
    return history_.item(sum.back().place.warp, sum.back().place.item).step == last;
  };
  return static_cast<std::size_t>(
      std::find_if(tensor_sums_->begin(), tensor_sums_->end(), ends_there) - tensor_sums_->begin());
}

ProductCheck Verdicts::of_tensor(std::size_t index) {
  const std::size_t sum = tensor_sum(index);  // makes tensor_sums_, too
  DescriptorOrigins::Checks found = descriptors_.check((*tensor_sums_)[sum]);
  ProductCheck check;
  if (found.a) check.a = std::move(*found.a);
  if (found.b) check.b = std::move(*found.b);
  return check;
}

const OriginCheck& Verdicts::in_tensor_memory(std::size_t index) {
  const auto [found, is_new] = in_tensor_memory_.try_emplace(index);
  if (is_new) {
    const ProductCheck& of = product(index);
    found->second = tensor_stored_->check(tensor_sum(index), of.a, of.b);
  }
  return found->second;
}

bool Verdicts::is_looked_at(std::size_t product) const {
  const std::size_t all = model_.multiplications.size();
  return product < (looked_at_ + 1) / 2 || (product < all && product >= all - looked_at_ / 2);
}

std::vector<SumCheck> Verdicts::scales() {
  sums();
  ScaleFactors factors(model_, history_);
  std::vector<SumCheck> all;
  for (const char operand : {'S', 'T'}) {
    std::vector<int> right;
    for (const auto& [index, of] : products_)
      if ((operand == 'S' ? of.a : of.b).diagnosis.verdict == Verdict::right)
        right.push_back(static_cast<int>(index));
    for (SumCheck& one : factors.check(right, operand)) all.push_back(std::move(one));
  }
  return all;
}

std::optional<WayStop> Verdicts::stored(std::size_t product, const layout::Element& element) {
  const bool in_tensor = model_.multiplications[product].tensor != nullptr;
  const std::size_t sum = in_tensor ? tensor_sum(product) : 0;  // makes tensor_stored_, too
  if (!in_tensor) sums();                                       // makes checks_
  SumStores& stores = in_tensor ? tensor_stored_->stores() : checks_->stores();
  const StoredElement* found = in_tensor ? tensor_stored_->stored(sum, element)
                                         : stores.of(static_cast<int>(product), element);
  if (found == nullptr) return std::nullopt;
  const trace::Step& step = *history_.item(found->place.warp, found->place.item).step;
  const bool by_copy = found->copy != nullptr;
  const std::string who =
      by_copy ? "a bulk copy takes it" : fmt::format("lane {} writes it", found->lane);
  return WayStop{found->place, by_copy ? -1 : found->lane,
                 fmt::format("{}: {} to {}", way_opcode(step), who, stores.place_of(*found, 0))};
}

namespace {

// The sums have a word in it.
bool is_open(const OriginCheck& check) {
  return check.turned != nullptr || check.in_pieces.is_open || !check.unwritten.empty() ||
         !check.bits.empty();
}

}  // namespace

std::optional<ShownVerdict> verdict_of(std::shared_ptr<Verdicts>& verdicts, const Model& model,
                                       const StepList& steps, int product, char operand) {
  const auto index = static_cast<std::size_t>(product);
  if (index >= model.multiplications.size()) return std::nullopt;
  if (!model.is_of_steps()) return of_record(model, product, operand);
  if (verdicts == nullptr) verdicts = std::make_shared<Verdicts>(model, steps);
  if (operand == 'A' || operand == 'B') {
    const ProductCheck& check = verdicts->product(index);
    if (is_open(check.a) || is_open(check.b)) verdicts->sums();
    return shown(model, product, operand, operand == 'A' ? check.a : check.b, check.in_order);
  }
  if (model.multiplications[index].tensor != nullptr)
    return shown(model, product, 'D', verdicts->in_tensor_memory(index), false);
  const SumCheck* found = nullptr;
  for (const SumCheck& one : verdicts->sums()) {
    if (std::find(one.products.begin(), one.products.end(), product) == one.products.end())
      continue;
    if (found == nullptr || one.operand == operand) found = &one;
  }
  if (found == nullptr) return std::nullopt;
  return shown(model, found->product, found->operand, found->check, false);
}

void lead_on(Way& way, std::shared_ptr<Verdicts>& verdicts, const Model& model,
             const StepList& steps, int product, const Selection& selection) {
  const auto index = static_cast<std::size_t>(product);
  if (way.stops.empty() || selection.operand != 'D' || selection.picked != Picked::element ||
      !model.is_of_steps())
    return;
  if (verdicts == nullptr) verdicts = std::make_shared<Verdicts>(model, steps);
  if (const auto stop = verdicts->stored(index, selection.element);
      stop && !has_stop_at(way, stop->place))
    way.stops.push_back(*stop);
}

}  // namespace lanescope::viz
