// SPDX-License-Identifier: MIT
// What `lanescope diagnose` says of the selected operand, set in type: the first wrong element is a
// way to it.
#include <fmt/format.h>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// "A[8][0]", which leads there, and what is said of it.
void draw_first(Workspace& ws, const Look& look, const ShownVerdict& one) {
  const Font& font = look.fonts.text;
  if (!one.first_at)
    return text(font, look.theme.text, one.words.first, ImGui::GetContentRegionAvail().x);
  const std::string name =
      fmt::format("{}[{}][{}]", one.operand, one.first_at->row, one.first_at->col);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("first wrong", ImVec2(text_width(font, name), 1.2f * look.em))) {
    const std::string words =
        fmt::format("{} {},{}", one.operand, one.first_at->row, one.first_at->col);
    const auto product = static_cast<std::size_t>(one.product);
    if (product != ws.current) show_multiplication(ws, product);
    search(ws, words);
  }
  probe(ws, "first wrong");
  text_at(ImGui::GetWindowDrawList(), font, at,
          ImGui::IsItemHovered() ? look.theme.text : look.theme.link, name);
  ImGui::SameLine(0, 0.7f * look.em);
  text(font, look.theme.text, one.words.first, ImGui::GetContentRegionAvail().x);
}

}  // namespace

const ShownVerdict* shown_verdict(Workspace& ws, const Multiplication& in) {
  VerdictState& s = ws.steps.verdict;
  const Picked picked = ws.selection.picked;
  if (ws.page != Page::trace || (picked != Picked::element && picked != Picked::reg))
    return nullptr;
  if (s.of != &in || s.operand != ws.selection.operand) {
    s.of = &in;
    s.operand = ws.selection.operand;
    s.shown = verdict_of(s.all, ws.model, ws.steps.list, static_cast<int>(ws.current), s.operand);
  }
  return s.shown ? &*s.shown : nullptr;
}

const ShownVerdict* marked_verdict(Workspace& ws, const Multiplication& in) {
  const ShownVerdict* said = shown_verdict(ws, in);
  const bool here = said != nullptr && said->product == static_cast<int>(ws.current) &&
                    said->operand == ws.selection.operand;
  return here ? said : nullptr;
}

void draw_verdict(Workspace& ws, const Look& look, const ShownVerdict& one) {
  const Font& font = look.fonts.text;
  const float width = ImGui::GetContentRegionAvail().x;
  section(look, title_of(one, static_cast<int>(ws.current)).c_str());
  const OperandVerdict& words = one.words;
  text(font,
       words.is_wrong()                         ? look.theme.warn
       : words.verdict == trace::Verdict::right ? look.theme.good
                                                : look.theme.dim,
       words.headline, width);
  probe(ws, "verdict: " + words.headline);
  if (!words.misplaced.empty()) text(font, look.theme.dim, words.misplaced, width);
  if (!words.first.empty()) draw_first(ws, look, one);
  if (!words.advice.empty())
    text(font, look.theme.text, fmt::format("What to do: {}", words.advice), width);
}

}  // namespace lanescope::viz
