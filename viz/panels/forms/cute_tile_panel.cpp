// SPDX-License-Identifier: MIT
// A matrix that a layout of CuTe's puts into shared memory: its elements coloured by bank, those
// that are served together, and the same bytes as they lie, 128 (all 32 banks) a line. What is said
// beside it: cute_tile_inspector.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "layout/banks.hpp"
#include "panels/forms/cute_tile_view.hpp"
#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr float kLeft = 2.6f;  // em, left of the cells

class CutePainter {
 public:
  CutePainter(Workspace& ws, const Look& look)
      : ws_(ws),
        s_(ws.swizzle),
        look_(look),
        t_(look.theme),
        m_(s_.cute->matrix),
        made_(reckoned(s_)) {}

  void draw() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("tile", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    int row = 0, col = 0;
    if (const auto* access = shown_access(s_); access != nullptr && focus(s_, row, col)) {
      served_ = layout::served_with(m_, *access, row, col, s_.applied);
      bytes_ = access->bytes;
    }
    elements();
    memory();
    reveal(room);
    ImGui::EndChild();
  }

 private:
  void lay_out(ImVec2 room) {
    const float em = look_.em;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    grid_.rows = s_.row_count();
    grid_.cols = s_.col_count();
    grid_.rows_in_group = 8;
    grid_.row_gap = 0.3f * em;
    const float free = room.x - (kLeft + 1.3f) * em;
    grid_.cell_width = std::clamp(std::floor(free / static_cast<float>(grid_.cols)),
                                  least_tile_cell(s_, em), std::floor(3.2f * em));
    lines_.rows = static_cast<int>((made_.units.size() + 7) / 8);
    lines_.cols = 8;
    const float all = static_cast<float>(grid_.rows + lines_.rows);
    grid_.cell_height = lines_.cell_height =
        std::floor(std::clamp((room.y - 9 * em) / all, 1.3f * em, 2.1f * em));
    grid_.at = ImVec2(origin.x + kLeft * em, origin.y + 3.0f * em);
    lines_.cell_width =
        std::clamp(std::floor((room.x - (kLeft + 1.2f) * em) / 8), 6.0f * em, 9.0f * em);
    lines_.at = ImVec2(grid_.at.x, grid_.at.y + grid_.height() + 4.4f * em);
    const float right = std::max(grid_.at.x + grid_.width(), lines_.at.x + lines_.width());
    ImGui::InvisibleButton("cells", ImVec2(std::max(right - origin.x, 1.0f) + 0.3f * em,
                                           lines_.at.y + lines_.height() - origin.y + 0.5f * em));
  }

  void point() {
    s_.hover_mn = s_.hover_k = -1;
    if (!ImGui::IsItemHovered()) return;
    int row = 0, col = 0;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (grid_.find(mouse, row, col)) {
      s_.hover_mn = row;
      s_.hover_k = col;
    } else if (lines_.find(mouse, row, col)) {
      const auto at = static_cast<std::size_t>(row * 8 + col);
      if (at < made_.units.size())
        s_.hover_mn = made_.units[at].row, s_.hover_k = made_.units[at].col;
    }
    if (!ImGui::IsMouseClicked(0)) return;
    s_.mn = s_.hover_mn;
    s_.k = s_.hover_k;
    ws_.message.clear();
  }

  std::uint32_t byte(int row, int col) const {
    return made_.bytes[static_cast<std::size_t>(row * grid_.cols + col)];
  }

  // The lane that moves one of these bytes, of those that are served with the element in focus.
  const layout::ServedLane* mover(std::int64_t from, std::int64_t to) const {
    for (const layout::ServedLane& lane : served_)
      if (lane.byte < to && from < lane.byte + bytes_) return &lane;
    return nullptr;
  }

  // What is served with the element in focus is bright, and has a corner cut off where it wants
  // another word of the same bank.
  CellPaint paint(int bank, std::int64_t from, std::int64_t to, std::string label) const {
    int row = 0, col = 0;
    const layout::ServedLane* lane = mover(from, to);
    const Shade shade = !focus(s_, row, col) ? Shade::normal
                        : lane != nullptr    ? Shade::bright
                                             : Shade::dim;
    const Rgb fill = lane_colour(bank, t_.dark, shade);
    return {fill, shade == Shade::dim ? t_.dim : text_on(fill), std::move(label),
            lane != nullptr && lane->clashes};
  }

