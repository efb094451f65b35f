// SPDX-License-Identifier: MIT
// See origins.hpp.
#include "panels/way/origins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

struct Came {
  std::uint64_t address = 0, base = 0;
  std::string place;
  bool by_its_lane = false;  // no instruction of the warp has handed it to its lane
};

// An ldmatrix that is told half rows hands out register after register what lies row after row.
bool no_warp_load(const Way& way) {
  return std::none_of(way.stops.begin(), way.stops.end(), [](const WayStop& stop) {
    return stop.text.starts_with("ldmatrix") || stop.text.starts_with("wmma");
  });
}

// Of each element, row after row, as if shared memory had been read `shift` bytes farther on;
// nothing, and why, where one of them is not known.
std::optional<std::vector<Came>> origins_of(const trace::Trace& trace, RegisterHistory& history,
                                            const Multiplication& in, char operand, int shift,
                                            std::string& why) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  std::vector<Came> all;
  for (int line = 0; line < bytes.map.rows; ++line)
    for (int place = 0; place < bytes.map.cols; ++place) {
      const int row = line * bytes.row, col = place * bytes.col;
      Way way = way_back_to(trace, history, in, operand, row, col, shift);
      if (!way.address) {
        why = unknown_origin(fmt::format("{}[{}][{}]", operand, row, col), way);
        return std::nullopt;
      }
      all.push_back({*way.address, way.base, std::move(way.place), no_warp_load(way)});
    }
  return all;
}

// How a matrix lies: lines of elements, which are its rows, or its columns.
struct Lines {
  bool columns = false;
  std::int64_t apart = 0;       // bytes
  const Came* begin = nullptr;  // the lowest address
};

const Came* lowest_of(const std::vector<Came>& all) {
  return &*std::min_element(all.begin(), all.end(),
                            [](const Came& a, const Came& b) { return a.address < b.address; });
}

// "lane after lane, 16 bytes each": memory in the order of the registers; "": it is in another.
std::string order_of_registers(const std::vector<Came>& all, const layout::Fragment& map) {
  if (map.registers() < 2 ||
      !std::all_of(all.begin(), all.end(), [](const Came& one) { return one.by_its_lane; }))
    return {};
  const std::uint64_t lowest = lowest_of(all)->address;
  const int bytes = map.register_bits / 8, lane = bytes * map.registers();
  int last = 0;  // thread
  bool by_lanes = true, by_registers = true;
  const std::vector<layout::Held> held = layout::register_layout(map);
  for (const layout::Held& one : held) last = std::max(last, one.holder.thread);
  const int reg = bytes * (last + 1);
  for (const layout::Held& one : held) {
    const layout::Holder& at = one.holder;
    const std::uint64_t offset =
        all[static_cast<std::size_t>(one.element.row * map.cols + one.element.col)].address -
        lowest;
    const auto is = [&](int of_lane, int of_register) {
      return offset == static_cast<std::uint64_t>(at.thread * of_lane +
                                                  at.register_index * of_register + at.bit / 8);
    };
    by_lanes = by_lanes && is(lane, bytes);
    by_registers = by_registers && is(bytes, reg);
  }
  return by_lanes       ? fmt::format("lane after lane, {} bytes each", lane)
         : by_registers ? fmt::format("register after register, {} bytes each", reg)
                        : std::string();
}

// How far apart most neighbours are; 0 where they are not alike.
std::int64_t usual_step(const std::vector<Came>& all, const layout::Fragment& map, int down,
                        int right) {
  std::map<std::int64_t, int> counts;
  int pairs = 0;
  for (int row = 0; row + down < map.rows; ++row)
    for (int col = 0; col + right < map.cols; ++col) {
      const auto from = static_cast<std::size_t>(row * map.cols + col);
      const auto to = static_cast<std::size_t>((row + down) * map.cols + col + right);
      ++counts[static_cast<std::int64_t>(all[to].address - all[from].address)];
      ++pairs;
    }
  for (const auto& [step, count] : counts)
    if (2 * count >= pairs) return step;
  return 0;
}

std::optional<Lines> lines_of(const std::vector<Came>& all, const layout::Fragment& map) {
  const std::int64_t bytes = map.element_bits / 8;
  const std::int64_t down = usual_step(all, map, 1, 0), right = usual_step(all, map, 0, 1);
  Lines lines;
  lines.columns = right != bytes;
  lines.apart = lines.columns ? right : down;
  if ((lines.columns ? down : right) != bytes) return std::nullopt;
  if (lines.apart < bytes * (lines.columns ? map.rows : map.cols)) return std::nullopt;
  lines.begin = lowest_of(all);
  return lines;
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

}  // namespace

namespace {

struct InLines {
  std::int64_t line = 0, along = 0;
};
InLines in_lines(std::int64_t offset, const TileAt& tile) {
  return {offset / tile.apart, offset % tile.apart / tile.bytes};
}

}  // namespace

int parameter_named(const std::string& place) {
  constexpr std::string_view kWord = "parameter ";
  const std::size_t at = place.find(kWord);
  return at == std::string::npos ? -1 : std::atoi(place.c_str() + at + kWord.size());
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
  now.col = columns ? found.line : found.along;
  return now;
}

std::string without_space(std::string place) {
  for (const std::string_view words : {"global memory, ", "global memory at "})
    if (place.starts_with(words)) return place.substr(words.size());
  return place;
}

