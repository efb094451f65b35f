// SPDX-License-Identifier: MIT
// The bar above: what is shown, the search box, the labels. And the line below: what is selected,
// what went wrong, the keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<const char*, 5> kLabelNames{"lane", "register", "value", "bits", "both"};

std::string title_of(const Workspace& ws) {
  if (const trace::View* view = ws.model.view(); view != nullptr && !view->title.empty())
    return view->title;
  if (!ws.model.trace.header.program.empty()) return ws.model.trace.header.program;
  return "Lanescope";
}

// Which multiplication is shown: its mnemonic, and a list when the trace has several.
void multiplications(Workspace& ws, const Multiplication& in, const Look& look, float width) {
  const std::size_t count = ws.model.multiplications.size();
  const std::string now = in.instruction->mnemonic;
  if (count < 2) {
    text(look.fonts.mono, look.theme.dim, fitted(look.fonts.mono, now, width));
    return;
  }
  push_font(look.fonts.mono);
  ImGui::SetNextItemWidth(width);
  const std::string shown = fmt::format("{}/{}  {}", ws.current + 1, count, now);
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(1e6f, 24 * look.em));
  const bool open =
      ImGui::BeginCombo("##multiplication", shown.c_str(), ImGuiComboFlags_HeightLarge);
  ImGui::PopFont();
  probe(ws, "multiplication");
  if (!open) return;
  push_font(look.fonts.mono);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count));
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
      const auto index = static_cast<std::size_t>(at);
      const std::string line =
          fmt::format("{}  {}", at + 1, short_name(ws.model.multiplications[index]));
      if (ImGui::Selectable(line.c_str(), index == ws.current)) show_multiplication(ws, index);
      probe(ws, fmt::format("multiplication {}", at));
    }
  ImGui::PopFont();
  ImGui::EndCombo();
}

void search_box(Workspace& ws, const Look& look, float width) {
  ImGui::SetNextItemWidth(width);
  if (ws.focus_search) ImGui::SetKeyboardFocusHere();
  ws.focus_search = false;
  push_font(look.fonts.mono);
  const bool entered = ImGui::InputTextWithHint(
      "##search", "/  A 9,5   lane 13   A.r1.hi", ws.search.data(), ws.search.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ws.searching = ImGui::IsItemActive();
  probe(ws, "search");
  ImGui::PopFont();
  if (entered) search(ws, ws.search.data());
}

float modes_width(const Look& look) {
  float width = 0;
  for (const char* name : kLabelNames) width += text_width(look.fonts.text, name) + 1.3f * look.em;
  return width + 0.15f * look.em * static_cast<float>(kLabelNames.size());
}

void modes(Workspace& ws, const Look& look) {
  for (std::size_t mode = 0; mode < kLabelNames.size(); ++mode) {
    const auto value = static_cast<LabelMode>(mode);
    if (button(look, kLabelNames[mode], kLabelNames[mode], ws.labels == value)) ws.labels = value;
    probe(ws, fmt::format("label {}", kLabelNames[mode]));
    ImGui::SameLine(0, 0.15f * look.em);
  }
}

}  // namespace

