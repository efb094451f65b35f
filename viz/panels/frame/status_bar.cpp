// SPDX-License-Identifier: MIT
// The line below: what is selected or pointed at, what went wrong, the keys.
#include <fmt/format.h>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

std::string keys_of(const Workspace& ws) {
  if (ws.page != Page::trace || ws.shows == Shows::fragments)
    return "arrows move   Tab operand   / find   Esc clear   Ctrl+C copy   ? keys";
  if (ws.shows == Shows::steps)
    return ws.steps.list.warps.size() > 1 ? "up down step   left right 20   Tab warp   n next "
                                            "tensor   k conflict   Space play   "
                                            "/ find   ? keys"
                                          : "up down step   left right 20   n next tensor   k "
                                            "conflict   Space play   / find   "
                                            "? keys";
  if (ws.shows == Shows::memory && has(ws, Shows::memory))
    return fmt::format("arrows move   {}   {}{}/ find   ? keys",
                       shows_banks(ws.memory) ? "v k b value, bank, byte" : "v b value, byte",
                       can_be_swizzled(*ws.memory.tiles[ws.memory.current]) ? "x swizzle   " : "",
                       ws.memory.tiles.size() > 1 ? "[ ] tile   2 two of them   " : "");
  return ws.pipeline.made.copies
             ? "arrows, click: a wait   Space play   + - zoom   [ ] copies faster, slower   "
               "Ctrl+C copy   ? keys"
             : "arrows, click: a wait   Space play   + - zoom   Ctrl+C copy   ? keys";
}

// What is selected, and what is under the pointer.
void selected_and_hovered(Workspace& ws, const Look& look, const std::string& words, float room) {
  text(look.fonts.text, look.theme.dim, shortened(look.fonts.text, words, room));
  if (ws.probes != nullptr) probe(ws, "status: " + words);
}

}  // namespace

void draw_status(Workspace& ws, const Look& look) {
  if (map_view(ws).map != nullptr || (ws.page != Page::trace && ws.page != Page::entry))
    return draw_page_status(ws, look);
  const float height = ImGui::GetWindowHeight();
  const float width = ImGui::GetWindowWidth();
  const Theme& t = look.theme;
  const float top = (height - look.fonts.text.size) / 2;
  const float pad = 1.1f * look.em;
  ImGui::SetCursorPos(ImVec2(pad, top));
  const std::string keys = keys_of(ws);
  const float keys_width = text_width(look.fonts.text, keys);
  // What went wrong is said whole before the keys are.
  const bool long_error = ws.message_is_error && text_width(look.fonts.text, ws.message) >
                                                     width - keys_width - 2 * pad - look.em;
  const bool with_keys = width > keys_width + 24 * look.em && !long_error;
  const float room = width - 2 * pad - (with_keys ? keys_width + look.em : 0);
  if (!ws.message.empty()) {
    text(look.fonts.text, ws.message_is_error ? t.bad : t.good,
         shortened(look.fonts.text, ws.message, room));
  } else if (!ws.hint.empty()) {
    text(look.fonts.text, t.text, shortened(look.fonts.text, ws.hint, room));
    probe(ws, "hint line");
  } else if (ws.page == Page::trace && ws.shows != Shows::fragments) {
    std::string words = view_words(ws);
    const StepsState& s = ws.steps;
    if (const std::string& lane = s.hover_words.empty() ? s.lane_words : s.hover_words;
        ws.shows == Shows::steps && !lane.empty())
      words += "      " + lane;
    selected_and_hovered(ws, look, words, room);
  } else if (const Multiplication* in = ws.shown(); in != nullptr) {
    std::string words = words_of(ws.selection, *in);
    if (!words.empty()) words = fmt::format("selected  {}", words);
    if (ws.hover.operand != 0) {
      const layout::Holder h = in->holder(ws.hover.operand, ws.hover.row, ws.hover.col);
      const std::string value = value_text(*in, ws.hover.operand, h);
      const std::string where = in->tensor != nullptr
                                    ? tensor_place(*in->tensor, h.thread, h.register_index)
                                    : fmt::format("{}  {}.r{}", holder_name(*in, h.thread),
                                                  ws.hover.operand, h.register_index);
      words += fmt::format("{}{}[{}][{}]{}  {}", words.empty() ? "" : "      ", ws.hover.operand,
                           ws.hover.row, ws.hover.col, value.empty() ? "" : " = " + value, where);
    }
    if (words.empty())
      words = fmt::format("click a cell or a {}; hover an element of D", holder_word(*in));
    selected_and_hovered(ws, look, words, room);
  }
  if (!with_keys) return end_at_cursor();
  ImGui::SetCursorPos(ImVec2(width - pad - keys_width, top));
  text(look.fonts.text, t.faint, keys);
}

}  // namespace lanescope::viz
