// SPDX-License-Identifier: MIT
// Where sums along k end, and whether they should. See sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

// Behind its last k; zeros that were filled in, in A or in B, are none.
std::int64_t SumChecks::ends_at(const Sum& sum) const {
  const Slice& last = sum.last();
  std::int64_t ks = last.ks;
  for (const TileAt* tile : {&*last.a, &*last.b})
    if (tile->there > 0) ks = std::min(ks, tile->there);
  return last.a->col + ks;
}

namespace {

// Other blocks, too, have a part in what such an instruction does.
bool meets_other_blocks(std::string_view name) {
  if (name.find("shared") != name.npos || name.find("mbarrier") != name.npos) return false;
  for (const std::string_view one : {"red.", "atom.", "ld.acquire", "st.release", "fence."})
    if (name.starts_with(one)) return true;
  return false;
}

}  // namespace

// Read once, whichever sums ask: there may be as many of them as steps.
const SumChecks::Surroundings& SumChecks::surroundings() {
  if (around_) return *around_;
  around_.emplace();
  for (const StepWarp& warp : history_.list().warps)
    for (const StepItem& item : warp.items) {
      const std::string_view name = mnemonic_of(item.step->ptx);
      if (name.starts_with("ld.param") && !item.step->writes.empty())
        around_->parameters.insert(item.step->writes[0].lanes[0]);
      around_->meets_other_blocks |= meets_other_blocks(name);
    }
  for (const Sum& sum : sums_)
    if (const auto& a = sum.last().a) {
      std::int64_t& last = around_->last_k.try_emplace(a->row, a->col).first->second;
      last = std::max(last, a->col);
    }
  return *around_;
}

// By a parameter of the kernel.
bool SumChecks::is_told(std::int64_t number) {
  return surroundings().parameters.count(static_cast<std::uint64_t>(number)) != 0;
}

// Other blocks, or other warps of this one, add up the rest: split and streamed k.
bool SumChecks::works_with_others(const Sum& sum) {
  const std::int64_t end = ends_at(sum);
  return is_in_layers(at(sum.last().product).place.launch) || is_told(end) ||  // that k ends there
         surroundings().meets_other_blocks || surroundings().last_k.at(sum.last().a->row) >= end;
}

// It is not stored, and its steps are recorded, or its products put together, no farther than this.
bool SumChecks::may_go_on(const Sum& sum) const {
  const int product = sum.last().product, warp = product_step(history_.list(), at(product), 0).warp;
  const bool is_cut = model_.left_out > 0 || (warp >= 0 && !history_.warp(warp).ends());
  return stores_.of(product).empty() && is_cut;
}

// Lines along k say how many of them there are; 0: there are no such lines, or they differ.
std::int64_t SumChecks::length_of_k(const Sum& sum) const {
  const TileAt &a = *sum.last().a, &b = *sum.last().b;
  const std::int64_t of_a = a.columns ? 0 : a.line_length();
  const std::int64_t of_b = b.columns ? b.line_length() : 0;
  const bool known = (of_a == 0 || of_b == 0 || of_a == of_b) && !a.relative;
  return !known ? 0 : of_a != 0 ? of_a : of_b;
}

// An operand that does not lie along k has no memory behind the last k: longer lines of the other
// one are padded.
bool SumChecks::memory_ends(const Sum& sum) const {
  const TileAt &a = *sum.last().a, &b = *sum.last().b;
  const int launch = at(sum.last().product).place.launch;
  const auto ends = [&](const TileAt& tile, std::int64_t ks) {
    return tile.of_tensor == 0 && ks > 0 && ks <= ends_at(sum);
  };
  return (a.columns && ends(a, extent_of(model_.trace, launch, a).cols)) ||
         (!b.columns && ends(b, extent_of(model_.trace, launch, b).rows));
}

