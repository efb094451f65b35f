// SPDX-License-Identifier: MIT
// The left side of a map: the matrix, or its matrices one above the other, and before their rows
// the lanes whose addresses lead there. And what both sides have in common: the colours, the
// headings.
#include <fmt/format.h>

#include <cmath>

#include "layout/instruction.hpp"
#include "layout/rows.hpp"
#include "panels/atlas/map_sides.hpp"
#include "panels/look/widgets.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

const char* memory_title(const layout::Mover& mover) {
  return mover.memory == layout::MoverMemory::result   ? "D"
         : mover.memory == layout::MoverMemory::shared ? "Shared memory"
         : mover.memory == layout::MoverMemory::tensor ? "Tensor memory"
         : mover.feeds_product() ? layout::operand_name(mover.registers.operand).data()
                                 : "Matrix";
}

}  // namespace

MapSides::MapSides(Workspace& ws, const MapView& view, const Look& look)
    : ws_(ws),
      view_(view),
      f_(*view.map),
      look_(look),
      t_(look.theme),
      holders_(layout::matrix_layout(*view.map)) {}

int MapSides::source_of(const layout::Holder& h) const {
  const std::vector<layout::Holder> from =
      layout::holders(view_.mover->source_registers, f_.element(h.thread, h.value));
  return from.empty() ? -1 : from.front().thread;
}

const layout::Holder& MapSides::holder(const Element& e) const {
  return holders_[static_cast<std::size_t>((e.matrix * f_.rows + e.row) * f_.cols + e.col)].holder;
}

CellPaint MapSides::paint(const Element& e, int lane, const std::string& label) const {
  if (lane < 0) return {t_.raised, t_.dim, ""};
  const bool picked = lit(view_, ws_.map.pick, e, lane);
  const bool hovered = lit(view_, ws_.map.hover, e, lane);
  const bool anything = ws_.map.pick.kind != MapPick::Kind::nothing;
  const Shade shade = picked || hovered ? Shade::bright : anything ? Shade::dim : Shade::normal;
  Rgb fill = lane_colour(lane, t_.dark, shade);
  // The 32 lanes of tensor memory that one warp reaches have the colours of a warp's lanes; those
  // of the next warps are lighter, so that one sees which part of D went where.
  const float lighter = result() ? 0.05f * static_cast<float>(lane / 32) : 0;
  if (result()) fill = mix(fill, t_.text, lighter);
  return {fill, shade == Shade::dim ? mix(t_.dim, t_.text, 3 * lighter) : text_on(fill), label};
}

// Up to `right`, where the next heading begins.
void MapSides::title(ImVec2 at, float right, std::string_view name,
                     const std::string& words) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  text_at(draw, look_.fonts.strong, at, t_.text, name);
  const float left = at.x + text_width(look_.fonts.strong, name) + 0.6f * look_.em;
  if (right - left < 2 * look_.em) return;
  const std::string shown = shortened(look_.fonts.text, words, right - left);
  text_at(draw, look_.fonts.text, ImVec2(left, at.y + 0.5f), t_.dim, shown);
  if (ws_.probes != nullptr) probe(ws_, "map title: " + shown);
}

std::string_view MapSides::matrix_name() const {
  return view_.mover == nullptr ? layout::operand_name(f_.operand) : memory_title(*view_.mover);
}

std::string MapSides::matrix_words() const {
  return fmt::format("{}{} × {}  {}{}", f_.matrices > 1 ? fmt::format("{} × ", f_.matrices) : "",
                     f_.rows, f_.cols, layout::name(f_.type),
                     moves() ? ": the lane before > after" : "");
}

float MapSides::title_room() const {
  return text_width(look_.fonts.strong, matrix_name()) + 0.6f * look_.em +
         text_width(look_.fonts.text, matrix_words()) + kBetweenTitles * look_.em;
}

