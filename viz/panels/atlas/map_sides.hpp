// SPDX-License-Identifier: MIT
// The two sides of a map: the matrix, each element with who has it (map_matrix_side.cpp), and the
// registers of every lane, each part with its element (map_lanes_side.cpp). Where they stand and
// what the pointer does is map_panel.cpp's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panels/look/cell_grid.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

class MapSides {
 public:
  MapSides(Workspace& ws, const MapView& view, const Look& look);

  void matrix();
  /// Before the matrix, which lane's address leads to which row.
  void addresses();
  void lanes();

 protected:
  /// D of tcgen05.mma in tensor memory.
  bool result() const { return view_.memory() == layout::MoverMemory::result; }
  /// Its scale factors there, or its metadata.
  bool feeds() const { return view_.mover != nullptr && view_.mover->feeds_product(); }
  /// The matrices stand above one another.
  layout::Element element_at(int row, int col) const { return {row % f_.rows, col, row / f_.rows}; }
  const MapPick& focus() const {
    return ws_.map.hover.kind != MapPick::Kind::nothing ? ws_.map.hover : ws_.map.pick;
  }

  /// What the matrix is, and what the lanes have to keep away from it for that to stand whole.
  std::string_view matrix_name() const;
  std::string matrix_words() const;
  float title_room() const;

  static constexpr float kBetweenTitles = 4.2f;  // em; there are the lanes' names

  Workspace& ws_;
  const MapView& view_;
  const layout::Fragment& f_;
  const Look& look_;
  const Theme& t_;
  CellGrid matrix_, lanes_;
  float address_left_ = 0, heading_ = 0;
  bool columns_only_ = false;

 private:
  /// movmatrix: from registers to registers.
  bool moves() const { return view_.memory() == layout::MoverMemory::registers; }
  int source_of(const layout::Holder& h) const;
  const layout::Holder& holder(const layout::Element& e) const;
  CellPaint paint(const layout::Element& e, int lane, const std::string& label) const;
  void title(ImVec2 at, float right, std::string_view name, const std::string& words) const;
  std::string label(const layout::Holder& h, bool whole) const;
  void matrix_names() const;
  std::string place_name(int matrix) const;
  std::string about_lanes(const Font* font, float room) const;
  void register_names() const;
  void lane_names();

  std::vector<layout::Held> holders_;
};

}  // namespace lanescope::viz
