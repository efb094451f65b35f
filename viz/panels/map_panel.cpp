// SPDX-License-Identifier: MIT
// A map from both sides: the matrix at the left, every lane's registers at the right. For sparsity
// metadata, scales, ldmatrix, stmatrix, movmatrix, tcgen05.ld, .st and D of tcgen05.mma. Where a
// lane's address leads to a row (ldmatrix, stmatrix), the lane stands before that row.
//
//   address    matrix 0            registers   r0      r1
//   lane 0 ->  . . . . . . . .     lane 0      . .     . .
//   lane 1 ->  . . . . . . . .     lane 1      . .     . .
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "layout/formula.hpp"
#include "layout/instruction.hpp"
#include "panels/cell_grid.hpp"
#include "panels/map_grids.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;
using layout::Fragment;

const char* memory_title(const layout::Mover& mover) {
  return mover.memory == layout::MoverMemory::result   ? "D"
         : mover.memory == layout::MoverMemory::shared ? "Shared memory"
         : mover.memory == layout::MoverMemory::tensor ? "Tensor memory"
                                                       : "Matrix";
}

class MapPainter {
 public:
  MapPainter(Workspace& ws, const MapView& view, const Look& look)
      : ws_(ws), view_(view), f_(*view.map), look_(look), t_(look.theme) {
    holders_ = layout::matrix_layout(f_);
  }

  void draw() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("map", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    matrix();
    if (view_.addresses()) addresses();
    registers();
    reveal(room);
    ImGui::EndChild();
  }

