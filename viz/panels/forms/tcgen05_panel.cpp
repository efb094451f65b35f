// SPDX-License-Identifier: MIT
// The descriptor workbench read as tcgen05's: its fields beside those of wgmma, and the instruction
// descriptor. Typed bits become fields; fields are typed as words.
#include <fmt/format.h>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

std::vector<StripField> strip_of(const std::vector<layout::DescriptorField>& fields) {
  std::vector<StripField> strip;
  for (const layout::DescriptorField& f : fields)
    strip.push_back({f.name == "-" ? "" : f.name, f.from, f.width});
  return strip;
}

// A line a field: swatch, name, value, what it means; red where it cannot be.
void field_lines(Workspace& ws, const Look& look, const std::vector<layout::DescriptorField>& all) {
  const float name_end = 4.4f * look.em, value_end = 11.5f * look.em;
  for (std::size_t at = all.size(); at-- > 0;) {
    const layout::DescriptorField& f = all[at];
    if (f.name == "-" && f.good) continue;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = ImGui::GetCursorPosX();
    ImGui::GetWindowDrawList()->AddRectFilled(
        corner, ImVec2(corner.x + 0.25f * look.em, corner.y + 1.1f * look.em),
        colour(f.name == "-" ? look.theme.bad : strip_colour(look.theme, at, true)), 2);
    ImGui::SetCursorPosX(left + 0.6f * look.em);
    text(look.fonts.text, look.theme.dim, f.name == "-" ? "bit" : f.name);
    ImGui::SameLine(left + name_end);
    text(look.fonts.mono, f.good ? look.theme.text : look.theme.bad,
         f.name == "-" ? fmt::format("{}", f.from) : f.value);
    ImGui::SameLine(left + value_end);
    text(look.fonts.text, f.good ? look.theme.dim : look.theme.bad, f.means,
         ImGui::GetContentRegionAvail().x);
    probe(ws, fmt::format("tcgen05 {}", f.name));
  }
}

void not_verified(const Look& look, const char* source) {
  text(look.fonts.text, look.theme.dim, source, ImGui::GetContentRegionAvail().x);
  text(look.fonts.text, look.theme.warn, standing_text(layout::Standing::specified));
}

}  // namespace

void draw_tcgen05_form(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  const float width = text_width(look.fonts.mono, "0x0000000000000000") + 1.6f * look.em;
  if (field(ws, look, "hex", d.hex, fmt::format("{:#018x}", d.tcgen05.bits), width)) {
    std::uint64_t bits = 0;
    std::string why = read_hex(d.hex.data(), bits);
    if (why.empty()) take_tcgen05(bits, d.tcgen05, d.form);
    say(ws, std::move(why));
  }
  ImGui::SameLine(0, 0.7f * look.em);
  if (ImGui::GetContentRegionAvail().x < 6 * look.em) ImGui::NewLine();
  if (button(look, "fit", "fit to the tile")) {
    d.form = right_form(d.form.tile, d.form.step);
    d.tcgen05.bits = tcgen05_bits(d.form);
    say(ws, "");
  }
  probe(ws, "fit");
  const std::vector<layout::DescriptorField> fields =
      layout::fields_of(layout::decode_tcgen05(d.tcgen05.bits), d.form.tile.major);
  bit_strip(look, d.tcgen05.bits, 64, strip_of(fields));
  field_lines(ws, look, fields);
  const float room = ImGui::GetContentRegionAvail().x;
  if (const std::uint64_t set = d.tcgen05.bits & layout::kReservedTcgen05Bits; set != 0)
    text(look.fonts.text, look.theme.bad, fmt::format("bits {:#x} must be 0", set), room);
  section(look, "beside wgmma's");
  const auto same = layout::wgmma_of(layout::decode_tcgen05(d.tcgen05.bits));
  const bool is_tile = descriptor_problem(d.form.tile).empty();  // of wgmma's, too
  mono_lines(look,
             {!same     ? std::string("wgmma has no such descriptor")
              : is_tile ? fmt::format("the same tile: {:#018x}", layout::encode(*same))
                        : std::string("wgmma has no such tile")},
             look.theme.text);
  if (same && is_tile) probe(ws, "wgmma's of the same tile");
  not_verified(look, "PTX ISA 9.2, 9.7.16.4.1");
}

void draw_instruction_form(Workspace& ws, const Look& look) {
  DescriptorState& d = ws.descriptor;
  Tcgen05Form& t = d.tcgen05;
  text(look.fonts.text, look.theme.dim, "tcgen05.mma .kind::");
  std::vector<std::string> kinds;
  for (const std::string_view kind : layout::kTcgen05Kinds) kinds.emplace_back(kind);
  // Two lines: seven buttons do not fit into one.
  int kind = static_cast<int>(t.kind);
  std::vector<std::string> plain(kinds.begin(), kinds.begin() + 4),
      scaled(kinds.begin() + 4, kinds.end());
  int first = kind < 4 ? kind : -1, second = kind - 4;
  bool changed = choices(ws, look, "kind", plain, first);
  if (changed) kind = first;
  if (choices(ws, look, "kind scaled", scaled, second)) kind = second + 4, changed = true;
  if (changed) {
    t.kind = static_cast<layout::Tcgen05Kind>(kind);
    t.instruction = layout::usual_instruction(t.kind);
    say(ws, "");
  }
  const float width = text_width(look.fonts.mono, "0x00000000") + 1.6f * look.em;
  if (field(ws, look, "hex", d.hex, fmt::format("{:#010x}", t.instruction), width)) {
    std::uint64_t bits = 0;
    std::string why = read_hex(d.hex.data(), bits);
    if (why.empty() && bits >> 32 != 0) why = "an instruction descriptor has 32 bits";
    if (why.empty()) t.instruction = static_cast<std::uint32_t>(bits);
    say(ws, std::move(why));
  }
  ImGui::SameLine(0, 0.7f * look.em);
  if (field(ws, look, "set", d.words, "", 9 * look.em))
    say(ws, layout::set_instruction_fields(t.kind, d.words.data(), t.instruction));
  const std::vector<layout::DescriptorField> fields =
      layout::instruction_fields(t.kind, t.instruction);
  bit_strip(look, t.instruction, 32, strip_of(fields));
  field_lines(ws, look, fields);
  text(look.fonts.text, look.theme.faint, "set: m=256 n=128, a field and its value",
       ImGui::GetContentRegionAvail().x);
  section(look, "in the terminal");
  mono_lines(look,
             {fmt::format("lanescope descriptor --instruction {:#010x} --kind {}", t.instruction,
                          kinds[static_cast<std::size_t>(t.kind)])},
             look.theme.code);
  not_verified(look, "PTX ISA 9.2, 9.7.16.4.2");
}

}  // namespace lanescope::viz
