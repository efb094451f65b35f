// SPDX-License-Identifier: MIT
// What is known of a tile of memory, or of the element of it that is picked: its bits, its bank,
// who wrote and read it.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// Which lanes wrote the element and who read it: to the step, and to the lane that has it.
void touched_by(Workspace& ws, const Look& look, const trace::Memory& tile, int row, int col) {
  constexpr std::size_t kMost = 8;
  const StepList& steps = ws.steps.list;
  MemoryState& m = ws.memory;
  if (m.touched_tile != &tile || m.touched_row != row || m.touched_col != col) {
    if (m.history == nullptr) m.history = std::make_shared<RegisterHistory>(steps);
    m.touched = touches(ws.model.trace, *m.history, tile, row, col, kMost + 1);
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
    if (touch.item < 0) {
      ImGui::PopID();
      continue;
    }
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

// Nothing is picked: what the tile is, and what its colours say.
void about_tile(Workspace& ws, const Look& look, const trace::Memory& tile, bool several) {
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.big, look.theme.accent, tile.name);
  text(look.fonts.text, look.theme.text,
       fmt::format("{} rows of {} elements, type {}.", tile.rows, tile.cols, tile.type), width);
  if (const layout::Swizzle mode = seems_swizzled(tile); mode != layout::Swizzle::none) {
    const bool so = reading_of(ws.memory, 0) == mode;
    text(look.fonts.text, look.theme.text,
         fmt::format(
             "Its units lie as the {0} swizzle puts them{1}", layout::name(mode),
             so ? fmt::format(", and are read through it: the rows are in order.")
                : fmt::format(": choose {} above, and the rows are in order.", layout::name(mode))),
         width);
    probe(ws, so ? "read as swizzled" : "seems swizzled");
  }
  section(look, "where it lay");
  mono_lines(look,
             {fmt::format("space    {}", tile.space), fmt::format("address  0x{:x}", tile.address),
              fmt::format("stride   {} bytes from row to row", tile.row_stride_bytes)},
             look.theme.text);
  if (tile.space == "shared") {
    section(look, "colour");
    text(look.fonts.text, look.theme.dim,
         "A colour is a bank of shared memory, four bytes wide; 32 of them give 128 bytes in one "
         "pass. Below eight rows: in how many passes eight lanes read 16 bytes of each, one below "
         "the other, as ldmatrix does.",
         width);
    if (can_be_swizzled(tile)) {
      text(look.fonts.text, look.theme.dim,
           "Where a program put its tile down swizzled, units of 16 bytes have changed places: "
           "choose its swizzle above, or press x, and the tile stands as it is read, with the "
           "passes that reading it so takes.",
           width);
      probe(ws, "about swizzles");
    }
  }
  section(look, "look closer");
  const bool banks = tile.space == "shared";  // of other memory no step's way is followed here
  text(look.fonts.text, look.theme.dim,
       banks
           ? "Click an element: all that share its bank stand out, and the steps that wrote and "
             "read it are listed, where they were recorded. Press / and write 3,5; + and - size "
             "the cells."
           : "Click an element: its bits, and where they lie. Press / and write 3,5; + and - size "
             "the cells.",
       width);
  probe(ws, banks ? "about banks" : "about no banks");
  if (several)
    text(look.fonts.text, look.theme.dim,
         "Another tile can stand beside this one, with the same element picked in both: choose it "
         "above, or press 2.",
         width);
}

void about_element(Workspace& ws, const Look& look, int which, int row, int col, bool touches) {
  const trace::Memory& tile = *tile_shown(ws.memory, which);
  const layout::Swizzle reading = reading_of(ws.memory, which);
  const TileFacts facts = tile_facts(tile, row, col, reading);
  if (facts.title.empty()) return;
  text(look.fonts.big, look.theme.accent, facts.value);
  text(look.fonts.strong, look.theme.text, facts.title);
  gap(look, 0.2f);
  mono_lines(look, facts.lines, look.theme.text);
  if (const TileSpot at = through(reading, tile, row, col); touches && at.row >= 0)
    touched_by(ws, look, tile, at.row, at.col);
}

}  // namespace

void draw_memory_inspector(Workspace& ws, const Look& look) {
  const MemoryState& m = ws.memory;
  const bool hovered = m.hover_row >= 0;
  const int row = hovered ? m.hover_row : m.row, col = hovered ? m.hover_col : m.col;
  const auto has = [&](int which) {
    const trace::Memory* tile = tile_shown(m, which);
    return tile != nullptr && row >= 0 && row < tile->rows && col >= 0 && col < tile->cols;
  };
  if (!has(0) && !has(1)) return about_tile(ws, look, *tile_shown(m, 0), m.tiles.size() > 1);
  // The one that is pointed at comes first; of that, who touched it.
  const int first = has(m.hover_which) ? m.hover_which : has(0) ? 0 : 1;
  about_element(ws, look, first, row, col, true);
  if (!has(1 - first)) return;
  section(look, "beside it");
  about_element(ws, look, 1 - first, row, col, false);
}

}  // namespace lanescope::viz
