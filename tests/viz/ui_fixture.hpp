// SPDX-License-Identifier: MIT
// A window without a window: Dear ImGui with a renderer that draws nothing, one input event a
// frame. Tests find things by their probes ("A 3,4", "lane 13", "search") and assert on the model.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "panels/panels.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {

class Ui {
 public:
  explicit Ui(float width = 1440, float height = 920) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(width, height);
    ImFont* font = io.Fonts->AddFontDefault();
    fonts_.text = fonts_.strong = fonts_.mono = {font, 16};
    fonts_.small_mono = {font, 13};
    fonts_.big = {font, 27};
    constexpr std::array<float, 8> kCells{9, 10, 11, 12, 13, 15, 17, 20};
    for (std::size_t at = 0; at < kCells.size(); ++at) fonts_.cell[at] = {font, kCells[at]};
    build_fonts_without_renderer();
    use_own_key_codes();
    apply_style(theme(true), 16);
    ws.probes = &probes_;
  }
  ~Ui() { ImGui::DestroyContext(); }
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  void open(trace::Trace trace, const FindInstruction& find = layout::find_recorded) {
    show_model(ws, make_model(std::move(trace), find), "test.lanes");
    step();
    step();
  }

  void step() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    draw_workspace(ws, fonts_);
    ImGui::Render();
    vertices = ImGui::GetDrawData()->TotalVtxCount;
  }

  void resize(float width, float height) {
    ImGui::GetIO().DisplaySize = ImVec2(width, height);
    step();
    step();
  }

  Box where(const std::string& name) {
    const auto found = probes_.boxes.find(name);
    REQUIRE_MESSAGE(found != probes_.boxes.end(), "nothing called '" << name << "' was drawn");
    return found->second;
  }
  bool drawn(const std::string& name) const { return probes_.boxes.count(name) > 0; }

  void move_to(const std::string& name) {
    const Box box = where(name);
    feed_mouse(box.left + box.width / 2, box.top + box.height / 2);
    step();
    step();  // what is under the pointer is known a frame later
  }
  void click(const std::string& name) {
    move_to(name);
    feed_button(true);
    step();
    feed_button(false);
    step();
  }
  void press(Key key, bool ctrl = false, bool shift = false, bool alt = false) {
    feed_modifiers(ctrl, shift, alt);
    step();
    feed_key(key, true);
    step();
    feed_key(key, false);
    feed_modifiers(false, false);
    step();
  }
  void type(const std::string& words) {
    for (const char c : words) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
      step();
    }
  }
  /// As a user does: '/', the words, Enter.
  void find(const std::string& words) {
    type("/");
    step();
    step();
    type(words);
    press(Key::enter);
    step();
  }

  const Multiplication& in() const { return *ws.shown(); }
  std::string selected() const { return words_of(ws.selection, in()); }

  Workspace ws;
  int vertices = 0;

 private:
  Fonts fonts_;
  Probes probes_;
};

/// A window with a trace in which something is selected, on `page`.
inline void begin(Ui& ui, Page page) {
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  go_to(ui.ws, page);
  ui.step();
  ui.step();
}

/// An entry of the atlas.
inline void open(Ui& ui, const char* name) {
  begin(ui, Page::atlas);
  open_atlas(ui.ws, name);
  ui.step();
  ui.step();
  REQUIRE(ui.ws.page == Page::entry);
}

}  // namespace lanescope::viz
