// SPDX-License-Identifier: MIT
// See origins.hpp.
#include "panels/way/origins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <utility>

#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

// An ldmatrix that is told half rows hands out register after register what lies row after row.
bool no_warp_load(const Way& way) {
  return std::none_of(way.stops.begin(), way.stops.end(), [](const WayStop& stop) {
    return stop.text.starts_with("ldmatrix") || stop.text.starts_with("wmma");
  });
}

Came came_by(Way way) {
  const bool by_its_lane = no_warp_load(way);
  return {way.address.value_or(0),
          way.base,
          std::move(way.place),
          way.bits,
          !way.address.has_value(),
          by_its_lane,
          way.read};
}

// Why the operand is not judged, whatever its elements' ways are; "": nothing speaks against it.
std::string why_not(const Multiplication& in, char operand) {
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr || in.fragment(operand) == nullptr)
    return fmt::format("{} is not in the recorded registers", operand);
  if (map->matrices > 1) return "the instruction multiplies several matrices";
  return {};
}

constexpr const char* kSparse =
    "A is sparse: which of its elements are stored is for their values to say";

constexpr std::string_view kInNoLines = " lies neither row after row nor column after column";

// Of a sparse A that a kernel has taken out of a dense one its values say what is stored; of one
// that lies compressed in memory every place is taken once.
bool is_compressed(const std::vector<Element>& came, const layout::Fragment& map) {
  std::set<std::pair<int, int>> taken;
  for (const Element& e : came)
    if (e.row < map.rows && e.col < map.cols) taken.insert({e.row, e.col});
  return taken.size() == came.size();
}

// Where each is in the matrix; what was filled in is taken to be where it belongs.
std::vector<Element> places_in(const TileAt& tile, const std::vector<Came>& all, int cols) {
  std::vector<Element> places;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int row = static_cast<int>(k) / cols, col = static_cast<int>(k) % cols;
    places.push_back(all[k].zero ? Element{row, col, 0} : tile.at(all[k].address));
  }
  return places;
}

// The same addresses have two readings where an ldmatrix turns its matrices: lines of the other
// kind and a .trans too many or too few explains what in these lines is something else.
void mention_trans(OriginCheck& check, const Multiplication& in, char operand,
                   const std::vector<Came>& all) {
  trace::Diagnosis& d = check.diagnosis;
  const layout::Fragment& map = *in.map(operand);
  if (in.instruction->family == "wmma" || d.verdict != trace::Verdict::mistake ||
      d.kind == "transposed" || !check.tile ||
      check.tile->apart < check.tile->bytes * std::max(map.rows, map.cols) ||
      std::all_of(all.begin(), all.end(), [](const Came& one) { return one.by_its_lane; }))
    return;
  TileAt turned = *check.tile;
  turned.columns = !turned.columns;
  const std::vector<Element> came = places_in(turned, all, in_bytes(map).map.cols);
  if (diagnose_places(in, operand, came).kind != "transposed") return;
  d.advice += fmt::format(
      "{} Or, if {} lies {} after {} there, every 8 x 8 matrix is transposed: a .trans too many or "
      "too few",
      d.advice.ends_with('?') ? "" : ".", operand, turned.columns ? "column" : "row",
      turned.columns ? "column" : "row");
}