std::string lies_in_lines(bool columns, std::int64_t apart, const std::string& place) {
  return fmt::format("{}, {} bytes apart, from {} on",
                     columns ? "column after column" : "row after row", apart,
                     without_space(place));
}

std::string unknown_origin(std::string_view element, const Way& way) {
  return fmt::format("where {} came from is not known: {}", element,
                     !way.before.empty() ? way.before
                     : way.stops.empty() ? "nothing is recorded of it"
                                         : way.stops.front().text);
}

namespace {

OriginCheck check_shifted(const trace::Trace& trace, RegisterHistory& history,
                          const Multiplication& in, char operand, int shift) {
  OriginCheck check;
  check.diagnosis.mistake = why_not(in, operand);
  if (!check.diagnosis.mistake.empty()) return check;
  const ByteMap bytes = in_bytes(*in.map(operand));
  const layout::Fragment* map = &bytes.map;
  const auto all = origins_of(trace, history, in, operand, shift, check.diagnosis.mistake);
  if (!all) return check;
  const bool sparse = operand == 'A' && !in.columns_of_A_are_k();
  const std::optional<Lines> lines = lines_of(*all, *map);
  if (const std::string order = order_of_registers(*all, *map); !order.empty())
    check.packed = fmt::format(
        "memory lies as the lanes hold it: {}: right if it was packed so before, wrong if the "
        "matrix lies {} there",
        order, operand == 'B' ? "column after column" : "row after row");
  if (!lines) {
    check.diagnosis.mistake = sparse ? kSparse : operand + std::string(kInNoLines);
    leave_packed(check);
    return check;
  }
  check.lies = lies_in_lines(lines->columns, lines->apart, lines->begin->place);
  TileAt tile{0, lines->begin->address, lines->apart, map->element_bits / 8, lines->columns, 0, 0};
  tile.parameter = parameter_named(lines->begin->place);
  if (!sparse && bytes.row * bytes.col == 1) check.tile = tile.from(lines->begin->base);
  for (const Came& one : *all) check.came_from.push_back(tile.at(one.address));
  if (sparse && !is_compressed(check.came_from, *map)) {
    check.diagnosis.mistake = kSparse;
    return check;
  }
  check.diagnosis = diagnose_places(in, operand, check.came_from);
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
  return check;
}

// All of it would be right if shared memory had been read `shift` bytes farther on.
void name_offset(OriginCheck& check, const trace::Trace& trace, RegisterHistory& history,
                 const Multiplication& in, char operand, int shift) {
  const layout::Fragment& map = *in.map(operand);
  trace::Diagnosis& d = check.diagnosis;
  for (std::size_t k = 0; k < check.came_from.size(); ++k) {
    const Element home = check.came_from[k];
    const Way way = way_back_to(trace, history, in, operand, static_cast<int>(k) / map.cols,
                                static_cast<int>(k) % map.cols);
    check.came_from[k] =
        way.address ? check.tile->at(*way.address) : Element{kElsewhere, kElsewhere, 0};
    d.wrong += !(check.came_from[k] == home);
  }
  d.verdict = trace::Verdict::mistake;
  d.kind = "row-offset";
  d.mistake = fmt::format("every row of it is read {} bytes too {} in shared memory",
                          std::abs(shift), shift < 0 ? "far on" : "soon");
  d.advice =
      "which byte of the tile does a lane name to ldmatrix? Its row's first, or 16 bytes behind it";
  check.first = first_misplaced(in, operand, check.came_from, check.first_at);
}

}  // namespace

OriginCheck check_origins(const trace::Trace& trace, RegisterHistory& history,
                          const Multiplication& in, char operand) {
  OriginCheck as_is = check_shifted(trace, history, in, operand, 0);
  const trace::Diagnosis& d = as_is.diagnosis;
  const bool explained = d.verdict != trace::Verdict::unknown &&
                         (d.verdict != trace::Verdict::not_compared || !as_is.packed.empty() ||
                          !d.mistake.ends_with(kInNoLines));
  if (explained) return as_is;
  for (const int bytes : {16, 32, 64, 128, 8, 4})  // half a row of a tile, a unit, a word
    for (const int shift : {-bytes, bytes}) {
      OriginCheck moved = check_shifted(trace, history, in, operand, shift);
      if (moved.diagnosis.verdict != trace::Verdict::right || !moved.tile) continue;
      name_offset(moved, trace, history, in, operand, shift);
      return moved;
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

bool same_order_of_k(const Multiplication& in, const OriginCheck& a, const OriginCheck& b) {
  if (a.came_from.empty() || b.came_from.empty()) return false;  // there may be no map either
  const layout::Fragment of_a = in_bytes(*in.map('A')).map, of_b = in_bytes(*in.map('B')).map;
  if (of_a.cols != of_b.rows) return false;
  const auto at = [](const OriginCheck& check, const layout::Fragment& map, int row, int col) {
    return check.came_from[static_cast<std::size_t>(row * map.cols + col)];
  };
  for (int k = 0; k < of_a.cols; ++k) {
    const int order = at(a, of_a, 0, k).col;
    for (int row = 0; row < of_a.rows; ++row)
      if (at(a, of_a, row, k).row != row || at(a, of_a, row, k).col != order) return false;
    for (int col = 0; col < of_b.cols; ++col)
      if (at(b, of_b, k, col).col != col || at(b, of_b, k, col).row != order) return false;
  }
  return true;
}

}  // namespace lanescope::viz
