// SPDX-License-Identifier: MIT
#include "app/renderer.hpp"

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif
#include <imgui_impl_opengl3.h>

#include "app/fonts.hpp"

namespace lanescope::viz {
namespace {

#ifdef __EMSCRIPTEN__
constexpr const char* kShaders = "#version 300 es";  // WebGL 2
#else
constexpr const char* kShaders = "#version 330 core";
#endif

}  // namespace

Renderer::Renderer(float scale) : scale_(scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // the window keeps nothing on the disk
  fonts_ = load_fonts(scale);
  ok_ = ImGui_ImplOpenGL3_Init(kShaders);
}

Renderer::~Renderer() {
  if (ok_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void Renderer::rescale(float scale) {
  if (scale == scale_) return;
  scale_ = scale;
  ImGui::GetIO().Fonts->Clear();
  fonts_ = load_fonts(scale);
#if IMGUI_VERSION_NUM >= 19200
  ImGui_ImplOpenGL3_DestroyDeviceObjects();  // made again, with the new fonts, by the next frame
#else
  // Their texture alone. In 1.86 the buffers, once destroyed, come back without their memory, and
  // nothing is drawn any more.
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
  styled_ = -1;
}

void Renderer::frame(Workspace& workspace, int width_px, int height_px) {
  ImGui_ImplOpenGL3_NewFrame();
  if (styled_ != (workspace.dark ? 1 : 0)) {
    styled_ = workspace.dark ? 1 : 0;
    apply_style(theme(workspace.dark), fonts_.text.size);
  }
  ImGui::NewFrame();
  draw_workspace(workspace, fonts_);
  ImGui::Render();
  glViewport(0, 0, width_px, height_px);
  const ImVec4 back = vector(theme(styled_ == 1).background);  // a button may have changed it
  glClearColor(back.x, back.y, back.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace lanescope::viz
