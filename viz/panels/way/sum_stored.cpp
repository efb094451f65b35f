// SPDX-License-Identifier: MIT
// Whether D is stored where it belongs, all of it: within a tile, and one tile against another. See
// sum_checks.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "panels/way/places.hpp"
#include "panels/way/sum_checks.hpp"
#include "panels/way/sum_places.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

constexpr const char *kExchanged = "row and column of the tile are exchanged: ",
                     *kOtherWay = "A and B are exchanged: ";

// "step 61, gemm.cu:69"
std::string place_of_store(const trace::Step& step) {
  const std::string source = source_text(step.source);
  return fmt::format("step {}{}{}", step.step, source.empty() ? "" : ", ", source);
}

}  // namespace

// A tile, or a box, may be larger than what is left of its matrix: the rest is filled up, and not
// to be stored.
bool SumChecks::hangs_over(const Slice& one) const {
  const layout::Instruction& in = *at(one.product).instruction;
  const auto ends = [](const TileAt& tile, std::int64_t first, int count, bool along_lines) {
    const std::int64_t most = along_lines ? tile.of_tensor : tile.lines_of_tensor;
    return tile.hangs_over || (tile.of_tensor != 0 && first + count > most);
  };
  return !one.a || !one.b || ends(*one.a, one.a->row, in.M, one.a->columns) ||
         ends(*one.b, one.b->col, in.N, !one.b->columns);
}

// The first rows of a tile, or columns, would lie before D's memory and are not stored: others are,
// in their place.
std::optional<SumCheck> SumChecks::begins_before(const Sum& sum) {
  const int product = sum.last().product;
  const std::vector<StoredElement>& stored = stores_.of(product);
  if (!sum.d || stored.empty()) return std::nullopt;
  const std::uint64_t base = stores_.base_of(stored.front());
  int row = stored.front().element.row, col = stored.front().element.col;
  for (const StoredElement& one : stored)
    row = std::min(row, one.element.row), col = std::min(col, one.element.col);
  if (base == 0 || sum.d->first >= base || (row == 0 && col == 0)) return std::nullopt;
  return mistaken_sum(product, "sum-not-stored",
                      fmt::format("{}s {} of a tile are never stored, or others are stored over "
                                  "them",
                                  row > 0 ? "row" : "column", range_text(0, row > 0 ? row : col)),
                      "which rows and columns of D does a lane hold? `lanescope layout` says it");
}

// Registers of D that no item reads, where all of A's rows and B's columns came from somewhere: at
// a matrix's edge there may be none to store.
std::optional<SumCheck> SumChecks::not_stored(const Sum& sum) {
  const int product = sum.last().product;
  const std::vector<std::string_view> names = registers_of(product, 'D');
  const bool known = std::any_of(sum.slices.begin(), sum.slices.end(), [this](const Slice& one) {
    return whole_.count(one.product) != 0 && !hangs_over(one);
  });
  if (!sum.whole || !known) return std::nullopt;
  if (auto before = begins_before(sum)) return before;
  std::vector<std::string> unread;
  for (std::size_t r = 0; r < names.size(); ++r)
    if (!is_read(product, names[r])) unread.push_back(fmt::format("D.r{}", r));
  if (unread.empty()) return std::nullopt;
  const bool one = unread.size() == 1;
  return mistaken_sum(product, "sum-not-stored",
                      fmt::format("{} {} never stored, or others are stored over {}",
                                  fmt::join(unread, ", "), one ? "is" : "are", one ? "it" : "them"),
                      "which rows and columns of D does a lane hold? `lanescope layout` says it");
}