// Of every stage's k the wgmmas multiply the first alone, and leave out so many; 0: they do not.
std::int64_t SumChecks::skipped(const Sum& sum) const {
  const Slice& first = sum.slices.front();
  if (!sum.whole || sum.slices.size() < 2 || !first.a || !first.b || first.a->col != 0 ||
      first.b->row != 0 || first.ks == 0 || is_of_warp(first.product))
    return 0;
  std::int64_t stage = 0;
  for (std::size_t i = 1; i < sum.slices.size(); ++i) {
    const std::optional<Moved> by = moved(sum, i);
    if (!by || by->m != 0 || by->n != 0 || by->k_of_a != by->k_of_b || sum.slices[i].ks != first.ks)
      return 0;
    if (i == 1) stage = by->k_of_a;
    if (by->k_of_a != static_cast<std::int64_t>(i) * stage) return 0;
  }
  const std::int64_t left = stage - first.ks;
  const bool is_all = stage * static_cast<std::int64_t>(sum.slices.size()) == length_of_k(sum);
  return is_all && left > 0 && left < first.ks ? left : 0;
}

// The last step of k goes on behind the end of A's rows and of B's columns, and neither is filled
// up there: what follows is multiplied, too.
std::optional<SumCheck> SumChecks::over_the_end(const Sum& sum) const {
  const Slice& last = sum.last();
  if (along_k(sum).empty() || whole_.count(last.product) == 0 || sum.slices.front().a->col != 0)
    return std::nullopt;
  const std::int64_t all = length_of_k(sum), end = ends_at(sum);
  const auto lines = [&](const TileAt& tile, bool along_k, std::int64_t across) {
    return tile.of_tensor != 0 ? 0 : along_k ? tile.line_length() : across;
  };
  const int launch = at(last.product).place.launch;
  const std::int64_t of_a =
      lines(*last.a, !last.a->columns, extent_of(model_.trace, launch, *last.a).cols);
  const std::int64_t of_b =
      lines(*last.b, last.b->columns, extent_of(model_.trace, launch, *last.b).rows);
  if (all == 0 || of_a != all || of_b != all || end <= all || last.a->col >= all)
    return std::nullopt;
  return mistaken_sum(last.product, "k-over",
                      fmt::format("k {} does not exist: A's rows and B's columns have {} elements, "
                                  "and what follows these is multiplied, too",
                                  range_text(all, end - all), all),
                      "fill the rest of the last step with zeros, in A or in B: by a guard, by the "
                      "bytes that cp.async is told to copy");
}

std::optional<SumCheck> SumChecks::too_short(const Sum& sum) {
  if (auto over = over_the_end(sum)) return over;
  if (may_go_on(sum)) return std::nullopt;
  const int product = sum.last().product;
  if (const std::int64_t left = skipped(sum); left > 0 && !works_with_others(sum)) {
    const std::int64_t ks = sum.last().ks;
    return mistaken_sum(product, "k-short",
                        fmt::format("k {} is never added: of every {} of k the wgmmas multiply {}",
                                    range_text(ks, left), ks + left, ks),
                        "does the loop over a stage's k end one wgmma too soon?");
  }
  const int step = at(product).instruction->K;
  if (along_k(sum).empty() || (sum.slices.size() < 2 && sum.last().ks == step) ||
      sum.slices.front().a->col != 0)
    return std::nullopt;
  const TileAt &a = *sum.last().a, &b = *sum.last().b;
  const std::int64_t end = ends_at(sum), all = length_of_k(sum);
  if (end >= all || 2 * end <= all || works_with_others(sum) || memory_ends(sum))
    return std::nullopt;
  // Less than a step may be padding, unless the kernel is told that it is not.
  if ((all - end) % step != 0 && (all - end > step || !is_told(all))) return std::nullopt;
  return mistaken_sum(product, "k-short",
                      fmt::format("k {} is never added: {} {} elements, and these sums end at k {}",
                                  range_text(end, all - end),
                                  a.columns    ? "B's columns have"
                                  : !b.columns ? "A's rows have"
                                               : "A's rows and B's columns have",
                                  all, end - 1),
                      (all - end) % step == 0
                          ? "does the loop along k end one step too soon?"
                          : "does the loop along k leave out a last step that is not full?");
}

}  // namespace lanescope::viz
