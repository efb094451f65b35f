// SPDX-License-Identifier: MIT
// The descriptor workbench, its right side: what wgmma would take for every element of one step. A
// wrong stride shows as elements of another colour, each with the element that came instead.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "layout/banks.hpp"
#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

const Fetch& fetched(DescriptorState& d) {
  if (d.fetch.rows == 0 || !(d.fetch_of == d.form)) {
    d.fetch = fetch(d.form);
    d.fetch_of = d.form;
  }
  return d.fetch;
}

namespace {

// An instruction descriptor names no memory, but M and N say where D comes to lie.
void draw_where_D_lies(Workspace& ws, const Look& look) {
  const Tcgen05Form& t = ws.descriptor.tcgen05;
  std::string M, N, type = "f32";
  bool sparse = false;
  for (const layout::DescriptorField& f : layout::instruction_fields(t.kind, t.instruction)) {
    if (f.name == "m") M = f.value;
    if (f.name == "n") N = f.value;
    if (f.name == "d" && f.value == "f16") type = "f16";
    if (f.name == "sparse") sparse = f.bits != 0;
  }
  const bool scaled = t.kind >= layout::Tcgen05Kind::mxf8f6f4;
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.strong, look.theme.text, "Where D comes to lie");
  text(look.fonts.text, look.theme.dim,
       fmt::format("in tensor memory, for M {} and N {}; the atlas has the maps:", M, N), width);
  bool some = false;
  for (const char* form :
       {".cta_group::1", ".ws.cta_group::1", ".cta_group::2", ".sp.cta_group::2"}) {
    const std::string name = fmt::format("tcgen05.mma{}.m{}n{}.{}", form, M, N, type);
    // Block scaling has no .ws and, where A is sparse, no pairs with M 128 (table 39); of pairs
    // with M 128 it is sparsity that says where D lies.
    const std::string_view is = form;
    if (is == ".ws.cta_group::1" && scaled) continue;
    if (is == ".sp.cta_group::2" && (!sparse || scaled)) continue;
    if (is == ".cta_group::2" && sparse && M == "128") continue;
    const Entry entry = only_entry(name);
    if (entry.empty()) continue;
    some = true;
    if (button(look, name.c_str(), name)) open_entry(ws, Entry(entry));
    probe(ws, fmt::format("D of {}", form));
    if (ws.page != Page::descriptor) return;
  }
  if (!some)
    text(look.fonts.text, look.theme.warn, "no form of tcgen05.mma has this M and N", width);
}

// What is fetched, and by what its cells are named.
void draw_fetch_heading(Workspace& ws, const Look& look, const Fetch& all) {
  DescriptorState& d = ws.descriptor;
  const Theme& t = look.theme;
  const int from = d.form.step * k_of_step(d.form.tile);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.strong, t.text, "Fetched");
  ImGui::SameLine(0, 0.6f * look.em);
  const std::string rows = fmt::format("{} rows × k {} to {}", all.rows, from, from + all.cols - 1);
  const std::string what =
      fmt::format("{}; colour: bank{}", rows, all.wrong == 0 ? "" : ", red, a corner off: wrong");
  const std::string says =
      fmt::format("{}; a cell says {}", what, d.bytes ? "the byte" : "(mn,k) of what comes");
  // In a narrow window the verdict is scrolled out of sight in the form above.
  const bool narrow = ImGui::GetWindowPos().y > ImGui::GetIO().DisplaySize.y / 3;
  const std::string verdict = all.wrong == 0 ? "all right" : fmt::format("{} wrong", all.wrong);
  const float choices_width = 9 * look.em;
  const float verdict_width = text_width(look.fonts.strong, verdict);
  const float beside = narrow ? choices_width + look.em + verdict_width : 0;
  const auto fits = [&](const std::string& words) {
    return text_width(look.fonts.text, words) + beside < ImGui::GetContentRegionAvail().x;
  };
  const std::string& said = fits(says) ? says : fits(what) || !narrow ? what : rows;
  text(look.fonts.text, t.dim, said);
  probe(ws, "fetched: " + (said == says ? what : said));
  ImGui::SameLine(0, 1.0f * look.em);
  if (ImGui::GetContentRegionAvail().x < choices_width) ImGui::NewLine();
  int bytes = d.bytes ? 1 : 0;
  if (choices(ws, look, "fetch label", {"element", "byte"}, bytes)) d.bytes = bytes == 1;
  if (!narrow) return;
  ImGui::SameLine(0, 1.0f * look.em);
  if (ImGui::GetContentRegionAvail().x < verdict_width) ImGui::NewLine();
  ImGui::AlignTextToFramePadding();
  text(look.fonts.strong, all.wrong == 0 ? t.good : t.bad, verdict);
  probe(ws, "verdict");
}

