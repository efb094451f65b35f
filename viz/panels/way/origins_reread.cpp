// SPDX-License-Identifier: MIT
// What shared memory says of an operand that is wrong: it would be right from other bytes of the
// tile. See origins.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "panels/memory/shared_history.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

// It is right where shared memory is read otherwise; `all`: as it is.
void set_mistake(OriginCheck& check, const Multiplication& in, char operand,
                 const std::vector<Came>& all) {
  trace::Diagnosis& d = check.diagnosis;
  const int cols = in_bytes(*in.map(operand)).map.cols;
  const std::vector<Element> home =
      std::exchange(check.came_from, places_in(*check.tile, all, cols));
  for (std::size_t k = 0; k < home.size(); ++k) d.wrong += !(check.came_from[k] == home[k]);
  d.verdict = trace::Verdict::mistake;
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
}

}  // namespace

// What lies in shared memory is followed once, whoever asks: the tiles of products overlap, and
// those of other readings do.
const std::optional<Came>& Origins::of_shared(const SharedRead& read) {
  const SharedHistory& shared = history_.shared(trace_, history_.warp(read.reader.warp));
  const Arrival* last =
      shared.last(read.address, history_.item(read.reader.warp, read.reader.item).step);
  const auto [found, is_new] = known_.try_emplace({last, read.address, read.bit, read.width});
  if (!is_new || last == nullptr) return found->second;
  Way way = way_back_from_shared(trace_, history_, read);
  if (way.address || way.zero) found->second = came_by(std::move(way));
  return found->second;
}

// As if shared memory had been read from other bytes; nothing where one is not known then, or all
// would not be right.
std::optional<OriginCheck> Origins::right_if_read(const Multiplication& in, char operand,
                                                  std::vector<Came> all, const Moved& moved) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    Came& one = all[k];
    if (!one.read) continue;
    SharedRead read = *one.read;
    read.address = moved(k, read.address);
    const std::optional<Came>& found = of_shared(read);
    if (!found) return std::nullopt;
    const bool by_its_lane = one.by_its_lane;
    one = *found;
    one.by_its_lane = one.by_its_lane && by_its_lane;
  }
  OriginCheck right = judge_origins(in, operand, all);
  if (right.diagnosis.verdict != trace::Verdict::right || !right.tile) return std::nullopt;
  return right;
}

std::optional<OriginCheck> Origins::at_offset(const Multiplication& in, char operand,
                                              const std::vector<Came>& all) {
  for (const int bytes : {16, 32, 64, 128, 8, 4})  // half a row of a tile, a unit, a word
    for (const int shift : {-bytes, bytes}) {
      auto right = right_if_read(in, operand, all, [shift](std::size_t, std::uint64_t address) {
        return address + static_cast<std::uint64_t>(shift);
      });
      if (!right) continue;
      set_mistake(*right, in, operand, all);
      trace::Diagnosis& d = right->diagnosis;
      d.kind = "row-offset";
      d.mistake = fmt::format("every row of it is read {} bytes too {} in shared memory",
                              std::abs(shift), shift < 0 ? "far on" : "soon");
      d.advice =
          in.instruction->family == "wmma"
              ? "where does the matrix begin whose address wmma.load has?"
              : "which byte of the tile does a lane name to ldmatrix? Its row's first, or 16 "
                "bytes behind it";
      return right;
    }
  return std::nullopt;
}

