// SPDX-License-Identifier: MIT
// The pages: which is shown, how one gets from one to another, and the keys of each. The page of an
// entry is that of a trace with a model that has no data.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

void say(Workspace& ws, std::string error) {
  ws.message_is_error = !error.empty();
  ws.message = std::move(error);
}

void move_map(Workspace& ws, const MapView& view) {
  MapPick& pick = ws.map.pick;
  const auto step = [&](Key key, int rows, int cols) {
    if (pressed(key)) pick = moved(pick, view, rows, cols), ws.reveal = true, ws.message.clear();
  };
  step(Key::up, -1, 0);
  step(Key::down, 1, 0);
  step(Key::left, 0, -1);
  step(Key::right, 0, 1);
  if (pressed(Key::tab) && !ImGui::GetIO().KeyCtrl) pick = other_side(pick, view), ws.reveal = true;
}

// Arrow keys on a grid whose selection is (row, col); true when it moved.
bool move_cell(int& row, int& col, int rows, int cols) {
  const int by_row = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0);
  const int by_col = (pressed(Key::right) ? 1 : 0) - (pressed(Key::left) ? 1 : 0);
  if (by_row == 0 && by_col == 0) return false;
  const bool first = row < 0 || col < 0;
  row = first ? 0 : std::clamp(row + by_row, 0, rows - 1);
  col = first ? 0 : std::clamp(col + by_col, 0, cols - 1);
  return true;
}

void copy(Workspace& ws, const std::string& words) {
  say(ws, words.empty() ? "nothing is selected: click a cell first" : "");
  if (words.empty()) return;
  ImGui::SetClipboardText(words.c_str());
  ws.message = "copied";
}

std::string text_of(const PlaceFacts& facts) {
  std::string text = facts.title + "  " + facts.where + "\n";
  for (const std::string& line : facts.lines) text += "  " + line + "\n";
  return text;
}

std::string text_of(const MapFacts& facts) {
  if (facts.title.empty()) return {};
  std::string text = facts.title + "  " + facts.where + "\n";
  for (const auto* lines : {&facts.lines, &facts.why})
    for (const std::string& line : *lines) text += "  " + line + "\n";
  return text;
}

void atlas_keys(Workspace& ws) {
  AtlasState& atlas = ws.atlas;
  const int count = static_cast<int>(found_entries(ws).size());
  const int step = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0) +
                   (pressed(Key::right) ? 20 : 0) - (pressed(Key::left) ? 20 : 0);
  if (step != 0 && count > 0) {
    atlas.row = std::clamp(atlas.row + step, 0, count - 1);
    atlas.reveal = true;
  }
  if (pressed(Key::enter, false) && atlas.row < count)
    open_entry(ws, atlas.found[static_cast<std::size_t>(atlas.row)]);
}

void swizzle_keys(Workspace& ws) {
  SwizzleState& s = ws.swizzle;
  const bool K = s.form.major == layout::Major::K;
  // MN-major tiles are drawn with MN across.
  int& row = K ? s.mn : s.k;
  int& col = K ? s.k : s.mn;
  if (move_cell(row, col, K ? s.form.rows : s.form.cols, K ? s.form.cols : s.form.rows))
    s.reveal = true, ws.message.clear();
  if (typed('x')) s.applied = !s.applied;
  if (typed('v')) s.offsets = !s.offsets;
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false))
    copy(ws, s.mn < 0 ? "" : text_of(place_facts(s.form, s.mn, s.k, s.applied)));
}

void descriptor_keys(Workspace& ws) {
  DescriptorState& d = ws.descriptor;
  if (move_cell(d.row, d.col, d.fetch.rows, d.fetch.cols)) d.reveal = true, ws.message.clear();
  if (typed('v')) d.bytes = !d.bytes;
  if (typed('[') || typed(']')) {
    const int step = std::clamp(d.form.step + (typed(']') ? 1 : -1), 0, steps_of(d.form.tile) - 1);
    if (step != d.form.step) d.form = {d.form.tile, right_bits(d.form.tile, step), step};
  }
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false)) {
    const bool picked = d.row >= 0 && d.row < d.fetch.rows && d.col >= 0 && d.col < d.fetch.cols;
    copy(ws, words_of(d.form) + "\n" +
                 (picked ? text_of(fetch_facts(d.form, d.fetch, d.row, d.col)) : ""));
  }
}

