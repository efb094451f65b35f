// SPDX-License-Identifier: MIT
// See tile_at.hpp.
#include "panels/way/tile_at.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace lanescope::viz {
namespace {

using layout::Element;

struct InLines {
  std::int64_t line = 0, along = 0;
};
InLines in_lines(std::int64_t offset, const TileAt& tile) {
  return {offset / tile.apart, offset % tile.apart / tile.bytes};
}

}  // namespace

std::string parameter_text(const std::string& place) {
  constexpr std::string_view kWord = "parameter ";
  const std::size_t at = place.find(kWord);
  return at == std::string::npos ? std::string() : place.substr(at + kWord.size());
}

int parameter_named(const std::string& place) {
  const std::string number = parameter_text(place);
  return number.empty() ? -1 : std::atoi(number.c_str());
}

Element TileAt::at(std::uint64_t address) const {
  const auto offset = static_cast<std::int64_t>(address - first);
  const InLines found = in_lines(offset, *this);
  if (offset < 0 || found.line >= kElsewhere || found.along >= kElsewhere)
    return {kElsewhere, kElsewhere, 0};
  const int line = static_cast<int>(found.line), along = static_cast<int>(found.along);
  return columns ? Element{along, line, 0} : Element{line, along, 0};
}

TileAt TileAt::from(std::uint64_t begin) const {
  TileAt now = *this;
  constexpr std::uint64_t kFarthest = std::uint64_t{1}
                                      << 48;  // it is of no matrix that begins there
  now.base = first - begin < kFarthest && apart > 0 ? begin : 0;
  if (now.base == 0) return now;
  const InLines found = in_lines(static_cast<std::int64_t>(first - begin), *this);
  now.row = columns ? found.along : found.line;
  now.col = (columns ? found.line : found.along) * of_k;
  return now;
}

bool found_alike(const TileAt& a, const TileAt& b, const TileAt& d) {
  return a.numbers == d.numbers && (b.numbers.empty() || b.numbers == d.numbers);
}

std::string without_space(std::string place) {
  for (const std::string_view words : {"global memory, ", "global memory at "})
    if (place.starts_with(words)) return place.substr(words.size());
  return place;
}

std::string range_text(std::int64_t from, std::int64_t count) {
  return fmt::format("{} to {}", from, from + count - 1);
}

const char* line_after_line(bool columns) {
  return columns ? "column after column" : "row after row";
}

std::string lines_apart(bool columns, std::int64_t apart) {
  return fmt::format("{}, {} bytes apart", line_after_line(columns), apart);
}

std::string lies_in_lines(bool columns, std::int64_t apart, const std::string& place) {
  return fmt::format("{}, from {} on", lines_apart(columns, apart), without_space(place));
}

}  // namespace lanescope::viz
