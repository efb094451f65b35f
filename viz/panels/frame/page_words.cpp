// SPDX-License-Identifier: MIT
// The words of a page: those that say what is chosen on it, in the title and for the log, and those
// that are looked for. Which page is shown is pages.cpp's.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// "9,5" alone: an element of the tile.
bool read_place(std::string_view words, int& mn, int& k) {
  int read = 0;
  const std::string text(words.substr(0, 40));
  return std::sscanf(text.c_str(), " %4d , %4d %n", &mn, &k, &read) == 2 &&
         static_cast<std::size_t>(read) == text.size();
}

std::string pick_place(Workspace& ws, int mn, int k) {
  const bool swizzle = ws.page == Page::swizzle;
  DescriptorState& d = ws.descriptor;
  const int from = swizzle ? 0 : d.form.step * k_of_step(d.form.tile);
  const TileForm& tile = d.form.tile;
  const int rows = swizzle ? ws.swizzle.row_count() : tile.rows;
  const int to = swizzle ? ws.swizzle.col_count() : std::min(from + k_of_step(tile), tile.cols);
  if (mn < 0 || mn >= rows || k < from || k >= to)
    return fmt::format("no element {},{}: rows are 0 to {}, columns {} to {}", mn, k, rows - 1,
                       from, to - 1);
  if (swizzle)
    ws.swizzle.mn = mn, ws.swizzle.k = k, ws.swizzle.reveal = true;
  else
    d.row = mn, d.col = k - from, d.reveal = true;
  return {};
}

// "E selector 1", "SFA thread-id 2 byte-id 1", as they are searched for; of a mover its name.
std::string name_of(const Workspace& ws, const MapView& view) {
  if (view.mover != nullptr) return view.mover->mnemonic;
  std::string name(layout::operand_name(view.map->operand));
  if (view.selector >= 0 && view.instruction->E.size() > 1)
    name += fmt::format(" selector {}", view.selector);
  if (const layout::ScaleSelector& scale = ws.map.scale; !(scale == layout::ScaleSelector{}))
    name += fmt::format(" thread-id {} byte-id {}", scale.thread_id, scale.byte_id);
  return name;
}

// Of two maps: the operand and what is chosen of it, as they are searched for.
std::string map_words(const CompareState& c) {
  if (c.lane >= 0) return fmt::format("{}lane {}", c.shown.words_before(), c.lane);
  return c.row < 0 || c.shown.rows == 0 ? c.shown.subject : c.shown.words(c.row, c.col);
}

}  // namespace

bool switch_operand(Workspace& ws, std::string_view& words) {
  const Multiplication* in = ws.shown();
  const std::size_t start = words.find_first_not_of(' ');
  if (in == nullptr || start == std::string_view::npos) return false;
  const auto take = [&words](std::size_t from) {
    const std::size_t end = std::min(words.find(' ', from), words.size());
    std::string word;
    for (const char c : words.substr(from, end - from))
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return std::pair{word, std::min(words.find_first_not_of(' ', end), words.size())};
  };
  auto [word, rest] = take(start);
  const char operand = word == "E" ? 'E' : word == "SFA" ? 'S' : word == "SFB" ? 'T' : '\0';
  if (operand == '\0') {
    // "A 9,5" and "B.r1" are of the matrices.
    if (word.size() > 0 && word[0] >= 'A' && word[0] <= 'D') ws.map.operand = 0;
    return false;
  }
  const layout::Fragment* map = in->instruction->operand(operand);
  if (map == nullptr || map->values == 0) return false;
  if (ws.map.operand != operand) ws.map = {operand, 0, {}, {}};
  words.remove_prefix(rest);
  // "selector 1": the digit behind a name that the words begin with, which are taken; else -1.
  const auto numbered = [&](std::string_view name) {
    if (words.substr(0, name.size()) != name) return -1;
    auto [number, after] = take(std::min(words.find_first_not_of(' ', name.size()), words.size()));
    words.remove_prefix(after);
    return number.size() == 1 && number[0] >= '0' && number[0] <= '9' ? number[0] - '0' : -1;
  };
  if (const int selector = numbered("selector");
      selector >= 0 && static_cast<std::size_t>(selector) < in->instruction->E.size())
    ws.map.selector = selector;
  layout::ScaleSelector scale = ws.map.scale;
  if (const int id = numbered("thread-id"); id >= 0) scale.thread_id = id;
  if (const int id = numbered("byte-id"); id >= 0) scale.byte_id = id;
  if (!(scale == ws.map.scale)) choose_scale(ws, scale);
  return true;
}

