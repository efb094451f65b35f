// SPDX-License-Identifier: MIT
#include "web/input.hpp"

#include <emscripten/emscripten.h>
#include <emscripten/html5.h>

#include <cctype>
#include <cfloat>
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "panels/look/imgui_compat.hpp"
#include "web/browser.hpp"

namespace lanescope::viz {
namespace {

constexpr double kPixelsANotch = 100, kLinesANotch = 3;  // of a wheel, as browsers count

struct Event {
  std::function<void(Workspace&, float scale)> tell;
  bool presses = false;  // or lets go: one a frame
};

struct Input {
  std::deque<Event> waiting;
  std::string clipboard;  // what was pasted, and what was copied last
};

Input& input() {
  static Input one;
  return one;
}

void add(std::function<void(Workspace&, float)> tell, bool presses = false) {
  input().waiting.push_back({std::move(tell), presses});
}

void point(double x, double y) {
  add([x = static_cast<float>(x), y = static_cast<float>(y)](Workspace&, float scale) {
    feed_mouse(x * scale, y * scale);
  });
}

void press(bool down, int button = 0) {
  add([down, button](Workspace&, float) { feed_button(down, button); }, true);
}

// In notches of a wheel.
void scroll(double sideways, double down) {
  add([down = static_cast<float>(down), sideways = static_cast<float>(sideways)](
          Workspace&, float) { feed_wheel(down, sideways); });
}

// Dear ImGui's names of the keys that fields and panels ask for; letters with Ctrl.
ImGuiKey key_named(std::string_view name) {
  constexpr std::pair<std::string_view, ImGuiKey> kNames[] = {{"ArrowUp", ImGuiKey_UpArrow},
                                                              {"ArrowDown", ImGuiKey_DownArrow},
                                                              {"ArrowLeft", ImGuiKey_LeftArrow},
                                                              {"ArrowRight", ImGuiKey_RightArrow},
                                                              {"Tab", ImGuiKey_Tab},
                                                              {"Escape", ImGuiKey_Escape},
                                                              {"Enter", ImGuiKey_Enter},
                                                              {"Backspace", ImGuiKey_Backspace},
                                                              {"PageUp", ImGuiKey_PageUp},
                                                              {"PageDown", ImGuiKey_PageDown},
                                                              {"Home", ImGuiKey_Home},
                                                              {"End", ImGuiKey_End},
                                                              {"Delete", ImGuiKey_Delete},
                                                              {"Insert", ImGuiKey_Insert},
                                                              {" ", ImGuiKey_Space},
                                                              {"a", ImGuiKey_A},
                                                              {"c", ImGuiKey_C},
                                                              {"v", ImGuiKey_V},
                                                              {"x", ImGuiKey_X},
                                                              {"y", ImGuiKey_Y},
                                                              {"z", ImGuiKey_Z}};
  for (const auto& [known, key] : kNames)
    if (known == name) return key;
  return ImGuiKey_COUNT;
}

void press_key(ImGuiKey key, bool down, bool ctrl, bool shift, bool alt) {
  add(
      [=](Workspace&, float) {
        feed_modifiers(ctrl, shift, alt);
        if (key != ImGuiKey_COUNT) feed_any_key(key, down);
      },
      true);
}

// The one character of a key that writes one; 0 of "Enter" and its like.
char32_t character_of(std::string_view name) {
  if (name.empty()) return 0;
  const auto first = static_cast<unsigned char>(name[0]);
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (name.size() != bytes) return 0;
  char32_t character = bytes == 1 ? first : first & (0x7fu >> bytes);
  for (std::size_t at = 1; at < bytes; ++at)
    character = character << 6 | (static_cast<unsigned char>(name[at]) & 0x3fu);
  return character;
}

// What the browser itself is not to do with it: scroll, search, leave the page. It keeps reload,
// zoom, tabs and the clipboard's own paste.
EM_BOOL on_key(int type, const EmscriptenKeyboardEvent* e, void*) {
  if (types_elsewhere()) return EM_FALSE;
  const std::string name = e->key;
  const bool down = type != EMSCRIPTEN_EVENT_KEYUP, ctrl = e->ctrlKey || e->metaKey;
  const bool writes_by_alt = e->ctrlKey && e->altKey;  // AltGr
  const char32_t character = character_of(name);
  if (ctrl && !writes_by_alt) {
    constexpr std::string_view kOurs = "acxyzs";
    if (name == "v" || name == "V") return EM_FALSE;  // comes as what is pasted
    const auto lower =
        static_cast<char>(character < 0x80 ? std::tolower(static_cast<int>(character)) : 0);
    if (character != 0 && kOurs.find(lower) == kOurs.npos) return EM_FALSE;
    if (lower == 's') {
      const bool drawing = e->shiftKey;
      if (down)
        add([drawing](Workspace& ws, float) {
          (drawing ? ws.svg_request : ws.picture_request) = true;
        });
      return EM_TRUE;
    }
    press_key(character == 0 ? key_named(name) : key_named(std::string_view(&lower, 1)), down, true,
              e->shiftKey, e->altKey);
    return EM_TRUE;
  }
  const bool function_key = name.size() > 1 && name[0] == 'F' && character == 0;
  const bool other_alt = e->altKey && !writes_by_alt && name.rfind("Arrow", 0) != 0;
  if (function_key || other_alt) return EM_FALSE;
  press_key(key_named(name), down, false, e->shiftKey, e->altKey && !writes_by_alt);
  if (down && character >= 0x20) {
    const bool again = e->repeat;
    add([character, again](Workspace& ws, float) {
      if (takes_character(ws, character, again))
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(character));
    });
  }
  return EM_TRUE;
}

// `of_window`: its place is that in the browser's window, of which the canvas has a part.
EM_BOOL on_mouse(int type, const EmscriptenMouseEvent* e, void* of_window) {
  if (type == EMSCRIPTEN_EVENT_MOUSELEAVE) {
    add([](Workspace&, float) { feed_mouse(-FLT_MAX, -FLT_MAX); });
    return EM_TRUE;
  }
  point(e->targetX - (of_window != nullptr ? canvas_left() : 0), e->targetY);
  // 3 and 4, back and forward, lead through what was looked at, not out of the page.
  const bool ours = e->button == 0 || e->button == 3 || e->button == 4;
  const bool moved = type == EMSCRIPTEN_EVENT_MOUSEMOVE;
  if (ours && !moved) press(type == EMSCRIPTEN_EVENT_MOUSEDOWN, e->button);
  return e->button >= 3 && !moved;  // else the canvas gets the focus
}

EM_BOOL on_wheel(int, const EmscriptenWheelEvent* e, void*) {
  if (e->mouse.ctrlKey) return EM_FALSE;  // the browser's zoom
  const double a_notch = e->deltaMode == DOM_DELTA_PIXEL ? kPixelsANotch : kLinesANotch;
  scroll(-e->deltaX / a_notch, -e->deltaY / a_notch);
  return EM_TRUE;
}

// One finger: a tap is a click, what moves scrolls.
struct Finger {
  double x = 0, y = 0;
  bool scrolls = false;
};

EM_BOOL on_touch(int type, const EmscriptenTouchEvent* e, void*) {
  constexpr double kStill = 8;  // pixels that a tap may move
  static Finger finger;
  if (e->numTouches != 1) return EM_FALSE;
  const double x = e->touches[0].targetX, y = e->touches[0].targetY;
  if (type == EMSCRIPTEN_EVENT_TOUCHSTART) {
    finger = {x, y, false};
    point(x, y);
    return EM_TRUE;
  }
  if (type == EMSCRIPTEN_EVENT_TOUCHMOVE) {
    finger.scrolls = finger.scrolls || std::hypot(x - finger.x, y - finger.y) > kStill;
    if (!finger.scrolls) return EM_TRUE;
    scroll((x - finger.x) / kPixelsANotch, (y - finger.y) / kPixelsANotch);
    finger = {x, y, true};
    return EM_TRUE;
  }
  if (type != EMSCRIPTEN_EVENT_TOUCHEND || finger.scrolls) return EM_TRUE;
  add([](Workspace&, float) {}, true);  // a frame that sees the finger before it presses
  press(true);
  press(false);
  return EM_TRUE;
}

// Nothing stays pressed that is let go elsewhere.
EM_BOOL on_blur(int, const EmscriptenFocusEvent*, void*) {
  add(
      [](Workspace&, float) {
        feed_button(false);
        let_go_of_keys();
      },
      true);
  return EM_FALSE;
}

const char* clipboard_text(void*) { return input().clipboard.c_str(); }

void copy_text(void*, const char* text) {
  input().clipboard = text;
  set_clipboard(text);
}

}  // namespace

