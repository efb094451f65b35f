// SPDX-License-Identifier: MIT
// Sums held against where A and B came from, and against where D goes. See sum_checks.hpp.
#include "panels/way/sum_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/descriptor_reads.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {

SumCheck mistaken_sum(int product, const char* kind, std::string words, std::string advice) {
  SumCheck found;
  found.product = product;
  found.check = mistaken(kind, std::move(words), std::move(advice));
  return found;
}

SumChecks::SumChecks(const Model& model, RegisterHistory& history)
    : model_(model),
      history_(history),
      sources_(model, history),
      stores_(model.trace, history, sources_),
      epilogue_(model.trace, history, sources_),
      scores_(model, history, sources_),
      numbers_(model.trace, history) {
  constexpr int kWide = 64, kByte = 8;
  stores_.join_halves([this](int product) {
    const layout::Fragment* d = at(product).map('D');
    return d != nullptr && d->element_bits == kWide ? kWide / kByte : 0;
  });
}

void SumChecks::add(int product, const OriginCheck& a, const OriginCheck& b, bool in_order) {
  const auto is_known = [in_order](const OriginCheck& check) {
    return check.tile && (in_order || check.diagnosis.verdict == trace::Verdict::right);
  };
  const bool of_a = is_known(a), of_b = is_known(b);
  for (const auto& [operand, check] : {std::pair('A', &a), std::pair('B', &b)}) {
    const std::pair which(product, operand);
    if (check->turned && check->tile) in_two_ways_.emplace(which, *check->tile);
    numbers_.take_over(check->gathered.places);
    if (check->gathered.any) gathered_.emplace(which, check->gathered.by);
    if (!check->in_pieces.begins.empty()) in_pieces_.emplace(which, check->in_pieces);
  }
  if (of_a) a_[product] = *a.tile;
  if (of_b) b_[product] = *b.tile;
  if (of_a && of_b) whole_.insert(product);
  if (!of_a || !of_b || !in_order) return;
  std::optional<std::vector<int>> order = order_of_k(at(product), 'B', b);
  if (!order) return;
  std::sort(order->begin(), order->end());
  if (order->back() >= static_cast<int>(order->size())) apart_.emplace(product, std::move(*order));
}

// As its instruction names them; none where that is not recorded.
std::vector<std::string_view> SumChecks::registers_of(int product, char operand) const {
  const StepPlace place = product_step(history_.list(), at(product), 0);
  if (place.item < 0) return {};
  return matrix_registers(history_.item(place.warp, place.item).step->ptx, operand);
}

// Of its element (0, 0): in a register, or behind the descriptor of its first wgmma.
Way SumChecks::way_to_first(int product, char operand) {
  const Multiplication& in = at(product);
  if (in.map(operand) != nullptr && in.fragment(operand) != nullptr)
    return way_back_to(model_.trace, history_, in, operand, 0, 0);
  const std::vector<StepPlace> own = own_wgmmas(history_, in);
  if (own.empty()) return {};
  const auto read = descriptor_read(history_, own.front(), operand);
  if (!read || !read->bits || read->width < 8) return {};
  return way_back_from_shared(model_.trace, history_,
                              {read->reader, read->byte(0, 0), 0, read->width});
}

// Of a product that was not looked at as a whole.
std::optional<TileAt> SumChecks::first_of(int product, char operand, const Tiles& tiles) {
  const auto wgmmas = [this](int of) {
    return is_of_warp(of) ? 1 : own_wgmmas(history_, at(of)).size();
  };
  const std::size_t own = wgmmas(product);
  const Way way = way_to_first(product, operand);
  if (!way.address) return std::nullopt;
  for (const auto& [other, tile] : tiles)
    if (at(other).instruction == at(product).instruction && tile.base == way.base &&
        8 * tile.bytes == way.bits && wgmmas(other) == own) {
      TileAt found = tile;
      found.first = *way.address;
      found.numbers = way.access ? numbers_.of(*way.access) : Numbers();
      found.there = 0;
      found.hangs_over = false;
      return found.from(way.base);
    }
  return std::nullopt;
}

void SumChecks::place_tiles(char operand, Tiles& tiles) {
  const Tiles known = tiles;
  if (known.empty()) return;
  for (std::size_t k = 0; k < model_.multiplications.size(); ++k) {
    const int product = static_cast<int>(k);
    if (known.count(product) != 0 || gathered_.count({product, operand}) != 0) continue;
    if (const auto tile = first_of(product, operand, known)) tiles[product] = *tile;
  }
  std::map<std::int64_t, std::uint64_t> lowest;  // of those whose matrix is not known
  for (const auto& [product, tile] : tiles)
    if (tile.base == 0) {
      const auto found = lowest.emplace(tile.apart, tile.first).first;
      found->second = std::min(found->second, tile.first);
    }
  for (auto& [product, tile] : tiles)
    if (tile.base == 0) {
      tile = tile.from(lowest[tile.apart]);
      tile.relative = true;
    }
}

