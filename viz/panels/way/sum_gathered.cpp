// SPDX-License-Identifier: MIT
// Rows of A that are found by numbers in memory (gathered.hpp): which these are only the user
// knows, but all go on along k alike, and where D is scattered by the same numbers, row by row by
// the same. See sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {
namespace {

// What most have; nothing where none has more than half of them.
std::optional<std::int64_t> usual(const std::map<std::size_t, std::int64_t>& all) {
  std::map<std::int64_t, std::size_t> counts;
  for (const auto& [line, bytes] : all) ++counts[bytes];
  for (const auto& [bytes, count] : counts)
    if (2 * count > all.size()) return bytes;
  return std::nullopt;
}

}  // namespace

// From one step of k to the next, as far as B goes on: a line that stays behind is of another k
// than the others. Where they go on otherwise, as a convolution's do, nothing is said.
std::optional<SumCheck> SumChecks::row_left_behind(const Sum& sum) const {
  std::optional<SumCheck> found;
  for (const char operand : {'A', 'B'})
    for (std::size_t i = 1; i < sum.slices.size(); ++i) {
      const Slice &before = sum.slices[i - 1], &one = sum.slices[i];
      const InPieces *from = in_pieces(before, operand), *to = in_pieces(one, operand);
      const auto by = gathered_.find({before.product, operand}),
                 now = gathered_.find({one.product, operand});
      const auto &k_from = operand == 'A' ? before.b : before.a,
                 &k_to = operand == 'A' ? one.b : one.a;
      if (!from || !to || by == gathered_.end() || now == gathered_.end()) continue;
      if (!k_from || !k_to || !k_from->is_of(*k_to)) continue;
      std::map<std::size_t, std::int64_t> goes_on;  // bytes, by line
      for (std::size_t k = 0; k < std::min({from->begins.size(), to->begins.size(),
                                            by->second.size(), now->second.size()});
           ++k)
        if (from->begins[k] && to->begins[k] && !by->second[k].empty() &&
            by->second[k] == now->second[k])
          goes_on[k] = static_cast<std::int64_t>(*to->begins[k] - *from->begins[k]);
      const std::int64_t ks = operand == 'A' ? k_to->row - k_from->row : k_to->col - k_from->col;
      const auto bytes = usual(goes_on);
      if (!bytes || *bytes != ks * at(one.product).map(operand)->element_bits / 8)
        return std::nullopt;
      for (const auto& [line, own] : goes_on)
        if (own != *bytes && !found)
          found = mistaken_sum(
              one.product, "k-advance",
              fmt::format(
                  "from product {} to product {} {} {} of {} goes on by {} bytes, the others "
                  "by {}",
                  before.product + 1, one.product + 1, operand == 'A' ? "row" : "column", line,
                  operand, own, *bytes),
              "k is added to the address of each of them alike: which lane brings that one?");
    }
  return found;
}

// Most rows of D are stored by the number by which their row of A was found, and one is not.
std::optional<SumCheck> SumChecks::rows_apart(const Sum& sum) {
  const int product = sum.last().product;
  const auto of_a = gathered_.find({product, 'A'});
  if (of_a == gathered_.end()) return std::nullopt;
  std::vector<Numbers> a = without_common(of_a->second), d(a.size());
  for (const StoredElement& one : stores_.of(product))
    if (const auto row = static_cast<std::size_t>(one.element.row);
        row < d.size() && d[row].empty())
      d[row] = numbers_of(one);
  d = without_common(std::move(d));
  std::size_t alike = 0, other = a.size(), others = 0;
  for (std::size_t row = 0; row < a.size(); ++row) {
    if (a[row].size() != 1 || d[row].size() != 1) continue;
    const bool same = a[row] == d[row];
    (same ? alike : others) += 1;
    if (!same && other == a.size()) other = row;
  }
  if (others == 0 || alike < 3 * others) return std::nullopt;
  return mistaken_sum(
      product, "rows-apart",
      fmt::format("row {} of A is found by the number at {}, row {} of D by that at {}; {} other "
                  "rows of both by the same",
                  other, numbers_.place_of(*a[other].begin()), other,
                  numbers_.place_of(*d[other].begin()), alike),
      "one index says which row of A it is, and where it goes in D: is it that of its own row in "
      "both?");
}

const std::vector<trace::KnownMistake>& known_gathered_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"rows-apart", "a row of A found by one index, and stored by the index of another row"}};
  return all;
}

}  // namespace lanescope::viz
