// SPDX-License-Identifier: MIT
// From one product of a sum to the next each element goes on as itself: the registers of C are
// those of the D before, in its order. And each tile of D is made once. See sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "panels/way/sum_checks.hpp"
#include "panels/way/wgmma_registers.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

std::string named(const Element& element) {
  return fmt::format("D[{}][{}]", element.row, element.col);
}

}  // namespace

// What lane 0 finds in the registers of C of a product: they are named once, for all lanes.
std::vector<SumChecks::Carried> SumChecks::carried_to(int product) {
  const auto [place, names] = addition_of(product);
  const layout::Fragment* map = at(product).map('D');
  if (place.item < 0 || map == nullptr) return {};
  std::vector<Carried> all;
  for (std::size_t r = 0; r < names.size(); ++r)
    for (int in_register = 0; in_register < map->values_per_register(); ++in_register) {
      const int value = static_cast<int>(r) * map->values_per_register() + in_register;
      if (value >= map->values) break;
      const Spot at{names[r], 0, in_register * map->element_bits};
      all.push_back({static_cast<int>(r), map->element(0, value),
                     sources_.unchanged(place.warp, place.item, at),
                     sources_.of(place.warp, place.item, at).product < 0});
    }
  return all;
}

// An element in the place of another one.
std::optional<SumCheck> SumChecks::exchanged_on_the_way(int product, int before,
                                                        const std::vector<Carried>& all) {
  const auto is_other = [before](const Carried& one) {
    return one.from.product == before && !(one.from.element == one.wanted);
  };
  const auto wrong = std::find_if(all.begin(), all.end(), is_other);
  if (wrong == all.end()) return std::nullopt;
  const auto back = std::find_if(all.begin(), all.end(), [&](const Carried& one) {
    return is_other(one) && one.from.element == wrong->wanted && one.wanted == wrong->from.element;
  });
  const bool swapped = back != all.end() && back->index != wrong->index;
  SumCheck found = mistaken_sum(
      product, "sums-exchanged",
      fmt::format("{}C.r{} brings {} of product {}, and {} belongs there",
                  swapped ? fmt::format("registers C.r{} and C.r{} are exchanged: ", wrong->index,
                                        back->index)
                          : std::string(),
                  wrong->index, named(wrong->from.element), before + 1, named(wrong->wanted)),
      "C of an mma names the registers of the D before it, in the same order");
  found.operand = 'C';
  return found;
}

// A register of another product's D among the others. `before`: -1, they begin anew.
std::optional<SumCheck> SumChecks::strayed(int product, int before,
                                           const std::vector<Carried>& all) {
  const auto stray = std::find_if(all.begin(), all.end(), [before](const Carried& one) {
    return one.from.product >= 0 && one.from.product != before;
  });
  const bool others_go_on = std::any_of(all.begin(), all.end(), [before](const Carried& one) {
    return before < 0 ? one.begins_anew : one.from.product == before;
  });
  if (stray == all.end() || !others_go_on) return std::nullopt;
  SumCheck found = mistaken_sum(
      product, "sums-mixed",
      fmt::format("C.r{} brings {} of product {}, the others {}", stray->index,
                  named(stray->from.element), stray->from.product + 1,
                  before < 0 ? "begin anew" : fmt::format("are of product {}", before + 1)),
      "C of an mma names the registers of the D before it, all of them");
  found.operand = 'C';
  return found;
}

std::optional<SumCheck> SumChecks::carried_wrongly(const Sum& sum) {
  int before = -1;
  for (const Slice& one : sum.slices) {
    const std::vector<Carried> all = carried_to(one.product);
    if (before >= 0)
      if (auto found = exchanged_on_the_way(one.product, before, all)) return found;
    if (before >= 0 || sum.whole)
      if (auto found = strayed(one.product, before, all)) return found;
    if (auto other = other_sums(history_, at(one.product)))
      return SumCheck{one.product, 'D', std::move(*other)};
    before = one.product;
  }
  return std::nullopt;
}

bool SumChecks::same_tiles(const Slice& one, const Slice& other) {
  return one.a && one.b && other.a && other.b && one.a->first == other.a->first &&
         one.b->first == other.b->first && one.a->is_of(*other.a) && one.b->is_of(*other.b);
}

// Whether a slice that is none of its sum's rows or columns is a product of another sum, too, which
// is at home there: as a convolution's never is.
bool SumChecks::is_of_another(const Sum& sum, const Slice& one) const {
  const auto same = [&](const Slice& other) { return same_tiles(one, other); };
  return std::any_of(sums_.begin(), sums_.end(), [&](const Sum& other) {
    const Slice& home = other.slices.front();
    return &other != &sum && home.a && home.b && home.a->row == one.a->row &&
           home.b->col == one.b->col && std::any_of(other.slices.begin(), other.slices.end(), same);
  });
}

// The same products as those of another warp of the block, stored at the same place, although A has
// more rows, or B more columns, which nobody in the block multiplies. Where a matrix ends a warp
// may have been moved back on purpose.
std::optional<SumCheck> SumChecks::made_twice(const Sum& sum) const {
  const layout::Instruction& in = *at(sum.last().product).instruction;
  const trace::Place& place = at(sum.last().product).place;
  const auto is_twin = [&](const Sum& other) {
    const trace::Place& its = at(other.last().product).place;
    return other.d && other.d->first == sum.d->first && its.launch == place.launch &&
           its.block == place.block && its.warp < place.warp &&
           other.slices.size() == sum.slices.size() &&
           std::equal(sum.slices.begin(), sum.slices.end(), other.slices.begin(), same_tiles);
  };
  if (!sum.d || !sum.last().a || !sum.last().b || !is_of_warp(sum.last().product))
    return std::nullopt;
  const auto twin = std::find_if(sums_.begin(), sums_.end(), is_twin);
  if (twin == sums_.end()) return std::nullopt;
  // The tiles of the block that are made, and the first line behind them.
  std::array<std::int64_t, 2> end{};
  std::set<std::pair<std::int64_t, std::int64_t>> tiles;
  for (const Sum& other : sums_)
    if (other.last().a && other.last().b && at(other.last().product).place.block == place.block) {
      end = {std::max(end[0], other.last().a->row + in.M),
             std::max(end[1], other.last().b->col + in.N)};
      tiles.emplace(other.last().a->row, other.last().b->col);
    }
  const std::int64_t rows = extent_of(model_.trace, place.launch, *sum.last().a).rows,
                     cols = extent_of(model_.trace, place.launch, *sum.last().b).cols;
  const bool more_rows = rows >= end[0] + in.M, more_cols = cols >= end[1] + in.N;
  if (!more_rows && !more_cols) return std::nullopt;
  // Compilers have warps that a tile is too small for do what others do: then the blocks are
  // enough.
  const trace::Launch* launch = launch_of(model_.trace, place.launch);
  std::int64_t made = static_cast<std::int64_t>(tiles.size()) * in.M * in.N;
  for (const int blocks : launch != nullptr ? launch->grid : std::array{1, 1, 1})
    if (made < rows * cols) made *= blocks;
  if (made >= rows * cols) return std::nullopt;
  return mistaken_sum(
      sum.last().product, "made-twice",
      fmt::format("warp {} has made the same sums, and stores them at the same place; nobody in "
                  "this block makes {} from {} on",
                  at(twin->last().product).place.warp, more_rows ? "rows" : "columns",
                  more_rows ? end[0] : end[1]),
      "which tile is this warp's? its index among the warps of the block decides it, by / and % of "
      "how many there are in a row");
}

}  // namespace lanescope::viz
