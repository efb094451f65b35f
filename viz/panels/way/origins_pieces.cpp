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
  found.is_open = is_wrong(check.diagnosis.verdict) && !check.gathered.any && !found.begins.empty();
  found.is_of_registers = is_of_registers(check.diagnosis);
  if (!found.is_open) return;
  const auto line = static_cast<std::size_t>(first - all.begin());
  const auto next = line + static_cast<std::size_t>(operand == 'A' ? 1 : map.cols);
  found.along = static_cast<std::int64_t>(*at[next] - *at[line]);
  found.bytes = first->bits / 8;
  found.place = lowest->place;
  found.lowest = lowest->address;
  found.base = lowest->base;
  found.filled = filled_text(all);
  lay_in_pieces(found, operand);
}

void lay_in_pieces(InPieces& found, char operand) {
  const std::int64_t apart = apart_in_pieces(found.begins);
  if (!found.is_open || apart == 0) return;
  lay_apart(found, operand, apart);
  found.tile->in_pieces = true;
}

void lay_apart(InPieces& found, char operand, std::int64_t apart) {
  // Where its rows are neighbours in memory lines are columns: as far apart as these are.
  TileAt tile{0, found.begins.front().value_or(found.lowest), std::max(apart, found.along),
              found.bytes, (found.along == found.bytes) != (operand == 'A')};
  tile.parameter = parameter_named(found.place);
  found.lies = lies_in_lines(tile.columns, tile.apart, found.place);
  found.tile = tile.from(found.base);
}

OriginCheck read_without(const InPieces& pieces, char operand, std::size_t unstored) {
  OriginCheck found;
  found.in_pieces.begins = pieces.begins;
  found.diagnosis.verdict = trace::Verdict::right;
  found.lies =
      fmt::format("{}, but for {} {}{} whose D is not stored{}", pieces.lies, unstored,
                  operand == 'B' ? "column" : "row", unstored == 1 ? "" : "s", pieces.filled);
  found.tile = pieces.tile;
  return found;
}

OriginCheck read_in_pieces(const InPieces& pieces, char operand, bool is_known) {
  OriginCheck found;
  found.in_pieces.begins = pieces.begins;
  const std::string words = pieces_of(pieces.begins, operand);
  if (!is_known) {
    found.diagnosis.mistake =
        fmt::format("{} lies {}: right if that is where rows of an image end, wrong in a matrix",
                    operand, words);
    return found;
  }
  found.diagnosis.verdict = trace::Verdict::right;
  found.lies = fmt::format("{}, {}{}", pieces.lies, words, pieces.filled);
  found.tile = pieces.tile;
  return found;
}

}  // namespace lanescope::viz
