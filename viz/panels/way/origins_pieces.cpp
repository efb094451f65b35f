// SPDX-License-Identifier: MIT
// An operand whose rows, or columns, come in pieces (pieces.hpp): by itself it may be a mistake, or
// a convolution's. What else is known of its sum decides (sum_pieces.cpp). See origins.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {

std::string pieces_of(const Addresses& begins, char operand) {
  return pieces_text(begins, operand == 'B' ? "column" : "row");
}

void note_pieces(OriginCheck& check, const Multiplication& in, char operand,
                 const std::vector<Came>& all) {
  const auto first = std::find_if(all.begin(), all.end(), [](const Came& c) { return !c.zero; });
  if (first == all.end()) return;
  const Came* lowest = &*first;
  Addresses at;
  for (const Came& one : all) {
    if (!one.zero && (one.bits != first->bits || one.bits % 8 != 0)) return;
    at.push_back(one.zero ? std::nullopt : std::optional(one.address));
    if (!one.zero && one.address < lowest->address) lowest = &one;
  }
  const layout::Fragment map = in_bytes(*in.map(operand)).map;
  InPieces& found = check.in_pieces;
  found.begins = line_begins(at, map.rows, map.cols, operand == 'A');
  const std::int64_t apart = apart_in_pieces(found.begins), bytes = first->bits / 8;
  if (!is_wrong(check.diagnosis.verdict) || apart == 0) return;
  // Where its rows are neighbours in memory lines are columns: as far apart as these are.
  const auto line = static_cast<std::size_t>(first - all.begin());
  const auto next = line + static_cast<std::size_t>(operand == 'A' ? 1 : map.cols);
  const auto along = static_cast<std::int64_t>(*at[next] - *at[line]);
  TileAt tile{0, lowest->address, std::max(apart, along), static_cast<int>(bytes),
              (along == bytes) != (operand == 'A')};
  tile.parameter = parameter_named(lowest->place);
  tile.in_pieces = true;
  found.filled = filled_text(all);
  found.lies = lies_in_lines(tile.columns, tile.apart, lowest->place);
  found.tile = tile.from(lowest->base);
}

OriginCheck read_in_pieces(const OriginCheck& check, char operand, bool is_known) {
  OriginCheck found;
  found.in_pieces.begins = check.in_pieces.begins;
  const std::string pieces = pieces_of(check.in_pieces.begins, operand);
  if (!is_known) {
    found.diagnosis.mistake =
        fmt::format("{} lies {}: right if that is where rows of an image end, wrong in a matrix",
                    operand, pieces);
    return found;
  }
  found.diagnosis.verdict = trace::Verdict::right;
  found.lies = fmt::format("{}, {}{}", check.in_pieces.lies, pieces, check.in_pieces.filled);
  found.tile = check.in_pieces.tile;
  return found;
}

}  // namespace lanescope::viz
