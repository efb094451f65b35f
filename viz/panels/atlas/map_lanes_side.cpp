// SPDX-License-Identifier: MIT
// The right side of a map: the registers of every lane, low bits first, each part with its element;
// of tcgen05.mma, the lanes and columns of tensor memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/atlas/map_sides.hpp"

namespace lanescope::viz {

// Beside their heading, where there is so much room; `font` is what their cells are labelled in,
// nullptr: they are too small.
std::string MapSides::about_lanes(const Font* font, float room) const {
  const char* zoom = font == nullptr ? "+ zooms in; " : "";
  if (result() || feeds()) {
    const bool in_bytes = view_.memory() == layout::MoverMemory::factors;
    const std::string words =
        fmt::format("{}lanes × columns of {}", zoom, in_bytes ? "4 bytes" : "32 bits");
    const bool fits = text_width(look_.fonts.text, words) <= room;
    return fits || font != nullptr ? words : "+ zooms in";
  }
  return fmt::format("{}of every {}{}{}", zoom, f_.threads() > 32 ? "thread" : "lane",
                     moves()         ? " afterwards"
                     : columns_only_ ? ": columns of its row"
                                     : "",
                     f_.values_per_register() > 1 ? ", low bits first" : "");
}

// r0, r1, ...: as many as have room.
void MapSides::register_names() const {
  const int parts = f_.values_per_register();
  const float first = lanes_.cell(0, 0).left;
  const float longest =
      text_width(look_.fonts.cell[5], fmt::format("r{} ", f_.registers() - 1)) - 1;
  int every = 1;
  while (every < f_.registers() &&
         lanes_.cell(0, std::min(every * parts, f_.values - 1)).left - first < longest)
    every *= 2;
  for (int reg = 0; reg < f_.registers(); reg += every)
    text_at(ImGui::GetWindowDrawList(), look_.fonts.cell[5],
            ImVec2(lanes_.cell(0, reg * parts).left, lanes_.at.y - 1.9f * look_.em), t_.dim,
            fmt::format("{}{}", feeds() ? "c" : "r", reg));
}

void MapSides::lanes() {
  const float em = look_.em;
  const std::size_t longest = columns_only_ ? fmt::format("{}", f_.cols - 1).size()
                              : result()    ? fmt::format("{},{}", f_.rows - 1, f_.cols - 1).size()
                              : f_.matrices > 1              ? (f_.rows > 10 ? 8 : 6)
                              : f_.rows > 10 || f_.cols > 10 ? 5
                                                             : 3;
  // "m0 0,1" has a blank: the gap to the next cell's has to be the wider one.
  const Font* with_matrix = cell_font(look_, lanes_, longest + (f_.matrices > 1 ? 1 : 0));
  const Font* font =
      with_matrix != nullptr ? with_matrix : cell_font(look_, lanes_, f_.rows > 10 ? 5 : 3);
  const char* name = result() || feeds() ? "Tensor memory" : "Registers";
  const ImVec2 at(lanes_.at.x - 3.6f * em, lanes_.at.y - heading_ + 0.1f * em);
  const float right = ImGui::GetWindowDrawList()->GetClipRectMax().x;
  const std::string about =
      about_lanes(font, right - at.x - text_width(look_.fonts.strong, name) - 0.6f * em);
  title(at, right, name, about);
  probe(ws_, "heading: " + about, {});
  if (!result()) register_names();
  draw_cells(look_, lanes_, font, [&](int lane, int value) {
    if (ws_.probes != nullptr)
      probe(ws_, fmt::format("part {} {}", lane, value), lanes_.cell(lane, value));
    if (!f_.provided_by(lane)) return CellPaint{t_.panel, t_.faint, ""};
    const layout::Element e = f_.element(lane, value);
    const bool named = f_.matrices > 1 && with_matrix != nullptr;
    return paint(e, lane,
                 columns_only_ ? fmt::format("{}", e.col)
                 : named       ? fmt::format("m{} {},{}", e.matrix, e.row, e.col)
                               : fmt::format("{},{}", e.row, e.col));
  });
  lane_names();
  const MapPick& pick = focus();
  IndexNumbers numbers{0, result() ? 0 : f_.values_per_register(), -1, -1, 0};
  numbers.has_rows = false;  // lanes have names
  if (pick.kind == MapPick::Kind::element)
    for (const layout::Holder& h : layout::holders(f_, pick.element)) {
      frame_cells(look_, lanes_, h.thread, h.value, h.thread, h.value, t_.outline);
      if (result()) numbers.focus_col = h.value;
    }
  if (pick.kind == MapPick::Kind::lane && pick.lane < f_.threads() && f_.provided_by(pick.lane))
    frame_cells(look_, lanes_, pick.lane, 0, pick.lane, f_.values - 1, t_.outline);
  if (f_.values_per_register() > 1 || result()) draw_indices(look_, lanes_, numbers);
}

void MapSides::lane_names() {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look_.fonts.cell[4];
  const auto rows = lanes_.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
  int every = 1;  // names a line apart
  while (lanes_.cell_height * static_cast<float>(every) < 0.9f * font.size) every *= 2;
  for (int lane = rows.first; lane < rows.second; ++lane) {
    const Box box = lanes_.cell(lane, 0);
    const bool focus = lane_lit(view_, this->focus(), lane);
    const std::string name = holder_name(view_, lane);
    const float left = box.left - 0.7f * look_.em - text_width(font, name);
    probe(ws_, fmt::format("lane {}", lane), {left, box.top, box.left - left - 2, box.height});
    if (lane % every != 0 && !focus) continue;
    text_at(draw, font, ImVec2(left, std::round(box.top + (box.height - font.size) / 2)),
            focus                  ? t_.accent
            : f_.provided_by(lane) ? t_.dim
                                   : t_.faint,
            name);
    if (!f_.provided_by(lane) && lanes_.width() > 5 * look_.em)
      text_at(
          draw, font,
          ImVec2(box.left + 0.4f * look_.em, std::round(box.top + (box.height - font.size) / 2)),
          t_.faint, result() ? "nothing of D" : "not read");
  }
}

}  // namespace lanescope::viz