std::string selected_words(const Workspace& ws) {
  if (const MapView view = map_view(ws); view.map != nullptr) {
    const std::string name = name_of(ws, view), words = words_of(ws.map.pick, view);
    return words.empty() ? name : name + " " + words;
  }
  switch (ws.page) {
    case Page::trace:
      if (ws.shows != Shows::fragments) return view_words(ws);
      [[fallthrough]];
    case Page::entry: {
      const Multiplication* in = ws.shown();
      return in == nullptr ? "" : words_of(ws.selection, *in);
    }
    case Page::atlas:
      return ws.atlas.filter.words.empty() ? "atlas" : "atlas " + ws.atlas.filter.words;
    case Page::swizzle:
      return "swizzle " + ws.swizzle.words();
    case Page::descriptor:
      return "descriptor " + (ws.descriptor.tcgen05.reading == Reading::wgmma
                                  ? words_of(ws.descriptor.form)
                                  : words_of(ws.descriptor.tcgen05));
    case Page::compare: {
      const CompareState& c = ws.compare;
      if (c.made.all.empty()) return "compare: the same";
      if (c.made.of_maps()) return map_words(c);
      std::string words = fmt::format("compare {} of {}", c.current + 1, c.made.all.size());
      if (c.row >= 0 && c.shown.rows > 0) words += ": " + c.shown.place(c.row, c.col);
      return words;
    }
  }
  return {};
}

bool search_page(Workspace& ws, std::string_view words) {
  int mn = 0, k = 0;
  if (ws.page == Page::compare) {
    CompareState& c = ws.compare;
    std::size_t index = c.current;
    int row = -1, col = -1, lane = -1;
    const std::string problem = c.made.of_maps() ? read_words(c.made, words, index, row, col, lane)
                                                 : read_words(c.made, words, index, row, col);
    if (problem.empty() && c.made.of_maps()) c.lane = lane;
    if (problem.empty() && lane >= 0) c.row = c.col = -1;
    if (problem.empty() && index != c.current) show_difference(ws, index);
    if (problem.empty() && row >= 0) c.row = row, c.col = col, c.reveal = true;
    say(ws, problem);
    return problem.empty();
  }
  if ((ws.page == Page::swizzle || ws.page == Page::descriptor) && read_place(words, mn, k)) {
    say(ws, pick_place(ws, mn, k));
    return !ws.message_is_error;
  }
  if (ws.page == Page::swizzle) {
    SwizzleState& s = ws.swizzle;
    const bool layout = layout::is_cute_layout(words);
    CuteTile cute;
    say(ws, layout ? read_words(words, cute) : read_words(words, s.form));
    if (ws.message_is_error) return false;
    s.cute = layout ? std::optional(std::move(cute)) : std::nullopt;
    s.access = 0;
    s.mn = s.k = -1;
    return true;
  }
  if (ws.page == Page::descriptor && names_reading(words)) {
    DescriptorState& d = ws.descriptor;
    if (d.form.bits == 0 && !d.begun) d.form = right_form(d.form.tile, d.form.step);
    d.begun = true;
    say(ws, read_words(words, d.tcgen05, d.form));
    return !ws.message_is_error;
  }
  if (ws.page == Page::descriptor) {
    DescriptorState& d = ws.descriptor;
    say(ws, read_words(words, d.form, d.tcgen05.reading == Reading::tcgen05));
    // Atoms of 32 bytes are tcgen05's alone.
    if (d.form.wide && d.tcgen05.reading == Reading::wgmma) d.tcgen05.reading = Reading::tcgen05;
    if (d.tcgen05.reading == Reading::tcgen05) d.tcgen05.bits = tcgen05_bits(d.form);
    return !ws.message_is_error;
  }
  if (ws.page == Page::trace && ws.shows != Shows::fragments) return search_view(ws, words);
  if (ws.page == Page::atlas) {
    say(ws, fmt::format("'{}' is of one instruction; the atlas shows {} of them", words,
                        found_entries(ws).size()));
    return false;
  }
  const MapView view = map_view(ws);
  if (view.map == nullptr) return false;
  const ParsedPick parsed = parse_pick(words, view);
  say(ws, parsed.error);
  if (parsed.ok()) ws.map.pick = parsed.pick, ws.reveal = true;
  return parsed.ok();
}

}  // namespace lanescope::viz
