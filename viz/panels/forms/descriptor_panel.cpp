// SPDX-License-Identifier: MIT
// The descriptor workbench, its left side: the 64 bits and their fields, each to be edited, and the
// tile that the descriptor is tried on. What it fetches is in fetch_panel.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<const char*, 3> kReadings{"wgmma", "tcgen05", "instruction"};
const std::vector<std::string> kModes{"none", "32B", "64B", "128B"};

void hex_field(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  const float width = text_width(look.fonts.mono, "0x0000000000000000") + 1.6f * look.em;
  if (field(ws, look, "hex", d.hex, fmt::format("{:#018x}", d.form.bits), width))
    say(ws, read_hex(d.hex.data(), d.form.bits));
  ImGui::SameLine(0, 0.7f * look.em);
  if (ImGui::GetContentRegionAvail().x < 6 * look.em) ImGui::NewLine();
  if (button(look, "fit", "fit to the tile"))
    d.form = right_form(d.form.tile, d.form.step), say(ws, "");
  probe(ws, "fit");
}

// start, lbo, sbo, base: a swatch in the colour of its bits, the value, what it means.
void one_field(Workspace& ws, const Look& look, const Field& f, std::size_t index,
               FieldText& typed_text, const std::string& now) {
  const float left = ImGui::GetCursorPosX();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 0.3f * look.em),
                                            ImVec2(at.x + 0.25f * look.em, at.y + 1.6f * look.em),
                                            colour(strip_colour(look.theme, index, true)), 2);
  ImGui::SetCursorPosX(left + 4.2f * look.em - text_width(look.fonts.text, f.name) -
                       0.5f * look.em);
  if (field(ws, look, f.name, typed_text, now, 6.2f * look.em)) {
    std::uint64_t bits = ws.descriptor.form.bits;
    say(ws, set_field(f.name, typed_text.data(), bits));
    if (!ws.message_is_error) ws.descriptor.form.bits = bits;
  }
  ImGui::SameLine(0, 0.6f * look.em);
  ImGui::AlignTextToFramePadding();
  const float room = ImGui::GetContentRegionAvail().x;
  text(look.fonts.text, look.theme.dim, fitted(look.fonts.text, f.means, room));
}

void fields(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  const std::vector<Field> all = fields_of(d.form);
  std::vector<StripField> strip;
  for (const Field& f : all) strip.push_back({f.name, f.from, f.width});
  bit_strip(look, d.form.bits, 64, strip);
  const layout::Descriptor now = layout::decode(d.form.bits);
  one_field(ws, look, all[4], 4, d.start, fmt::format("{}", now.start_bytes));
  one_field(ws, look, all[3], 3, d.lbo, fmt::format("{}", now.lbo_bytes));
  one_field(ws, look, all[2], 2, d.sbo, fmt::format("{}", now.sbo_bytes));
  one_field(ws, look, all[1], 1, d.base, fmt::format("{}", now.base_offset));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 0.3f * look.em),
                                            ImVec2(at.x + 0.25f * look.em, at.y + 1.6f * look.em),
                                            colour(strip_colour(look.theme, 0, true)), 2);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 3.7f * look.em -
                       text_width(look.fonts.text, "mode"));
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "mode");
  ImGui::SameLine(0, 0.5f * look.em);
  int mode = static_cast<int>(now.mode);
  if (choices(ws, look, "descriptor mode", kModes, mode))
    say(ws, set_field("mode", kModes[static_cast<std::size_t>(mode)], d.form.bits));
  const std::uint64_t unused = d.form.bits & layout::kUnusedDescriptorBits;
  const float width = ImGui::GetContentRegionAvail().x;
  if (unused != 0)
    text(look.fonts.text, look.theme.bad,
         fmt::format("bits {:#x} belong to no field of a wgmma descriptor", unused), width);
  if (now.base_offset != 0)
    text(look.fonts.text, look.theme.dim,
         fmt::format("base: row r of 128 bytes is swizzled as row r - {}; an H200 does it so",
                     now.base_offset),
         width);
}

// A changed tile brings its right descriptor with it.
void take_tile(Workspace& ws, const TileForm& tile) {
  DescriptorState& d = ws.descriptor;
  say(ws, descriptor_problem(tile, d.tcgen05.reading == Reading::tcgen05));
  if (ws.message_is_error || tile == d.form.tile) return;
  d.form = right_form(tile, 0);
  d.row = d.col = -1;
}

// A mode, major or width that the tile's size does not fit: the nearest size that fits.
TileForm fitting(TileForm tile) {
  const layout::Extent least = step_of_size(tile);
  const auto up = [](int side, int step) {
    return std::min((side + step - 1) / step * step, kMostOfDescriptor);
  };
  tile.rows = up(tile.rows, least.mn);
  tile.cols = up(tile.cols, least.k);
  return tile;
}