  void elements() {
    heading(grid_.at.y, layout::text(m_.layout),
            fmt::format("{} × {} of {} bits; colour and number: {}", s_.row_count(), s_.col_count(),
                        m_.bits, s_.offsets ? "bank, byte offset" : "bank"));
    draw_cells(look_, grid_, cell_font(look_, grid_, s_.offsets ? 5 : 2), [&](int row, int col) {
      const std::uint32_t at = byte(row, col);
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("element {},{}", row, col), grid_.cell(row, col));
      return paint(layout::bank(at), at, at + std::max(m_.bits / 8, 1),
                   fmt::format("{}", s_.offsets ? static_cast<int>(at) : layout::bank(at)));
    });
    IndexNumbers numbers;
    int row = 0, col = 0;
    if (focus(s_, row, col)) {
      numbers.focus_row = row;
      numbers.focus_col = col;
      frame_cells(look_, grid_, row, col, row, col, t_.outline);
    }
    draw_indices(look_, grid_, numbers);
  }

  void memory() {
    heading(lines_.at.y + 0.4f * look_.em, "Shared memory",
            "a line is 128 bytes, all 32 banks; a cell is 16 bytes");
    std::size_t longest = 5;
    for (const layout::SharedUnit& unit : made_.units)
      longest = std::max(longest, unit.name.size());
    draw_cells(look_, lines_, cell_font(look_, lines_, longest), [&](int line, int unit) {
      const auto at = static_cast<std::size_t>(line * 8 + unit);
      if (ws_.probes != nullptr) probe(ws_, fmt::format("unit {}", at), lines_.cell(line, unit));
      if (at >= made_.units.size() || made_.units[at].row < 0)
        return CellPaint{t_.raised, t_.faint, ""};
      const auto begin = static_cast<std::int64_t>(at) * 16;
      return paint(unit * 4 + 1, begin, begin + 16, made_.units[at].name);
    });
    draw_line_bytes(look_, lines_);
    int row = 0, col = 0;
    if (!focus(s_, row, col)) return;
    const int unit = static_cast<int>(byte(row, col) / 16);
    frame_cells(look_, lines_, unit / 8, unit % 8, unit / 8, unit % 8, t_.outline);
  }

  // Two lines above cells that begin at `top`, whose columns may have numbers.
  void heading(float top, const std::string& name, const std::string& words) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float left = grid_.at.x, above = top - 2.9f * look_.em;
    text_at(draw, look_.fonts.strong, ImVec2(left, above), t_.text, name);
    text_at(draw, look_.fonts.text,
            ImVec2(left + text_width(look_.fonts.strong, name) + 0.6f * look_.em, above + 0.5f),
            t_.dim, words);
  }

  void reveal(ImVec2 room) {
    if (!s_.reveal || s_.mn < 0) return;
    s_.reveal = false;
    scroll_to(grid_.cell(s_.mn, s_.k), room);
  }

  Workspace& ws_;
  SwizzleState& s_;
  const Look& look_;
  const Theme& t_;
  const layout::SharedMatrix& m_;
  const SwizzleState::Reckoned& made_;
  CellGrid grid_, lines_;
  std::vector<layout::ServedLane> served_;  // with the element in focus
  int bytes_ = 0;                           // of each of these lanes
};

// What the cells show.
void draw_cute_form(Workspace& ws, const Look& look) {
  SwizzleState& s = ws.swizzle;
  tile_kind(ws, look);
  if (!s.cute) return;  // just now
  ImGui::SameLine(0, look.em);
  if (s.cute->matrix.layout.swizzle.bits > 0) {
    int applied = s.applied ? 0 : 1;
    if (choices(ws, look, "swizzle", {"swizzled", "before swizzling"}, applied))
      s.applied = applied == 0;
    ImGui::SameLine(0, look.em);
  }
  int offsets = s.offsets ? 1 : 0;
  if (choices(ws, look, "label", {"bank", "byte offset"}, offsets)) s.offsets = offsets == 1;
}

}  // namespace

void tile_kind(Workspace& ws, const Look& look) {
  SwizzleState& s = ws.swizzle;
  int kind = s.cute ? 1 : 0;
  if (!choices(ws, look, "kind", {"wgmma", "CuTe"}, kind)) return;
  ws.message.clear();
  if (kind == 0) {
    s.cute.reset();
    s.mn = s.k = -1;
    return;
  }
  CuteTile same;
  say(ws, read_words(cute_words(s.form), same));
  if (!ws.message_is_error) s.cute = std::move(same);
}

float cute_tile_width(const SwizzleState& s, float em) {
  return static_cast<float>(s.col_count()) * least_tile_cell(s, em) + (kLeft + 1.3f) * em;
}

void draw_cute_tile(Workspace& ws, const Look& look) {
  draw_cute_form(ws, look);
  if (!ws.swizzle.cute) return;
  gap(look, 0.3f);
  CutePainter(ws, look).draw();
}

}  // namespace lanescope::viz
