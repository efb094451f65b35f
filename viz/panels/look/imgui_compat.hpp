// SPDX-License-Identifier: MIT
// Every place where Dear ImGui 1.86 (Debian 12), 1.90 (13) and 1.92 differ for us: keys, input
// events, child windows, fonts. The rest of the panels uses only what all three have: no ImGuiKey
// constants, no SeparatorText, no SetItemTooltip.
//
//   until 1.86  IsKeyPressed takes the backend's own codes; input is written into io's arrays
//   from 1.87   IsKeyPressed takes ImGuiKey; input is queued with io.Add...Event
//   from 1.90   BeginChild has flags of its own; ActivateItem is called ActivateItemByID
//   from 1.92   a font has no size of its own: PushFont takes one; the atlas grows on demand
//
// Source: Dear ImGui's changelog, 1.87, 1.90 and 1.92.0.
#pragma once

#include <imgui.h>

namespace lanescope::viz {

/// The keys that are not typed characters. '/', '?' and letters are read as characters, so that
/// they are found on every keyboard layout.
enum class Key {
  up,
  down,
  left,
  right,
  tab,
  escape,
  enter,
  backspace,
  c,
  page_up,
  page_down,
  home,
  end,
  count
};

constexpr int imgui_key(Key key) {
  constexpr int kKeys[] = {ImGuiKey_UpArrow,    ImGuiKey_DownArrow, ImGuiKey_LeftArrow,
                           ImGuiKey_RightArrow, ImGuiKey_Tab,       ImGuiKey_Escape,
                           ImGuiKey_Enter,      ImGuiKey_Backspace, ImGuiKey_C,
                           ImGuiKey_PageUp,     ImGuiKey_PageDown,  ImGuiKey_Home,
                           ImGuiKey_End};
  static_assert(sizeof(kKeys) / sizeof(int) == static_cast<int>(Key::count));
  return kKeys[static_cast<int>(key)];
}

inline bool pressed(Key key, bool repeat = true) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(imgui_key(key)), repeat);
#else
  const int code = ImGui::GetKeyIndex(imgui_key(key));
  return code >= 0 && ImGui::IsKeyPressed(code, repeat);
#endif
}

/// A character typed in this frame (no Ctrl), such as '/'.
inline bool typed(char32_t character) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return false;
  for (const ImWchar queued : io.InputQueueCharacters)
    if (queued == character) return true;
  return false;
}

// Input by program, for tests and for anything without a platform backend.

inline void use_own_key_codes() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
}

/// Also keys that have no name above, for fields of text.
inline void feed_any_key(ImGuiKey key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(key, down);
#else
  ImGui::GetIO().KeysDown[key] = down;
#endif
}

inline void feed_key(Key key, bool down) {
  feed_any_key(static_cast<ImGuiKey>(imgui_key(key)), down);
}

inline void feed_modifiers(bool ctrl, bool shift, bool alt = false) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
  io.AddKeyEvent(ImGuiKey_ModShift, shift);
  io.AddKeyEvent(ImGuiKey_ModAlt, alt);
#else
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
#endif
}

inline void let_go_of_keys() {
  feed_modifiers(false, false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ClearInputKeys();
#else
  for (bool& down : ImGui::GetIO().KeysDown) down = false;
#endif
}

inline void feed_mouse(float column_px, float row_px) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(column_px, row_px);
#else
  ImGui::GetIO().MousePos = ImVec2(column_px, row_px);
#endif
}

inline void feed_button(bool down, int button = 0) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
  ImGui::GetIO().MouseDown[button] = down;
#endif
}

inline void feed_wheel(float notches, float sideways = 0) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(sideways, notches);
#else
  ImGui::GetIO().MouseWheel += notches;
  ImGui::GetIO().MouseWheelH += sideways;
#endif
}

/// A font at a size: from 1.92 one ImFont serves every size.
struct Font {
  ImFont* font = nullptr;
  float size = 13;
};

inline void push_font(const Font& font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font.font, font.size);
#else
  ImGui::PushFont(font.font);
#endif
}

/// Where a line of this width ends: at a blank, or within a word that is longer.
inline const char* line_end(const Font& font, const char* from, const char* to, float width_px) {
#if IMGUI_VERSION_NUM >= 19200
  return font.font->CalcWordWrapPosition(font.size, from, to, width_px);
#else
  return font.font->CalcWordWrapPositionA(font.size / font.font->FontSize, from, to, width_px);
#endif
}

/// A child window without a border; `padded`: with the style's WindowPadding.
inline void begin_child(const char* name, ImVec2 size, bool padded, int flags) {
#if IMGUI_VERSION_NUM >= 19000
  ImGui::BeginChild(name, size, padded ? ImGuiChildFlags_AlwaysUseWindowPadding : 0, flags);
#else
  ImGui::BeginChild(name, size, false,
                    flags | (padded ? ImGuiWindowFlags_AlwaysUseWindowPadding : 0));
#endif
}

/// The next item takes what is typed. In 1.90 an item can where its window has the focus.
inline void focus_next_item() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

// imgui_compat.cpp: the item that was drawn last, 0 of words and of what is no item; and presses it
// as a click does, with the next frame.
ImGuiID last_item();
void press_last_item();

/// The room up to the cursor belongs to what is drawn here: 1.92 wants an item there.
inline void end_at_cursor() { ImGui::Dummy(ImVec2(0, 0)); }

/// Makes the atlas ready where no renderer uploads it.
inline void build_fonts_without_renderer() {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 19200
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
  unsigned char* pixels = nullptr;
  int width_px = 0;
  int height_px = 0;
  io.Fonts->GetTexDataAsAlpha8(&pixels, &width_px, &height_px);
#endif
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

}  // namespace lanescope::viz