// From the matrices to E or the scales, and around.
void next_operand_view(Workspace& ws) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return;
  std::string all(1, '\0');
  for (const char operand : {'E', 'S', 'T'})
    if (in->instruction->operand(operand) != nullptr) all += operand;
  const std::size_t at = all.find(ws.map.operand);
  ws.map = {all[at == std::string::npos ? 0 : (at + 1) % all.size()], 0, {}, {}};
}

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
  const TileForm& tile = swizzle ? ws.swizzle.form : d.form.tile;
  const int to = swizzle ? tile.cols : std::min(from + k_of_step(tile), tile.cols);
  if (mn < 0 || mn >= tile.rows || k < from || k >= to)
    return fmt::format("no element {},{}: rows are 0 to {}, columns {} to {}", mn, k, tile.rows - 1,
                       from, to - 1);
  if (swizzle)
    ws.swizzle.mn = mn, ws.swizzle.k = k, ws.swizzle.reveal = true;
  else
    d.row = mn, d.col = k - from, d.reveal = true;
  return {};
}

void escape(Workspace& ws) {
  ws.message.clear();
  ws.message_is_error = false;
  const MapView view = map_view(ws);
  if (view.map != nullptr && ws.map.pick.kind != MapPick::Kind::nothing) {
    ws.map.pick = {};
  } else if (ws.page == Page::swizzle && ws.swizzle.mn >= 0) {
    ws.swizzle.mn = ws.swizzle.k = -1;
  } else if (ws.page == Page::descriptor && ws.descriptor.row >= 0) {
    ws.descriptor.row = ws.descriptor.col = -1;
  } else if (ws.page == Page::entry && ws.selection.picked != Picked::nothing) {
    ws.selection = {};
  } else if (ws.page == Page::entry) {
    go_to(ws, Page::atlas);
  } else if (ws.page == Page::atlas && !(ws.atlas.filter == AtlasFilter{})) {
    ws.atlas.filter = {};
    ws.atlas.words[0] = '\0';
  } else {
    go_to(ws, Page::trace);
  }
}

}  // namespace

void go_to(Workspace& ws, Page page) {
  if (ws.page == Page::entry && page != Page::entry) {
    ws.current = ws.kept.current;
    ws.selection = ws.kept.selection;
    ws.labels = ws.kept.labels;
    ws.result = ws.kept.result;
    ++ws.revision;
  }
  if (ws.page != page) {
    ws.map = {};
    ws.hover = {};
    ws.hover_lane = -1;
    ws.search[0] = '\0';
    ws.message.clear();
    ws.message_is_error = false;
    ws.focus_search = false;
  }
  ws.page = page;
}

void open_entry(Workspace& ws, const Entry& entry) {
  if (entry.empty()) return;
  if (ws.page != Page::entry) ws.kept = {ws.current, ws.selection, ws.labels, ws.result};
  go_to(ws, Page::entry);
  ws.atlas.entry = entry;
  ws.atlas.model = {};
  ws.map = {};
  ws.current = 0;
  ws.selection = {};
  ws.labels = LabelMode::lane;
  ws.result = 'D';
  ++ws.revision;
  if (entry.instruction == nullptr) return;
  // Lane and register take two lines in a cell: where there are too many cells, only the lane.
  const layout::Instruction& i = *entry.instruction;
  if (i.M * i.K + i.K * i.N + i.M * i.N <= 512) ws.labels = LabelMode::reg;
  ws.atlas.model = model_of(*entry.instruction);
  if (entry.instruction->D.operand != 'D') ws.result = 'C';
}

void open_atlas(Workspace& ws, std::string_view words) {
  go_to(ws, Page::atlas);
  ws.show_traces = false;
  const std::size_t count = std::min(words.size(), ws.atlas.words.size() - 1);
  std::copy_n(words.data(), count, ws.atlas.words.data());
  ws.atlas.words[count] = '\0';
  ws.atlas.filter = {std::string(words.substr(0, count)), "", "", ""};
  if (const Entry only = only_entry(ws.atlas.filter.words); !only.empty()) open_entry(ws, only);
}

