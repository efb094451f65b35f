// SPDX-License-Identifier: MIT
// The cells of one tile of memory: an element a cell, its row and column those of the tile,
// coloured by the bank that holds it. Below every eight rows of shared memory: in how many passes
// an ldmatrix would read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/memory/tile_grid.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

std::string label_of(const trace::Memory& tile, int label, int row, int col) {
  if (row < 0) return {};
  if (label == 1 && tile.space == "shared") return fmt::format("{}", element_bank(tile, row, col));
  if (label == 2) return fmt::format("{:x}", element_address(tile, row, col) - tile.address);
  return element_text(tile, row, col);
}

// The longest of some: a large tile is not read whole for a font's sake.
std::size_t longest_label(const trace::Memory& tile, int label) {
  constexpr int kMost = 4096;
  std::size_t longest = 1;
  const int count = std::min(kMost, tile.rows * tile.cols);
  for (int at = 0; at < count; ++at)
    longest = std::max(longest, label_of(tile, label, at / tile.cols, at % tile.cols).size());
  return longest;
}

LabelWidth label_width(const Look& look, std::size_t longest) {
  const auto count = static_cast<float>(longest);
  const float digits = text_width(look.fonts.cell[4], "0") * count + 5;
  // With the gap that cell_font leaves between two of them.
  const float digit = text_width(look.fonts.cell[0], "0");
  const float least = std::ceil(digit * count + std::max(2.0f, 0.6f * digit));
  return {std::max(digits, 1.5f * look.em), std::max(least, 0.7f * look.em)};
}

class TileGrid {
 public:
  TileGrid(Workspace& ws, const Look& look, int which)
      : ws_(ws),
        m_(ws.memory),
        look_(look),
        t_(look.theme),
        which_(which),
        tile_(*tile_shown(ws.memory, which)),
        reading_(reading_of(ws.memory, which)) {}

  void draw() {
    ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool last = which_ == 1 || m_.beside < 0;
    longest_ = longest_label(tile_, m_.label);
    // A tile that would only just be in sight whole keeps its room.
    const float line = 1.7f * look_.em;
    const bool crowded = in_sight(room) > in_sight(ImVec2(room.x, room.y - line));
    // Of two the first leaves the room free, too: rows that stand side by side are equally high.
    const bool legend = !crowded && room.y > 14 * look_.em && room.x > 16 * look_.em;
    if (legend) room.y -= line;
    begin_child("tile", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    cells();
    passes();
    scroll(room);
    ImGui::EndChild();
    if (legend && last)
      draw_legend(ImVec2(corner.x + 2.6f * look_.em, corner.y + room.y + 0.3f * look_.em));
  }

 private:
  // What numbers and colours mean, also while an element is selected and the inspector is about it.
  void draw_legend(ImVec2 at) {
    const char* number = m_.label == 1 && shared() ? "number and colour: its bank"
                         : m_.label == 2           ? "number: its byte, in hex"
                                                   : "number: its value";
    std::string words = number;
    if (shared() && m_.label != 1) words += ", colour: its bank";
    if (shared() && m_.row >= 0) words += "; bright: the same bank";
    text_at(ImGui::GetWindowDrawList(), look_.fonts.text, at, t_.dim, words);
    probe(ws_, "legend: " + words);
  }

  bool shared() const { return tile_.space == "shared"; }
  TileSpot spot(int row, int col) const { return through(reading_, tile_, row, col); }
  int bank_of(int row, int col) const {
    const TileSpot at = spot(row, col);
    return at.row < 0 ? -1 : element_bank(tile_, at.row, at.col);
  }

  CellGrid grid_in(ImVec2 room) const {
    return tile_grid(tile_, label_width(look_, longest_), m_.beside < 0, room, look_.em, ws_.zoom);
  }
  TileInSight in_sight(ImVec2 room) const { return tile_in_sight(grid_in(room), room, look_.em); }

  void lay_out(ImVec2 room) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    grid_ = grid_in(room);
    grid_.at = ImVec2(origin.x + kTileIndent * look_.em, origin.y + 1.4f * look_.em);
    ImGui::InvisibleButton("cells", ImVec2(grid_.width() + (kTileIndent + 0.6f) * look_.em,
                                           grid_.height() + 3.2f * look_.em));
  }

  void point() {
    if (!ImGui::IsItemHovered()) return;
    int row = 0, col = 0;
    zoom_by_wheel(ws_);
    const bool found = grid_.find(ImGui::GetIO().MousePos, row, col);
    if (found) m_.next_hover_row = row, m_.next_hover_col = col, m_.next_hover_which = which_;
    if (!ImGui::IsMouseClicked(0)) return;
    m_.row = found ? row : -1;
    m_.col = found ? col : -1;
    ws_.message.clear();
  }

