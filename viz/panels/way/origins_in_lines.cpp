// SPDX-License-Identifier: MIT
// Whether elements are where they belong, by the addresses alone that they came from: judge_origins
// of origins.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

constexpr const char* kSparse =
    "A is sparse: which of its elements are stored is for their values to say";

// Of a sparse A that a kernel has taken out of a dense one its values say what is stored; of one
// that lies compressed in memory every place is taken once.
bool is_compressed(const std::vector<Element>& came, const layout::Fragment& map) {
  std::set<std::pair<int, int>> taken;
  for (const Element& e : came)
    if (e.row < map.rows && e.col < map.cols) taken.insert({e.row, e.col});
  return taken.size() == came.size();
}

}  // namespace

std::vector<Element> places_in(const TileAt& tile, const std::vector<Came>& all, int cols) {
  std::vector<Element> places;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int row = static_cast<int>(k) / cols, col = static_cast<int>(k) % cols;
    places.push_back(all[k].zero ? Element{row, col, 0} : tile.at(all[k].address));
  }
  return places;
}

namespace {

bool by_their_lanes(const std::vector<Came>& all) {
  return std::all_of(all.begin(), all.end(), [](const Came& one) { return one.by_its_lane; });
}

// Lines of `each` bytes an element.
OriginCheck in_these(const Multiplication& in, char operand, const std::vector<Came>& all,
                     const Lines& lines, int each) {
  OriginCheck check;
  const ByteMap bytes = in_bytes(*in.map(operand));
  const bool sparse = operand == 'A' && !in.columns_of_A_are_k();
  check.lies = lies_in_lines(lines.columns, lines.apart, lines.begin->place);
  if (lines.first != lines.begin->address) {  // (0, 0) is none of those that are there
    const auto k = static_cast<int>(lines.begin - all.data());
    check.lies =
        fmt::format("{}, {}[{}][{}] at {}", lines_apart(lines.columns, lines.apart), operand,
                    k / bytes.map.cols, k % bytes.map.cols, without_space(lines.begin->place));
  }
  TileAt tile{0, lines.first, lines.apart, each, lines.columns, 0, 0};
  tile.parameter = parameter_named(lines.begin->place);
  if (sparse) tile.of_k = in.instruction->K / bytes.map.cols;
  if (bytes.row * bytes.col == 1) check.tile = tile.from(lines.begin->base);
  check.came_from = places_in(tile, all, bytes.map.cols);
  for (const Came& one : all) check.nowhere.push_back(one.zero);
  check.diagnosis = diagnose_places(in, operand, check.came_from);
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
  trace::Diagnosis& d = check.diagnosis;
  if (d.kind == "lane-address" && by_their_lanes(all)) {  // there is no ldmatrix
    d.verdict = trace::Verdict::unknown;
    d.kind.clear();
    d.mistake = "not one of the known mistakes";
    d.advice = "begin with the element above: by which address did its lane get what is there?";
  }
  if (constexpr int kMatrix = 64; d.kind == "lane-address" && d.wrong % kMatrix == 0)
    d.advice += fmt::format(
        "{} all eight of a matrix are wrong, is it another register that ldmatrix "
        "loads it to?",
        d.advice.ends_with('?') ? " Where" : "; where");
  return check;
}

// The same addresses have two readings: what is something else in these lines may be lines of the
// other kind whose every 8 x 8 matrix is transposed, by a .trans too many or too few or by an
// index.
OriginCheck or_turned(OriginCheck check, const Multiplication& in, char operand,
                      const std::vector<Came>& all, Lines lines) {
  const trace::Diagnosis& d = check.diagnosis;
  const layout::Fragment& map = *in.map(operand);
  if (in.instruction->family == "wmma" || !is_wrong(d.verdict) || d.kind == "transposed" ||
      !check.tile || check.tile->apart < check.tile->bytes * std::max(map.rows, map.cols))
    return check;
  lines.columns = !lines.columns;
  OriginCheck turned = in_these(in, operand, all, lines, check.tile->bytes);
  if (turned.diagnosis.kind != "transposed") return check;
  const bool one_by_one = by_their_lanes(all);
  if (one_by_one)
    turned.diagnosis.advice = "row and column are exchanged in the index of these loads";
  if (d.verdict == trace::Verdict::unknown) return turned;
  if (one_by_one) return check;  // nobody writes such an index where another mistake explains it
  check.otherwise = fmt::format("Or, if {} lies {} there, every 8 x 8 matrix is transposed: {}.",
                                operand, line_after_line(lines.columns), turned.diagnosis.advice);
  check.turned = std::make_shared<const OriginCheck>(std::move(turned));
  return check;
}

// Where neighbours do not say how far lines are apart their bytes may; only a mistake that has a
// name is worth saying: memory may lie in an order of its own.
std::optional<OriginCheck> by_bytes(const Multiplication& in, char operand,
                                    const std::vector<Came>& all, int each) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  for (const bool columns : {operand == 'B', operand != 'B'})
    if (const auto lines = lines_of_bytes(all, bytes.map, each, columns)) {
      OriginCheck check = in_these(in, operand, all, *lines, each);
      const bool in_order = check.diagnosis.verdict == trace::Verdict::unknown &&
                            order_of_k(in, operand, check).has_value();
      if (in_order || check.diagnosis.verdict == trace::Verdict::mistake) return check;
    }
  return std::nullopt;
}

}  // namespace

