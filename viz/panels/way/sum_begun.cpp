// SPDX-License-Identifier: MIT
// What sums begin with, C of D = A * B + C, and what is added to them between their products. See
// sum_checks.hpp.
#include <fmt/format.h>

#include "panels/way/places.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

const std::optional<Stream>& SumChecks::begun_with(const Sum& sum) {
  const int product = sum.slices.front().product;
  const auto [begun, is_new] = begun_.try_emplace(product);
  if (is_new && sum.whole) begun->second = initial_stream(model_.trace, history_, at(product));
  return begun->second;
}

// As far as lines of memory count them, which may be padded.
Extent SumChecks::counted(const Sum& sum) const {
  const int launch = at(sum.last().product).place.launch;
  const auto lines = [&](const std::optional<TileAt>& tile, bool columns) {
    if (!tile || tile->columns != columns) return std::int64_t{0};
    const Extent extent = extent_of(model_.trace, launch, *tile);
    return columns ? extent.cols : extent.rows;
  };
  const auto both = [](std::int64_t one, std::int64_t other) {
    return one == 0 || one == other ? other : other == 0 ? one : 0;
  };
  return {both(lines(sum.d, false), lines(sum.last().a, false)),
          both(lines(sum.d, true), lines(sum.last().b, true))};
}

// C as it is read from global memory: where D is stored, there or in a matrix of its shape.
std::optional<SumCheck> SumChecks::of_c(const Sum& sum, const Stream& begun) {
  const Multiplication& in = at(sum.slices.front().product);
  const layout::Fragment& map = *in.map('C');
  if (taken_from(begun.at, map.rows, map.cols, begun.like.bytes).shape != TakenFrom::Shape::matrix)
    return std::nullopt;
  SumCheck found{sum.slices.front().product, 'C', {}};
  found.check = Origins(model_.trace, history_).check(in, 'C');
  name_slots(in, 'C', found.check);
  leave_packed(found.check);
  trace::Diagnosis& d = found.check.diagnosis;
  if (d.verdict == trace::Verdict::not_compared) return std::nullopt;
  if (d.verdict != trace::Verdict::right || !sum.d || !found.check.tile) return found;
  const TileAt &c = *found.check.tile, &to = *sum.d;
  const auto fits = fills_memory(model_.trace, in.place.launch, c, counted(sum));
  if (c.columns != to.columns && !fits.value_or(false))
    name_mistake(d, "c-transposed",
                 fmt::format("C is read {}, D is stored {}: one of them is transposed",
                             line_after_line(c.columns), line_after_line(to.columns)),
                 "the row is where the column should be in one of the two indices");
  else if (c.columns == to.columns && c.line_length() == to.line_length() &&
           c.numbers == to.numbers && c.base != 0 && to.base != 0 &&
           (c.row != to.row || c.col != to.col))
    name_mistake(d, "tile-misplaced",
                 fmt::format("C is read at row {}, column {}; D is stored at row {}, column {}",
                             c.row, c.col, to.row, to.col),
                 "C and D of one sum are of the same rows and columns");
  if (d.verdict == trace::Verdict::mistake) found.check.lies.clear();
  return found;
}

// The same number of memory, before two products or behind the last one.
std::optional<SumCheck> SumChecks::added_again(const Sum& sum) {
  std::map<std::uint64_t, int> before;  // by address: the product, -1: none, D is stored
  const auto look_at = [&](const Ingredient& one, int product) -> std::optional<SumCheck> {
    if (one.address == 0 ||
        (one.role != Ingredient::Role::added && one.role != Ingredient::Role::initial))
      return std::nullopt;
    const auto [found, is_new] = before.try_emplace(one.address, product);
    if (is_new) return std::nullopt;
    const auto place = [](int of) {
      return of < 0 ? std::string("behind the last product")
                    : fmt::format("before product {}", of + 1);
    };
    const int last = product < 0 ? sum.last().product : product;
    return mistaken_sum(
        last, "added-again",
        fmt::format("what D[0][0] is given of {} is added to it {}, and once more {}", name_of(one),
                    place(found->second), found->second == product ? "there" : place(product)),
        "is it added in the loop along k, instead of before it or behind it?");
  };
  if (const auto& begun = begun_with(sum); begun && begun->at[0]) {
    Ingredient one = begun->like;
    one.address = *begun->at[0];
    look_at(one, sum.slices.front().product);
  }
  for (std::size_t i = 1; i < sum.slices.size(); ++i) {
    const int product = sum.slices[i].product;
    for (const Ingredient& one : epilogue_.of(register_of_c(product, 0)))
      if (auto found = look_at(one, product)) return found;
  }
  if (const StoredElement* stored = stores_.of(sum.last().product, {0, 0, 0}))
    for (const Ingredient& one : epilogue_.of(*stored))
      if (auto found = look_at(one, -1)) return found;
  return std::nullopt;
}

}  // namespace lanescope::viz