// Who holds an element: its lane; `whole`, its register and part, too.
std::string MapSides::label(const layout::Holder& h, bool whole) const {
  if (result()) return fmt::format("{}", h.thread % 128);
  if (moves()) return fmt::format("{} > {}", source_of(h), h.thread);
  if (!whole) return fmt::format("{}", h.thread);
  return fmt::format("{} {}", h.thread, layout::register_name(f_, h));
}

void MapSides::matrix() {
  const float em = look_.em;
  title(ImVec2(matrix_.at.x, matrix_.at.y - heading_ + 0.1f * em),
        lanes_.at.x - kBetweenTitles * em, matrix_name(), matrix_words());
  const bool whole = !moves() && matrix_.cell_width > 3.3f * em && f_.registers() * f_.values > 1;
  const std::size_t longest = result()             ? 3
                              : moves()            ? 7
                              : whole              ? (f_.values_per_register() > 10 ? 8 : 7)
                              : f_.threads() > 100 ? 3
                                                   : 2;
  draw_cells(look_, matrix_, cell_font(look_, matrix_, longest), [&](int row, int col) {
    const Element e = element_at(row, col);
    const layout::Holder& h = holder(e);
    if (ws_.probes != nullptr)
      probe(ws_, fmt::format("map {} {},{}", e.matrix, e.row, e.col), matrix_.cell(row, col));
    return paint(e, h.thread, h.thread < 0 ? "" : label(h, whole));
  });
  IndexNumbers numbers{f_.matrices > 1 ? f_.rows : 0, 0, -1, -1, 0};
  if (const MapPick& pick = focus(); pick.kind == MapPick::Kind::element) {
    numbers.focus_row = pick.element.matrix * f_.rows + pick.element.row;
    numbers.focus_col = pick.element.col;
    frame_cells(look_, matrix_, numbers.focus_row, pick.element.col, numbers.focus_row,
                pick.element.col, t_.outline);
  }
  draw_indices(look_, matrix_, numbers);
  matrix_names();
}

void MapSides::matrix_names() const {
  for (int m = 0; f_.matrices > 1 && m < f_.matrices; ++m) {
    const Box box = matrix_.cell(m * f_.rows, 0);
    const float top = box.top - (m == 0 ? 2.4f : 1.2f) * look_.em;
    const bool phases = view_.addresses() && f_.rows == 8;
    text_at(ImGui::GetWindowDrawList(), look_.fonts.text, ImVec2(box.left, top), t_.dim,
            phases ? fmt::format("matrix {0}, phase {0}: lanes {1} to {2}", m, 8 * m, 8 * m + 7)
                   : place_name(m));
  }
}

// .16x32bx2 has two places in tensor memory.
std::string MapSides::place_name(int m) const {
  if (view_.memory() != layout::MoverMemory::tensor) return fmt::format("matrix {}", m);
  return m == 0 ? "0: at taddr" : "1: at taddr + immHalfSplitoff";
}

// Which lane's address leads to which row.
void MapSides::addresses() {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look_.fonts.cell[4];
  text_at(draw, look_.fonts.text,
          ImVec2(address_left_, matrix_.at.y - heading_ + 0.1f * look_.em + 0.5f), t_.dim,
          "address of");
  const float width = 4.3f * look_.em;
  for (int lane = 0; lane < f_.threads(); ++lane) {
    const auto row = view_.mover->addressed_row(lane);
    if (!row) continue;
    const Box box = matrix_.cell(row->matrix * f_.rows + row->row, 0);
    const bool bright = lane_lit(view_, ws_.map.pick, lane) || lane_lit(view_, ws_.map.hover, lane);
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
              dim ? t_.dim : text_on(fill), fmt::format("lane {}", lane));
    probe(ws_, fmt::format("address {}", lane), {low.x, low.y, width, box.height});
    const int at = row->matrix * f_.rows + row->row;
    if (lane_lit(view_, focus(), lane))
      frame_cells(look_, matrix_, at, 0, at, f_.cols - 1, t_.accent);
  }
}

}  // namespace lanescope::viz