namespace {

// Behind how many of k there are zeros alone, and whether these are all of a row of A, of a column
// of B.
void note_zeros(TileAt& tile, char operand, const std::vector<Came>& all, int cols) {
  const std::size_t rows = all.size() / static_cast<std::size_t>(cols);
  std::vector<bool> is_there(operand == 'A' ? rows : static_cast<std::size_t>(cols));
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].zero) continue;
    const std::size_t row = at / static_cast<std::size_t>(cols),
                      col = at % static_cast<std::size_t>(cols);
    const std::size_t k = operand == 'A' ? col : row;
    tile.there = std::max(tile.there, static_cast<std::int64_t>(k) + 1);
    is_there[operand == 'A' ? row : col] = true;
  }
  tile.hangs_over = std::find(is_there.begin(), is_there.end(), false) != is_there.end();
}

}  // namespace

std::string filled_text(const std::vector<Came>& all) {
  const auto zeros = std::count_if(all.begin(), all.end(),
                                   [](const Came& one) { return one.zero && !one.unwritten; });
  return zeros > 0 ? fmt::format(", but for {} zeros that were filled in", zeros) : std::string();
}

OriginCheck judge_origins(const Multiplication& in, char operand, const std::vector<Came>& all) {
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
  if (alike && zeros == 0 && there < 8 && 8 % there == 0 && bytes.row * bytes.col == 1 && own >= 8)
    return judge_packed(in, operand, all);
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
    if (auto named = by_bytes(in, operand, all, each); named && !sparse) return std::move(*named);
    check.diagnosis.mistake =
        sparse ? kSparse
        : zeros > 0
            ? fmt::format("but for {} of {} elements {} was filled up with zeros",
                          static_cast<std::ptrdiff_t>(all.size()) - zeros, all.size(), operand)
            : operand + std::string(kInNoLines);
    leave_packed(check);
    return check;
  }
  const std::string packed = std::move(check.packed);
  check = or_turned(in_these(in, operand, all, *lines, each), in, operand, all, *lines);
  check.packed = packed;
  check.lies += filled_text(all);
  if (zeros > 0 && check.tile) note_zeros(*check.tile, operand, all, bytes.map.cols);
  if (sparse && !is_compressed(check.came_from, bytes.map)) {
    check.diagnosis = {};
    check.diagnosis.mistake = kSparse;
    check.tile.reset();
    return check;
  }
  if (check.diagnosis.verdict == trace::Verdict::unknown)
    if (auto named = by_bytes(in, operand, all, each)) return std::move(*named);
  return check;
}

}  // namespace lanescope::viz