std::optional<SumCheck> SumChecks::places(Sum& sum) {
  const int product = sum.last().product;
  const Multiplication& in = at(product);
  const layout::Fragment& map = *in.map('D');
  const std::vector<StoredElement>& stored = stores_.of(product);
  if (stored.empty()) return std::nullopt;
  std::vector<const StoredElement*> all(static_cast<std::size_t>(map.rows * map.cols));
  for (const StoredElement& one : stored) {
    if (one.bytes != stored[0].bytes) return std::nullopt;
    all[static_cast<std::size_t>(one.element.row * map.cols + one.element.col)] = &one;
  }
  std::optional<TileAt> tile = lines_of_stored(all, map, stored[0].bytes);
  SumCheck found{product, 'D', {}};
  OriginCheck& check = found.check;
  if (!tile || !in_place(stored_at(all, map, *tile), map))
    if (auto gathered = scattered(all, in)) {
      found.check = std::move(*gathered);
      return found;
    }
  if (!tile) {
    if (2 * stored.size() < all.size()) return std::nullopt;
    check.diagnosis.mistake = "D is stored neither row after row nor column after column";
    return found;
  }
  check.came_from = stored_at(all, map, *tile);
  for (const StoredElement* one : all) check.nowhere.push_back(one == nullptr);
  const auto wrong = [&](std::size_t k) {
    return all[k] != nullptr && !(check.came_from[k] == Element{static_cast<int>(k) / map.cols,
                                                                static_cast<int>(k) % map.cols, 0});
  };
  std::size_t at_first = 0;
  while (at_first < all.size() && !wrong(at_first)) ++at_first;
  const StoredElement* first = at_first < all.size() ? all[at_first] : stored.data();
  const StepPlace& by = first->place;
  sum.d = check.tile = tile->from(stores_.base_of(*first));
  check.lies = lies_in_lines(
      tile->columns, tile->apart,
      stores_.place_of(*first, static_cast<std::int64_t>(tile->first - first->address)));
  for (const StoredElement* one : all)
    if (one != nullptr) check.tile->numbers.merge(numbers_of(*one));
  sum.d->numbers = check.tile->numbers;
  check.diagnosis.verdict = trace::Verdict::right;
  if (const auto missing = std::count(all.begin(), all.end(), nullptr); missing > 0)
    check.lies +=
        fmt::format(", but for {} of {} elements, which are not stored", missing, all.size());
  if (at_first == all.size()) return found;
  if (is_cut_alike(sum, check)) return found;
  if (is_cut_at_zeros(sum)) {
    check = {};
    check.diagnosis.mistake =
        "lines of D that are made of nothing but zeros lie apart from the others: right if they "
        "belong there";
    sum.d.reset();
    return found;
  }
  check.diagnosis = diagnose_places(in, 'D', check.came_from);
  name_slots(in, 'D', check);
  const Element& to = check.came_from[at_first];
  check.first_at = first->element;
  check.first = fmt::format(
      "{}: D[{}][{}] is stored where {} belongs",
      place_of_store(*history_.item(by.warp, by.item).step), first->element.row, first->element.col,
      to.row < 4 * map.rows && to.col < 4 * map.cols ? fmt::format("D[{}][{}]", to.row, to.col)
                                                     : "nothing of this tile");
  return found;
}

std::optional<bool> SumChecks::stores_lines(int product, char operand,
                                            const std::vector<int>& lines) const {
  const auto has = [product](const Sum& sum) {
    return std::any_of(sum.slices.begin(), sum.slices.end(),
                       [product](const Slice& one) { return one.product == product; });
  };
  const auto sum = std::find_if(sums_.begin(), sums_.end(), has);
  if (sum == sums_.end()) return std::nullopt;
  const std::vector<StoredElement>& stored = stores_.of(sum->last().product);
  if (stored.empty()) return std::nullopt;
  return std::any_of(stored.begin(), stored.end(), [&](const StoredElement& one) {
    const int line = operand == 'A' ? one.element.row : one.element.col;
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  });
}

// Where a sum is stored, held against another one's rows of A and columns of B; "": they agree.
std::string SumChecks::misplaced(const Sum& sum, const Sum& by) const {
  const TileAt &a = *sum.last().a, &b = *sum.last().b, &d = *sum.d;
  const TileAt &other_a = *by.last().a, &other_b = *by.last().b, &other_d = *by.d;
  if (!a.is_of(other_a) || !b.is_of(other_b) || !d.is_of(other_d)) return {};
  // Counted from a tile that may lie farther along k, one may be thought to lie in another row.
  if ((a.relative && a.col != other_a.col) || (b.relative && b.row != other_b.row)) return {};
  const std::int64_t row = other_d.row + a.row - other_a.row;
  const std::int64_t col = other_d.col + b.col - other_b.col;
  // Lines too short for it: D is cut into several.
  if ((d.row == row && d.col == col) || (d.columns ? row : col) >= d.line_length()) return {};
  if (a.row == other_a.row && b.col == other_b.col && !share_k(sum.last(), by.last()))
    return {};  // parts of one sum
  if (is_part_of_A(sum)) return {};
  const bool over = d.row == other_d.row && d.col == other_d.col;
  return fmt::format(
      "D is stored at row {}, column {}{}; it belongs at row {}, column {}, by the "
      "rows of A and the columns of B",
      d.row, d.col, over ? ", over other sums" : "", row, col);
}

