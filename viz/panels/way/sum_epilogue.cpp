// SPDX-License-Identifier: MIT
// What a sum meets between its last product and memory. See sum_checks.hpp.
#include <fmt/format.h>

#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

// Of a stored D whose A is made of scores: each row is divided by a sum of its own.
std::optional<SumCheck> SumChecks::divided_wrongly(const Sum& sum) {
  const int product = sum.last().product;
  if (at(product).map('A') == nullptr || scores_.of(at(product), 'A', 0, 0).rows == 0)
    return std::nullopt;
  std::set<int> rows;
  for (const StoredElement& one : stores_.of(product)) {
    if (!rows.insert(one.element.row).second) continue;  // columns are alike
    epilogue_.of(one);
    for (const Earlier& side : epilogue_.of_sums())
      if (const std::uint64_t of = scores_.of(side.warp, side.before, side.at).rows;
          is_foreign(of, one.element.row))
        return mistaken_sum(product, "scaled-by-row",
                            fmt::format("row {} of D is scaled by what is made of row {} of the "
                                        "scores",
                                        one.element.row, first_row(of)),
                            "which rows of D does a lane hold? `lanescope layout` says it");
  }
  return std::nullopt;
}

void SumChecks::judge_epilogue(SumCheck& where, const Sum& sum, std::optional<Stream> begun,
                               std::vector<SumCheck>& all) {
  if (!sum.d) return;  // its rows may be anywhere
  const int product = sum.last().product;
  const Multiplication& in = at(product);
  std::vector<Stream> streams = streams_of(epilogue_, stores_.of(product), *in.map('D'));
  if (begun) streams.insert(streams.begin(), std::move(*begun));
  const int launch = in.place.launch;
  TileOfD d{&in, *sum.d, {}, {}, {}, extent_of(model_.trace, launch, *sum.d), counted(sum)};
  const auto is_placed = [](const TileAt& tile) { return tile.base != 0 && !tile.relative; };
  const Slice& last = sum.last();
  if (last.a && last.b && d.stored.rows == extent_of(model_.trace, launch, *last.a).rows &&
      d.stored.cols == extent_of(model_.trace, launch, *last.b).cols)
    d.extent = d.stored;
  if (!is_in_layers(launch) && stays(sum)) {
    if (last.a && is_placed(*last.a)) d.row = last.a->row;
    if (last.b && is_placed(*last.b)) d.col = last.b->col;
    if (!d.row && is_placed(d.at)) d.row = d.at.row;
    if (!d.col && is_placed(d.at)) d.col = d.at.col;
  }
  EpilogueCheck check = check_epilogue(model_.trace, d, streams);
  for (auto& [of, words] : check.unsure) {
    if (!unsure_.insert({launch, of}).second) continue;  // alike of every tile
    SumCheck unsure{product, 'D', {}};
    unsure.check.diagnosis.mistake = std::move(words);
    all.push_back(std::move(unsure));
  }
  where.check.lies += check.words;
  if (auto divided = divided_wrongly(sum)) return void(where = std::move(*divided));
  if (!check.mistake) return;
  where.check.diagnosis = std::move(*check.mistake);
  where.check.lies.clear();
}

}  // namespace lanescope::viz
