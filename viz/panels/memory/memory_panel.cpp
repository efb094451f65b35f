// SPDX-License-Identifier: MIT
// A tile of memory as the program recorded it, or two of them beside each other: which are shown,
// how they are read and labelled. The cells are drawn in memory_grid.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// "tile (launch 2): 128, and 16 of padding"; of one tile alone its name.
std::string title_of(const MemoryState& m, int index) {
  const auto at = static_cast<std::size_t>(index);
  const std::string kernel = m.tiles.size() > 1 ? m.kernels[at] : std::string();
  return tile_name(*m.tiles[at]) + (kernel.empty() ? "" : ": " + kernel);
}

// A list to choose one of several tiles from; `none`: it has that, too, as -1.
int tile_list(Workspace& ws, const Look& look, const char* id, int now, bool none) {
  const MemoryState& m = ws.memory;
  const int count = static_cast<int>(m.tiles.size());
  const auto name = [&](int at) {
    return at < 0 ? std::string("none") : fmt::format("{}  {}", at + 1, title_of(m, at));
  };
  int chosen = now;
  push_font(look.fonts.text);
  const float usual = (!none ? 20 : now < 0 ? 9 : 16) * look.em;
  ImGui::SetNextItemWidth(std::min(usual, ImGui::GetWindowWidth() * 0.36f));
  const std::string shown =
      none ? "beside: " + name(now) : fmt::format("{}/{}  {}", now + 1, count, title_of(m, now));
  const bool open = ImGui::BeginCombo(fmt::format("##{}", id).c_str(), shown.c_str(),
                                      ImGuiComboFlags_HeightLarge);
  probe(ws, id);
  if (open) {
    const int first = none ? -1 : 0;
    ImGuiListClipper clipper;
    clipper.Begin(count - first);
    while (clipper.Step())
      for (int line = clipper.DisplayStart; line < clipper.DisplayEnd; ++line) {
        const int at = line + first;
        if (ImGui::Selectable(name(at).c_str(), at == now)) chosen = at;
        probe(ws, fmt::format("{} {}", id, at));
      }
    ImGui::EndCombo();
  }
  ImGui::PopFont();
  return chosen;
}

std::string shape_of(const trace::Memory& tile) {
  return fmt::format("{} × {} {}, {} memory", tile.rows, tile.cols, tile.type, tile.space);
}

const std::vector<std::string> kReadings{"as it lies", "32B", "64B", "128B"};

void choose_tiles(Workspace& ws, const Look& look) {
  MemoryState& m = ws.memory;
  const int now = static_cast<int>(m.current);
  ImGui::AlignTextToFramePadding();
  if (m.tiles.size() == 1)
    text(look.fonts.strong, look.theme.text, tile_name(*tile_shown(m, 0)));
  else if (const int chosen = tile_list(ws, look, "tile", now, false); chosen != now)
    choose_tile(ws, static_cast<std::size_t>(chosen));
  if (m.tiles.size() > 1) {
    ImGui::SameLine(0, 0.4f * look.em);
    if (const int chosen = tile_list(ws, look, "other", m.beside, true); chosen != m.beside)
      show_beside(ws, chosen);
  }
  const trace::Memory& tile = *tile_shown(m, 0);
  ImGui::SameLine(0, 0.8f * look.em);
  // Only where the choices have room beside it: the inspector says it, too.
  const std::string shape = shape_of(tile);
  const float needed =
      text_width(look.fonts.text, shape) + (can_be_swizzled(tile) ? 28 : 12) * look.em;
  if (m.beside < 0 && needed < ImGui::GetContentRegionAvail().x) {
    ImGui::AlignTextToFramePadding();
    text(look.fonts.text, look.theme.dim, shape);
    probe(ws, "tile shape");
    ImGui::SameLine(0, 1.2f * look.em);
  }
  if (ImGui::GetContentRegionAvail().x < 11 * look.em) ImGui::NewLine();
  if (shows_banks(m)) {
    choices(ws, look, "tile label", {"value", "bank", "byte"}, m.label);
  } else {
    int byte = m.label == 2 ? 1 : 0;
    if (choices(ws, look, "tile label", {"value", "byte"}, byte)) m.label = 2 * byte;
  }
  if (m.beside >= 0 || !can_be_swizzled(tile)) return;
  ImGui::SameLine(0, 0.8f * look.em);
  if (ImGui::GetContentRegionAvail().x < 15 * look.em) ImGui::NewLine();
  int reading = static_cast<int>(m.reading);
  if (choices(ws, look, "tile read", kReadings, reading))
    read_through(ws, static_cast<layout::Swizzle>(reading));
}