// Its products are of the same rows of A, and of the same columns of B, one behind the other; those
// of a convolution are not.
bool SumChecks::stays(const Sum& sum) const {
  const Slice& last = sum.last();
  return std::all_of(sum.slices.begin(), sum.slices.end(), [&last](const Slice& one) {
    return (!one.a || (one.a->row == last.a->row && !one.a->in_pieces)) &&
           (!one.b || (one.b->col == last.b->col && !one.b->in_pieces));
  });
}

// The place of a tile in D is that of its rows of A and columns of B; said of a block that is not
// the first, where all three matrices are known.
std::string SumChecks::misplaced(const Sum& sum) {
  const trace::Place& place = at(sum.last().product).place;
  if (!sum.d || !sum.last().a || !sum.last().b || place.block == std::array<int, 3>{0, 0, 0} ||
      !stays(sum))
    return {};
  if (is_in_layers(place.launch) || is_part_of_A(sum)) return {};
  return misplaced_tile(*sum.last().a, *sum.last().b, *sum.d, exchanged_);
}

std::string misplaced_tile(const TileAt& a, const TileAt& b, const TileAt& d, bool& any_exchanged) {
  if (a.relative || b.relative || d.base == 0 || !found_alike(a, b, d)) return {};
  if (d.row == a.row && d.col == b.col) return {};
  const bool exchanged = d.row == b.col && d.col == a.row;
  const std::int64_t along = d.columns ? a.row : b.col;  // in lines too short D is cut into several
  if (along >= d.line_length()) return {};
  if (!exchanged && !any_exchanged && d.row != a.row && d.col != b.col) return {};
  any_exchanged = any_exchanged || exchanged;
  // As a kernel's parameters are in their usual order, that says which of the two it is.
  const bool operands = any_exchanged && b.parameter >= 0 && b.parameter < a.parameter;
  return fmt::format(
      "{}D is stored at row {}, column {}; its rows of A begin at {}, its columns of B at {}{}",
      operands    ? kOtherWay
      : exchanged ? kExchanged
                  : "",
      d.row, d.col, a.row, b.col,
      operands ? fmt::format(", and A comes from parameter {}, B from parameter {}", a.parameter,
                             b.parameter)
               : "");
}

bool SumChecks::is_in_layers(int launch) const {
  const trace::Launch* one = launch_of(model_.trace, launch);
  return one != nullptr && one->grid[2] > 1;
}

void SumChecks::judge_place(SumCheck& where, const Sum& sum, const Sum*& by) {
  trace::Diagnosis& d = where.check.diagnosis;
  if (d.verdict != trace::Verdict::right) return;
  if (std::string words = other_rows(sum); !words.empty()) {
    where = mistaken_sum(where.product, "d-rows", std::move(words),
                         "the leading dimension of D, in all of its index, is how many elements a "
                         "row of D has");
    return;
  }
  d.mistake = misplaced(sum);
  const bool operands = d.mistake.starts_with(kOtherWay);
  if (!operands && !d.mistake.starts_with(kExchanged))
    if (auto unread = not_stored(sum)) return void(where = std::move(*unread));
  if (sum.d && sum.d->base != 0 && sum.last().a && sum.last().b && d.mistake.empty()) {
    if (by == nullptr) by = &sum;
    if (by != &sum && stays(sum) && stays(*by)) d.mistake = misplaced(sum, *by);
  }
  if (d.mistake.empty())
    if (auto twice = made_twice(sum)) return void(where = std::move(*twice));
  if (d.mistake.empty()) return void(where.check.lies += along_k(sum));
  d.verdict = trace::Verdict::mistake;
  d.kind = operands ? "operands-exchanged" : "tile-misplaced";
  d.advice = operands
                 ? "the first matrix of a product is A, with its rows, the second one B, with its "
                   "columns; what is multiplied the other way round is D transposed"
                 : "row and column of a tile: those of its block, of its warp, of the tile in the "
                   "warp";
  where.check.lies.clear();
}

}  // namespace lanescope::viz