void draw_bar(Workspace& ws, const Look& look) {
  const float width = ImGui::GetWindowWidth();
  const float height = ImGui::GetWindowHeight();
  const float middle = (height - 1.75f * look.em) / 2;
  const auto place = [&](float left, float top) { ImGui::SetCursorPos(ImVec2(left, top)); };
  const float pad = 1.1f * look.em;

  // From the right: keys, theme, traces, label modes; the search box; the rest is for the names.
  const char* other_theme = ws.dark ? "light" : "dark";
  const float right_width = text_width(look.fonts.text, "open") +
                            text_width(look.fonts.text, other_theme) +
                            text_width(look.fonts.text, "?") + 3 * 1.3f * look.em + 0.6f * look.em;
  float right = width - pad - right_width;
  place(right, middle);
  if (button(look, "open", "open")) ws.show_traces = !ws.show_traces;
  probe(ws, "open");
  ImGui::SameLine(0, 0.3f * look.em);
  if (button(look, "theme", other_theme)) ws.dark = !ws.dark, ws.theme_changed = true;
  probe(ws, "theme");
  ImGui::SameLine(0, 0.3f * look.em);
  if (button(look, "keys", "?")) ws.show_keys = !ws.show_keys;
  probe(ws, "keys");
  if (ws.shown() == nullptr) {
    place(pad, (height - look.fonts.strong.size) / 2);
    text(look.fonts.strong, look.theme.text, title_of(ws));
    return;
  }
  const Multiplication& in = *ws.shown();
  const float modes_wide = modes_width(look);
  if (width > 46 * look.em) {
    right -= modes_wide + 0.9f * look.em;
    place(right, middle);
    modes(ws, look);
  }
  if (width > 30 * look.em) {
    const float box = std::clamp(width * 0.16f, 9 * look.em, 17 * look.em);
    right -= box + 0.9f * look.em;
    place(right, (height - look.fonts.mono.size) / 2 - 0.35f * look.em);
    search_box(ws, look, box);
  }
  float left = pad;
  const std::string title = title_of(ws);
  const float title_width = std::min(text_width(look.fonts.strong, title), right - pad - look.em);
  place(left, (height - look.fonts.strong.size) / 2);
  text(look.fonts.strong, look.theme.text, fitted(look.fonts.strong, title, title_width + 1));
  left += title_width + 1.2f * look.em;
  const trace::Header& header = ws.model.trace.header;
  const std::string device =
      header.producer.empty()
          ? "map only"
          : fmt::format("{} {}", header.producer == "gpu" ? header.device : header.producer,
                        header.arch);
  const float device_width = text_width(look.fonts.text, device);
  const float room = right - left - 0.9f * look.em;
  const float name_width =
      std::min(room - device_width - 1.2f * look.em,
               text_width(look.fonts.mono, in.instruction->mnemonic) + 6.5f * look.em);
  if (name_width > 8 * look.em) {
    const bool several = ws.model.multiplications.size() > 1;
    place(left, (height - look.fonts.mono.size) / 2 - (several ? 0.35f * look.em : 0));
    multiplications(ws, in, look, name_width);
    left +=
        (several ? name_width
                 : std::min(name_width, text_width(look.fonts.mono, in.instruction->mnemonic))) +
        1.2f * look.em;
  }
  if (left + device_width < right - 0.5f * look.em) {
    place(left, (height - look.fonts.text.size) / 2);
    text(look.fonts.text, header.producer == "gpu" ? look.theme.good : look.theme.link, device);
  }
}

void draw_status(Workspace& ws, const Look& look) {
  const float height = ImGui::GetWindowHeight();
  const float width = ImGui::GetWindowWidth();
  const Theme& t = look.theme;
  const float top = (height - look.fonts.text.size) / 2;
  const float pad = 1.1f * look.em;
  ImGui::SetCursorPos(ImVec2(pad, top));
  const std::string keys = "arrows move   Tab operand   / find   Esc clear   Ctrl+C copy   ? keys";
  const float keys_width = text_width(look.fonts.text, keys);
  const bool with_keys = width > keys_width + 24 * look.em;
  const float room = width - 2 * pad - (with_keys ? keys_width + look.em : 0);
  if (!ws.message.empty()) {
    text(look.fonts.text, ws.message_is_error ? t.bad : t.good,
         fitted(look.fonts.text, ws.message, room));
  } else if (const Multiplication* in = ws.shown(); in != nullptr) {
    std::string words = words_of(ws.selection, *in);
    if (!words.empty()) words = fmt::format("selected  {}", words);
    if (ws.hover.operand != 0) {
      const layout::Holder h = in->holder(ws.hover.operand, ws.hover.row, ws.hover.col);
      const std::string value = value_text(*in, ws.hover.operand, h);
      words += fmt::format("{}{}[{}][{}]{}  lane {}  {}.r{}", words.empty() ? "" : "      ",
                           ws.hover.operand, ws.hover.row, ws.hover.col,
                           value.empty() ? "" : " = " + value, h.thread, ws.hover.operand,
                           h.register_index);
    }
    if (words.empty()) words = "click a cell or a lane; hover an element of D";
    text(look.fonts.text, t.dim, fitted(look.fonts.text, words, room));
  }
  if (!with_keys) return;
  ImGui::SetCursorPos(ImVec2(width - pad - keys_width, top));
  text(look.fonts.text, t.faint, keys);
}

}  // namespace lanescope::viz
