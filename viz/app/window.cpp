// SPDX-License-Identifier: MIT
// The window: GLFW, OpenGL 3.3, Dear ImGui. It sleeps until something happens.
#include "app/window.hpp"

// Order matters: glad before GLFW.
#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "app/display.hpp"
#include "app/file_watch.hpp"
#include "app/keyboard.hpp"
#include "app/renderer.hpp"
#include "app/screenshot.hpp"
#include "app/session.hpp"
#include "app/settings.hpp"
#include "app/trace_files.hpp"
#include "panels/look/paste.hpp"

namespace lanescope::viz {
namespace {

// Dear ImGui needs a frame to see an input, one to lay out anew, one to draw hovers that follow.
constexpr int kFramesAfterEvent = 3;
// While steps go on by themselves, from one frame to the next.
constexpr double kPlayed_s = 1 / 30.0;

struct App {
  GLFWwindow* window = nullptr;
  Workspace workspace;
  WindowOptions options;
  std::vector<std::string> dropped;
  std::string logged;
  std::string titled;
  Settings kept;  // as they were written last
  int frames_to_draw = kFramesAfterEvent;
  Keyboard keyboard;
  bool said_restless = false;
};

void on_drop(GLFWwindow* window, int count, const char** paths) {
  auto* app = static_cast<App*>(glfwGetWindowUserPointer(window));
  app->dropped.assign(paths, paths + count);
}

void on_refresh(GLFWwindow* window) {
  static_cast<App*>(glfwGetWindowUserPointer(window))->frames_to_draw = kFramesAfterEvent;
}

// Also what comes while frames are drawn has all of its own: the last one shows what a button did.
void on_button(GLFWwindow* window, int, int, int) { on_refresh(window); }
void on_pointer(GLFWwindow* window, double, double) { on_refresh(window); }

void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  auto* app = static_cast<App*>(glfwGetWindowUserPointer(window));
  app->keyboard.command(app->workspace, key, scancode, action, modifiers);
}

void on_any_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  static_cast<App*>(glfwGetWindowUserPointer(window))
      ->keyboard.key(window, key, scancode, action, modifiers);
}

void on_character(GLFWwindow* window, unsigned character) {
  auto* app = static_cast<App*>(glfwGetWindowUserPointer(window));
  app->keyboard.character(window, app->workspace, character);
}

// What the window says it has selected: its title, and a line in the log where one is asked for.
void say_selection(App& app) {
  const std::string words = selected_words(app.workspace);
  const std::string title = words.empty() ? "Lanescope" : "Lanescope: " + words;
  if (title != app.titled) glfwSetWindowTitle(app.window, title.c_str());
  app.titled = title;
  if (words == app.logged || app.options.log_selection.empty()) return;
  app.logged = words;
  if (std::FILE* log = std::fopen(app.options.log_selection.c_str(), "a")) {
    std::fprintf(log, "%s\n", words.c_str());
    std::fclose(log);
  }
}

void say(App& app, bool good, std::string message) {
  app.workspace.message = std::move(message);
  app.workspace.message_is_error = !good;
  app.frames_to_draw = kFramesAfterEvent;
}

// What the window shows now, before it is told that a picture was taken.
void take_picture(App& app, int width, int height) {
  Workspace& ws = app.workspace;
  if (ws.picture_request) {
    const std::string path = picture_path(ws.trace_path, app.options, ".png");
    const std::string problem = write_png(read_picture(width, height), path);
    say(app, problem.empty(), problem.empty() ? "picture: " + path : problem);
  }
  if (ws.svg_request) {
    const std::string path = picture_path(ws.trace_path, app.options, ".svg");
    const std::string problem = write_svg(ws, path);
    say(app, problem.empty(), problem.empty() ? "drawing: " + path : problem);
  }
  ws.picture_request = ws.svg_request = false;
}

// What was written anew, by the exercise's next check, say, is read again; that somebody is writing
// all the time is said once.
void follow_file(App& app, FileWatch& files) {
  Workspace& ws = app.workspace;
  const auto watch = [&] {
    const Followed traces = followed(ws);
    files.watch(traces.paths, traces.stamp);
  };
  watch();
  const bool restless = files.restless() && can_reread(ws);
  if (restless && !app.said_restless)
    say(app, true, "the file is being written: it is read again when it rests");
  app.said_restless = restless;
  if (!files.changed() || !can_reread(ws)) return;
  reread(ws, app.options);
  watch();
  app.frames_to_draw = kFramesAfterEvent;
}

// Before the window sleeps: who ends it otherwise than by closing it is remembered, too.
void keep_settings(App& app) {
  const Settings now = settings_of(app.workspace);
  if (app.frames_to_draw > 0 || now == app.kept) return;
  write_settings(app.options.settings, now);
  app.kept = now;
}

