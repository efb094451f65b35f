// SPDX-License-Identifier: MIT
// Which products add to one another, and so are one sum. See sum_checks.hpp.
#include <algorithm>

#include "panels/steps/step_products.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

SumChecks::Slice SumChecks::slice_of(int product) const {
  const auto tile = [product](const Tiles& tiles) {
    const auto found = tiles.find(product);
    return found == tiles.end() ? std::nullopt : std::optional<TileAt>(found->second);
  };
  Slice slice{product, tile(a_), tile(b_), at(product).instruction->K};
  if (const auto found = apart_.find(product); found != apart_.end()) slice.apart = found->second;
  // Of what its first element alone says where it is, the k may be apart, too.
  if (!apart_.empty() && whole_.count(product) == 0) slice.ks = 0;
  if (is_of_warp(product)) return slice;
  // A in registers is that of the last wgmma alone.
  const std::int64_t of_b = slice.b ? slice.b->ks : 0;
  const std::int64_t of_a = slice.a && slice.a->ks != 0 ? slice.a->ks : slice.ks;
  slice.ks = of_a == of_b ? std::max<std::int64_t>(of_b, 0) : 0;
  return slice;
}

SumChecks::Addition SumChecks::addition_of(int product) {
  Addition found{product_step(history_.list(), at(product), 0), {}};
  if (!is_of_warp(product))
    if (const std::vector<StepPlace> own = own_wgmmas(history_, at(product)); !own.empty())
      found.place = own.front();
  found.names = registers_of(product, is_of_warp(product) ? 'C' : 'D');
  return found;
}

// The product to whose sums it adds, copied or scaled on the way; -1: it begins anew, `whole` where
// its beginning is among the products.
int SumChecks::goes_on_from(int product, bool& whole) {
  const bool of_warp = is_of_warp(product);
  const auto [place, names] = addition_of(product);
  const bool adds = of_warp || (place.item >= 0 && adds_to_sums(history_, place));
  whole = of_warp || (place.item >= 0 && !names.empty() &&
                      (!adds || history_.writer(place.warp, place.item, names[0], 0) >= 0));
  if (names.empty() || place.item < 0 || !adds) return -1;
  return sources_.of(place.warp, place.item, {names[0], 0, 0}).product;
}

// A block of memory for each step of k, as a program may have laid a matrix out before: lines as
// long as a step, and from step to step others of them, of A while B goes on, too, or of B while A
// does. Which rows and which k of the matrix these are is for who laid it out to say.
bool SumChecks::is_in_blocks(const Sum& sum, char operand) {
  const bool A = operand == 'A';
  const auto other_lines = [A](const TileAt& one, const TileAt& next) {
    return A ? one.row != next.row : one.col != next.col;
  };
  bool found = false;
  for (std::size_t i = 0; i < sum.slices.size(); ++i) {
    const std::optional<TileAt>&tile = A ? sum.slices[i].a : sum.slices[i].b,
          &beside = A ? sum.slices[i].b : sum.slices[i].a;
    if (!tile || !beside || tile->columns == A || tile->line_length() != sum.slices[i].ks)
      return false;
    if (i == 0) continue;
    const TileAt &before = A ? *sum.slices[i - 1].a : *sum.slices[i - 1].b,
                 &beside_before = A ? *sum.slices[i - 1].b : *sum.slices[i - 1].a;
    if (!tile->is_of(before) || !other_lines(before, *tile)) return false;
    if (beside->row == beside_before.row && beside->col == beside_before.col) return false;
    found = true;
  }
  return found;
}

void SumChecks::collect() {
  std::map<int, std::size_t> ends;  // sums, by their last product
  for (std::size_t k = 0; k < model_.multiplications.size(); ++k) {
    const int product = static_cast<int>(k);
    const Multiplication& in = at(product);
    if (in.steps[0] == nullptr || in.map('D') == nullptr || in.map('D')->matrices > 1) continue;
    if (in.tensor != nullptr) continue;  // tensor_stored.hpp judges it
    bool whole = true;
    const int before = goes_on_from(product, whole);
    const auto end = ends.find(before);
    const std::size_t sum = end != ends.end() ? end->second : sums_.size();
    if (end != ends.end())
      ends.erase(end);
    else
      sums_.push_back({{}, std::nullopt, whole});
    sums_[sum].slices.push_back(slice_of(product));
    ends[product] = sum;
  }
  for (Sum& sum : sums_) {
    const bool of_a = is_in_blocks(sum, 'A'), of_b = is_in_blocks(sum, 'B');
    for (Slice& one : sum.slices) {
      if (of_a) one.a.reset();
      if (of_b) one.b.reset();
    }
  }
}

}  // namespace lanescope::viz