// `all`: of each element, row after row.
OriginCheck judged(const Multiplication& in, char operand, const std::vector<Came>& all) {
  OriginCheck check;
  const ByteMap bytes = in_bytes(*in.map(operand));
  const bool sparse = operand == 'A' && !in.columns_of_A_are_k();
  const auto is_there = [](const Came& one) { return !one.zero; };
  const auto first = std::find_if(all.begin(), all.end(), is_there);
  const auto zeros = std::count_if(all.begin(), all.end(), std::not_fn(is_there));
  if (first == all.end() || (sparse && zeros > 0)) {
    check.diagnosis.mistake =
        first == all.end() ? fmt::format("{} was filled up with zeros", operand) : kSparse;
    return check;
  }
  const int own = in.map(operand)->payload_bits(), there = first->bits;
  const bool alike = std::all_of(
      all.begin(), all.end(), [there](const Came& one) { return one.zero || one.bits == there; });
  if (!alike || (there != own && (there % 8 != 0 || bytes.row * bytes.col != 1))) {
    check.diagnosis.mistake =
        alike ? fmt::format("elements of {} were made of numbers of {} bits", operand, there)
              : fmt::format("elements of {} were made of numbers of several sizes", operand);
    return check;
  }
  const int each = there == own ? bytes.map.element_bits / 8 : there / 8;  // bytes in memory
  const std::optional<Lines> lines = lines_of(all, bytes.map, each);
  if (const std::string order = there == own ? order_of_registers(all, bytes.map) : std::string();
      !order.empty())
    check.packed = fmt::format(
        "memory lies as the lanes hold it: {}: right if it was packed so before, wrong if the "
        "matrix lies {} there",
        order, line_after_line(operand == 'B'));
  if (!lines) {
    check.diagnosis.mistake = sparse ? kSparse : operand + std::string(kInNoLines);
    leave_packed(check);
    return check;
  }
  check.lies = lies_in_lines(lines->columns, lines->apart, lines->begin->place);
  if (lines->first != lines->begin->address) {  // (0, 0) is none of those that are there
    const auto k = static_cast<int>(lines->begin - all.data());
    check.lies =
        fmt::format("{}, {}[{}][{}] at {}", lines_apart(lines->columns, lines->apart), operand,
                    k / bytes.map.cols, k % bytes.map.cols, without_space(lines->begin->place));
  }
  if (zeros > 0) check.lies += fmt::format(", but for {} zeros that were filled in", zeros);
  TileAt tile{0, lines->first, lines->apart, each, lines->columns, 0, 0};
  tile.parameter = parameter_named(lines->begin->place);
  if (!sparse && bytes.row * bytes.col == 1) check.tile = tile.from(lines->begin->base);
  check.came_from = places_in(tile, all, bytes.map.cols);
  if (sparse && !is_compressed(check.came_from, bytes.map)) {
    check.diagnosis.mistake = kSparse;
    return check;
  }
  check.diagnosis = diagnose_places(in, operand, check.came_from);
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
  mention_trans(check, in, operand, all);
  return check;
}

// It is right where shared memory is read `shift` bytes farther on; `all`: as it is.
void name_offset(OriginCheck& check, const Multiplication& in, char operand,
                 const std::vector<Came>& all, int shift) {
  trace::Diagnosis& d = check.diagnosis;
  const int cols = in_bytes(*in.map(operand)).map.cols;
  const std::vector<Element> home =
      std::exchange(check.came_from, places_in(*check.tile, all, cols));
  for (std::size_t k = 0; k < home.size(); ++k) d.wrong += !(check.came_from[k] == home[k]);
  d.verdict = trace::Verdict::mistake;
  d.kind = "row-offset";
  d.mistake = fmt::format("every row of it is read {} bytes too {} in shared memory",
                          std::abs(shift), shift < 0 ? "far on" : "soon");
  d.advice = in.instruction->family == "wmma"
                 ? "where does the matrix begin whose address wmma.load has?"
                 : "which byte of the tile does a lane name to ldmatrix? Its row's first, or 16 "
                   "bytes behind it";
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
}

}  // namespace

std::string unknown_origin(std::string_view element, const Way& way) {
  return fmt::format("where {} came from is not known: {}", element,
                     !way.before.empty() ? way.before
                     : way.stops.empty() ? "nothing is recorded of it"
                                         : way.stops.front().text);
}

// Of each element, row after row; nothing, and why, where one of them is not known.
std::optional<std::vector<Came>> Origins::came_from(const Multiplication& in, char operand,
                                                    std::string& why) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  std::vector<Came> all;
  for (int line = 0; line < bytes.map.rows; ++line)
    for (int place = 0; place < bytes.map.cols; ++place) {
      const int row = line * bytes.row, col = place * bytes.col;
      Way way = way_back_to(trace_, history_, in, operand, row, col);
      if (!way.address && !way.zero) {
        why = unknown_origin(fmt::format("{}[{}][{}]", operand, row, col), way);
        return std::nullopt;
      }
      all.push_back(came_by(std::move(way)));
    }
  return all;
}

