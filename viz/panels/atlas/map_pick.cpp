// SPDX-License-Identifier: MIT
#include "panels/atlas/map_pick.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "layout/rows.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;
using layout::Fragment;
using Kind = MapPick::Kind;

std::string element_words(const Fragment& f, const Element& e) {
  return f.matrices > 1 ? fmt::format("matrix {} {},{}", e.matrix, e.row, e.col)
                        : fmt::format("{},{}", e.row, e.col);
}

std::string ranges(const Fragment& f) {
  return fmt::format("{}rows are 0 to {}, columns 0 to {}",
                     f.matrices > 1 ? fmt::format("matrices are 0 to {}, ", f.matrices - 1) : "",
                     f.rows - 1, f.cols - 1);
}

const char* who(const MapView& view) {
  if (view.mover != nullptr && view.mover->in_tensor_lanes()) return "lane";
  return view.map->threads() > 32 ? "thread" : "lane";
}

// Numbers and words, in small letters; all else is a gap.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const auto c = at < text.size() ? static_cast<unsigned char>(text[at]) : ' ';
    const bool letter = std::isalnum(c) != 0 || c == '-';
    const bool turns =
        !word.empty() && letter &&
        (std::isdigit(c) != 0) != (std::isdigit(static_cast<unsigned char>(word.back())) != 0) &&
        word.back() != '-';
    if ((!letter || turns) && !word.empty()) words.push_back(word), word.clear();
    if (letter) word += static_cast<char>(std::tolower(c));
  }
  return words;
}

// Saturates: whatever is too large is out of range. -1 for what is no number.
int number(const std::string& word) {
  int value = 0;
  for (const char c : word) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return -1;
    value = std::min(value * 10 + (c - '0'), 1'000'000);
  }
  return word.empty() ? -1 : value;
}

}  // namespace

int address_lane(const MapView& view, const Element& e) {
  if (!view.addresses()) return -1;
  for (int lane = 0; lane < view.map->threads(); ++lane)
    if (const auto row = view.mover->addressed_row(lane))
      if (row->matrix == e.matrix && row->row == e.row) return lane;
  return -1;
}

std::string holder_name(const MapView& view, int lane) {
  return view.mover != nullptr ? view.mover->holder_name(lane)
                               : fmt::format("{} {}", who(view), lane);
}

namespace {

// An example of one: "lane 13", of two CTAs "CTA 1 lane 13".
std::string some_holder(const MapView& view) {
  return holder_name(view, view.map->threads() > 128 ? 141 : 13);
}

}  // namespace

MapPick pick_element(const Element& element) { return {Kind::element, element, -1}; }
MapPick pick_lane(int lane) { return {Kind::lane, {}, lane}; }

bool lit(const MapView& view, const MapPick& pick, const Element& element, int lane) {
  switch (pick.kind) {
    case Kind::nothing:
      return false;
    case Kind::element:
      return pick.element == element;
    case Kind::lane:
      return lane == pick.lane && view.map->provided_by(lane);
  }
  return false;
}

bool lane_lit(const MapView& view, const MapPick& pick, int lane) {
  if (pick.kind == Kind::lane) return pick.lane == lane;
  return pick.kind == Kind::element && address_lane(view, pick.element) == lane;
}

ParsedPick parse_pick(std::string_view text, const MapView& view) {
  const Fragment& f = *view.map;
  std::vector<std::string> words = split(text);
  const auto fail = [](std::string why) { return ParsedPick{{}, std::move(why)}; };
  const std::string hint =
      fmt::format("try: {}   {}", element_words(f, {f.rows - 1, f.cols - 1, f.matrices - 1}),
                  some_holder(view));
  if (words.empty()) return fail(hint);
  if (words[0] == "cta" && f.threads() > 128) {
    const bool named = words.size() == 4 && words[2] == "lane";
    const int cta = named ? number(words[1]) : -1, lane = named ? number(words[3]) : -1;
    if (cta < 0 || cta >= f.threads() / 128 || lane < 0 || lane >= 128)
      return fail("which lane? CTA 0 and CTA 1 have lanes 0 to 127 each");
    return {pick_lane(cta * 128 + lane), {}};
  }
  if (words[0] == "lane" || words[0] == "thread") {
    const int lane = words.size() == 2 ? number(words[1]) : -1;
    if (lane < 0 || lane >= std::min(f.threads(), 128))
      return fail(fmt::format("which {}? there are 0 to {}{}", words[0],
                              std::min(f.threads(), 128) - 1,
                              f.threads() > 128 ? "; before it CTA 0 or CTA 1" : ""));
    return {pick_lane(lane), {}};
  }
  if (words[0] == "matrix" || words[0] == "m" || words[0] == "e" || words[0] == "sfa" ||
      words[0] == "sfb")
    words.erase(words.begin());
  if (words.size() != 2 && words.size() != 3)
    return fail(fmt::format("cannot read '{}'; {}", std::string(text.substr(0, 60)), hint));
  const bool with_matrix = words.size() == 3;
  const Element e{number(words[with_matrix ? 1 : 0]), number(words[with_matrix ? 2 : 1]),
                  with_matrix ? number(words[0]) : 0};
  if (!f.contains(e))
    return fail(fmt::format("no element '{}': {}", std::string(text.substr(0, 60)), ranges(f)));
  return {pick_element(e), {}};
}

std::string words_of(const MapPick& pick, const MapView& view) {
  switch (pick.kind) {
    case Kind::nothing:
      return {};
    case Kind::element:
      return element_words(*view.map, pick.element);
    case Kind::lane:
      return holder_name(view, pick.lane);
  }
  return {};
}

std::string examples_of(const MapView& view, std::string_view between) {
  const Fragment& f = *view.map;
  const Element e{std::min(3, f.rows - 1), std::min(5, f.cols - 1), 0};
  return fmt::format("{}{}{}", element_words(f, e), between, some_holder(view));
}

MapPick moved(const MapPick& pick, const MapView& view, int rows, int cols) {
  const Fragment& f = *view.map;
  if (pick.kind == Kind::nothing) return pick_element({0, 0, 0});
  if (pick.kind == Kind::lane)
    return pick_lane(std::clamp(pick.lane + rows + 4 * cols, 0, f.threads() - 1));
  // The matrices stand above one another.
  const int row = std::clamp(pick.element.matrix * f.rows + pick.element.row + rows, 0,
                             f.matrices * f.rows - 1);
  return pick_element(
      {row % f.rows, std::clamp(pick.element.col + cols, 0, f.cols - 1), row / f.rows});
}

MapPick other_side(const MapPick& pick, const MapView& view) {
  const Fragment& f = *view.map;
  if (pick.kind == Kind::element) {
    const std::vector<layout::Holder> all = layout::holders(f, pick.element);
    return all.empty() ? pick : pick_lane(all.front().thread);
  }
  if (pick.kind == Kind::lane && f.provided_by(pick.lane))
    return pick_element(f.element(pick.lane, 0));
  return pick_element({0, 0, 0});
}

MapPick carried_over(const MapPick& pick, const MapView& to) {
  if (pick.kind == Kind::element && !to.map->contains(pick.element)) return {};
  if (pick.kind == Kind::lane && pick.lane >= to.map->threads()) return {};
  return pick;
}

}  // namespace lanescope::viz