 private:
  void lay_out(ImVec2 room) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    MapGrids grids = map_grids(view_, look_, origin, room, ws_.zoom);
    if (grids.size.y > room.y) {  // a scroll bar takes of the width
      const float width = room.x - ImGui::GetStyle().ScrollbarSize;
      grids = map_grids(view_, look_, origin, ImVec2(width, room.y), ws_.zoom);
    }
    matrix_ = grids.matrix;
    lanes_ = grids.lanes;
    heading_ = grids.heading;
    address_left_ = origin.x + 0.7f * look_.em;
    ImGui::InvisibleButton("cells", grids.size);
  }

  // movmatrix: from registers to registers.
  bool result() const { return view_.memory() == layout::MoverMemory::result; }
  bool moves() const { return view_.memory() == layout::MoverMemory::registers; }
  int source_of(const layout::Holder& h) const {
    const std::vector<layout::Holder> from =
        layout::holders(view_.mover->source_registers, f_.element(h.thread, h.value));
    return from.empty() ? -1 : from.front().thread;
  }

  Element element_at(int row, int col) const { return {row % f_.rows, col, row / f_.rows}; }
  const layout::Holder& holder(const Element& e) const {
    return holders_[static_cast<std::size_t>((e.matrix * f_.rows + e.row) * f_.cols + e.col)]
        .holder;
  }

  void point() {
    ws_.map.hover = {};
    if (!ImGui::IsItemHovered()) return;
    zoom_by_wheel(ws_);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    int row = 0, col = 0;
    if (matrix_.find(mouse, row, col)) {
      ws_.map.hover = pick_element(element_at(row, col));
    } else if (lanes_.find(mouse, row, col)) {
      if (f_.provided_by(row)) ws_.map.hover = pick_element(f_.element(row, col));
    } else if (mouse.x < lanes_.at.x && mouse.x > matrix_.at.x + matrix_.width() &&
               lanes_.find(ImVec2(lanes_.at.x + 1, mouse.y), row, col)) {
      ws_.map.hover = pick_lane(row);
    } else if (view_.addresses() && mouse.x < matrix_.at.x &&
               matrix_.find(ImVec2(matrix_.at.x + 1, mouse.y), row, col)) {
      for (int lane = 0; lane < f_.threads(); ++lane)
        if (const auto at = view_.mover->addressed_row(lane))
          if (at->matrix * f_.rows + at->row == row) ws_.map.hover = pick_lane(lane);
    }
    if (!ImGui::IsMouseClicked(0)) return;
    ws_.map.pick = ws_.map.hover;
    ws_.message.clear();
  }

  CellPaint paint(const Element& e, int lane, const std::string& label) const {
    if (lane < 0) return {t_.raised, t_.dim, ""};
    const bool picked = lit(view_, ws_.map.pick, e, lane);
    const bool hovered = lit(view_, ws_.map.hover, e, lane);
    const bool anything = ws_.map.pick.kind != MapPick::Kind::nothing;
    const Shade shade = picked || hovered ? Shade::bright : anything ? Shade::dim : Shade::normal;
    Rgb fill = lane_colour(lane, t_.dark, shade);
    // The 32 lanes of tensor memory that one warp reaches have the colours of a warp's lanes; those
    // of the next warps are lighter, so that one sees which part of D went where.
    if (result()) fill = mix(fill, t_.text, 0.05f * static_cast<float>(lane / 32));
    return {fill, shade == Shade::dim ? t_.faint : text_on(fill), label};
  }

  // Up to `right`, where the next heading begins.
  void title(ImVec2 at, float right, std::string_view name, const std::string& words) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    text_at(draw, look_.fonts.strong, at, t_.text, name);
    const float left = at.x + text_width(look_.fonts.strong, name) + 0.6f * look_.em;
    if (right - left < 2 * look_.em) return;
    text_at(draw, look_.fonts.text, ImVec2(left, at.y + 0.5f), t_.dim,
            shortened(look_.fonts.text, words, right - left));
  }

  void matrix() {
    const float em = look_.em;
    title(ImVec2(matrix_.at.x, matrix_.at.y - heading_ + 0.1f * em), lanes_.at.x - 4.2f * em,
          view_.mover == nullptr ? layout::operand_name(f_.operand) : memory_title(*view_.mover),
          fmt::format("{}{} × {}  {}{}", f_.matrices > 1 ? fmt::format("{} × ", f_.matrices) : "",
                      f_.rows, f_.cols, layout::name(f_.type),
                      moves() ? ": the lane before > after" : ""));
    std::size_t longest = 2;
    const bool full = !moves() && matrix_.cell_width > 3.3f * em && f_.registers() * f_.values > 1;
    const auto label = [&](const layout::Holder& h) {
      if (result()) return fmt::format("{}", h.thread % 128);
      if (moves()) return fmt::format("{} > {}", source_of(h), h.thread);
      if (!full) return fmt::format("{}", h.thread);
      const int part = h.bit / f_.element_bits;
      return f_.values_per_register() == 1
                 ? fmt::format("{} r{}", h.thread, h.register_index)
                 : fmt::format("{} r{}.{}", h.thread, h.register_index, part);
    };
    longest = result()             ? 3
              : moves()            ? 7
              : full               ? (f_.values_per_register() > 10 ? 8 : 7)
              : f_.threads() > 100 ? 3
                                   : 2;
    draw_cells(look_, matrix_, cell_font(look_, matrix_, longest), [&](int row, int col) {
      const Element e = element_at(row, col);
      const layout::Holder& h = holder(e);
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("map {} {},{}", e.matrix, e.row, e.col), matrix_.cell(row, col));
      return paint(e, h.thread, h.thread < 0 ? "" : label(h));
    });
    IndexNumbers numbers{f_.matrices > 1 ? f_.rows : 0, 0, -1, -1, 0};
    if (const MapPick& pick = focus(); pick.kind == MapPick::Kind::element) {
      numbers.focus_row = pick.element.matrix * f_.rows + pick.element.row;
      numbers.focus_col = pick.element.col;
      frame_cells(look_, matrix_, numbers.focus_row, pick.element.col, numbers.focus_row,
                  pick.element.col, t_.outline);
    }
    draw_indices(look_, matrix_, numbers);
    for (int m = 0; f_.matrices > 1 && m < f_.matrices; ++m) {
      const Box box = matrix_.cell(m * f_.rows, 0);
      const float top = box.top - (m == 0 ? 2.4f : 1.2f) * em;
      const bool phases = view_.addresses() && f_.rows == 8;
      text_at(ImGui::GetWindowDrawList(), look_.fonts.text, ImVec2(box.left, top), t_.dim,
              phases ? fmt::format("matrix {0}, phase {0}: lanes {1} to {2}", m, 8 * m, 8 * m + 7)
                     : place_name(m));
    }
  }

  // .16x32bx2 has two places in tensor memory.
  std::string place_name(int m) const {
    if (view_.memory() != layout::MoverMemory::tensor) return fmt::format("matrix {}", m);
    return m == 0 ? "0: at taddr" : "1: at taddr + immHalfSplitoff";
  }

  const MapPick& focus() const {
    return ws_.map.hover.kind != MapPick::Kind::nothing ? ws_.map.hover : ws_.map.pick;
  }

  // Which lane's address leads to which row.
  void addresses() {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Font& font = look_.fonts.cell[3];
    text_at(draw, look_.fonts.text,
            ImVec2(address_left_, matrix_.at.y - heading_ + 0.1f * look_.em + 0.5f), t_.dim,
            "address of");
    const float width = 4.3f * look_.em;
    for (int lane = 0; lane < f_.threads(); ++lane) {
      const auto row = view_.mover->addressed_row(lane);
      if (!row) continue;
      const Box box = matrix_.cell(row->matrix * f_.rows + row->row, 0);
      const bool bright =
          lane_lit(view_, ws_.map.pick, lane) || lane_lit(view_, ws_.map.hover, lane);
      const bool dim = !bright && ws_.map.pick.kind != MapPick::Kind::nothing;
      const Rgb fill = lane_colour(lane, t_.dark,
                                   bright ? Shade::bright
                                   : dim  ? Shade::dim
                                          : Shade::normal);
      const ImVec2 low(address_left_, box.top);
      const ImVec2 high(address_left_ + width, box.top + box.height - 1);
      draw->AddRectFilled(low, high, colour(fill), 3);
      if (font.size <= box.height)
        text_at(draw, font,
                ImVec2(low.x + 0.4f * look_.em, std::round(box.top + (box.height - font.size) / 2)),
                dim ? t_.faint : text_on(fill), fmt::format("lane {}", lane));
      probe(ws_, fmt::format("address {}", lane), {low.x, low.y, width, box.height});
      const int at = row->matrix * f_.rows + row->row;
      if (lane_lit(view_, focus(), lane))
        frame_cells(look_, matrix_, at, 0, at, f_.cols - 1, t_.accent);
    }
  }

  void registers() {
    const float em = look_.em;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    title(ImVec2(lanes_.at.x - 3.6f * em, lanes_.at.y - heading_ + 0.1f * em),
          std::max(draw->GetClipRectMax().x, lanes_.at.x + lanes_.width()),
          result() ? "Tensor memory" : "Registers",
          result()
              ? fmt::format("lanes × columns of 32 bits{}",
                            cell_font(look_, lanes_, 3) == nullptr ? "; + zooms in" : "")
              : fmt::format("of every {}{}, low bits first", f_.threads() > 32 ? "thread" : "lane",
                            moves() ? " afterwards" : ""));
    const Box first = lanes_.cell(0, 0);
    int every = 1;
    while (every < f_.registers() && !result() &&
           lanes_.cell(0, std::min(every * f_.values_per_register(), f_.values - 1)).left -
                   first.left <
               text_width(look_.fonts.cell[4], "r100"))
      every *= 2;
    for (int reg = 0; !result() && reg < f_.registers(); reg += every)
      text_at(draw, look_.fonts.cell[4],
              ImVec2(lanes_.cell(0, reg * f_.values_per_register()).left, lanes_.at.y - 1.9f * em),
              t_.dim, fmt::format("r{}", reg));
    const std::size_t longest = result() ? fmt::format("{},{}", f_.rows - 1, f_.cols - 1).size()
                                : f_.matrices > 1              ? (f_.rows > 10 ? 8 : 6)
                                : f_.rows > 10 || f_.cols > 10 ? 5
                                                               : 3;
    // "m0 0,1" has a blank: the gap to the next cell's has to be the wider one.
    const Font* with_matrix = cell_font(look_, lanes_, longest + (f_.matrices > 1 ? 1 : 0));
    const Font* font =
        with_matrix != nullptr ? with_matrix : cell_font(look_, lanes_, f_.rows > 10 ? 5 : 3);
    draw_cells(look_, lanes_, font, [&](int lane, int value) {
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("part {} {}", lane, value), lanes_.cell(lane, value));
      if (!f_.provided_by(lane)) return CellPaint{t_.panel, t_.faint, ""};
      const Element e = f_.element(lane, value);
      const bool named = f_.matrices > 1 && with_matrix != nullptr;
      return paint(e, lane,
                   named ? fmt::format("m{} {},{}", e.matrix, e.row, e.col)
                         : fmt::format("{},{}", e.row, e.col));
    });
    lane_names();
    const MapPick& pick = focus();
    if (pick.kind == MapPick::Kind::element)
      for (const layout::Holder& h : layout::holders(f_, pick.element))
        frame_cells(look_, lanes_, h.thread, h.value, h.thread, h.value, t_.outline);
    if (pick.kind == MapPick::Kind::lane && pick.lane < f_.threads() && f_.provided_by(pick.lane))
      frame_cells(look_, lanes_, pick.lane, 0, pick.lane, f_.values - 1, t_.outline);
    IndexNumbers numbers{0, f_.values_per_register(), -1, -1, 0};
    numbers.has_rows = false;  // lanes have names
    if (result()) numbers.cols_period = 0;
    if (result() && pick.kind == MapPick::Kind::element)
      for (const layout::Holder& h : layout::holders(f_, pick.element)) numbers.focus_col = h.value;
    if (f_.values_per_register() > 1 || result()) draw_indices(look_, lanes_, numbers);
  }

  void lane_names() {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Font& font = look_.fonts.cell[3];
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

  void reveal(ImVec2 room) {
    if (!ws_.reveal) return;
    ws_.reveal = false;
    const MapPick& pick = ws_.map.pick;
    if (pick.kind == MapPick::Kind::nothing) return;
    const Box box =
        pick.kind == MapPick::Kind::element
            ? matrix_.cell(pick.element.matrix * f_.rows + pick.element.row, pick.element.col)
            : lanes_.cell(pick.lane, 0);
    scroll_to(box, room);
  }

  Workspace& ws_;
  const MapView& view_;
  const Fragment& f_;
  const Look& look_;
  const Theme& t_;
  std::vector<layout::Held> holders_;
  CellGrid matrix_, lanes_;
  float address_left_ = 0, heading_ = 0;
};

}  // namespace

void draw_map(Workspace& ws, const MapView& view, const Look& look) {
  MapPainter(ws, view, look).draw();
}

}  // namespace lanescope::viz
