// SPDX-License-Identifier: MIT
// A tile of memory as the program recorded it: an element a cell, its row and column those of the
// tile, coloured by the bank that holds it. Below every eight rows of shared memory: in how many
// passes an ldmatrix would read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "panels/cell_grid.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace lanescope::viz {
namespace {

const trace::Memory& tile_now(const Workspace& ws) { return *ws.memory.tiles[ws.memory.current]; }

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

void tile_choice(Workspace& ws, const Look& look) {
  MemoryState& m = ws.memory;
  ImGui::AlignTextToFramePadding();
  if (m.tiles.size() == 1) {
    text(look.fonts.strong, look.theme.text, tile_name(tile_now(ws)));
  } else {
    push_font(look.fonts.text);
    ImGui::SetNextItemWidth(std::min(22 * look.em, ImGui::GetContentRegionAvail().x * 0.4f));
    const std::string now =
        fmt::format("{}/{}  {}", m.current + 1, m.tiles.size(), tile_name(tile_now(ws)));
    const bool open = ImGui::BeginCombo("##tile", now.c_str(), ImGuiComboFlags_HeightLarge);
    probe(ws, "tile");
    if (open) {
      ImGuiListClipper clipper;
      clipper.Begin(static_cast<int>(m.tiles.size()));
      while (clipper.Step())
        for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
          const auto index = static_cast<std::size_t>(at);
          const std::string name = fmt::format("{}  {}", at + 1, tile_name(*m.tiles[index]));
          if (ImGui::Selectable(name.c_str(), index == m.current)) {
            m.current = index;
            m.row = m.col = -1;
          }
          probe(ws, fmt::format("tile {}", at));
        }
      ImGui::EndCombo();
    }
    ImGui::PopFont();
  }
  const trace::Memory& tile = tile_now(ws);
  ImGui::SameLine(0, 0.8f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim,
       fmt::format("{} × {} {}, {} memory", tile.rows, tile.cols, tile.type, tile.space));
  ImGui::SameLine(0, 1.2f * look.em);
  const std::vector<std::string> all{"value", "bank", "byte"};
  choices(ws, look, "tile label", all, m.label);
  if (tile.space != "shared" || units_per_row(tile) < 2) return;
  ImGui::SameLine(0, 0.8f * look.em);
  if (ImGui::GetContentRegionAvail().x < 15 * look.em) ImGui::NewLine();
  int reading = static_cast<int>(m.reading);
  if (choices(ws, look, "tile read", {"as it lies", "32B", "64B", "128B"}, reading))
    read_through(ws, static_cast<layout::Swizzle>(reading));
}

class TileGrid {
 public:
  TileGrid(Workspace& ws, const Look& look)
      : ws_(ws), m_(ws.memory), look_(look), t_(look.theme), tile_(tile_now(ws)) {}

  void draw() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("tile", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    cells();
    passes();
    reveal(room);
    ImGui::EndChild();
  }

 private:
  bool shared() const { return tile_.space == "shared"; }
  TileSpot spot(int row, int col) const { return through(m_.reading, tile_, row, col); }
  int bank_of(int row, int col) const {
    const TileSpot at = spot(row, col);
    return at.row < 0 ? -1 : element_bank(tile_, at.row, at.col);
  }

  void lay_out(ImVec2 room) {
    const float em = look_.em;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    longest_ = longest_label(tile_, m_.label);
    grid_.rows = tile_.rows;
    grid_.cols = tile_.cols;
    const int bits = std::max(element_bits(tile_), 1);
    grid_.cols_in_group = std::max(1, 128 / bits);  // 16 bytes: what a lane hands in
    grid_.col_gap = 0.3f * em;
    if (shared() && tile_.rows >= 8) {
      grid_.rows_in_group = 8;
      grid_.row_gap = 1.5f * em;
    }
    const float indent = 2.6f * em;
    const float advance = text_width(look_.fonts.cell[3], "0");
    const float need = std::max(advance * static_cast<float>(longest_) + 5, 1.5f * em);
    const float gaps = grid_.col_gap * static_cast<float>(tile_.cols / grid_.cols_in_group);
    const float free = (room.x - indent - 1.2f * em - gaps) / static_cast<float>(tile_.cols);
    grid_.cell_width =
        std::max(2.0f, std::floor(std::clamp(free, need, std::max(need, 5.0f * em)) * ws_.zoom));
    const float high = (room.y - 3 * em) / static_cast<float>(tile_.rows) -
                       (grid_.rows_in_group > 0 ? grid_.row_gap / 8 : 0);
    grid_.cell_height =
        std::max(2.0f, std::floor(std::clamp(high, 1.15f * em, 2.0f * em) * ws_.zoom));
    grid_.at = ImVec2(origin.x + indent, origin.y + 1.4f * em);
    ImGui::InvisibleButton("cells",
                           ImVec2(indent + grid_.width() + 0.6f * em, grid_.height() + 3.2f * em));
  }