MapView map_view(const Workspace& ws) {
  if (ws.page == Page::entry && ws.atlas.entry.mover != nullptr)
    return {&ws.atlas.entry.mover->registers, ws.atlas.entry.mover, nullptr, -1};
  if (ws.page != Page::trace && ws.page != Page::entry) return {};
  const Multiplication* in = ws.shown();
  if (in == nullptr || ws.map.operand == 0) return {};
  const layout::Fragment* map = in->instruction->operand(ws.map.operand, ws.map.selector);
  if (map == nullptr || map->values == 0) return {};
  return {map, nullptr, in->instruction, ws.map.operand == 'E' ? ws.map.selector : -1};
}

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
  if (words.substr(0, 8) == "selector") {
    auto [number, after] = take(std::min(words.find_first_not_of(' ', 8), words.size()));
    const int selector = number.size() == 1 ? number[0] - '0' : -1;
    if (selector >= 0 && static_cast<std::size_t>(selector) < in->instruction->E.size())
      ws.map.selector = selector;
    words.remove_prefix(after);
  }
  return true;
}

const std::vector<Entry>& found_entries(Workspace& ws) {
  AtlasState& atlas = ws.atlas;
  if (atlas.asked && atlas.asked_for == atlas.filter) return atlas.found;
  atlas.asked = true;
  atlas.asked_for = atlas.filter;
  atlas.found = entries(atlas.filter);
  atlas.near.clear();
  if (atlas.found.empty() && !atlas.filter.words.empty())
    atlas.near = near_misses(atlas.filter.words, 6);
  atlas.row = 0;
  return atlas.found;
}

std::string selected_words(const Workspace& ws) {
  if (const MapView view = map_view(ws); view.map != nullptr) {
    const std::string name = view.mover != nullptr ? view.mover->mnemonic : map_title(view);
    return fmt::format("{} {}", name, words_of(ws.map.pick, view));
  }
  switch (ws.page) {
    case Page::trace:
    case Page::entry: {
      const Multiplication* in = ws.shown();
      return in == nullptr ? "" : words_of(ws.selection, *in);
    }
    case Page::atlas:
      return ws.atlas.filter.words.empty() ? "atlas" : "atlas " + ws.atlas.filter.words;
    case Page::swizzle:
      return "swizzle " + words_of(ws.swizzle.form);
    case Page::descriptor:
      return "descriptor " + words_of(ws.descriptor.form);
  }
  return {};
}

bool search_page(Workspace& ws, std::string_view words) {
  int mn = 0, k = 0;
  if ((ws.page == Page::swizzle || ws.page == Page::descriptor) && read_place(words, mn, k)) {
    say(ws, pick_place(ws, mn, k));
    return !ws.message_is_error;
  }
  if (ws.page == Page::swizzle) {
    say(ws, read_words(words, ws.swizzle.form));
    ws.swizzle.mn = ws.swizzle.k = -1;
    return !ws.message_is_error;
  }
  if (ws.page == Page::descriptor) {
    say(ws, read_words(words, ws.descriptor.form));
    return !ws.message_is_error;
  }
  const MapView view = map_view(ws);
  if (view.map == nullptr) return false;
  const ParsedPick parsed = parse_pick(words, view);
  say(ws, parsed.error);
  if (parsed.ok()) ws.map.pick = parsed.pick, ws.reveal = true;
  return parsed.ok();
}

bool handle_page_keys(Workspace& ws) {
  if (ws.show_keys || ws.show_traces) return false;
  if (typed('a')) return go_to(ws, ws.page == Page::atlas ? Page::trace : Page::atlas), true;
  if (typed('s')) return go_to(ws, ws.page == Page::swizzle ? Page::trace : Page::swizzle), true;
  if (typed('d'))
    return go_to(ws, ws.page == Page::descriptor ? Page::trace : Page::descriptor), true;
  if (typed('e') && (ws.page == Page::trace || ws.page == Page::entry)) next_operand_view(ws);
  const MapView view = map_view(ws);
  if (ws.page == Page::trace && view.map == nullptr) return false;
  if (pressed(Key::escape, false)) return escape(ws), true;
  if (ws.page == Page::entry && pressed(Key::backspace, false)) return go_to(ws, Page::atlas), true;
  if (typed('/')) ws.focus_search = true;
  if (view.map != nullptr) {
    move_map(ws, view);
    for (int selector = 0; selector < 4 && view.selector >= 0; ++selector)
      if (typed(static_cast<char32_t>('0' + selector)) &&
          static_cast<std::size_t>(selector) < view.instruction->E.size())
        ws.map.selector = selector;
    if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false))
      copy(ws, text_of(map_facts(view, ws.map.pick)));
  }
  if (ws.page == Page::atlas) atlas_keys(ws);
  if (ws.page == Page::swizzle) swizzle_keys(ws);
  if (ws.page == Page::descriptor) descriptor_keys(ws);
  return view.map != nullptr || ws.page != Page::entry;
}

}  // namespace lanescope::viz
