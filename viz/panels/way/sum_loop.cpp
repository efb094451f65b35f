// SPDX-License-Identifier: MIT
// Sums along k: what speaks against them. See sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kScaleD =
    "is scale-d 0 in the loop along k, and not for its first wgmma alone?";

}  // namespace

std::string SumChecks::along_k(const Sum& sum) const {
  for (std::size_t i = 0; i < sum.slices.size(); ++i) {
    const Slice& one = sum.slices[i];
    if (!one.a || !one.b || one.a->col != one.b->row || one.ks == 0 || !sum.whole) return {};
    if (!one.a->numbers.empty() || !one.b->numbers.empty()) return {};  // of what is not known
    if (!one.apart.empty()) return {};
    if (i > 0 && one.a->col != sum.slices[i - 1].a->col + one.ks) return {};
  }
  const std::int64_t first = sum.slices[0].a->col, end = ends_at(sum);
  const std::int64_t all = length_of_k(sum);
  const bool in_part = end < all || (first > 0 && end == all);
  return fmt::format(", sums of k {}{}", range_text(first, end - first),
                     in_part ? fmt::format(" of {}", all) : "");
}

std::optional<SumCheck> SumChecks::never_set(const Sum& sum) {
  const Multiplication& in = at(sum.slices.front().product);
  const StepPlace place = product_step(history_.list(), in, 0);
  if (!sum.whole || !is_of_warp(sum.slices.front().product) || place.item < 0 ||
      history_.item(place.warp, 0).step->step != 0)
    return std::nullopt;
  const std::string_view ptx = history_.item(place.warp, place.item).step->ptx;
  const std::vector<std::string_view> names = matrix_registers(ptx, 'C');
  for (std::size_t r = 0; r < names.size(); ++r)
    if (history_.writer(place.warp, place.item, names[r], 0) < 0) {
      SumCheck found = mistaken_sum(
          sum.slices.front().product, "sum-never-set",
          fmt::format("nothing has set C.r{}: these sums begin with what it happened to hold", r),
          "set the sums to 0 before the loop along k: float d[4] = {}");
      found.operand = 'C';
      return found;
    }
  return std::nullopt;
}

// Whether a later item of the warp reads a register before another writes it; so it may be, too,
// where the steps end sooner than the warp.
bool SumChecks::is_read(int product, std::string_view name) {
  const StepPlace place = register_step(history_, at(product), 'D', 0, 0).place;
  if (place.item < 0) return true;
  const std::vector<StepItem>& items = history_.warp(place.warp).items;
  const auto reads = [&](const trace::Step& step) {
    if (step.ptx.find(name) == std::string::npos) return false;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    for (std::size_t n = 1; n < operands.size(); ++n)
      if (place_among(registers_in(operands[n]), name) >= 0) return true;
    return false;
  };
  // A mov that takes a sum over before its wait is where it arrives, too.
  const trace::Step& arrival = *items[static_cast<std::size_t>(place.item)].step;
  if (mnemonic_of(arrival.ptx).starts_with("mov.") && reads(arrival)) return true;
  for (std::size_t k = static_cast<std::size_t>(place.item) + 1; k < items.size(); ++k) {
    if (reads(*items[k].step)) return true;
    if (history_.written(place.warp, static_cast<int>(k), name) != nullptr) return false;
  }
  return !history_.warp(place.warp).ends();
}

// Another sum of the warp is written to the same registers, or is of the same tile of D.
bool SumChecks::begins_again(const Sum& sum) const {
  const Multiplication& in = at(sum.last().product);
  const std::vector<std::string_view> names = registers_of(sum.last().product, 'D');
  for (const Sum& other : sums_) {
    const Multiplication& its = at(other.slices.front().product);
    if (&other == &sum || !(its.place == in.place) || its.steps[0] < in.steps[0]) continue;
    const Slice &one = sum.last(), &next = other.slices.front();
    if (!names.empty() && registers_of(other.slices.front().product, 'D') == names) return true;
    if (one.a && one.b && next.a && next.b && one.a->is_of(*next.a) && one.b->is_of(*next.b) &&
        one.a->row == next.a->row && one.b->col == next.b->col)
      return true;
  }
  return false;
}

std::optional<SumCheck> SumChecks::dropped(const Sum& sum) {
  const int product = sum.last().product;
  const std::vector<std::string_view> names = registers_of(product, 'D');
  if (!stores_.of(product).empty() || !sum.whole || names.empty() || !begins_again(sum))
    return std::nullopt;
  for (const std::string_view name : names)
    if (is_read(product, name)) return std::nullopt;
  if (!is_of_warp(product))
    return mistaken_sum(product, "sum-dropped",
                        "nothing reads these sums: no wgmma adds to them, and they are not stored",
                        kScaleD);
  return mistaken_sum(product, "sum-dropped",
                      "nothing reads these sums: no mma adds to them, and they are not stored",
                      "are they set to 0 in the loop along k, instead of before it?");
}