void tile_form(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  TileForm tile = d.form.tile;
  int mode = mode_index(tile);
  const std::vector<std::string> modes(
      kTileModes.begin(), kTileModes.end() - (d.tcgen05.reading == Reading::wgmma ? 1 : 0));
  if (choices(ws, look, "tile mode", modes, mode))
    set_mode(kTileModes[static_cast<std::size_t>(mode)], tile), take_tile(ws, fitting(tile));
  ImGui::SameLine(0, 0.8f * look.em);
  if (ImGui::GetContentRegionAvail().x < 6 * look.em) ImGui::NewLine();
  int major = static_cast<int>(tile.major);
  if (choices(ws, look, "tile major", {"K", "MN"}, major))
    not_wide(tile), tile.major = static_cast<layout::Major>(major), take_tile(ws, fitting(tile));
  int bits = tile.bits == 8 ? 0 : tile.bits == 16 ? 1 : 2;
  if (choices(ws, look, "tile bits", {"8", "16", "32"}, bits))
    not_wide(tile), tile.bits = 8 << bits, take_tile(ws, fitting(tile));
  ImGui::SameLine(0, 0.4f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "bits");
  const auto side = [&](const char* name, FieldText& typed_text, int TileForm::*which) {
    if (!field(ws, look, name, typed_text, fmt::format("{}", tile.*which), 3.4f * look.em)) return;
    TileForm changed = tile;
    const std::string why = read_side(name, typed_text.data(), changed.*which);
    why.empty() ? take_tile(ws, changed) : say(ws, why);
  };
  side("rows", d.rows, &TileForm::rows);
  ImGui::SameLine(0, 0.7f * look.em);
  side("columns", d.cols, &TileForm::cols);
  const int steps = steps_of(d.form.tile);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "step along K");
  // Eight at a time: [ and ] lead to the others.
  const int first = d.form.step / 8 * 8;
  std::vector<std::string> names;
  for (int step = first; step < std::min(steps, first + 8); ++step)
    names.push_back(fmt::format("{}", step));
  ImGui::SameLine(0, 0.5f * look.em);
  int step = d.form.step - first;
  if (choices(ws, look, "step", names, step))
    d.form = right_form(d.form.tile, first + step), say(ws, "");
  const auto turn = [&](const char* name, int to) {
    ImGui::SameLine(0, 0.15f * look.em);
    if (button(look, name, name)) d.form = right_form(d.form.tile, to), say(ws, "");
    probe(ws, fmt::format("steps {}", name));
  };
  if (first > 0) turn("<", first - 1);
  if (first + 8 < steps) turn(">", first + 8);
}

void verdict(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  const Fetch& all = fetched(d);
  const float width = ImGui::GetContentRegionAvail().x;
  const int count = all.rows * all.cols;
  section(look, "what it fetches");
  if (const std::string why = not_fetched(d.tcgen05, d.form); !why.empty())
    return text(look.fonts.text, look.theme.warn, why, width);
  text(look.fonts.strong, all.wrong == 0 ? look.theme.good : look.theme.bad,
       all.wrong == 0 ? fmt::format("all {} elements from the right bytes", count)
                      : fmt::format("{} of {} elements from wrong bytes", all.wrong, count),
       width);
  const bool hovered = d.hover_row >= 0;
  const int row = hovered ? d.hover_row : d.row;
  const int col = hovered ? d.hover_col : d.col;
  if (row < 0 || row >= all.rows || col < 0 || col >= all.cols) {
    text(look.fonts.text, look.theme.dim, "Hover an element at the right.", width);
    return;
  }
  const PlaceFacts facts = fetch_facts(d.form, all, row, col);
  text(look.fonts.mono, look.theme.accent, facts.title + " " + facts.where, width);
  mono_lines(look, facts.lines, all.at(row, col).good() ? look.theme.text : look.theme.bad);
}

}  // namespace

void draw_descriptor_form(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  if (d.form.bits == 0 && !d.begun) d.form.bits = right_bits(d.form.tile, d.form.step);
  d.begun = true;
  ImGui::AlignTextToFramePadding();
  text(look.fonts.strong, look.theme.text, "Descriptor");
  ImGui::SameLine(0, 0.8f * look.em);
  int reading = static_cast<int>(d.tcgen05.reading);
  if (choices(ws, look, "reading", {"wgmma", "tcgen05", "instruction"}, reading))
    say(ws, read_words(kReadings[static_cast<std::size_t>(reading)], d.tcgen05, d.form));
  if (d.tcgen05.reading == Reading::instruction) return draw_instruction_form(ws, look);
  const bool wgmma = d.tcgen05.reading == Reading::wgmma;
  if (!wgmma) {
    draw_tcgen05_form(ws, look);
  } else {
    hex_field(ws, look);
    fields(ws, look);
  }
  section(look,
          fmt::format("the tile, from byte {} of shared memory on", kTileStart_bytes).c_str());
  const std::uint64_t before = d.form.bits;
  tile_form(ws, look);
  if (d.form.bits != before)  // another tile or step: the other family's follows
    d.tcgen05.bits = tcgen05_bits(d.form);
  verdict(ws, look);
  section(look, "in the terminal");
  mono_lines(
      look,
      {wgmma ? fmt::format("lanescope descriptor --decode {:#018x}", d.form.bits)
             : fmt::format("lanescope descriptor --tcgen05 --decode {:#018x}", d.tcgen05.bits)},
      look.theme.code);
  if (!wgmma) return;
  text(look.fonts.text, look.theme.dim, "PTX ISA 9.2, 9.7.15.5.1.2.2",
       ImGui::GetContentRegionAvail().x);
  text(look.fonts.text, look.theme.good, layout::name(layout::Standing::verified));
}

}  // namespace lanescope::viz
