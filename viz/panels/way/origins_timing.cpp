// SPDX-License-Identifier: MIT
// What shared memory says of an operand that is wrong: it was read too soon, or too late. See
// origins.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "panels/memory/shared_history.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

constexpr const char* kBarrier =
    "is there a barrier between who writes the tile and who reads it, before it the wait for what "
    "copies (cp.async.wait_group, the mbarrier's phase), and another one before it is overwritten? "
    "lanescope run --check names the lines";

// What lies there when an arrival has come: as the event behind it finds it.
const void* behind(const Arrival& arrival) { return static_cast<const char*>(arrival.when) + 1; }

Element home(std::size_t k, int cols) {
  const int index = static_cast<int>(k);
  return {index / cols, index % cols, 0};
}

// The tile that begins where that element has it.
TileAt tile_around(const std::vector<Came>& all, std::size_t element, const Lines& lines, int each,
                   int cols) {
  TileAt tile{0, all[element].address, lines.apart, each, lines.columns};
  const Element at = home(element, cols);
  tile.first -= static_cast<std::uint64_t>((tile.columns ? at.col : at.row) * tile.apart +
                                           (tile.columns ? at.row : at.col) * each);
  return tile;
}

// How many elements of the tile are not at home, but were, or would have been, at another time; 0
// where one was at none.
int moved_into(const TileAt& tile, const std::vector<Came>& all,
               const std::vector<std::optional<Came>>& others, int cols) {
  int moved = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].zero || tile.at(all[k].address) == home(k, cols)) continue;
    if (!others[k] || others[k]->zero || !(tile.at(others[k]->address) == home(k, cols))) return 0;
    ++moved;
  }
  return moved;
}

}  // namespace

OriginCheck read_of_nothing(const trace::Trace& trace, RegisterHistory& history,
                            const std::string& element, const SharedRead& read) {
  const SharedHistory& shared = history.shared(trace, history.warp(read.reader.warp));
  const trace::Step* step = history.item(read.reader.warp, read.reader.item).step;
  if (shared.next(read.address, step) != nullptr)
    return mistaken("too-soon",
                    fmt::format("{} is read from byte 0x{:x} of shared memory before it is written "
                                "there",
                                element, read.address),
                    kBarrier);
  return mistaken("unwritten",
                  fmt::format("{} is read from byte 0x{:x} of shared memory, which nothing writes",
                              element, read.address),
                  kRowsAdvice);
}

// The same place of shared memory at another time.
std::optional<Came> Origins::as_of(SharedRead read, const void* when) {
  read.as_of = when;
  Way way = way_back_from_shared(trace_, history_, read);
  if (!way.address && !way.zero) return std::nullopt;
  return came_by(std::move(way));
}

// While a copy to its place is under way.
std::optional<OriginCheck> Origins::in_flight(const Multiplication& in, char operand,
                                              const std::vector<Came>& all) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  int count = 0;
  std::string first;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].read) continue;
    const SharedRead& read = *all[k].read;
    const SharedHistory& shared = history_.shared(trace_, history_.warp(read.reader.warp));
    const trace::Step* step = history_.item(read.reader.warp, read.reader.item).step;
    if (shared.under_way(read.address, step) == nullptr || ++count > 1) continue;
    const int at = static_cast<int>(k);
    first = fmt::format("{}[{}][{}], byte 0x{:x}", operand, at / bytes.map.cols * bytes.row,
                        at % bytes.map.cols * bytes.col, read.address);
  }
  if (count == 0) return std::nullopt;
  return mistaken("in-flight",
                  fmt::format("{} of {} elements are read from shared memory while a copy to their "
                              "place is under way: the first is {}",
                              count, all.size(), first),
                  kBarrier);
}

// From where nothing had been written by then.
std::optional<OriginCheck> Origins::too_soon(const Multiplication& in, char operand) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  const int all = bytes.map.rows * bytes.map.cols;
  std::array<int, 2> counts{};  // never written; later
  std::array<std::optional<OriginCheck>, 2> first{};
  for (int k = 0; k < all; ++k) {
    const int row = k / bytes.map.cols * bytes.row, col = k % bytes.map.cols * bytes.col;
    const Way way = way_back_to(trace_, history_, in, operand, row, col);
    if (!way.unwritten || !way.read) continue;
    OriginCheck check =
        read_of_nothing(trace_, history_, fmt::format("{}[{}][{}]", operand, row, col), *way.read);
    const auto which = static_cast<std::size_t>(check.diagnosis.kind == "too-soon");
    if (++counts[which] == 1) first[which] = std::move(check);
  }
  for (std::size_t which = 0; which < 2; ++which)
    if (first[which]) {
      if (counts[which] > 1)
        first[which]->diagnosis.mistake +=
            fmt::format("; so are {} of {} elements", counts[which], all);
      return std::move(first[which]);
    }
  return std::nullopt;
}

// Of each element what lay at its place of shared memory before, or comes there later.
std::vector<std::optional<Came>> Origins::at_another_time(const std::vector<Came>& all,
                                                          bool sooner) {
  std::vector<std::optional<Came>> others(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].read) continue;
    const SharedRead& read = *all[k].read;
    const trace::Step* step = history_.item(read.reader.warp, read.reader.item).step;
    const SharedHistory& shared = history_.shared(trace_, history_.warp(read.reader.warp));
    const Arrival* one = sooner ? shared.last(read.address, step) : shared.next(read.address, step);
    if (one != nullptr) others[k] = as_of(read, sooner ? one->when : behind(*one));
  }
  return others;
}

// Some elements are those that lay there before, or that came later, and with the right ones in
// their places all would be right.
std::optional<OriginCheck> Origins::overtaken(const Multiplication& in, char operand,
                                              const std::vector<Came>& all) {
  if (std::none_of(all.begin(), all.end(), [](const Came& one) { return one.read.has_value(); }))
    return std::nullopt;
  const layout::Fragment map = in_bytes(*in.map(operand)).map;
  const int each = all.front().bits / 8;
  const auto lines = each > 0 ? lines_of(all, map, each) : std::nullopt;
  if (!lines) return std::nullopt;
  for (const bool sooner : {true, false}) {
    const std::vector<std::optional<Came>> others = at_another_time(all, sooner);
    for (const std::size_t anchor : {std::size_t{0}, all.size() - 1}) {
      const int moved =
          moved_into(tile_around(all, anchor, *lines, each, map.cols), all, others, map.cols);
      if (moved == 0) continue;
      return mistaken(
          "overtaken",
          fmt::format("{} of {} elements are of another tile that {} the same place in shared "
                      "memory: {}",
                      moved, all.size(), sooner ? "came later to" : "lay before at",
                      sooner ? "it was overwritten before it was read" : "it was read too soon"),
          kBarrier);
    }
  }
  return std::nullopt;
}

}  // namespace lanescope::viz
