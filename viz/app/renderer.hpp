// SPDX-License-Identifier: MIT
// Dear ImGui on OpenGL 3.3: one context, its fonts, one frame drawn into whatever framebuffer is
// bound. The window and the picture without a display share it.
#pragma once

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

class Renderer {
 public:
  /// An OpenGL 3.3 core context is current, its functions are loaded.
  explicit Renderer(float scale);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  bool ok() const { return ok_; }
  /// Other fonts for another scale; between frames.
  void rescale(float scale);
  /// NewFrame has been called on the platform's side; draws and renders.
  void frame(Workspace& workspace, int width_px, int height_px);

 private:
  Fonts fonts_;
  float scale_ = 1;
  bool ok_ = false;
  int styled_ = -1;  // which theme the style was made for
};

}  // namespace lanescope::viz