void listen() {
  use_own_key_codes();
  ImGuiIO& io = ImGui::GetIO();
  io.GetClipboardTextFn = clipboard_text;
  io.SetClipboardTextFn = copy_text;
  const char* const window = EMSCRIPTEN_EVENT_TARGET_WINDOW;
  emscripten_set_keydown_callback(window, nullptr, EM_TRUE, on_key);
  emscripten_set_keyup_callback(window, nullptr, EM_TRUE, on_key);
  emscripten_set_mousedown_callback("#canvas", nullptr, EM_TRUE, on_mouse);
  static bool of_window = true;
  emscripten_set_mousemove_callback(window, &of_window, EM_TRUE, on_mouse);
  emscripten_set_mouseup_callback(window, &of_window, EM_TRUE, on_mouse);
  emscripten_set_mouseleave_callback("#canvas", nullptr, EM_TRUE, on_mouse);
  emscripten_set_wheel_callback("#canvas", nullptr, EM_TRUE, on_wheel);
  emscripten_set_touchstart_callback("#canvas", nullptr, EM_TRUE, on_touch);
  emscripten_set_touchmove_callback("#canvas", nullptr, EM_TRUE, on_touch);
  emscripten_set_touchend_callback("#canvas", nullptr, EM_TRUE, on_touch);
  emscripten_set_touchcancel_callback("#canvas", nullptr, EM_TRUE, on_touch);
  emscripten_set_blur_callback(window, nullptr, EM_TRUE, on_blur);
}

bool feed_events(Workspace& ws, double scale) {
  std::deque<Event>& waiting = input().waiting;
  bool any = false, pressed = false;
  while (!waiting.empty() && !(pressed && waiting.front().presses)) {
    const Event next = std::move(waiting.front());
    waiting.pop_front();
    next.tell(ws, static_cast<float>(scale));
    pressed = pressed || next.presses;
    any = true;
  }
  return any;
}

}  // namespace lanescope::viz

extern "C" EMSCRIPTEN_KEEPALIVE void lanescope_pasted(const char* text) {
  using namespace lanescope::viz;
  input().clipboard = text;
  press_key(ImGuiKey_V, true, true, false, false);
  press_key(ImGuiKey_V, false, false, false, false);
}
