// SPDX-License-Identifier: MIT
// The ring that Ctrl+Tab puts around a button, for whoever has no mouse at hand: from there Tab and
// the arrows go to the next, Enter presses it. Whatever a mouse can press is in it: buttons, tabs,
// fields, facets, links of a lesson, stops of a way. Not in it is what has keys of its own, and
// would make the way long: cells, lanes and lines of lists, which the arrows reach; registers,
// which words find; lists that fold out, which [ ] and Tab go through; edges, which < > move.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<std::string_view, 11> kHasKeys{
    "entry ",   "step ",          "difference ", "trace ", "register ", "tile ",
    "compare ", "multiplication", "warp choice", "scrub",  "split"};

bool is_in_ring(std::string_view name) {
  if (name == "tile" || name == "other") return false;
  if (name.starts_with("tile label") || name.starts_with("tile read")) return true;
  if (name.starts_with("tile m") || name.starts_with("tile b")) return true;  // major, mode, bits
  if (name.starts_with("step label")) return true;
  return std::none_of(kHasKeys.begin(), kHasKeys.end(),
                      [name](std::string_view begin) { return name.starts_with(begin); });
}

bool takes_words(std::string_view name) {
  return name == "search" || name == "quiz answer" || name.starts_with("field ");
}

std::vector<KeyRing::Stop>::const_iterator find(const KeyRing& ring) {
  return std::find_if(ring.all.begin(), ring.all.end(),
                      [&ring](const KeyRing::Stop& stop) { return stop.id == ring.at; });
}

// After the last comes the first.
void go_on_ring(KeyRing& ring, int by) {
  const auto count = static_cast<std::ptrdiff_t>(ring.all.size());
  if (count == 0) return;
  const auto here = find(ring);
  const std::ptrdiff_t none = by > 0 ? -1 : 0;
  const std::ptrdiff_t at = here == ring.all.end() ? none : here - ring.all.begin();
  ring.at = ring.all[static_cast<std::size_t>((at + by + count) % count)].id;
  ring.reveal = true;
}

}  // namespace

bool handle_ring_keys(Workspace& ws) {
  KeyRing& ring = ws.ring;
  const ImGuiIO& io = ImGui::GetIO();
  if (ws.show_keys || ws.show_traces || ws.quiz.open || ImGui::IsMouseClicked(0)) ring.on = false;
  if (ws.show_keys || ws.show_traces || ws.quiz.open) return false;
  const int tab = pressed(Key::tab) ? (io.KeyShift ? -1 : 1) : 0;
  if (!ring.on) {
    if (!io.KeyCtrl || tab == 0) return false;
    ring.on = true;
    // Where it was, if that is still there.
    if (find(ring) == ring.all.end()) go_on_ring(ring, tab);
    ring.reveal = true;
    return true;
  }
  if (io.KeyAlt) return false;  // back and forward
  const int by = tab + (pressed(Key::right) || pressed(Key::down) ? 1 : 0) -
                 (pressed(Key::left) || pressed(Key::up) ? 1 : 0);
  if (by != 0) return go_on_ring(ring, by), true;
  if (pressed(Key::escape, false)) return ring.on = false, true;
  if (pressed(Key::enter, false) || typed(' ')) return ring.press = true;
  return false;
}

void begin_ring(Workspace& ws, float bar_height) {
  std::vector<KeyRing::Stop>& all = ws.ring.all;
  all.swap(ws.ring.drawn);
  ws.ring.drawn.clear();
  // As they were drawn, but the bar first, from the left: it is drawn from both ends.
  const auto end = std::stable_partition(
      all.begin(), all.end(),
      [bar_height](const KeyRing::Stop& stop) { return stop.box.top < bar_height; });
  std::stable_sort(all.begin(), end, [](const KeyRing::Stop& a, const KeyRing::Stop& b) {
    return a.box.left < b.box.left;
  });
}

bool in_ring(Workspace& ws, ImGuiID id, Box box) {
  KeyRing& ring = ws.ring;
  if (ring.drawn.empty() || ring.drawn.back().id != id) ring.drawn.push_back({id, box});
  if (!ring.on || id != ring.at) return false;
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const bool seen = box.top >= corner.y && box.top + box.height <= corner.y + size.y;
  if (ring.reveal && !seen) ImGui::SetScrollFromPosY(box.top - corner.y);
  ring.reveal = false;
  const Theme& t = theme(ws.dark);
  const float em = ImGui::GetFontSize();
  const float out = std::round(0.15f * em);
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  draw->PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y));
  draw->AddRect(ImVec2(box.left - out, box.top - out),
                ImVec2(box.left + box.width + out, box.top + box.height + out), colour(t.accent),
                0.28f * em, 0, std::max(2.0f, 0.13f * em));
  draw->PopClipRect();
  return std::exchange(ring.press, false);
}

void ring_item(Workspace& ws, std::string_view name) {
  if (last_item() == 0 || !is_in_ring(name)) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (!in_ring(ws, last_item(), {low.x, low.y, high.x - low.x, high.y - low.y})) return;
  if (takes_words(name))
    ImGui::SetKeyboardFocusHere(-1);
  else
    press_last_item();
}

}  // namespace lanescope::viz