  void point() {
    m_.hover_row = m_.hover_col = -1;
    if (!ImGui::IsItemHovered()) return;
    int row = 0, col = 0;
    if (ImGui::GetIO().KeyCtrl && ImGui::GetIO().MouseWheel != 0)
      ws_.zoom = std::clamp(ws_.zoom * std::pow(1.15f, ImGui::GetIO().MouseWheel), 0.2f, 8.0f);
    if (grid_.find(ImGui::GetIO().MousePos, row, col)) m_.hover_row = row, m_.hover_col = col;
    if (!ImGui::IsMouseClicked(0)) return;
    m_.row = m_.hover_row;
    m_.col = m_.hover_col;
    ws_.message.clear();
  }

  void cells() {
    const bool hovered = m_.hover_row >= 0;
    const int at_row = hovered ? m_.hover_row : m_.row;
    const int at_col = hovered ? m_.hover_col : m_.col;
    const bool focus = at_row >= 0 && at_row < tile_.rows && at_col >= 0 && at_col < tile_.cols;
    const int bank = focus ? bank_of(at_row, at_col) : -1;
    draw_cells(look_, grid_, cell_font(look_, grid_, longest_), [&](int row, int col) {
      const int here = bank_of(row, col);
      // Those that share the bank with what is in focus stand out; the rest steps back.
      const Shade shade = bank < 0 ? Shade::normal : here == bank ? Shade::bright : Shade::dim;
      const Rgb fill = shared() && here >= 0 ? lane_colour(here, t_.dark, shade)
                                             : mix(t_.raised, t_.panel, t_.dark ? 0.1f : 0.3f);
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("cell {},{}", row, col), grid_.cell(row, col));
      const Rgb ink = !shared() ? t_.text : shade == Shade::dim ? t_.faint : text_on(fill);
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
    for (int block = 0; block < tile_.rows / 8; ++block)
      for (int unit = 0; unit < units_per_row(tile_); ++unit) {
        const int count = eight_row_passes(tile_, block, unit, m_.reading);
        if (count == 0) continue;
        const int first = unit * grid_.cols_in_group;
        const int last = std::min(first + grid_.cols_in_group, tile_.cols) - 1;
        if (first >= tile_.cols) continue;
        const int row = block * 8 + 7;
        passes_bar(ws_, look_, block, unit, grid_.cell(row, first), grid_.cell(row, last), count,
                   m_.reading == layout::Swizzle::none
                       ? std::string("straight down: ")
                       : fmt::format("through {}: ", layout::name(m_.reading)));
      }
  }

  void reveal(ImVec2 room) {
    if (!m_.reveal || m_.row < 0) return;
    m_.reveal = false;
    scroll_to(grid_.cell(m_.row, m_.col), room);
  }

  Workspace& ws_;
  MemoryState& m_;
  const Look& look_;
  const Theme& t_;
  const trace::Memory& tile_;
  CellGrid grid_;
  std::size_t longest_ = 1;
};

}  // namespace

