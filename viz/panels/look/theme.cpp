// SPDX-License-Identifier: MIT
#include "panels/look/theme.hpp"

namespace lanescope::viz {
namespace {

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

constexpr Theme kDark{true,          rgb(0x121419), rgb(0x191c23), rgb(0x232730),
                      rgb(0x2b303a), rgb(0xe8eaf0), rgb(0x9aa1b1), rgb(0x8a91a2),
                      rgb(0xffcb52), rgb(0x4d8df6), rgb(0x7ed492), rgb(0xf2a365),
                      rgb(0xff7a76), rgb(0xa9d88b), rgb(0x2f6fe0), rgb(0xffffff)};
constexpr Theme kLight{false,         rgb(0xf3f4f7), rgb(0xffffff), rgb(0xe9ebf0),
                       rgb(0xd9dce3), rgb(0x1b1e26), rgb(0x5b6272), rgb(0x636a7a),
                       rgb(0xa84c06), rgb(0x1f5ae0), rgb(0x177a3c), rgb(0xa64d08),
                       rgb(0xc62828), rgb(0x2f6b1f), rgb(0x1f5ae0), rgb(0x0b0d12)};

// A trace may hold a line of megabytes; nobody reads that in a panel, and every frame would lay it
// out again.
constexpr std::size_t kLongestText = 4000;
constexpr std::size_t kLongestLine = 500;

// Cut at a character of UTF-8, never inside one.
std::string_view at_most(std::string_view words, std::size_t bytes) {
  if (words.size() <= bytes) return words;
  while (bytes > 0 && (static_cast<unsigned char>(words[bytes]) & 0xc0) == 0x80) --bytes;
  return words.substr(0, bytes);
}

const char* end(std::string_view words) { return words.data() + words.size(); }

}  // namespace

const Theme& theme(bool dark) { return dark ? kDark : kLight; }

void apply_style(const Theme& t, float em) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = ImVec2(0, 0);
  style.WindowRounding = style.ChildRounding = style.PopupRounding = em * 0.35f;
  style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = em * 0.28f;
  style.FramePadding = ImVec2(em * 0.6f, em * 0.35f);
  style.ItemSpacing = ImVec2(em * 0.5f, em * 0.35f);
  style.ScrollbarSize = em * 0.75f;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = style.ChildBorderSize = 1;
  style.AntiAliasedLinesUseTex = false;  // exact edges for pictures that are compared
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vector(t.text);
  c[ImGuiCol_TextDisabled] = vector(t.dim);
  c[ImGuiCol_WindowBg] = vector(t.background);
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_PopupBg] = vector(t.panel);
  c[ImGuiCol_Border] = vector(t.border);
  c[ImGuiCol_FrameBg] = c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vector(t.raised);
  c[ImGuiCol_Button] = vector(t.raised);
  c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ButtonActive] = vector(t.border);
  c[ImGuiCol_Header] = c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vector(t.raised);
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = vector(t.border);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vector(t.faint);
  c[ImGuiCol_TextSelectedBg] = vector(mix(t.panel, t.link, 0.4f));
}

std::string wrapped(const Font& font, std::string_view words, float width) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    std::string_view line = words.substr(0, end);
    while (text_width(font, line) > width) {
      std::size_t at = 0;
      for (std::size_t blank = line.find(' ', std::min(line.find_first_not_of(' '), line.size()));
           blank != line.npos && text_width(font, line.substr(0, blank)) <= width;
           blank = line.find(' ', blank + 1))
        at = blank;
      if (at == 0) {  // one long word
        const char* broken = line_end(font, line.data(), line.data() + line.size(), width);
        at = static_cast<std::size_t>(broken - line.data());
      }
      if (at == 0 || at >= line.size()) break;
      out.append(line.substr(0, at)).append("\n");
      line.remove_prefix(std::min(line.find_first_not_of(' ', at), line.size()));
    }
    out.append(line);
    if (end == words.size()) return out;
    out += '\n';
    words.remove_prefix(end + 1);
  }
}

void text(const Font& font, Rgb c, std::string_view words, float wrap_width) {
  words = at_most(words, kLongestText);
  std::string lines;
  if (wrap_width > 0 && text_width(font, words) > wrap_width)
    lines = wrapped(font, words, wrap_width - 0.5f), words = lines;
  push_font(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(c));
  if (wrap_width > 0) ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wrap_width);
  ImGui::TextUnformatted(words.data(), end(words));
  if (wrap_width > 0) ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void text_at(ImDrawList* draw, const Font& font, ImVec2 at, Rgb c, std::string_view words) {
  draw->AddText(font.font, font.size, at, colour(c), words.data(), end(words));
}

float text_width(const Font& font, std::string_view words) {
  return font.font->CalcTextSizeA(font.size, 1e6f, 0, words.data(), end(words)).x;
}

std::string_view fitted(const Font& font, std::string_view words, float width) {
  words = at_most(words, kLongestLine);
  while (!words.empty() && text_width(font, words) > width)
    words = at_most(words, words.size() - 1);
  return words;
}

std::string shortened(const Font& font, std::string_view words, float width) {
  if (words.size() <= kLongestLine && text_width(font, words) <= width) return std::string(words);
  const char* dots = "\u2026";
  return std::string(fitted(font, words, width - text_width(font, dots))) + dots;
}

std::string whole_examples(const Font& font, std::string_view examples, float width) {
  while (text_width(font, examples) > width) {
    const std::size_t last = examples.rfind("  ");
    if (last == std::string_view::npos) return {};
    examples = examples.substr(0, examples.find_last_not_of(' ', last) + 1);
  }
  return std::string(examples);
}

float button_width(const Look& look, std::string_view label) {
  return text_width(look.fonts.text, label) + look.em * 1.3f;
}

bool button(const Look& look, const char* id, std::string_view label, bool chosen) {
  const float height = look.em * 1.75f;
  const ImVec2 size(button_width(look, label), height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, size);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& t = look.theme;
  const Rgb fill = chosen ? t.chosen : hovered ? t.border : t.raised;
  draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), colour(fill), look.em * 0.28f);
  const Rgb ink = chosen ? text_on(t.chosen) : t.text;
  text_at(draw, look.fonts.text,
          ImVec2(at.x + look.em * 0.65f, at.y + (height - look.fonts.text.size) / 2), ink, label);
  return clicked;
}

}  // namespace lanescope::viz
