// SPDX-License-Identifier: MIT
#include "app/screenshot.hpp"

#include <stb_image_write.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/renderer.hpp"
#include "app/session.hpp"
#include "app/window.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

Picture draw_picture(Workspace& workspace, int width, int height, float scale, std::string& problem,
                     int frames) {
  const auto offscreen = Offscreen::make(width, height, problem);
  if (!offscreen) return {};
  Renderer renderer(scale);
  if (!renderer.ok()) {
    problem = "Dear ImGui cannot use this OpenGL";
    return {};
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  for (int frame = 0; frame < frames; ++frame) {
    io.DeltaTime = 1.0f / 60;
    renderer.frame(workspace, width, height);
  }
  return offscreen->read();
}

namespace {

// A picture that ends in the middle is none. A device or a pipe stays.
void remove_half_written(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) std::filesystem::remove(path, error);
}

// Why `bytes` cannot be written, the disk being full, say; or "".
std::string write_file(const std::string& bytes, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  int problem = file == nullptr ? errno : 0;
  if (file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    problem = errno;
  if (file != nullptr && std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem != 0 && file != nullptr) remove_half_written(path);
  return problem == 0 ? std::string() : "cannot write " + path + ": " + std::strerror(problem);
}

}  // namespace

std::string write_png(const Picture& picture, const std::string& path) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 3,
                             picture.pixels.data(), picture.width * 3) == 0)
    return "cannot make a PNG of " + path;
  return write_file(bytes, path);
}

std::string write_svg(Workspace& workspace, const std::string& path) {
  const std::string drawing = shown_as_svg(workspace);
  if (drawing.empty())
    return "no map is shown that could be drawn as SVG; --panel fragments shows those of a trace, "
           "--atlas WORDS those of an instruction, and a .png can be made of all";
  return write_file(drawing, path);
}

int side_for_display(int room_px, int usual, float scale) {
  constexpr float kShare = 0.92f;  // the rest is for the window's frame and for what else is there
  constexpr int kLeast = 480;
  if (room_px <= 0) return usual;
  const auto fits = static_cast<int>(static_cast<float>(room_px) * kShare / scale);
  return std::clamp(fits, kLeast, usual * 6 / 5);
}

int pixels_of(int asked, int usual, float scale) {
  constexpr int kLeast = 64, kMost = 16384;
  const float wanted =
      asked > 0 ? static_cast<float>(asked) : std::floor(static_cast<float>(usual) * scale);
  return std::clamp(static_cast<int>(wanted), kLeast, kMost);
}

std::string screenshot(const WindowOptions& options, const std::string& path) {
  Workspace workspace;
  std::string problem = begin_session(workspace, options);
  if (!problem.empty()) return problem;
  if (path.ends_with(".svg")) return write_svg(workspace, path);
  const float scale = options.scale > 0 ? std::clamp(options.scale, 0.5f, 4.0f) : 1;
  const int width = pixels_of(options.width, kUsualWidth, scale);
  const int height = pixels_of(options.height, kUsualHeight, scale);
  const Picture picture = draw_picture(workspace, width, height, scale, problem);
  return picture.pixels.empty() ? problem : write_png(picture, path);
}

}  // namespace lanescope::viz
