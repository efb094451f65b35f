// SPDX-License-Identifier: MIT
// How long the rows of D are: by its stores, by where its tiles begin, by how large it is. See
// sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/extent.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

// How many elements its tile begins farther on than it would if D's lines were as long as its
// stores say; nothing where that is not known.
std::optional<std::int64_t> SumChecks::excess_of(const Sum& sum) const {
  if (!sum.d || !sum.last().a || !sum.last().b || sum.d->base == 0) return std::nullopt;
  const TileAt& d = *sum.d;
  const std::int64_t line = line_of(sum), along = d.columns ? sum.last().a->row : sum.last().b->col;
  return static_cast<std::int64_t>(d.first - d.base) / d.bytes - line * d.line_length() - along;
}

// Its row of D, or where D lies column after column its column.
std::int64_t SumChecks::line_of(const Sum& sum) const {
  return sum.d->columns ? sum.last().b->col : sum.last().a->row;
}

// A has more rows than D has room for: some are left out, as by a convolution of one pixel with a
// stride, and which row of D is whose is not known.
bool SumChecks::is_part_of_A(const Sum& sum) const {
  const int launch = at(sum.last().product).place.launch;
  const std::int64_t rows = extent_of(model_.trace, launch, *sum.last().a).rows,
                     cols = extent_of(model_.trace, launch, *sum.last().b).cols,
                     room = allocated_at(model_.trace, launch, sum.d->base);
  return rows > 0 && cols > 0 && room > 0 && rows * cols * sum.d->bytes > room;
}

// D's rows have another length than its memory, or than the one by which a tile, or a block's
// first one, begins; or columns that do not fit into them.
std::string SumChecks::other_rows(const Sum& sum) const {
  const trace::Place& place = at(sum.last().product).place;
  const auto excess = excess_of(sum);
  if (!excess || !stays(sum) || is_in_layers(place.launch)) return {};
  const TileAt &a = *sum.last().a, &b = *sum.last().b, &d = *sum.d;
  if (a.relative || b.relative || a.base == 0 || b.base == 0 || !found_alike(a, b, d)) return {};
  const std::string apart =
      fmt::format("D's {} are stored {} bytes apart", d.columns ? "columns" : "rows", d.apart);
  const std::int64_t length = d.line_length(), along = d.columns ? a.row : b.col;
  if (*excess == 0 && line_of(sum) > 0 && along >= length)
    return fmt::format("{}, and {} {} does not fit into that: it is stored over other sums", apart,
                       d.columns ? "row" : "column", along);
  if (is_part_of_A(sum)) return {};
  const std::int64_t rows = extent_of(model_.trace, place.launch, a).rows,
                     cols = extent_of(model_.trace, place.launch, b).cols,
                     wanted = d.columns ? rows : cols;
  const bool fits = rows > 0 && cols > 0 &&
                    allocated_at(model_.trace, place.launch, d.base) == rows * cols * d.bytes;
  const bool is_cut = wanted % length == 0;  // into matrices that lie one behind the other
  // Longer ones would not all have had room: A or B is padded, as D is.
  if (*excess == 0)
    return fits && line_of(sum) > 0 && !is_cut && length < wanted
               ? fmt::format("{}; it has room for {} rows of {}, as A has rows and B columns",
                             apart, rows, cols)
               : std::string();
  if (d.row == b.col && d.col == a.row) return {};
  std::int64_t first = line_of(sum);  // of its block
  for (const Sum& other : sums_)
    if (other.d && other.d->is_of(d) && excess_of(other) &&
        at(other.last().product).place.block == place.block)
      first = std::min(first, line_of(other));
  for (const std::int64_t line : {line_of(sum), first}) {
    if (line == 0 || *excess % line != 0) continue;
    const auto as_far = [&](const Sum& other) {
      return other.d && other.d->is_of(d) && excess_of(other) && line_of(other) != line &&
             *excess_of(other) == *excess / line * line_of(other);
    };
    const std::int64_t begins = length + *excess / line;
    if ((fits && begins == wanted) ||
        (line == line_of(sum) && std::any_of(sums_.begin(), sums_.end(), as_far)))
      return fmt::format("{}, but a tile begins where they would be {} bytes apart", apart,
                         begins * d.bytes);
  }
  return {};
}

const std::vector<trace::KnownMistake>& known_edge_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"k-over", "a last step of k that goes on over the end of A's rows and B's columns"},
      {"d-rows", "rows of D that are stored in another length than it has, or in two"}};
  return all;
}

}  // namespace lanescope::viz
