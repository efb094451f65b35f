// SPDX-License-Identifier: MIT
// The pages of the atlas where something is tried: a swizzled tile, a descriptor.
#include <algorithm>

#include "panels/frame/panel.hpp"
#include "panels/look/widgets.hpp"

namespace lanescope::viz {

// Two columns: the inspector takes what the side has, too, but for what the tile lacks.
void draw_swizzle_page(Workspace& ws, const Look& look, const Arrangement& a) {
  const float gap_px = 0.7f * look.em, least = 19 * look.em;
  Box left = a.cross, right = a.inspector;
  if (a.side.top == a.inspector.top && a.side.width > 0) left.width += a.side.width + gap_px;
  if (a.side.top == a.inspector.top && a.side.width > 0)
    right.left = a.side.left - (right.width - a.side.width);
  if (a.side.top > a.inspector.top) right.height += a.side.height + gap_px;
  left.left += look.em;
  left.width -= look.em;
  const float lacks = swizzle_width(ws.swizzle, look.em) - left.width;
  if (lacks > 0 && right.top == left.top && right.width - lacks >= least)
    left.width += lacks, right.left += lacks, right.width -= lacks;
  panel(look, "swizzle", left, Back::none, [&] { draw_swizzle(ws, look); });
  panel(look, "inspector", right, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    draw_swizzle_inspector(ws, look);
  });
}

void draw_descriptor_page(Workspace& ws, const Look& look, const Box& whole) {
  const float gap_px = 0.7f * look.em;
  const bool wide = whole.width > 56 * look.em;
  const float form = std::min(wide ? 33 * look.em : whole.width, whole.width);
  const float upper = wide ? whole.height : whole.height * 0.62f;
  panel(look, "form", {whole.left - 0.3f * look.em, whole.top, form, upper}, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    draw_descriptor_form(ws, look);
  });
  const Box grid =
      wide
          ? Box{whole.left + form + gap_px, whole.top, whole.width - form - gap_px, whole.height}
          : Box{whole.left, whole.top + upper + gap_px, whole.width, whole.height - upper - gap_px};
  return panel(look, "fetched", grid, Back::none, [&] { draw_fetch(ws, look); });
}

}  // namespace lanescope::viz
