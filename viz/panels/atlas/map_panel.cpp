// SPDX-License-Identifier: MIT
// A map from both sides: the matrix at the left, every lane's registers at the right. For sparsity
// metadata, scales, ldmatrix, stmatrix, movmatrix, tcgen05.ld, .st and D of tcgen05.mma. Where a
// lane's address leads to a row (ldmatrix, stmatrix), the lane stands before that row. Here is
// where the two sides stand and what the pointer does; their cells are drawn in map_sides.hpp's two
// files.
//
//   address    matrix 0            registers   r0      r1
//   lane 0 ->  . . . . . . . .     lane 0      . .     . .
//   lane 1 ->  . . . . . . . .     lane 1      . .     . .

#include <algorithm>
#include <cmath>

#include "panels/atlas/map_grids.hpp"
#include "panels/atlas/map_sides.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

class MapPainter : MapSides {
 public:
  using MapSides::MapSides;

  void draw() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("map", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    matrix();
    if (view_.addresses()) addresses();
    lanes();
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
    columns_only_ = grids.columns_only;
    address_left_ = origin.x + 0.7f * look_.em;
    // A narrow matrix has a title that is wider: where there is room, the lanes make way for it.
    const float bar = grids.size.y > room.y ? ImGui::GetStyle().ScrollbarSize : 0;
    const float spare = std::max(room.x - bar - grids.size.x, 0.0f);
    const float further =
        std::clamp(matrix_.at.x + title_room() - lanes_.at.x, 0.0f, std::floor(spare));
    lanes_.at.x += std::ceil(further);
    grids.size.x += std::ceil(further);
    ImGui::InvisibleButton("cells", grids.size);
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
};

}  // namespace

void draw_map(Workspace& ws, const MapView& view, const Look& look) {
  MapPainter(ws, view, look).draw();
}

}  // namespace lanescope::viz