void run(App& app, Renderer& renderer) {
  FileWatch files([](const FileWatch::Paths& paths) { return stamp_of(paths); },
                  glfwPostEmptyEvent);
  bool listed = false;
  while (glfwWindowShouldClose(app.window) == 0) {
    const bool playing = app.workspace.play.on;
    if (app.frames_to_draw > 0)
      glfwPollEvents();
    else if (playing)
      glfwWaitEventsTimeout(kPlayed_s), app.frames_to_draw = 1;
    else
      glfwWaitEvents(), app.frames_to_draw = kFramesAfterEvent;
    --app.frames_to_draw;
    if (obey_requests(app.workspace, app.options, std::exchange(app.dropped, {})))
      app.frames_to_draw = kFramesAfterEvent;
    follow_file(app, files);
    if (app.workspace.show_traces && !listed) list_anew(app.workspace, app.options);
    listed = app.workspace.show_traces;
    const float scale = app.options.scale > 0 ? app.options.scale : display_scale(app.window);
    renderer.rescale(std::clamp(scale * app.workspace.text_scale, 0.5f, 4.0f));
    int width = 0, height = 0;
    glfwGetFramebufferSize(app.window, &width, &height);
    if (width == 0 || height == 0) continue;  // minimised
    ImGui_ImplGlfw_NewFrame();
    renderer.frame(app.workspace, width, height);
    if (app.keyboard.release_seen(app.window)) app.frames_to_draw = kFramesAfterEvent;
    take_picture(app, width, height);
    glfwSwapBuffers(app.window);
    say_selection(app);
    keep_settings(app);
    if (playing && !app.workspace.play.on) app.frames_to_draw = kFramesAfterEvent;
  }
}

/// Why it cannot be opened, or "" when it is closed.
std::string open_and_run(App& app) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  // A size that was asked for is one in pixels, whatever the display.
  const bool sized = app.options.width > 0 || app.options.height > 0;
  const bool by_display = app.options.scale <= 0 && !sized;
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, by_display ? GLFW_TRUE : GLFW_FALSE);
  const float size = app.options.scale > 0 ? std::clamp(app.options.scale, 0.5f, 4.0f) : 1;
  const std::array<int, 2> usual = usual_size(by_display ? monitor_scale() : size);
  app.window = glfwCreateWindow(pixels_of(app.options.width, usual[0], size),
                                pixels_of(app.options.height, usual[1], size), "Lanescope", nullptr,
                                nullptr);
  if (app.window == nullptr) return start_problem();
  glfwMakeContextCurrent(app.window);
  if (gladLoadGL(glfwGetProcAddress) == 0)
    return "OpenGL 3.3 cannot be loaded; use `lanescope view --text`";
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(app.window, &app);
  glfwSetDropCallback(app.window, on_drop);
  glfwSetWindowRefreshCallback(app.window, on_refresh);
  glfwSetKeyCallback(app.window, on_key);  // Dear ImGui calls these, too
  glfwSetMouseButtonCallback(app.window, on_button);
  glfwSetCursorPosCallback(app.window, on_pointer);
  glfwSetScrollCallback(app.window, on_pointer);
  Renderer renderer(app.options.scale > 0 ? size : display_scale(app.window));
  if (!renderer.ok()) return "Dear ImGui cannot use this OpenGL; use `lanescope view --text`";
  ImGui_ImplGlfw_InitForOpenGL(app.window, true);
  glfwSetKeyCallback(app.window, on_any_key);
  glfwSetCharCallback(app.window, on_character);
  paste_one_line();
  run(app, renderer);
  ImGui_ImplGlfw_Shutdown();
  return {};
}

void choose_platform() {
#if defined(GLFW_PLATFORM)  // from GLFW 3.4 on, which asks for Wayland, too
  const char* sockets = std::getenv("XDG_RUNTIME_DIR");
  // Without the folder of its sockets libwayland has nothing to say, and prints that.
  if (sockets == nullptr || *sockets == '\0') glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

}  // namespace

std::string run_window(const WindowOptions& options) {
  App app;
  app.options = options;
  if (std::string problem = begin_session(app.workspace, options); !problem.empty()) return problem;
  app.kept = read_settings(options.settings);
  app.kept.light = app.kept.light || options.light;
  apply(app.workspace, app.kept);
  // Other questions every time; the seed is shown, and `lanescope quiz --seed` asks them again.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  app.workspace.quiz.seed = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(now).count() % 1000000);
  choose_platform();
  if (glfwInit() == GLFW_FALSE) return start_problem();
  std::string problem = open_and_run(app);
  if (app.window != nullptr) glfwDestroyWindow(app.window);
  glfwTerminate();
  return problem;
}

}  // namespace lanescope::viz
