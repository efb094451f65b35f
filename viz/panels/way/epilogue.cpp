// SPDX-License-Identifier: MIT
// See epilogue.hpp.
#include "panels/way/epilogue.hpp"

#include <algorithm>
#include <optional>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/conversions.hpp"
#include "panels/way/tile_at.hpp"
#include "panels/way/way_back.hpp"
#include "panels/way/way_begin.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostHops = 64;
constexpr std::size_t kMostFound = 16;

// Of a register, or of one of two numbers in it.
int width_of(const trace::Write& write, std::string_view mnemonic) {
  const bool halves = mnemonic.find("16x2") != std::string_view::npos;
  return halves ? 16 : write.bits;
}

}  // namespace

Ingredient::Role role_of(std::string_view mnemonic, std::size_t sum, std::size_t operand) {
  using enum Ingredient::Role;
  const auto is = [mnemonic](std::string_view name) { return mnemonic.starts_with(name); };
  if (is("add.") || is("sub.")) return added;
  if (is("mul.") || is("div.")) return factor;
  if (is("fma.") || is("mad.")) return sum == 3 || operand == 3 ? added : factor;
  return other;
}

std::vector<Ingredient> Epilogue::of(const StoredElement& store) {
  return of(store.copy != nullptr ? sources_.stored(store.place.warp, store.copy, store.shared, 0)
                                  : Earlier{store.place.warp, store.place.item, store.from});
}

std::vector<Ingredient> Epilogue::of(Earlier at) {
  found_.clear();
  of_sums_.clear();
  seen_.clear();
  next_ = {};
  const SumElement sum = sources_.of(at.warp, at.before, at.at);
  for (int hops = 0; at.warp >= 0 && hops < kMostHops; ++hops) at = towards_sum(sum, at);
  std::reverse(found_.begin(), found_.end());
  return std::move(found_);
}

// One hop; what the sum meets there is collected.
Earlier Epilogue::towards_sum(const SumElement& sum, const Earlier& at) {
  const int item = history_.writer(at.warp, at.before, at.at.name, at.at.lane);
  const trace::Write* write = history_.written(at.warp, item, at.at.name);
  if (write == nullptr || sources_.arrives(at.warp, item, at.at.name)) return {};
  if (const auto moved = sources_.moved(at.warp, item, *write, at.at)) return *moved;
  const trace::Step& step = *history_.item(at.warp, item).step;
  const std::vector<Worked> all = worked_out_from(step, *write, at.at);
  const auto holds_sum = [&](const Worked& one) {
    return sources_.of(at.warp, item, one.from) == sum;
  };
  const auto on = std::find_if(all.begin(), all.end(), holds_sum);
  if (on == all.end()) return {};
  ++next_.term;
  const std::string_view name = mnemonic_of(step.ptx);
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (&*one == &*on) continue;
    next_.role = role_of(name, on->operand, one->operand);
    const int by = history_.writer(at.warp, item, one->from.name, one->from.lane);
    if (const trace::Write* from = history_.written(at.warp, by, one->from.name))
      collect(at.warp, item, one->from, width_of(*from, name));
  }
  return {at.warp, item, on->from};
}

// Of memory that no recorded store has written: global memory, or shared that a copy has filled.
bool Epilogue::collect_loaded(int warp, int item, const trace::Write& write, const Spot& at,
                              int width) {
  const StepItem& it = history_.item(warp, item);
  const std::string_view name = mnemonic_of(it.step->ptx);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  Ingredient one = next_;
  one.bytes = width / 8;
  if (std::string number = parameter_of(it.step->ptx, at.name, history_.list().parameters());
      !number.empty()) {
    one.parameter = std::move(number);
    found_.push_back(one);
    return true;
  }
  if (!name.starts_with("ld") || operands.size() != 2) return false;
  std::optional<SharedRead> read;
  if (name.starts_with("ldmatrix")) {
    if (const auto byte = before_ldmatrix(it, write, at))
      read = SharedRead{{warp, item, {}}, byte->address, byte->bit, width};
  } else if (const auto address = before_load(it, at)) {
    read = SharedRead{{warp, item, {}}, *address, at.bit % 8, width};
  }
  std::string place;
  if (read) {
    const Way way = way_back_from_shared(trace_, history_, *read);
    one.address = way.address.value_or(0);
    one.base = way.base;
    if (way.access) one.numbers = numbers_.of(*way.access);
    place = way.place;
  } else {
    const Beginning begin = begin_of_access(history_, {warp, item, {}}, operands[1], at.lane,
                                            offset_of_load(*it.step, at));
    one.address = begin.address && may_be_global(*begin.address) ? *begin.address : 0;
    one.base = begin.base;
    one.numbers = numbers_.of({{warp, item, {}}, operands[1], at.lane});
    place = begin.place;
  }
  one.parameter = parameter_text(place);
  if (one.address != 0) found_.push_back(one);
  return true;
}

// All that a number is made of, unless it is made of a sum.
void Epilogue::collect(int warp, int before, Spot at, int width) {
  for (int hops = 0; hops < kMostHops && found_.size() < kMostFound; ++hops) {
    const int item = history_.writer(warp, before, at.name, at.lane);
    const trace::Write* write = history_.written(warp, item, at.name);
    if (write == nullptr || !seen_.insert({write, at.lane, at.bit}).second) return;
    if (sources_.of(warp, before, at).arrived != nullptr)
      return of_sums_.push_back({warp, before, at});
    if (const auto moved = sources_.moved(warp, item, *write, at)) {
      if (moved->warp < 0) return void(collect_loaded(warp, item, *write, at, width));
      std::tie(warp, before, at) = std::tie(moved->warp, moved->before, moved->at);
      continue;
    }
    const trace::Step& step = *history_.item(warp, item).step;
    before = item;
    if (const auto converted = before_conversion(step, at, width)) {
      at = converted->from;
      width = converted->width;
      continue;
    }
    const std::string_view name = mnemonic_of(step.ptx);
    if (multiplies(name) || name.starts_with("atom")) return;
    for (const Worked& one : worked_out_from(step, *write, at)) {
      const int by = history_.writer(warp, item, one.from.name, one.from.lane);
      if (const trace::Write* from = history_.written(warp, by, one.from.name))
        collect(warp, item, one.from, width_of(*from, name));
    }
    return;
  }
}

}  // namespace lanescope::viz
