// SPDX-License-Identifier: MIT
// One of two traces, or maps, that stand beside each other: what is chosen in the list of
// differences, cell by cell. Cells that differ stand out and have a frame; the others
// step back. Of maps a lane may be chosen, too: its cells stand out on both sides. Both sides are
// scrolled together, by the one that the pointer is over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

class Side {
 public:
  Side(Workspace& ws, const Look& look, int side)
      : ws_(ws), look_(look), t_(look.theme), s_(ws.compare), c_(ws.compare.shown), side_(side) {}

  void draw() {
    draw_compared_heading(ws_, look_, side_);
    if (c_.rows == 0) return draw_compared_words(ws_, look_, side_);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("cells", room, false,
                ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    cells();
    names();
    scroll(room);
    ImGui::EndChild();
  }

 private:
  void lay_out(ImVec2 room) {
    const float em = look_.em;
    longest_ = s_.longest;
    grid_.rows = c_.rows;
    grid_.cols = c_.cols;
    const bool lanes = c_.as == ComparedAs::lanes;
    if (lanes) {
      grid_.rows_in_group = c_.rows_in_group;
      grid_.row_gap = 1.7f * em;
    }
    const int matrices = maps() ? c_.beside.matrices : 1;
    if (matrices > 1) {
      grid_.rows_in_group = c_.beside.rows;
      grid_.row_gap = 0.7f * em;
      room.y -= grid_.row_gap * static_cast<float>(matrices - 1);
    }
    const float indent = 2.3f * em;
    const float top = (lanes ? 1.5f : 1.4f) * em;
    const float free = (room.x - indent - 1.2f * em) / static_cast<float>(c_.cols);
    const float need =
        text_width(look_.fonts.cell[2], "0") * static_cast<float>(longest_) + 0.5f * em;
    // Labels are worth scrolling for as long as a fair part of the matrix is in sight.
    // A label may be cut after four characters, of a map after its lane, if then all columns are in
    // sight.
    const std::string least_label(least_characters(), '0');
    const float some = text_width(look_.fonts.cell[0], least_label) + 3;
    const bool many = need * static_cast<float>(c_.cols) > 2.5f * room.x;
    const float least = many ? 4.0f : free >= std::min(some, need) ? free : need;
    const float width = std::clamp(free, least, std::max(least, 6.5f * em)) * ws_.zoom;
    const float high = (room.y - top - em) / static_cast<float>(c_.rows);
    const float height =
        std::clamp(high, many ? 4.0f : 1.05f * em, lanes ? 1.4f * em : 2.0f * em) * ws_.zoom;
    grid_.cell_width = std::max(2.0f, std::floor(width));
    grid_.cell_height = std::max(2.0f, std::floor(height));
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    grid_.at = ImVec2(origin.x + indent, origin.y + top);
    ImGui::InvisibleButton(
        "all", ImVec2(indent + grid_.width() + 0.6f * em, top + grid_.height() + 0.6f * em));
  }

  void point() {
    if (!ImGui::IsItemHovered()) return;
    int row = 0, col = 0;
    zoom_by_wheel(ws_);
    const bool found = grid_.find(ImGui::GetIO().MousePos, row, col);
    if (found) s_.next_hover_row = row, s_.next_hover_col = col;
    if (!ImGui::IsMouseClicked(0)) return;
    s_.row = found ? row : -1;
    s_.col = found ? col : -1;
    s_.lane = -1;
    ws_.message.clear();
  }

  bool maps() const { return c_.as == ComparedAs::maps; }

  // Of a map, the lane alone.
  std::size_t least_characters() const { return !maps() ? 4 : c_.threads > 99 ? 3 : 2; }

  // Who holds it, in their colour; what this side has not is empty.
  CellPaint map_cell(int row, int col, std::string label) const {
    const int lane = c_.lane(side_, row, col);
    if (lane < 0) return {t_.panel, t_.faint, ""};
    const int chosen = s_.hover_lane >= 0 ? s_.hover_lane : s_.lane;
    const bool lit = chosen >= 0 && c_.holds(side_, chosen, row, col);
    const Shade shade = chosen < 0 ? Shade::normal : lit ? Shade::bright : Shade::dim;
    const Rgb fill = lane_colour(lane, t_.dark, shade);
    return {fill, shade == Shade::dim ? t_.dim : text_on(fill), std::move(label)};
  }

  void cells() {
    const Font* font = cell_font(look_, grid_, longest_);
    const bool whole = font != nullptr;
    if (font == nullptr) font = cell_font(look_, grid_, std::min(longest_, least_characters()));
    const std::size_t most =
        font == nullptr ? 0
                        : static_cast<std::size_t>((grid_.cell_width - 2) / text_width(*font, "0"));
    const auto label = [&](int row, int col) {
      if (maps()) return font == nullptr ? std::string() : c_.holder(side_, row, col, whole);
      std::string words = font == nullptr ? std::string() : c_.value(side_, row, col);
      if (words.size() > most) words = words.substr(0, most - 1) + "\u2026";
      return words;
    };
    draw_cells(look_, grid_, font, [&](int row, int col) {
      const ComparedCell& cell = c_.cell(row, col);
      if (ws_.probes != nullptr)
        probe(ws_,
              fmt::format("{} {},{}", kComparedSides[static_cast<std::size_t>(side_)], row, col),
              grid_.cell(row, col));
      if (maps()) return map_cell(row, col, label(row, col));
      const Shade shade = cell.differs ? Shade::bright : Shade::dim;
      const int bank = c_.as == ComparedAs::tile
                           ? element_bank(std::get<trace::Memory>(*c_.of[0]), row, col)
                           : -1;
      const int hue = c_.as == ComparedAs::tile ? bank : cell.lane;
      const Rgb fill =
          hue >= 0 ? lane_colour(hue, t_.dark, shade) : (cell.differs ? t_.link : t_.raised);
      return CellPaint{fill, cell.differs ? text_on(fill) : t_.dim, label(row, col)};
    });
    // A frame around each that differs: where all do, the frames say nothing; nor do they where
    // most elements of a map are elsewhere.
    const bool room = std::min(grid_.cell_width, grid_.cell_height) >= 8;
    if (room && c_.differing < (maps() ? c_.beside.in_both() / 2 + 1 : c_.rows * c_.cols)) {
      const ImDrawList* draw = ImGui::GetWindowDrawList();
      const auto rows = grid_.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
      const auto cols = grid_.cols_between(draw->GetClipRectMin().x, draw->GetClipRectMax().x);
      for (int row = rows.first; row < rows.second; ++row)
        for (int col = cols.first; col < cols.second; ++col)
          if (c_.cell(row, col).differs) frame_cells(look_, grid_, row, col, row, col, t_.accent);
    }
    if (s_.row >= 0) frame_cells(look_, grid_, s_.row, s_.col, s_.row, s_.col, t_.outline);
    if (s_.hover_row >= 0 && s_.hover_row < c_.rows && s_.hover_col < c_.cols)
      frame_cells(look_, grid_, s_.hover_row, s_.hover_col, s_.hover_row, s_.hover_col, t_.outline);
  }

  // Rows and columns; of lanes, the register above its lanes and the first lane of each row.
  void names() {
    if (c_.as != ComparedAs::lanes) {
      IndexNumbers numbers;
      numbers.on_panel = true;
      if (maps() && c_.beside.matrices > 1) numbers.rows_period = c_.beside.rows;
      numbers.focus_row = s_.hover_row >= 0 ? s_.hover_row : s_.row;
      numbers.focus_col = s_.hover_row >= 0 ? s_.hover_col : s_.col;
      CellGrid numbered = grid_;  // of a map, those that this side has
      if (maps()) numbered.cols = c_.map_of(side_).map->cols;
      if (maps() && c_.beside.matrices == 1) numbered.rows = c_.map_of(side_).map->rows;
      return draw_indices(look_, numbered, numbers);
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Font& small = look_.fonts.cell[3];
    const auto rows = grid_.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
    for (int row = rows.first; row < rows.second; ++row) {
      const Box box = grid_.cell(row, 0);
      const ComparedCell& cell = c_.cell(row, 0);
      const std::string lane = fmt::format("{}", cell.lane);
      text_at(draw, small,
              ImVec2(std::round(box.left - text_width(small, lane) - 0.4f * look_.em),
                     std::round(box.top + (box.height - small.size) / 2)),
              t_.faint, lane);
      if (row % c_.rows_in_group == 0)
        text_at(draw, look_.fonts.text, ImVec2(box.left, box.top - 1.35f * look_.em), t_.dim,
                c_.groups[static_cast<std::size_t>(cell.register_index)]);
    }
  }

  void scroll(ImVec2 room) {
    if (s_.reveal && s_.row >= 0) {
      const Box box = grid_.cell(s_.row, s_.col);
      const ImVec2 corner = ImGui::GetWindowPos();
      const float top = box.top - corner.y, left = box.left - corner.x;
      s_.scroll = ImVec2(ImGui::GetScrollX(), ImGui::GetScrollY());
      if (top < 0 || top + box.height > room.y - look_.em)
        s_.scroll.y = std::max(0.0f, s_.scroll.y + top - room.y / 2);
      if (left < 0 || left + box.width > room.x - look_.em)
        s_.scroll.x = std::max(0.0f, s_.scroll.x + left - room.x / 2);
      ImGui::SetScrollX(s_.scroll.x);
      ImGui::SetScrollY(s_.scroll.y);
      return;
    }
    if (ImGui::IsWindowHovered()) s_.leader = side_;
    if (s_.leader == side_) {
      s_.scroll = ImVec2(ImGui::GetScrollX(), ImGui::GetScrollY());
    } else {
      ImGui::SetScrollX(s_.scroll.x);
      ImGui::SetScrollY(s_.scroll.y);
    }
  }

  Workspace& ws_;
  const Look& look_;
  const Theme& t_;
  CompareState& s_;
  const Compared& c_;
  int side_;
  CellGrid grid_;
  std::size_t longest_ = 1;
};

}  // namespace

void draw_compared(Workspace& ws, const Look& look, int side) { Side(ws, look, side).draw(); }

}  // namespace lanescope::viz