// What lies in shared memory is followed once, whoever asks: the tiles of products overlap, and
// those of shifts do.
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

// As if shared memory had been read `shift` bytes farther on; nothing where one is not known then.
std::optional<std::vector<Came>> Origins::shifted(std::vector<Came> all, int shift) {
  for (Came& one : all) {
    if (!one.read) continue;
    SharedRead read = *one.read;
    read.address += static_cast<std::uint64_t>(shift);
    const std::optional<Came>& found = of_shared(read);
    if (!found) return std::nullopt;
    const bool by_its_lane = one.by_its_lane;
    one = *found;
    one.by_its_lane = one.by_its_lane && by_its_lane;
  }
  return all;
}

OriginCheck Origins::check(const Multiplication& in, char operand) {
  OriginCheck as_is;
  as_is.diagnosis.mistake = why_not(in, operand);
  if (!as_is.diagnosis.mistake.empty()) return as_is;
  const auto all = came_from(in, operand, as_is.diagnosis.mistake);
  if (!all) return as_is;
  as_is = judged(in, operand, *all);
  const trace::Diagnosis& d = as_is.diagnosis;
  const bool explained = d.verdict != trace::Verdict::unknown &&
                         (d.verdict != trace::Verdict::not_compared || !as_is.packed.empty() ||
                          !d.mistake.ends_with(kInNoLines));
  if (explained) return as_is;
  for (const int bytes : {16, 32, 64, 128, 8, 4})  // half a row of a tile, a unit, a word
    for (const int shift : {-bytes, bytes}) {
      const auto moved = shifted(*all, shift);
      if (!moved) continue;
      OriginCheck right = judged(in, operand, *moved);
      if (right.diagnosis.verdict != trace::Verdict::right || !right.tile) continue;
      name_offset(right, in, operand, *all, shift);
      return right;
    }
  return as_is;
}

const std::vector<trace::KnownMistake>& known_origin_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"row-offset", "rows of shared memory that are read half a row too far on, or too soon"}};
  return all;
}

void leave_packed(OriginCheck& check) {
  if (check.packed.empty() || check.diagnosis.verdict == trace::Verdict::right) return;
  check.diagnosis = {};
  check.diagnosis.mistake = check.packed;
  check.tile.reset();
}

namespace {

// Which k is at the place of each k; nothing where rows of A, or columns of B, have others.
std::optional<std::vector<int>> order_of_k(const Multiplication& in, char operand,
                                           const OriginCheck& check) {
  if (check.came_from.empty()) return std::nullopt;  // there may be no map either
  const layout::Fragment map = in_bytes(*in.map(operand)).map;
  const bool is_a = operand == 'A';
  std::vector<int> order(static_cast<std::size_t>(is_a ? map.cols : map.rows), -1);
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const Element& from = check.came_from[static_cast<std::size_t>(row * map.cols + col)];
      int& known = order[static_cast<std::size_t>(is_a ? col : row)];
      if ((is_a ? from.row : from.col) != (is_a ? row : col)) return std::nullopt;
      if (known >= 0 && known != (is_a ? from.col : from.row)) return std::nullopt;
      known = is_a ? from.col : from.row;
    }
  return order;
}

}  // namespace

bool same_order_of_k(const Multiplication& in, const OriginCheck& a, const OriginCheck& b) {
  const auto of_a = order_of_k(in, 'A', a);
  return of_a && of_a == order_of_k(in, 'B', b);
}

void leave_reordered(const Multiplication& in, char operand, OriginCheck& check,
                     const OriginCheck& other) {
  if (check.diagnosis.verdict != trace::Verdict::unknown || !other.came_from.empty()) return;
  if (!order_of_k(in, operand, check)) return;
  check.diagnosis = {};
  check.diagnosis.mistake =
      fmt::format("its k is in another order, and that of {} is not known: right if it is the same",
                  operand == 'A' ? 'B' : 'A');
  check.tile.reset();
}

}  // namespace lanescope::viz