// What a wgmma under way leaves in D is gone where the next one to the same registers begins anew.
std::optional<SumCheck> SumChecks::overwritten(const Sum& sum) {
  const int product = sum.slices.front().product;
  const std::vector<StepPlace> own =
      is_of_warp(product) ? std::vector<StepPlace>() : own_wgmmas(history_, at(product));
  if (own.empty() || adds_to_sums(history_, own.front())) return std::nullopt;
  const StepPlace& first = own.front();
  const auto registers = [&](int item) {
    return matrix_registers(history_.item(first.warp, item).step->ptx, 'D');
  };
  const std::vector<int>& all = history_.wgmmas(first.warp);
  const auto here = std::find(all.begin(), all.end(), first.item);
  if (here == all.begin() || here == all.end()) return std::nullopt;
  const int before = *std::prev(here);
  const std::vector<std::string_view> names = registers(first.item);
  if (names.empty() || registers(before) != names) return std::nullopt;
  if (history_.writer(first.warp, first.item, names[0], 0) > before) return std::nullopt;
  return mistaken_sum(product, "sum-dropped",
                      "the wgmma before it has written to the same registers, and this one begins "
                      "anew: its scale-d is 0",
                      kScaleD);
}

// Whether two of them have a k in common, in A and in B.
bool SumChecks::share_k(const Slice& one, const Slice& other) {
  const auto has = [](const Slice& slice, std::int64_t k) {
    if (slice.apart.empty()) return k >= 0 && k < slice.ks;
    return std::binary_search(slice.apart.begin(), slice.apart.end(), k);
  };
  const auto share = [&](std::int64_t k, std::int64_t its_k) {
    if (one.apart.empty() && other.apart.empty()) return k < its_k + other.ks && its_k < k + one.ks;
    const std::int64_t last = one.apart.empty() ? one.ks - 1 : one.apart.back();
    for (std::int64_t i = 0; i <= last; ++i)
      if (has(one, i) && has(other, k + i - its_k)) return true;
    return false;
  };
  return share(one.a->col, other.a->col) && share(one.b->row, other.b->row);
}

// "16 to 31"; "0, 1, 4, 5, ..." where others are between them.
std::string SumChecks::ks_text(const Slice& one, std::int64_t from) {
  if (one.apart.empty()) return range_text(from, one.ks);
  constexpr std::size_t kMost = 4;
  std::string all;
  for (std::size_t i = 0; i < std::min(one.apart.size(), kMost); ++i)
    all += fmt::format("{}, ", from + one.apart[i]);
  return all + "...";
}

std::optional<SumChecks::Moved> SumChecks::moved(const Sum& sum, std::size_t slice) const {
  const Slice &first = sum.slices.front(), &one = sum.slices[slice];
  if (!first.a || !first.b || !one.a || !one.b || !first.a->is_of(*one.a) ||
      !first.b->is_of(*one.b) || one.ks == 0)
    return std::nullopt;
  Moved by{one.a->row - first.a->row, one.b->col - first.b->col, one.a->col - first.a->col,
           one.b->row - first.b->row, false};
  for (std::size_t j = 0; j < slice; ++j) by.again = by.again || share_k(one, sum.slices[j]);
  return by;
}

// What is along M or N, and should not be.
std::optional<SumCheck> SumChecks::sideways(const Sum& sum, const Slice& one, const Moved& by) {
  const Slice& first = sum.slices.front();
  if (by.m != 0 && by.k_of_a == 0 && by.m == by.k_of_b)
    return mistaken_sum(
        one.product, "k-advance",
        fmt::format("from one step of k to the next A goes on by {} rows, it should go on by "
                    "{} columns",
                    by.m, by.k_of_b),
        "k is the second index of A: A[row][k]; or A lies the other way in memory, and its "
        "fragment "
        "is loaded as if it did not (.trans, row_major, the transposition bit)");
  if (by.n != 0 && by.k_of_b == 0 && by.n == by.k_of_a)
    return mistaken_sum(
        one.product, "k-advance",
        fmt::format("from one step of k to the next B goes on by {} columns, it should "
                    "go on by {} rows",
                    by.n, by.k_of_a),
        "k is the first index of B: B[k][col]; or B lies the other way in memory, and its fragment "
        "is loaded as if it did not (.trans, col_major, the transposition bit)");
  if (!by.again && !is_of_another(sum, one)) return std::nullopt;  // as a convolution's
  const layout::Instruction& in = *at(one.product).instruction;
  return mistaken_sum(
      one.product, "sums-mixed",
      by.m != 0 ? fmt::format("rows {} of A are added to the sums of rows {}",
                              range_text(one.a->row, in.M), range_text(first.a->row, in.M))
                : fmt::format("columns {} of B are added to the sums of columns {}",
                              range_text(one.b->col, in.N), range_text(first.b->col, in.N)),
      "one accumulator for every tile of D, set to 0 before its first k?");
}

// Against the first of them, and against all before.
std::optional<SumCheck> SumChecks::apart_along_k(const Sum& sum) {
  for (std::size_t i = 1; i < sum.slices.size(); ++i) {
    const Slice& one = sum.slices[i];
    const std::optional<Moved> by = moved(sum, i);
    if (!by) return std::nullopt;
    if (by->m != 0 || by->n != 0) return sideways(sum, one, *by);
    if (by->again)
      return mistaken_sum(one.product, "k-twice",
                          fmt::format("k {} of A and B is added twice", ks_text(one, one.a->col)),
                          "is the address advanced by k in every step, and is it the right stage?");
    if (by->k_of_a != by->k_of_b) {
      // Where they are together here, they were not in the first.
      const Slice& apart = one.a->col == one.b->row ? sum.slices.front() : one;
      return mistaken_sum(
          apart.product, "k-advance",
          fmt::format("A is at k {}, but B at k {}", ks_text(apart, apart.a->col),
                      ks_text(apart, apart.b->row)),
          "A and B go on along k alike: which of the two addresses is not advanced?");
    }
  }
  return std::nullopt;
}

}  // namespace lanescope::viz