  void cells() {
    const bool hovered = m_.hover_row >= 0;
    const int at_row = hovered ? m_.hover_row : m_.row;
    const int at_col = hovered ? m_.hover_col : m_.col;
    const bool focus = at_row >= 0 && at_row < tile_.rows && at_col >= 0 && at_col < tile_.cols;
    const int bank = focus ? bank_of(at_row, at_col) : -1;
    const Font* font = cell_font(look_, grid_, longest_);
    probe(ws_, font != nullptr ? "tile with labels" : "tile without labels", {});
    draw_cells(look_, grid_, font, [&](int row, int col) {
      const int here = bank_of(row, col);
      // Those that share the bank with what is in focus stand out; the rest steps back.
      const Shade shade = bank < 0 ? Shade::normal : here == bank ? Shade::bright : Shade::dim;
      const Rgb fill = shared() && here >= 0 ? lane_colour(here, t_.dark, shade)
                                             : mix(t_.raised, t_.panel, t_.dark ? 0.1f : 0.3f);
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("{} {},{}", which_ == 0 ? "cell" : "beside", row, col),
              grid_.cell(row, col));
      const Rgb ink = !shared() ? t_.text : shade == Shade::dim ? t_.dim : text_on(fill);
      const TileSpot at = spot(row, col);
      return CellPaint{fill, ink, label_of(tile_, m_.label, at.row, at.col)};
    });
    IndexNumbers numbers;
    for (const auto& [row, col, ink] : {std::tuple{m_.row, m_.col, t_.accent},
                                        std::tuple{m_.hover_row, m_.hover_col, t_.outline}}) {
      if (row < 0 || row >= tile_.rows || col < 0 || col >= tile_.cols) continue;
      frame_cells(look_, grid_, row, col, row, col, ink);
      numbers.focus_row = row;
      numbers.focus_col = col;
    }
    draw_indices(look_, grid_, numbers);
  }

  // Below each eight rows and 16 bytes: the passes of an ldmatrix that reads them.
  void passes() {
    if (grid_.rows_in_group == 0) return;
    const layout::Swizzle seems = seems_swizzled(tile_);
    for (int block = 0; block < tile_.rows / 8; ++block)
      for (int unit = 0; unit < units_per_row(tile_); ++unit) {
        const int count = eight_row_passes(tile_, block, unit, reading_);
        if (count == 0) continue;
        const int first = unit * grid_.cols_in_group;
        const int last = std::min(first + grid_.cols_in_group, tile_.cols) - 1;
        if (first >= tile_.cols) continue;
        const int row = block * 8 + 7;
        const Box from = grid_.cell(row, first), to = grid_.cell(row, last);
        if (reading_ != layout::Swizzle::none) {
          passes_bar(ws_, look_, block, unit, from, to, count,
                     fmt::format("through {}: ", layout::name(reading_)));
          continue;
        }
        // A tile that was put down swizzled is not read straight down.
        const std::string both =
            fmt::format("straight down {}, through {}: ", count, layout::name(seems));
        const float room = to.left + to.width - from.left;
        if (seems != layout::Swizzle::none &&
            text_width(look_.fonts.cell[3], both + "1 pass") < room)
          passes_bar(ws_, look_, block, unit, from, to, eight_row_passes(tile_, block, unit, seems),
                     both);
        else
          passes_bar(ws_, look_, block, unit, from, to, count, "straight down: ");
      }
  }

  // To what is picked by a key; else as the tile beside it, where there is one.
  void scroll(ImVec2 room) {
    if (m_.reveal && m_.row >= 0 && m_.row < tile_.rows && m_.col < tile_.cols)
      return scroll_to(grid_.cell(m_.row, m_.col), room);
    if (ImGui::IsWindowHovered()) m_.leader = which_;
    if (m_.leader == which_) {
      m_.scroll = ImVec2(ImGui::GetScrollX(), ImGui::GetScrollY());
    } else if (m_.beside >= 0) {
      ImGui::SetScrollX(m_.scroll.x);
      ImGui::SetScrollY(m_.scroll.y);
    }
  }

  Workspace& ws_;
  MemoryState& m_;
  const Look& look_;
  const Theme& t_;
  int which_;
  const trace::Memory& tile_;
  layout::Swizzle reading_;
  CellGrid grid_;
  std::size_t longest_ = 1;
};

}  // namespace

int tile_index(const MemoryState& memory, int which) {
  return which == 0 ? static_cast<int>(memory.current) : memory.beside;
}

layout::Swizzle& reading_of(MemoryState& memory, int which) {
  return which == 0 ? memory.reading : memory.beside_reading;
}

bool shows_banks(const MemoryState& memory) {
  for (const int which : {0, 1})
    if (const trace::Memory* tile = tile_shown(memory, which); tile && tile->space == "shared")
      return true;
  return false;
}

const trace::Memory* tile_shown(const MemoryState& memory, int which) {
  const int index = tile_index(memory, which);
  return index < 0 || index >= static_cast<int>(memory.tiles.size())
             ? nullptr
             : memory.tiles[static_cast<std::size_t>(index)];
}

void draw_tile(Workspace& ws, const Look& look, int which) { TileGrid(ws, look, which).draw(); }

float tile_width(const trace::Memory& tile, int label, const Look& look) {
  return label_width(look, longest_label(tile, label)).usual * static_cast<float>(tile.cols) +
         5 * look.em;
}

}  // namespace lanescope::viz
