// SPDX-License-Identifier: MIT
#include "app/keyboard.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <utility>

#include "panels/panels.hpp"

namespace lanescope::viz {

// Ctrl and a character: Dear ImGui 1.86 knows only those of text fields, and the place of + and -
// is another on every keyboard, so the layout is asked.
void Keyboard::command(Workspace& ws, int key, int scancode, int action, int modifiers) {
  held_ = action == GLFW_REPEAT;
  if (action == GLFW_RELEASE || (modifiers & GLFW_MOD_CONTROL) == 0) return;
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return;
  if (name[0] == '+' || name[0] == '=') change_text_size(ws, 1);
  if (name[0] == '-') change_text_size(ws, -1);
  if (name[0] == '0') change_text_size(ws, 0);
  if (name[0] == 's' && action == GLFW_PRESS)
    ((modifiers & GLFW_MOD_SHIFT) != 0 ? ws.svg_request : ws.picture_request) = true;
}

// Dear ImGui 1.86 looks at keys once a frame, and would not see one that was let go before: where
// pixels are made by the processor a frame may take longer than a finger.
void Keyboard::key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  if (action == GLFW_PRESS) pressed_.push_back(key);
  const bool unseen = std::find(pressed_.begin(), pressed_.end(), key) != pressed_.end();
  if (action == GLFW_RELEASE && unseen)
    released_.push_back({key, scancode, modifiers});
  else
    ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, modifiers);
}

// Instead of Dear ImGui's own, which would take what a held key repeats, too. An input method's
// characters come without a key: they are new ones.
void Keyboard::character(GLFWwindow* window, Workspace& ws, unsigned character) const {
  if (takes_character(ws, character, held_)) ImGui_ImplGlfw_CharCallback(window, character);
}

bool Keyboard::release_seen(GLFWwindow* window) {
  pressed_.clear();
  if (released_.empty()) return false;
  for (const Release& late : std::exchange(released_, {}))
    ImGui_ImplGlfw_KeyCallback(window, late.key, late.scancode, GLFW_RELEASE, late.modifiers);
  return true;
}

}  // namespace lanescope::viz