namespace {

// Which lanes wrote the element and who read it: to the step, and to the lane that has it.
void touched_by(Workspace& ws, const Look& look, const trace::Memory& tile, int row, int col) {
  constexpr std::size_t kMost = 8;
  const StepList& steps = ws.steps.list;
  MemoryState& m = ws.memory;
  if (m.touched_tile != &tile || m.touched_row != row || m.touched_col != col) {
    m.touched = touches(steps, tile, row, col, kMost + 1);
    m.touched_tile = &tile;
    m.touched_row = row;
    m.touched_col = col;
  }
  const std::vector<Touch>& all = m.touched;
  if (all.empty()) return;
  section(look, "who wrote and read it");
  const float width = ImGui::GetContentRegionAvail().x;
  for (std::size_t k = 0; k < std::min(all.size(), kMost); ++k) {
    const Touch& touch = all[k];
    text(look.fonts.text, look.theme.text, touch_text(steps, touch, element_bits(tile)), width);
    ImGui::PushID(static_cast<int>(k));
    if (button(look, "step", touch_place(steps, touch))) {
      ws.steps.place = {touch.warp, touch.item, {}};
      show(ws, Shows::steps);
    }
    probe(ws, fmt::format("touch {}", k));
    if (touch.to_lane >= 0 && names_register(touch.watch)) {
      ImGui::SameLine(0, 0.4f * look.em);
      if (button(look, "lane", fmt::format("lane {} {}", touch.to_lane, touch.watch)))
        show_register(ws, tile.place, touch.watch, touch.to_lane, touch.bit);
      probe(ws, fmt::format("touch lane {}", k));
    }
    ImGui::PopID();
  }
  if (all.size() > kMost) text(look.fonts.text, look.theme.dim, "and others");
}

}  // namespace

void read_through(Workspace& ws, layout::Swizzle mode) {
  MemoryState& m = ws.memory;
  if (m.row >= 0) {  // what is picked stays picked, wherever it stands now
    const TileSpot lies = through(m.reading, tile_now(ws), m.row, m.col);
    const TileSpot at = lies.row < 0 ? lies : through(mode, tile_now(ws), lies.row, lies.col);
    m.row = at.row, m.col = at.col;
    m.reveal = true;
  }
  m.reading = mode;
  ws.message.clear();
}

void draw_memory(Workspace& ws, const Look& look) {
  tile_choice(ws, look);
  gap(look, 0.4f);
  TileGrid(ws, look).draw();
}

void draw_memory_inspector(Workspace& ws, const Look& look) {
  const MemoryState& m = ws.memory;
  const trace::Memory& tile = tile_now(ws);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool hovered = m.hover_row >= 0;
  const int row = hovered ? m.hover_row : m.row, col = hovered ? m.hover_col : m.col;
  const TileFacts facts = tile_facts(tile, row, col, m.reading);
  if (facts.title.empty()) {
    text(look.fonts.big, look.theme.accent, tile.name);
    text(look.fonts.text, look.theme.text,
         fmt::format("{} rows of {} elements, type {}.", tile.rows, tile.cols, tile.type), width);
    section(look, "where it lay");
    mono_lines(
        look,
        {fmt::format("space    {}", tile.space), fmt::format("address  0x{:x}", tile.address),
         fmt::format("stride   {} bytes from row to row", tile.row_stride_bytes)},
        look.theme.text);
    if (tile.space == "shared") {
      section(look, "colour");
      text(
          look.fonts.text, look.theme.dim,
          "A colour is a bank of shared memory, four bytes wide; 32 of them give 128 bytes in one "
          "pass. Below eight rows: in how many passes eight lanes read 16 bytes of each, one below "
          "the other, as ldmatrix does. Where a program put its tile down swizzled, units of 16 "
          "bytes have changed places: choose its swizzle above, or press x, and the tile stands "
          "as it is read, with the passes that reading it so takes.",
          width);
    }
    section(look, "look closer");
    text(look.fonts.text, look.theme.dim,
         "Click an element: all that share its bank stand out, and the steps that wrote and read "
         "it are listed, where they were recorded. Press / and write 3,5; - shows more of it.",
         width);
    return;
  }
  text(look.fonts.big, look.theme.accent, facts.value);
  text(look.fonts.strong, look.theme.text, facts.title);
  gap(look, 0.2f);
  mono_lines(look, facts.lines, look.theme.text);
  if (const TileSpot at = through(m.reading, tile, row, col); at.row >= 0)
    touched_by(ws, look, tile, at.row, at.col);
}

}  // namespace lanescope::viz