constexpr float kAround = 3.0f, kBelow = 1.6f;  // em besides the cells: numbers, edges

// The cells as large as the room allows, from where the cursor is.
CellGrid grid_of(const Fetch& all, const TileForm& tile, const Look& look, ImVec2 room) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  CellGrid grid;
  grid.rows = all.rows;
  grid.cols = all.cols;
  grid.rows_in_group = 8;  // a core matrix is eight rows of 16 bytes
  grid.row_gap = 0.3f * look.em;
  grid.cols_in_group = layout::elements_per_unit(tile.bits);
  grid.col_gap = 0.45f * look.em;
  grid.at = ImVec2(origin.x + 2.4f * look.em, origin.y + 1.3f * look.em);
  const float low = 0.98f * look.em;
  grid.cell_width = 0;  // what is left are the gaps
  grid.cell_height = low;
  const float bar = grid.height() + kBelow * look.em > room.y ? ImGui::GetStyle().ScrollbarSize : 0;
  const float free = room.x - kAround * look.em - bar - grid.width();
  grid.cell_width = std::floor(
      std::clamp(free / static_cast<float>(std::max(all.cols, 1)), 2.5f * look.em, 5.0f * look.em));
  const float high = (room.y - 2 * look.em - grid.row_gap * static_cast<float>(all.rows) / 8) /
                     static_cast<float>(std::max(all.rows, 1));
  grid.cell_height = std::floor(std::clamp(high, low, 2.0f * look.em));
  return grid;
}

// The pointer: what it is above, what it clicks on.
void point_at(Workspace& ws, const Look& look, const CellGrid& grid) {
  DescriptorState& d = ws.descriptor;
  ImGui::InvisibleButton(
      "fetched", ImVec2(grid.width() + kAround * look.em, grid.height() + kBelow * look.em));
  d.hover_row = d.hover_col = -1;
  if (!ImGui::IsItemHovered()) return;
  int row = 0, col = 0;
  if (grid.find(ImGui::GetIO().MousePos, row, col)) d.hover_row = row, d.hover_col = col;
  if (ImGui::IsMouseClicked(0)) d.row = d.hover_row, d.col = d.hover_col, ws.message.clear();
}

void draw_elements(Workspace& ws, const Look& look, const Fetch& all, const CellGrid& grid) {
  const DescriptorState& d = ws.descriptor;
  const Theme& t = look.theme;
  draw_cells(look, grid, cell_font(look, grid, d.bytes ? 5 : 6), [&](int row, int col) {
    const Fetched& one = all.at(row, col);
    if (ws.probes != nullptr) probe(ws, fmt::format("fetch {},{}", row, col), grid.cell(row, col));
    const Rgb good = lane_colour(layout::bank(one.byte), t.dark, Shade::normal);
    const Rgb fill = one.good() ? good : mix(t.bad, t.panel, t.dark ? 0.45f : 0.25f);
    std::string label = d.bytes      ? fmt::format("{}", one.byte)
                        : one.mn < 0 ? std::string("-")
                                     : fmt::format("{},{}", one.mn, one.k);
    return CellPaint{fill, text_on(fill), std::move(label), !one.good()};
  });
  IndexNumbers numbers{0, 0, -1, -1, d.form.step * k_of_step(d.form.tile)};
  for (const auto& [row, col, ink] :
       {std::tuple{d.row, d.col, t.accent}, std::tuple{d.hover_row, d.hover_col, t.outline}}) {
    if (row < 0 || row >= all.rows || col < 0 || col >= all.cols) continue;
    frame_cells(look, grid, row, col, row, col, ink);
    numbers.focus_row = row;
    numbers.focus_col = col;
  }
  draw_indices(look, grid, numbers);
}

}  // namespace

void draw_fetch(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  if (d.tcgen05.reading == Reading::instruction) return draw_where_D_lies(ws, look);
  if (const std::string why = not_fetched(d.tcgen05, d.form); !why.empty())
    return text(look.fonts.text, look.theme.dim, why, ImGui::GetContentRegionAvail().x);
  const Fetch& all = fetched(d);
  draw_fetch_heading(ws, look, all);
  begin_child("fetch", ImVec2(0, 0), false,
              ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const CellGrid grid = grid_of(all, d.form.tile, look, room);
  point_at(ws, look, grid);
  draw_elements(ws, look, all, grid);
  if (d.reveal && d.row >= 0) {
    d.reveal = false;
    scroll_to(grid.cell(std::min(d.row, all.rows - 1), std::min(d.col, all.cols - 1)), room);
  }
  ImGui::EndChild();
}

}  // namespace lanescope::viz