// Units of 16 bytes, exchanged by the 128 bytes that they are in: as the modes have it, counted
// from any line of 128 bytes, for a tile of its own need not begin at a multiple of 1024.
std::optional<OriginCheck> Origins::swizzled_once(const Multiplication& in, char operand,
                                                  const std::vector<Came>& all) {
  if (std::none_of(all.begin(), all.end(), [](const Came& one) { return one.read.has_value(); }))
    return std::nullopt;
  for (const auto& [name, lines] :
       {std::pair("128B", 8u), std::pair("64B", 4u), std::pair("32B", 2u)})
    for (std::uint64_t from = 0; from < lines; ++from) {
      const std::uint64_t count = lines;
      auto right =
          right_if_read(in, operand, all, [count, from](std::size_t, std::uint64_t address) {
            return address ^ ((((address >> 7) + from) % count) << 4);
          });
      if (!right) continue;
      set_mistake(*right, in, operand, all);
      right->diagnosis.kind = "swizzle-one-side";
      right->diagnosis.mistake = fmt::format(
          "its units of 16 bytes are exchanged as by the {} swizzle: swizzled on one side only",
          name);
      right->diagnosis.advice =
          "who stores the tile in shared memory and who reads it must use the same swizzle";
      return right;
    }
  return std::nullopt;
}

// As if lines lay `apart`, those of the tile behind `before` others.
std::optional<OriginCheck> Origins::in_rows(const Multiplication& in, char operand,
                                            const std::vector<Came>& reads, const Lines& lines,
                                            std::int64_t apart, std::int64_t before) {
  const layout::Fragment map = in_bytes(*in.map(operand)).map;
  const auto right = right_if_read(in, operand, reads, [&](std::size_t k, std::uint64_t address) {
    const auto index = static_cast<std::int64_t>(k);
    const std::int64_t line = lines.columns ? index % map.cols : index / map.cols;
    return address + static_cast<std::uint64_t>((before + line) * (apart - lines.apart));
  });
  if (!right) return std::nullopt;
  OriginCheck found =
      mistaken("shared-rows",
               fmt::format("its {} are read {} bytes apart in shared memory, they lie {} bytes "
                           "apart there",
                           lines.columns ? "columns" : "rows", lines.apart, apart),
               kRowsAdvice);
  found.tile = right->tile;
  return found;
}

// As if the tile's rows lay farther apart in shared memory, or closer together.
std::optional<OriginCheck> Origins::in_other_rows(const Multiplication& in, char operand) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  const layout::Fragment& map = bytes.map;
  std::vector<Came> reads;  // of each element: where in shared memory it was read
  std::uint64_t base = 0;   // of the matrix, as far as it is there: not another one is looked for
  for (int k = 0; k < map.rows * map.cols; ++k) {
    const Way way = way_back_to(trace_, history_, in, operand, k / map.cols * bytes.row,
                                k % map.cols * bytes.col);
    if (!way.read || way.read->bit != 0) return std::nullopt;
    if (way.address && base == 0) base = way.base;
    Came one;
    one.address = way.read->address;
    one.bits = way.read->width;
    one.read = way.read;
    reads.push_back(std::move(one));
  }
  const int each = reads.front().bits / 8;
  const auto lines = each > 0 ? lines_of(reads, map, each) : std::nullopt;
  if (!lines || base == 0) return std::nullopt;
  for (const int by : {8, 16, 32, 64, 128, 4, 256, 2})
    for (const std::int64_t apart : {lines->apart + by, lines->apart - by}) {
      if (apart < each * (lines->columns ? map.rows : map.cols)) continue;
      for (const std::int64_t before : {0, 16, 32, 48, 64, 96, 8, 24})  // lines of other warps
        if (auto found = in_rows(in, operand, reads, *lines, apart, before);
            found && found->tile->base == base) {
          found->tile.reset();  // it is none of what was read
          return found;
        }
    }
  return std::nullopt;
}

const std::vector<trace::KnownMistake>& known_origin_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"row-offset", "rows of shared memory that are read half a row too far on, or too soon"},
      {"shared-rows", "a leading dimension in shared memory: rows that lie farther apart"},
      {"unwritten", "bytes of shared memory that nothing writes"},
      {"too-soon", "shared memory that is read before it is written"},
      {"in-flight", "shared memory that is read while a copy to it is under way"},
      {"overtaken", "shared memory that is overwritten before it is read: a missing barrier"},
      {"k-order", "k of A and of B in different orders"},
      {"register-apart", "one register, or a part of it, that is off by the same in every lane"},
  };
  return all;
}

}  // namespace lanescope::viz
