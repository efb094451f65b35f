// SPDX-License-Identifier: MIT
// The keys of the atlas's pages, and of a map that is seen from both sides.
#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

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
  ws.message_is_error = words.empty();
  ws.message = words.empty() ? "nothing is selected: click a cell first" : "copied";
  if (!words.empty()) ImGui::SetClipboardText(words.c_str());
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
  const bool K = s.cute || s.form.major == layout::Major::K;
  // MN-major tiles are drawn with MN across.
  int& row = K ? s.mn : s.k;
  int& col = K ? s.k : s.mn;
  if (move_cell(row, col, K ? s.row_count() : s.col_count(), K ? s.col_count() : s.row_count()))
    s.reveal = true, ws.message.clear();
  const bool moves =
      s.cute ? s.cute->matrix.layout.swizzle.bits > 0 : s.form.mode != layout::Swizzle::none;
  if (typed('x') && !moves)
    say(ws, "a tile that is not swizzled lies the same before and after");
  else if (typed('x'))
    s.applied = !s.applied;
  if (typed('v')) s.offsets = !s.offsets;
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false))
    copy(ws, s.mn < 0 ? ""
             : s.cute ? text_of(place_facts(*s.cute, s.mn, s.k, s.applied))
                      : text_of(place_facts(s.form, s.mn, s.k, s.applied)));
}

void descriptor_keys(Workspace& ws) {
  DescriptorState& d = ws.descriptor;
  const bool fetches = d.tcgen05.reading != Reading::instruction;
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false)) {
    const bool picked =
        fetches && d.row >= 0 && d.row < d.fetch.rows && d.col >= 0 && d.col < d.fetch.cols;
    copy(ws, (d.tcgen05.reading == Reading::wgmma ? words_of(d.form) : words_of(d.tcgen05)) + "\n" +
                 (picked ? text_of(fetch_facts(d.form, d.fetch, d.row, d.col)) : ""));
  }
  if (!fetches) return;
  if (move_cell(d.row, d.col, d.fetch.rows, d.fetch.cols)) d.reveal = true, ws.message.clear();
  if (typed('v')) d.bytes = !d.bytes;
  if (typed('[') || typed(']')) {
    const int step = std::clamp(d.form.step + (typed(']') ? 1 : -1), 0, steps_of(d.form.tile) - 1);
    if (step != d.form.step) {
      d.form = right_form(d.form.tile, step);
      d.tcgen05.bits = tcgen05_bits(d.form);
    }
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

// Of the bytes of a scale word that can be read, the next.
void next_byte_id(Workspace& ws) {
  const layout::ScaleSelector now = ws.map.scale;
  for (int byte = 1; byte <= 4; ++byte) {
    choose_scale(ws, {now.thread_id, (now.byte_id + byte) % 4});
    if (!(ws.map.scale == now)) return;
  }
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
  } else if (ws.page == Page::compare && (ws.compare.row >= 0 || ws.compare.lane >= 0)) {
    ws.compare.row = ws.compare.col = ws.compare.lane = -1;
  } else if (ws.page == Page::compare && ws.compare.made.of_maps() && !ws.atlas.from_lesson) {
    go_to(ws, Page::atlas);
  } else if (ws.page == Page::entry && ws.atlas.from_lesson) {
    go_to(ws, Page::trace);
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

bool handle_page_keys(Workspace& ws) {
  if (ws.show_keys || ws.show_traces) return false;
  if (typed('a')) return go_to(ws, ws.page == Page::atlas ? Page::trace : Page::atlas), true;
  if (typed('s')) return go_to(ws, ws.page == Page::swizzle ? Page::trace : Page::swizzle), true;
  if (typed('d'))
    return go_to(ws, ws.page == Page::descriptor ? Page::trace : Page::descriptor), true;
  if (ws.page == Page::atlas && typed('=')) return lay_beside(ws, ws.atlas.row), true;
  if (typed('=') && ws.compare.there)
    return go_to(ws, ws.page != Page::compare    ? Page::compare
                     : ws.compare.made.of_maps() ? Page::atlas
                                                 : Page::trace),
           true;
  if (typed('e') && (ws.page == Page::trace || ws.page == Page::entry)) next_operand_view(ws);
  const MapView view = map_view(ws);
  if (ws.page == Page::trace && view.map == nullptr) return false;
  if (pressed(Key::escape, false)) return escape(ws), true;
  if (ws.page == Page::entry && pressed(Key::backspace, false)) return go_to(ws, Page::atlas), true;
  if (typed('/')) ws.focus_search = true;
  if (view.map != nullptr) {
    move_map(ws, view);
    if (zoomed(ws, view.mover != nullptr)) ws.reveal = true;  // else 0 is a selector
    for (int selector = 0; selector < 4 && view.selector >= 0; ++selector)
      if (typed(static_cast<char32_t>('0' + selector)) &&
          static_cast<std::size_t>(selector) < view.instruction->E.size())
        ws.map.selector = selector;
    if (view.map->operand == 'S' || view.map->operand == 'T') {
      for (int id = 0; id < 4; ++id)
        if (typed(static_cast<char32_t>('0' + id))) choose_scale(ws, {id, ws.map.scale.byte_id});
      if (typed('b')) next_byte_id(ws);
    }
    if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false))
      copy(ws, text_of(map_facts(view, ws.map.pick)));
  }
  if (ws.page == Page::atlas) atlas_keys(ws);
  if (ws.page == Page::swizzle) swizzle_keys(ws);
  if (ws.page == Page::descriptor) descriptor_keys(ws);
  if (ws.page == Page::compare) compare_keys(ws);
  return view.map != nullptr || ws.page != Page::entry;
}

}  // namespace lanescope::viz
