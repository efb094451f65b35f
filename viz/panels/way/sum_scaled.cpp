// SPDX-License-Identifier: MIT
// Sums whose A is made of scores (scores.hpp), as attention's: when the maximum of a row changes
// they have to be scaled, and each row by its own. See sum_checks.hpp.
//
//   P0 = exp(S0 - max0)      D = P0 V0
//   P1 = exp(S1 - max1)      D = D exp(max0 - max1) + P1 V1
#include <fmt/format.h>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

// Of its element in column 0, as the product finds it; warp -1: it is not recorded.
Earlier SumChecks::register_of_c(int product, int row) const {
  const Multiplication& in = at(product);
  const bool of_warp = is_of_warp(product);
  const layout::Holder held = in.holder('D', row, 0);
  StepPlace place = product_step(history_.list(), in, held.thread);
  if (!of_warp) {
    const std::vector<StepPlace> own = own_wgmmas(history_, in);
    if (own.empty() || held.thread >= 32) return {};  // those of the other warps are not asked
    place = own.front();
  }
  const std::vector<std::string_view> names = registers_of(product, of_warp ? 'C' : 'D');
  const auto index = static_cast<std::size_t>(held.register_index);
  if (place.item < 0 || held.thread < 0 || index >= names.size()) return {};
  return {place.warp, place.item, {names[index], held.thread % 32, held.bit}};
}

// The row of which all is made that an element of a sum is scaled by; nothing: it is its own.
std::optional<int> SumChecks::scaled_by_row(const Earlier& from, int row) {
  epilogue_.of(from);
  for (const Earlier& one : epilogue_.of_sums()) {
    const std::uint64_t rows = scores_.of(one.warp, one.before, one.at).rows;
    if (is_foreign(rows, row)) return first_row(rows);
  }
  return std::nullopt;
}

std::optional<SumCheck> SumChecks::scaled_wrongly(const Sum& sum) {
  for (std::size_t i = 1; i < sum.slices.size(); ++i) {
    const int product = sum.slices[i].product;
    const Multiplication &in = at(product), &before = at(sum.slices[i - 1].product);
    if (in.map('A') == nullptr || before.map('A') == nullptr) return std::nullopt;
    const int maximum_of = scores_.of(in, 'A', 0, 0).maximum_of;
    if (maximum_of < 0) return std::nullopt;
    epilogue_.of(register_of_c(product, 0));
    if (maximum_of != scores_.of(before, 'A', 0, 0).maximum_of && !epilogue_.is_worked_on())
      return mistaken_sum(product, "not-rescaled",
                          fmt::format("A is made with another maximum than that of product {}, and "
                                      "what that has summed up is not scaled to it",
                                      sum.slices[i - 1].product + 1),
                          "multiply the sums, and the sum of each row, by exp(old maximum - new "
                          "maximum) before the next product adds to them");
    for (int row = 0; row < in.map('D')->rows; ++row)
      if (const auto other = scaled_by_row(register_of_c(product, row), row))
        return mistaken_sum(product, "scaled-by-row",
                            fmt::format("row {} of the sums is scaled by what is made of row {} of "
                                        "the scores",
                                        row, *other),
                            "which rows of D does a lane hold? `lanescope layout` says it");
  }
  return std::nullopt;
}

}  // namespace lanescope::viz
