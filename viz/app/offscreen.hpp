// SPDX-License-Identifier: MIT
// OpenGL without a display: a surfaceless EGL context and a framebuffer of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::viz {

/// RGB, row after row from the top, no gaps.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// What the current framebuffer has.
Picture read_picture(int width, int height);

class Offscreen {
 public:
  /// Makes the context current, or says in `problem` why it cannot.
  static std::unique_ptr<Offscreen> make(int width, int height, std::string& problem);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  Picture read() const;

 private:
  Offscreen() = default;
  bool make_context(std::string& problem);
  bool make_framebuffer(std::string& problem);

  void* display_ = nullptr;
  void* context_ = nullptr;
  unsigned framebuffer_ = 0, colour_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace lanescope::viz
