// SPDX-License-Identifier: MIT
// See scores.hpp.
#include "panels/way/scores.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostDeep = 400;  // instructions, one behind the other
constexpr int kMostRows = 64;   // a bit each

// One number out of two: their own elements are lost where both are of sums.
Score joined(const Score& a, const Score& b, bool is_maximum) {
  Score all;
  all.rows = a.rows | b.rows;
  all.latest = std::max(a.latest, b.latest);
  all.maximum_rows = a.maximum_rows | b.maximum_rows;
  all.maximum_of = std::max(a.maximum_of, b.maximum_of);
  const bool both = a.rows != 0 && b.rows != 0;
  if (is_maximum && both) {
    all.maximum_rows = all.rows;
    all.maximum_of = all.latest;
  } else if (a.own.product < 0 || b.own.product < 0 || a.own == b.own) {
    const bool of_a = a.own.product >= 0, of_b = b.own.product >= 0;
    all.own = of_a ? a.own : b.own;
    all.is_limited = is_maximum || ((!of_a || a.is_limited) && (!of_b || b.is_limited));
  }
  return all;
}

}  // namespace

int first_row(std::uint64_t rows) {
  int row = 0;
  while (row < kMostRows && (rows >> row & 1) == 0) ++row;
  return row;
}

Score Scores::of(int warp, int before, const Spot& at) {
  if (warp < 0) return {};
  const int item = history_.writer(warp, before, at.name, at.lane);
  const trace::Write* write = history_.written(warp, item, at.name);
  if (write == nullptr || at.bit >= write->bits) return {};
  const auto [found, is_new] = known_.try_emplace({write, at.lane, at.bit});
  if (!is_new || depth_ >= kMostDeep) return found->second;
  ++depth_;
  const Score score = made(warp, item, *write, at);
  --depth_;
  return known_[{write, at.lane, at.bit}] = score;
}

Score Scores::made(int warp, int item, const trace::Write& write, const Spot& at) {
  if (sources_.arrives(warp, item, at.name)) {
    Score score;
    score.own = sources_.of(warp, item + 1, at);
    if (score.own.product < 0 || score.own.element.row >= kMostRows) return {};
    score.rows = std::uint64_t{1} << score.own.element.row;
    score.latest = score.own.product;
    return score;
  }
  if (const auto before = sources_.moved(warp, item, write, at))
    return of(before->warp, before->before, before->at);
  const trace::Step& step = *history_.item(warp, item).step;
  const std::string_view name = mnemonic_of(step.ptx);
  if (multiplies(name) || name.starts_with("atom")) return {};
  const bool is_maximum = name.starts_with("max.") || name.starts_with("min.");
  Score score;
  for (const Worked& one : worked_out_from(step, write, at))
    score = joined(score, of(warp, item, one.from), is_maximum);
  return score;
}

Score Scores::of(const Multiplication& in, char operand, int row, int col) {
  const layout::Holder held = in.holder(operand, row, col);
  const RegisterStep by = register_step(history_, in, operand, held.thread, held.register_index);
  if (by.place.item < 0) return {};
  return of(by.place.warp, by.place.item + 1, {by.name, held.thread % 32, held.bit});
}

// Of an element whose score, or whose maximum, is of another row; "": there is none.
std::string Scores::wrong_row(const std::vector<Score>& all, int rows, int cols) {
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      const Score& score = all[static_cast<std::size_t>(row * cols + col)];
      const int own = score.own.element.row;
      if (score.own.product >= 0 && own != row)
        return fmt::format("A[{}][{}] is made of a score of row {}", row, col, own);
      if (is_foreign(score.maximum_rows, row))
        return fmt::format("row {} of A is made of its scores and of the maximum of row {}", row,
                           first_row(score.maximum_rows));
    }
  return {};
}

namespace {

// The row of B that a column of A meets, where it lies in its matrix.
std::optional<TileAt> row_that_meets(const OriginCheck& b, int k, int cols) {
  const auto line = static_cast<std::size_t>(k), first = static_cast<std::size_t>(k * cols);
  if (line < b.gathered.ks.size()) return b.gathered.ks[line];
  if (!b.tile || first >= b.came_from.size()) return std::nullopt;
  TileAt row = *b.tile;
  row.row += b.came_from[first].row;
  return row;
}

}  // namespace

std::optional<OriginCheck> Scores::check(const Multiplication& in, const OriginCheck& b,
                                         const std::function<std::optional<TileAt>(int)>& keys) {
  const layout::Fragment* map = in.map('A');
  if (map == nullptr || in.fragment('A') == nullptr || map->matrices > 1 || map->element_bits < 8 ||
      map->rows > kMostRows || !in.columns_of_A_are_k())
    return std::nullopt;
  std::vector<Score> all;
  for (int row = 0; row < map->rows; ++row)
    for (int col = 0; col < map->cols; ++col) {
      all.push_back(of(in, 'A', row, col));
      const int product = all.front().own.product;
      if (product < 0 ||
          model_.multiplications[static_cast<std::size_t>(product)].map('D')->rows != map->rows)
        return std::nullopt;
    }
  if (std::string words = wrong_row(all, map->rows, map->cols); !words.empty())
    return mistaken(
        "scores-rows", std::move(words),
        "which rows of D does a lane hold, and which rows of A? `lanescope layout` says it");
  // Pages of keys and of values are the same where one table has found them.
  Numbers of_keys, of_values;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all[n].own.product < 0) continue;
    const auto meets = row_that_meets(b, static_cast<int>(n) % map->cols, in.instruction->N);
    const auto tile = keys(all[n].own.product);
    if (meets) of_values.insert(meets->numbers.begin(), meets->numbers.end());
    if (tile) of_keys.insert(tile->numbers.begin(), tile->numbers.end());
  }
  const bool by_one_table = of_keys == of_values;
  OriginCheck check;
  trace::Diagnosis& d = check.diagnosis;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto k = static_cast<int>(n) % map->cols;
    const SumElement& own = all[n].own;
    if (own.product < 0) continue;  // masked
    const std::optional<TileAt> tile = keys(own.product);
    const std::optional<TileAt> meets = row_that_meets(b, k, in.instruction->N);
    const bool are_placed = tile && tile->base != 0 && meets && meets->base != 0;
    if (!are_placed || !by_one_table) {
      d.mistake = "A is made of scores of its own rows: of which columns is not known";
      return check;
    }
    const std::int64_t column = tile->col + own.element.col, row = meets->row;
    if (column == row || all[n].is_limited) continue;
    return mistaken(
        "scores-order",
        fmt::format("A[{}][{}] is made of the score of column {}, and meets row {} of B",
                    static_cast<int>(n) / map->cols, k, column, row),
        "the k that a lane has in a register of A is the column that it had in one of "
        "D: `lanescope layout` says which these are");
  }
  d.verdict = trace::Verdict::right;
  check.lies = "made of scores of its own rows and of those columns whose rows of B it meets";
  return check;
}

const std::vector<trace::KnownMistake>& known_score_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"scores-rows", "an A that is made of the scores, or of the maximum, of another row"},
      {"scores-order", "an A made of scores whose columns are not the rows of B that they meet"},
      {"not-rescaled", "sums that are not scaled when the maximum that A is made with changes"},
      {"scaled-by-row", "sums that are scaled by what is made of another row"}};
  return all;
}

}  // namespace lanescope::viz