// From one product of a sum to the next A goes on along its columns, and B along its rows, by as
// many as a product has; read the other way they would be exchanged. Other steps, such as a
// convolution's from pixel to pixel, say nothing.
void SumChecks::decide_turns(const Sum& sum) {
  for (const char operand : {'A', 'B'}) {
    std::vector<std::pair<int, const TileAt*>> all;
    for (const Slice& one : sum.slices)
      if (const auto found = in_two_ways_.find({one.product, operand}); found != in_two_ways_.end())
        all.emplace_back(one.product, &found->second);
    if (all.size() < 2 || !all[0].second->is_of(*all[1].second)) continue;
    const std::int64_t rows = all[1].second->row - all[0].second->row;
    const std::int64_t cols = all[1].second->col - all[0].second->col;
    const layout::Fragment* map = at(all[0].first).map(operand);
    const int ks = map == nullptr ? 1 : operand == 'A' ? map->cols : map->rows;
    if ((rows == 0) == (cols == 0) || (rows + cols) % ks != 0) continue;
    for (const auto& [product, tile] : all)
      turns_[{product, operand}] = (operand == 'A' ? cols : rows) == 0;
  }
}

std::vector<SumCheck> SumChecks::judged() {
  place_tiles('A', a_);
  place_tiles('B', b_);
  collect();
  std::vector<SumCheck> all;
  const Sum* by = nullptr;  // the first that is in its place
  for (const Sum& sum : sums_) decide_turns(sum);
  decide_pieces();
  std::vector<std::optional<SumCheck>> checks;
  for (Sum& sum : sums_) {
    std::optional<SumCheck> found = never_set(sum);
    if (!found) found = dropped(sum);
    if (!found) found = overwritten(sum);
    if (!found) found = apart_along_k(sum);
    if (!found) found = carried_wrongly(sum);
    if (!found) found = row_left_behind(sum);
    if (!found) found = rows_apart(sum);
    if (!found) found = off_tap_of(sum);
    if (!found) found = too_short(sum);
    if (!found) found = scaled_wrongly(sum);
    if (!found) found = added_again(sum);
    checks.push_back(found ? std::move(found) : places(sum));
  }
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    const Sum& sum = sums_[s];
    std::optional<SumCheck>& found = checks[s];
    if (!found) continue;
    const std::size_t before = all.size();
    judge_place(*found, sum, by);
    if (found->check.diagnosis.verdict == trace::Verdict::right) {
      std::optional<Stream> begun = begun_with(sum);
      if (auto c = begun ? of_c(sum, *begun) : std::nullopt) {
        const bool is_right = c->check.diagnosis.verdict == trace::Verdict::right;
        // By other numbers in memory than D its place says nothing.
        if (!is_right || (c->check.tile && sum.d && c->check.tile->numbers != sum.d->numbers))
          begun.reset();
        if (!is_right) all.push_back(std::move(*c));
      }
      judge_epilogue(*found, sum, std::move(begun), all);
    }
    all.push_back(std::move(*found));
    for (std::size_t k = before; k < all.size(); ++k)
      for (const Slice& one : sum.slices) all[k].products.push_back(one.product);
  }
  return all;
}

const std::vector<trace::KnownMistake>& known_sum_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"sum-never-set", "sums that are not set to 0 before the loop along k"},
      {"sum-dropped",
       "sums that nothing reads: set to 0 inside of the loop along k, or by a scale-d of 0"},
      {"sums-mixed",
       "rows of A, or columns of B, that are added to another tile's sums, or registers"},
      {"sums-exchanged", "registers of C that are not in the order of the D before"},
      {"made-twice", "a tile that two warps make, while nobody makes the one beside it"},
      {"k-advance", "A or B that does not go on along k, or along M or N instead"},
      {"k-twice", "a step of k that is added twice"},
      {"k-short", "a loop along k that ends too soon, or leaves out the end of every stage"},
      {"sum-not-stored", "registers of D that are never stored"},
      {"tile-misplaced", "D stored at another tile's place, or over another one"},
      {"operands-exchanged", "A and B exchanged, where both fit"},
      {"c-transposed", "C read row after row, D stored column after column"},
  };
  return all;
}

}  // namespace lanescope::viz