// One of two: its name, its shape, how it is read, its cells.
void draw_one_of_two(Workspace& ws, const Look& look, int which, ImVec2 room) {
  MemoryState& m = ws.memory;
  const trace::Memory& tile = *tile_shown(m, which);
  begin_child(which == 0 ? "first" : "second", room, false, ImGuiWindowFlags_NoNav);
  ImGui::AlignTextToFramePadding();
  // The shape only where all of it has room: the inspector says it, too.
  const float wide = ImGui::GetContentRegionAvail().x;
  const std::string title = shortened(look.fonts.strong, title_of(m, tile_index(m, which)), wide);
  const std::string shape = shape_of(tile);
  text(look.fonts.strong, look.theme.text, title);
  probe(ws, which == 0 ? "first title" : "second title");
  if (text_width(look.fonts.strong, title) + text_width(look.fonts.text, shape) + look.em < wide) {
    ImGui::SameLine(0, 0.6f * look.em);
    ImGui::AlignTextToFramePadding();
    text(look.fonts.text, look.theme.dim, shape);
    probe(ws, which == 0 ? "first shape" : "second shape");
  }
  if (can_be_swizzled(tile)) {
    ImGui::SameLine(0, 0.8f * look.em);
    if (ImGui::GetContentRegionAvail().x < 15 * look.em) ImGui::NewLine();
    layout::Swizzle& mode = reading_of(m, which);
    int reading = static_cast<int>(mode);
    if (choices(ws, look, which == 0 ? "tile read" : "beside read", kReadings, reading))
      mode = static_cast<layout::Swizzle>(reading);
  }
  draw_tile(ws, look, which);
  ImGui::EndChild();
}

// Side by side where both fit so, else one above the other: the same columns below each other.
void draw_two(Workspace& ws, const Look& look) {
  const MemoryState& m = ws.memory;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float space = 0.8f * look.em;
  const float widest = std::max(tile_width(*tile_shown(m, 0), m.label, look),
                                tile_width(*tile_shown(m, 1), m.label, look));
  const bool side_by_side = 2 * widest + space <= room.x;
  const ImVec2 each =
      side_by_side ? ImVec2((room.x - space) / 2, room.y) : ImVec2(room.x, (room.y - space) / 2);
  draw_one_of_two(ws, look, 0, each);
  if (side_by_side)
    ImGui::SameLine(0, space);
  else
    gap(look, 0.4f);
  draw_one_of_two(ws, look, 1, each);
}

}  // namespace

void read_through(Workspace& ws, layout::Swizzle mode) {
  MemoryState& m = ws.memory;
  if (mode != layout::Swizzle::none && !can_be_swizzled(*tile_shown(m, 0)))
    return say(ws, fmt::format("{} is not swizzled: it is not in shared memory, or a row of it is "
                               "one unit of 16 bytes or less",
                               tile_shown(m, 0)->name));
  // What is picked stays picked, wherever it stands now; with another tile beside it, its place
  // does.
  if (m.row >= 0 && m.beside < 0) {
    const TileSpot lies = through(m.reading, *tile_shown(m, 0), m.row, m.col);
    const TileSpot at = lies.row < 0 ? lies : through(mode, *tile_shown(m, 0), lies.row, lies.col);
    m.row = at.row, m.col = at.col;
    m.reveal = true;
  }
  m.reading = mode;
  ws.message.clear();
}

void choose_tile(Workspace& ws, std::size_t index) {
  MemoryState& m = ws.memory;
  if (index >= m.tiles.size()) return;
  m.current = index;
  const trace::Memory& tile = *m.tiles[index];
  m.reading = reading_after(m.reading, tile);
  if (m.row >= tile.rows || m.col >= tile.cols) m.row = m.col = -1;
  m.scroll = {};
  ws.message.clear();
}

void show_beside(Workspace& ws, int index) {
  MemoryState& m = ws.memory;
  m.beside = index < static_cast<int>(m.tiles.size()) ? std::max(index, -1) : -1;
  m.beside_reading = layout::Swizzle::none;
  m.scroll = {};
  ws.message.clear();
}

void draw_memory(Workspace& ws, const Look& look) {
  MemoryState& m = ws.memory;
  m.next_hover_row = m.next_hover_col = -1;
  m.next_hover_which = 0;
  choose_tiles(ws, look);
  gap(look, 0.4f);
  if (m.beside < 0)
    draw_tile(ws, look, 0);
  else
    draw_two(ws, look);
  m.reveal = false;
  m.hover_row = m.next_hover_row;
  m.hover_col = m.next_hover_col;
  m.hover_which = m.next_hover_which;
}

}  // namespace lanescope::viz
