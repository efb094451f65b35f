// SPDX-License-Identifier: MIT
// The page of an entry of the atlas, in words: what is known of it, and the ways on from there.
#include <fmt/format.h>

#include "layout/thread_value.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

void draw_entry(Workspace& ws, const Look& look) {
  const Entry& entry = ws.atlas.entry;
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.strong, look.theme.accent, "From the atlas");
  gap(look, 0.1f);
  text(look.fonts.text, look.theme.text,
       "There is no run behind this page: it is the map alone, without values.", width);
  gap(look, 0.3f);
  text(look.fonts.mono, look.theme.text, entry.mnemonic(), width);
  const float indent = 5 * look.em;
  const auto fact = [&](const std::string& what, std::string_view words, Rgb ink) {
    text(look.fonts.text, look.theme.dim, what);
    ImGui::SameLine(indent);
    text(look.fonts.text, ink, words, width - indent);
  };
  gap(look, 0.2f);
  fact("standing", standing_text(entry.standing()),
       entry.standing() == layout::Standing::verified ? look.theme.good : look.theme.warn);
  for (const Known& known : known_of(entry))
    fact(known.what, known.words, known.what == "note" ? look.theme.warn : look.theme.text);
  // The inspector lists A to D.
  const std::vector<std::string> operands = operand_lines(entry);
  const bool result = entry.mover != nullptr && entry.mover->in_tensor_lanes();
  if (!result && (entry.mover != nullptr || operands.size() > 4)) {
    section(look, "in every lane");
    mono_lines(look, operands, look.theme.text);
  }
  const auto layouts = entry.mover != nullptr ? layout::named_layouts(*entry.mover)
                                              : layout::named_layouts(*entry.instruction);
  if (!layouts.empty()) {
    section(look, "CuTe: from (thread, value) to an index");
    std::vector<std::string> lines;
    for (const layout::NamedLayout& each : layouts) {
      lines.push_back(fmt::format("{:<4} {}", each.name, layout::text(each.layout)));
      lines.push_back("     " + each.means);
    }
    mono_lines(look, lines, look.theme.text);
    probe(ws, "cute");
  }
  section(look, "what changes to another");
  if (button(look, "beside", "another beside it")) {
    open_atlas(ws, "");  // all of them: those that were looked for are alike
    ws.message = fmt::format("= or a click on \"beside\" lays a line beside {}", entry.mnemonic());
    ws.message_is_error = false;
  }
  probe(ws, "beside");
  section(look, "in the terminal");
  mono_lines(look, {fmt::format("lanescope layout {}", entry.mnemonic())}, look.theme.code);
}

}  // namespace lanescope::viz
