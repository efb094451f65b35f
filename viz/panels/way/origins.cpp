// SPDX-License-Identifier: MIT
// Each element followed to where it came from, and what shared memory says of those that are wrong
// by that. See origins.hpp.
#include "panels/way/origins.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

void name_mistake(trace::Diagnosis& d, const char* kind, std::string words, std::string advice) {
  d.verdict = trace::Verdict::mistake;
  d.kind = kind;
  d.mistake = std::move(words);
  d.advice = std::move(advice);
}

OriginCheck mistaken(const char* kind, std::string words, std::string advice) {
  OriginCheck check;
  name_mistake(check.diagnosis, kind, std::move(words), std::move(advice));
  return check;
}

bool is_of_registers(const trace::Diagnosis& d) {
  return d.verdict == trace::Verdict::mistake && d.kind != "lane-address";
}

Came came_by(Way way) {
  const bool by_its_lane = no_warp_load(way);
  return {way.address.value_or(0),
          way.base,
          std::move(way.place),
          way.bits,
          !way.address.has_value(),
          false,
          by_its_lane,
          way.read,
          way.access,
          way.bit};
}

namespace {

// Why the operand is not judged, whatever its elements' ways are; "": nothing speaks against it.
std::string why_not(const Multiplication& in, char operand) {
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr || in.fragment(operand) == nullptr)
    return fmt::format("{} is not in the recorded registers", operand);
  if (map->matrices > 1) return "the instruction multiplies several matrices";
  return {};
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

OriginCheck Origins::check(const Multiplication& in, char operand) {
  OriginCheck as_is;
  as_is.diagnosis.mistake = why_not(in, operand);
  if (!as_is.diagnosis.mistake.empty()) return as_is;
  const auto all = came_from(in, operand, as_is.diagnosis.mistake);
  if (!all) {
    if (auto found = without_unwritten(in, operand)) return std::move(*found);
    std::optional<OriginCheck> found = too_soon(in, operand);
    if (found && found->diagnosis.kind == "unwritten")
      if (auto rows = in_other_rows(in, operand)) found = std::move(rows);
    return found ? std::move(*found) : as_is;
  }
  if (auto found = in_flight(in, operand, *all)) return std::move(*found);
  as_is = unless_scattered(explained(in, operand, *all), in, operand);
  note_numbers(as_is, *all, in_bytes(*in.map(operand)).map.cols);
  note_pieces(as_is, in, operand, *all);
  return as_is;
}

// What is wrong by where its elements came from, or else by when and how shared memory was read.
OriginCheck Origins::explained(const Multiplication& in, char operand,
                               const std::vector<Came>& all) {
  OriginCheck as_is = judge_origins(in, operand, all);
  const trace::Diagnosis& d = as_is.diagnosis;
  if (d.verdict != trace::Verdict::right)
    if (auto found = gathered(in, operand, all)) return std::move(*found);
  const bool is_explained =
      d.verdict == trace::Verdict::right || !as_is.packed.empty() ||
      (d.verdict == trace::Verdict::mistake && d.kind != "lane-address") ||
      (d.verdict == trace::Verdict::not_compared && !d.mistake.ends_with(kInNoLines));
  if (is_explained) return as_is;
  if (auto found = overtaken(in, operand, all)) return std::move(*found);
  if (auto found = swizzled_once(in, operand, all)) return std::move(*found);
  if (auto found = in_other_rows(in, operand)) return std::move(*found);
  if (d.verdict == trace::Verdict::mistake) return as_is;
  if (auto found = at_offset(in, operand, all)) return std::move(*found);
  return as_is;
}

}  // namespace lanescope::viz
