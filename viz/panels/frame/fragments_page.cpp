// SPDX-License-Identifier: MIT
// The matrices of a product, or a map of the atlas; beside them what is selected, the words, the
// registers of a lane.
#include <algorithm>
#include <cmath>

#include "panels/atlas/map_grids.hpp"
#include "panels/frame/panel.hpp"
#include "panels/look/widgets.hpp"

namespace lanescope::viz {
namespace {

bool has_extra_operands(const layout::Instruction& i) {
  for (const char operand : {'E', 'S', 'T'})
    if (const layout::Fragment* map = i.operand(operand)) return map->values > 0;
  return false;
}

// Beside the picture: the words of a trace, or what is known of an entry.
void draw_words(Workspace& ws, const Multiplication* in, const Look& look) {
  if (ws.page == Page::entry)
    scroll_by(ws.scroll_words), draw_entry(ws, look);
  else
    draw_text_panel(ws, in, look);
}

// The page of an entry is scrolled as a whole, the tabs of a trace's words stay.
Back words_back(const Workspace& ws) {
  return ws.page == Page::entry ? Back::card : Back::whole_card;
}

void side(Workspace& ws, const Multiplication& in, const Look& look, const Box& box) {
  ws.registers_tab = false;
  const int thread = ws.selection.thread >= 0 ? ws.selection.thread : ws.hover_lane;
  if (thread < 0 || thread >= in.threads())
    return panel(look, "words", box, words_back(ws), [&] { draw_words(ws, &in, look); });
  if (box.height < 34 * look.em) {  // no room for both: the lane comes first
    if (ws.page == Page::entry)
      return panel(look, "registers", box, Back::whole_card,
                   [&] { draw_registers(ws, in, look, true); });
    ws.registers_tab = true;
    return panel(look, "words", box, Back::whole_card,
                 [&] { draw_text_panel(ws, &in, look, true); });
  }
  // The registers take what they need, but leave room to read in.
  float lines = 3.2f;
  for (const char operand : kOperands)
    if (const layout::Fragment* map = in.map(operand))
      lines +=
          static_cast<float>(map->registers() * std::max(map->values_per_register() / 2, 1)) + 0.3f;
  const float gap = 0.7f * look.em;
  const float most = std::max(box.height * 0.45f, box.height - gap - 20 * look.em);
  const float lower = std::min(lines * look.fonts.mono.size * 1.3f, most);
  const Box above{box.left, box.top, box.width, box.height - lower - gap};
  panel(look, "words", above, words_back(ws), [&] { draw_words(ws, &in, look); });
  panel(look, "registers", {box.left, box.top + box.height - lower, box.width, lower},
        Back::whole_card, [&] { draw_registers(ws, in, look, true); });
}

// The width at which the cross has readable labels.
float cross_width(Workspace& ws, const Look& look) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return 0;
  const Labels& made = labels(ws, *in);
  // A warpgroup stands beside its rows, where B is not above them: columns are all it has to
  // shrink.
  const bool stacked = in->threads() > 32 && !in->is_drawn('B');
  const float advance = text_width(look.fonts.cell[stacked ? 0 : 2], "0");
  const auto need = [&](char operand) {
    const layout::Fragment* map = in->map(operand);
    if (!in->is_drawn(operand)) return 0.0f;
    const Labels::Operand& o = made.operands[static_cast<std::size_t>(operand_index(operand))];
    const auto longest = static_cast<float>(std::max(o.longest_first, o.longest_second));
    return static_cast<float>(map->cols) * std::max(longest * advance + 3, 1.1f * look.em);
  };
  const float warps = stacked ? 13 * look.em : 0;
  return need('A') + std::max({need('B'), need('C'), need('D')}) + warps + 5 * look.em;
}

// Left of the inspector: the cross, or one operand seen from both sides.
void matrices(Workspace& ws, const MapView& view, const Look& look, const Box& box) {
  const Multiplication* in = ws.shown();
  const bool several = in != nullptr && has_extra_operands(*in->instruction);
  Box below = box;
  if (several) {
    const float line = std::min(2.5f * look.em, box.height);
    const float indent = look.em;
    panel(look, "operands", {box.left + indent, box.top, box.width - indent, line}, Back::none,
          [&] { draw_operand_switch(ws, look); });
    below = {box.left, box.top + line, box.width, box.height - line};
  }
  panel(look, "matrices", below, Back::none, [&] {
    if (view.map != nullptr)
      draw_map(ws, view, look);
    else
      draw_cross(ws, *in, look);
  });
}

}  // namespace

float room_for(Workspace& ws, const MapView& view, const Look& look) {
  const float least = 46 * look.em;
  if (view.map != nullptr) return std::max(least, map_needs(view, look));
  if (ws.page == Page::swizzle) return least;
  return ws.page != Page::trace && ws.page != Page::entry ? 0 : cross_width(ws, look);
}

void draw_fragments_page(Workspace& ws, const MapView& view, const Look& look, const Box& whole,
                         const Arrangement& a) {
  const Multiplication* in = ws.shown();
  if (in == nullptr && view.map == nullptr)
    return panel(look, "words", whole, Back::whole_card,
                 [&] { draw_text_panel(ws, nullptr, look); });
  draw_split(ws, look, a.split);
  matrices(ws, view, look, a.cross);
  end_reading(ws, a.cross);
  if (ws.reading && ws.page == Page::trace && view.map == nullptr) {
    ws.registers_tab = false;
    return panel(look, "words", around(a.inspector, a.side), words_back(ws),
                 [&] { draw_words(ws, in, look); });
  }
  panel(look, "inspector", a.inspector, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    if (view.map != nullptr)
      draw_map_inspector(ws, view, look);
    else
      draw_inspector(ws, *in, look);
  });
  if (in != nullptr && view.map == nullptr) return side(ws, *in, look, a.side);
  panel(look, "words", a.side, words_back(ws), [&] { draw_words(ws, in, look); });
}

}  // namespace lanescope::viz
