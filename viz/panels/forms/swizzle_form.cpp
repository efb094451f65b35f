// SPDX-License-Identifier: MIT
// What tile is shown: its choices and its size. And beside it, what is to be said of an element.
#include <fmt/format.h>

#include "layout/banks.hpp"
#include "layout/tcgen05.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

const std::vector<std::string> kModes(kTileModes.begin(), kTileModes.end());
const std::vector<std::string> kMajors{"K", "MN"};
const std::vector<std::string> kBits{"8", "16", "32"};

// Rows and columns as they are typed; what cannot be read is said and changes nothing.
void size_field(Workspace& ws, const Look& look, const char* name, FieldText& typed_text,
                int TileForm::*side) {
  SwizzleState& s = ws.swizzle;
  if (!field(ws, look, name, typed_text, fmt::format("{}", s.form.*side), 3.4f * look.em)) return;
  TileForm changed = s.form;
  ws.message = read_side(name, typed_text.data(), changed.*side);
  if (ws.message.empty()) ws.message = problem(changed);
  ws.message_is_error = !ws.message.empty();
  if (ws.message.empty()) s.form = changed, s.mn = s.k = -1;
}

}  // namespace

void draw_swizzle_form(Workspace& ws, const Look& look) {
  SwizzleState& s = ws.swizzle;
  const auto next = [&](float ems) {
    ImGui::SameLine(0, ems * look.em);
    if (ImGui::GetContentRegionAvail().x < 9 * look.em) ImGui::NewLine();
  };
  tile_kind(ws, look);
  if (s.cute) return;  // just now
  next(1);
  int mode = mode_index(s.form);
  if (choices(ws, look, "mode", kModes, mode))
    set_mode(kModes[static_cast<std::size_t>(mode)], s.form), s.mn = s.k = -1;
  next(1);
  int major = static_cast<int>(s.form.major);
  if (choices(ws, look, "major", kMajors, major))
    not_wide(s.form), s.form.major = static_cast<layout::Major>(major), s.mn = s.k = -1;
  next(1);
  int bits = s.form.bits == 8 ? 0 : s.form.bits == 16 ? 1 : 2;
  if (choices(ws, look, "bits", kBits, bits))
    not_wide(s.form), s.form.bits = 8 << bits, s.mn = s.k = -1;
  ImGui::SameLine(0, 0.4f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "bits");
  next(1);
  size_field(ws, look, "rows", s.rows, &TileForm::rows);
  next(0.6f);
  size_field(ws, look, "columns", s.cols, &TileForm::cols);
  if (s.form.mode != layout::Swizzle::none) {  // else both are the same
    int applied = s.applied ? 0 : 1;
    if (choices(ws, look, "swizzle", {"swizzled", "before swizzling"}, applied))
      s.applied = applied == 0;
    next(1);
  }
  int offsets = s.offsets ? 1 : 0;
  if (choices(ws, look, "label", {"bank", "byte offset"}, offsets)) s.offsets = offsets == 1;
}

namespace {

// The eight lanes that read around an element as ldmatrix does, and in how many passes.
void eight_of(Workspace& ws, const Look& look, const layout::Tile& tile, int mn, int k) {
  const SwizzleState& s = ws.swizzle;
  const bool K = s.form.major == layout::Major::K;
  const int block = (K ? mn : k) / 8;
  section(look, "eight lanes that take 16 bytes each of this column");
  probe(ws, "eight lanes heading");
  if (!has_eight(s.form, block))
    return text(look.fonts.text, look.theme.dim,
                fmt::format("The tile has no eight {} here: no phase of eight lanes reads it.",
                            K ? "rows" : "columns"),
                ImGui::GetContentRegionAvail().x);
  const EightLanes lanes =
      eight_lanes(tile, block, (K ? k : mn) / layout::elements_per_unit(s.form.bits), s.applied);
  std::vector<std::string> lines;
  for (const std::uint32_t address : lanes.addresses)
    lines.push_back(fmt::format("byte {:>6}  banks {:>2} to {:>2}", address, layout::bank(address),
                                layout::bank(address) + 3));
  mono_lines(look, lines, look.theme.text);
  probe(ws, "eight lanes");
  text(look.fonts.text, lanes.passes == 1 ? look.theme.good : look.theme.bad,
       lanes.passes == 1 ? "1 pass: no conflict"
                         : fmt::format("{} passes: they share banks", lanes.passes));
}

}  // namespace

void draw_swizzle_inspector(Workspace& ws, const Look& look) {
  if (ws.swizzle.cute) return draw_cute_inspector(ws, look);
  const SwizzleState& s = ws.swizzle;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool picked = s.mn >= 0 && s.mn < s.form.rows && s.k >= 0 && s.k < s.form.cols;
  const int mn = s.hover_mn >= 0 ? s.hover_mn : s.mn;
  const int k = s.hover_mn >= 0 ? s.hover_k : s.k;
  const layout::Tile tile = tile_of(s.form);
  if (mn >= 0 && (picked || s.hover_mn >= 0)) {
    const PlaceFacts facts = place_facts(s.form, mn, k, s.applied);
    text(look.fonts.big, look.theme.accent, facts.title);
    text(look.fonts.text, look.theme.text, facts.where, width);
    section(look, "why");
    mono_lines(look, facts.lines, look.theme.text);
    eight_of(ws, look, tile, mn, k);
  } else {
    text(look.fonts.big, look.theme.accent,
         s.form.mode == layout::Swizzle::none ? "no swizzle"
                                              : fmt::format("{} swizzle", mode_name(s.form)));
    text(look.fonts.text, look.theme.text,
         fmt::format("Where a tile's elements lie in shared memory for {}, and in which of the 32 "
                     "banks. Hover an element, or a unit of 16 bytes below.",
                     s.form.wide ? "tcgen05" : "wgmma"),
         width);
  }
  section(look, "strides");
  mono_lines(look,
             {fmt::format("lbo {} bytes: {}", tile.lbo_bytes,
                          layout::meaning_of_lbo(s.form.mode, s.form.major)),
              fmt::format("sbo {} bytes: {}", tile.sbo_bytes,
                          s.form.wide ? layout::kMeaningOfWideSbo
                                      : layout::meaning_of_sbo(s.form.mode, s.form.major))},
             look.theme.text);
  text(look.fonts.text, look.theme.dim,
       s.form.wide ? "PTX ISA 9.2, 9.7.16.10.6 (table 53): tcgen05 only"
                   : "PTX ISA 9.2, 9.7.15.5.1.2",
       width);
  const auto standing = s.form.wide ? layout::Standing::derived : layout::Standing::verified;
  text(look.fonts.text, s.form.wide ? look.theme.warn : look.theme.good,
       s.form.wide ? standing_text(standing) : std::string(layout::name(standing)), width);
  section(look, "in the terminal");
  mono_lines(look,
             {fmt::format("lanescope swizzle --mode {} --major {} --bits {} --rows {} --cols {}",
                          mode_name(s.form), s.form.major == layout::Major::K ? "K" : "MN",
                          s.form.bits, s.form.rows, s.form.cols)},
             look.theme.code);
}

}  // namespace lanescope::viz
