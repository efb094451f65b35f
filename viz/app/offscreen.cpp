// SPDX-License-Identifier: MIT
#include "app/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <cstring>

namespace lanescope::viz {
namespace {

// Core eglGetPlatformDisplay is not to be had before there is a display: the extension is.
EGLDisplay surfaceless_display() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (extensions != nullptr && get_display != nullptr &&
      std::strstr(extensions, "EGL_MESA_platform_surfaceless") != nullptr)
    return get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

}  // namespace

std::unique_ptr<Offscreen> Offscreen::make(int width, int height, std::string& problem) {
  std::unique_ptr<Offscreen> made(new Offscreen);
  made->width_ = width;
  made->height_ = height;
  if (!made->make_context(problem) || !made->make_framebuffer(problem)) return nullptr;
  return made;
}

bool Offscreen::make_context(std::string& problem) {
  EGLDisplay display = surfaceless_display();
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) {
    problem = "cannot start EGL; install libgl1-mesa-dri";
    return false;
  }
  display_ = display;
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0)
    config = nullptr;  // EGL_KHR_no_config_context
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT ||
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
    problem = "EGL has no OpenGL 3.3; install libgl1-mesa-dri";
    return false;
  }
  context_ = context;
  if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0) {
    problem = "the functions of OpenGL 3.3 cannot be loaded";
    return false;
  }
  return true;
}

bool Offscreen::make_framebuffer(std::string& problem) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width_ > largest || height_ > largest) {
    problem = "a picture can be at most " + std::to_string(largest) + " pixels wide and high";
    return false;
  }
  glGenRenderbuffers(1, &colour_);
  glBindRenderbuffer(GL_RENDERBUFFER, colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return true;
  problem = "OpenGL refuses a framebuffer of this size";
  return false;
}

Picture read_picture(int width, int height) {
  const auto row_bytes = static_cast<std::size_t>(width) * 3;
  std::vector<std::uint8_t> upside_down(row_bytes * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  Picture picture{width, height, std::vector<std::uint8_t>(upside_down.size())};
  for (std::size_t row = 0; row < static_cast<std::size_t>(height); ++row)
    std::memcpy(&picture.pixels[row * row_bytes],
                &upside_down[(static_cast<std::size_t>(height) - 1 - row) * row_bytes], row_bytes);
  return picture;
}

Picture Offscreen::read() const { return read_picture(width_, height_); }

Offscreen::~Offscreen() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (colour_ != 0) glDeleteRenderbuffers(1, &colour_);
  if (display_ == nullptr) return;
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context_ != nullptr) eglDestroyContext(display_, context_);
  // The display stays: it belongs to the process, and Mesa unloads its driver with it, with what
  // the driver has allocated.
}

}  // namespace lanescope::viz
