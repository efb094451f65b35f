// SPDX-License-Identifier: MIT
// The window as a web page: the same panels on WebGL 2, the browser's events instead of GLFW's, and
// an address that says what is looked at. The lessons and what they recorded are in the page
// (viz/web/CMakeLists.txt); other traces are dropped onto it, or were put into it by
// `lanescope view TRACE --html`. Nothing leaves the browser.
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/renderer.hpp"
#include "app/session.hpp"
#include "app/settings.hpp"
#include "app/view_words.hpp"
#include "panels/look/imgui_compat.hpp"
#include "panels/look/paste.hpp"
#include "panels/panels.hpp"
#include "panels/way/in_short.hpp"
#include "web/address.hpp"
#include "web/browser.hpp"
#include "web/input.hpp"

namespace lanescope::viz {
namespace {

// Dear ImGui needs a frame to see an input, one to lay out anew, one to draw hovers that follow.
constexpr int kFramesAfterEvent = 3;
// Where page.html puts the trace of what it has run.
constexpr const char* kOfBench = "dropped/run.lanes.zst";

struct WebPage {
  Workspace workspace;
  WindowOptions options;
  std::unique_ptr<Renderer> renderer;
  std::vector<std::string> dropped;
  bool ran = false;       // what was dropped last is what the bench has run
  Settings stored, kept;  // for the next time; as this address began
  std::string title, address;
  int line = 0;  // of the bench's text, that was shown last
  int frames_to_draw = kFramesAfterEvent;
  int width_px = 0, height_px = 0;
  double drawn_ms = 0;
};

WebPage& page() {
  static WebPage one;
  return one;
}

// Where everything lies in the page's own file system.
WindowOptions folders() {
  WindowOptions options;
  options.traces_folder = "traces";
  options.lessons_folder = "lessons";
  options.settings = "window.txt";
  return options;
}

void open(const std::string& words) {
  WebPage& p = page();
  p.options = folders();
  std::string problem = read_view_words(words, p.options);
  if (!problem.empty()) p.options = folders();
  p.kept = p.stored;
  p.kept.light = p.kept.light || p.options.light;
  // Made where it stays: steps point into their trace.
  Workspace& ws = p.workspace = Workspace();
  ws.has_bench = true;
  if (std::string why = begin_session(ws, p.options); problem.empty()) problem = why;
  apply(ws, p.kept);
  ws.quiz.seed = static_cast<std::uint64_t>(std::time(nullptr) % 1000000);
  if (!problem.empty()) show_error(ws, problem);
  p.frames_to_draw = kFramesAfterEvent;
}

// The canvas has as many pixels as the browser's window, whatever its zoom.
double follow_size() {
  WebPage& p = page();
  double width = 0, height = 0;
  emscripten_get_element_css_size("#canvas", &width, &height);
  const double scale = emscripten_get_device_pixel_ratio();
  const int width_px = std::max(1, static_cast<int>(std::lround(width * scale)));
  const int height_px = std::max(1, static_cast<int>(std::lround(height * scale)));
  if (width_px != p.width_px || height_px != p.height_px) {
    emscripten_set_canvas_element_size("#canvas", width_px, height_px);
    p.width_px = width_px;
    p.height_px = height_px;
    p.frames_to_draw = kFramesAfterEvent;
  }
  return scale;
}

// What was asked for by a key or a button: the browser saves it where it saves such things.
void save_pictures(Workspace& ws) {
  if (std::exchange(ws.picture_request, false)) {
    save_canvas("lanescope.png");
    ws.message = "picture: lanescope.png";
  }
  if (std::exchange(ws.svg_request, false)) {
    const std::string drawing = shown_as_svg(ws);
    if (drawing.empty()) return show_error(ws, "no map is shown that could be drawn as SVG");
    save_text("lanescope.svg", drawing);
    ws.message = "drawing: lanescope.svg";
  }
}

// The line of the step that is shown, where it is one of the kernel on the bench; 0: of none.
int line_on_bench(const Workspace& ws) {
  const bool shows_steps = ws.page == Page::trace && ws.shows == Shows::steps && has(ws, ws.shows);
  return shows_steps && ws.trace_path == kOfBench ? item_now(ws.steps).step->ptx_line : 0;
}

// Title and address of the page, and how it looks: kept once nothing moves any more.
void say_where(WebPage& p) {
  const std::string words = selected_words(p.workspace);
  const std::string title = words.empty() ? "Lanescope" : "Lanescope: " + words;
  if (title != p.title) set_title(title);
  p.title = title;
  const std::string address = address_of(p.workspace);
  if (address != p.address) set_address(address);
  p.address = address;
  set_colours(p.workspace.dark);
  if (const int line = line_on_bench(p.workspace); line != p.line) {
    p.line = line;
    if (line > 0) show_line(line);
  }
  const Settings now = settings_of(p.workspace);
  if (now == p.kept) return;
  write_settings(p.options.settings, now);
  keep_settings(p.options.settings);
  p.stored = p.kept = now;
}

// Of what the bench has run: the mistakes in its products, or how much of them is right.
void diagnose(const Workspace& ws) {
  if (!ws.has_trace() || ws.model.multiplications.empty()) return;
  int right = 0;
  const std::string wrong = mistakes_in_short(ws.model, ws.steps.list, right);
  say_diagnosis(wrong, right);
}

EM_BOOL draw(double now_ms, void*) {
  WebPage& p = page();
  Workspace& ws = p.workspace;
  const double scale = follow_size();
  if (feed_events(ws, scale)) p.frames_to_draw = kFramesAfterEvent;
  if (obey_requests(ws, p.options, std::exchange(p.dropped, {})))
    p.frames_to_draw = kFramesAfterEvent;
  if (std::exchange(p.ran, false)) diagnose(ws);
  if (ws.play.on) p.frames_to_draw = std::max(p.frames_to_draw, 1);
  if (p.frames_to_draw == 0) return EM_TRUE;
  const bool playing = ws.play.on, listed = ws.show_traces;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(p.width_px), static_cast<float>(p.height_px));
  io.DeltaTime = std::clamp(static_cast<float>((now_ms - p.drawn_ms) / 1000), 0.001f, 0.25f);
  p.drawn_ms = now_ms;
  p.renderer->rescale(std::clamp(static_cast<float>(scale) * ws.text_scale, 0.5f, 4.0f));
  p.renderer->frame(ws, p.width_px, p.height_px);
  --p.frames_to_draw;
  if (ws.picture_request || ws.svg_request) {
    save_pictures(ws);
    p.frames_to_draw = kFramesAfterEvent;
  }
  if (ws.show_traces && !listed) list_anew(ws, p.options);
  if (!ws.bench_request.empty()) put_on_bench(std::exchange(ws.bench_request, {}));
  if (playing && !ws.play.on) p.frames_to_draw = kFramesAfterEvent;
  if (p.frames_to_draw == 0) say_where(p);
  return EM_TRUE;
}

std::string start(const std::string& words) {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = EM_FALSE;
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context =
      emscripten_webgl_create_context("#canvas", &wanted);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
    return "This browser gives the page no WebGL 2, which Lanescope draws with.";
  WebPage& p = page();
  p.renderer = std::make_unique<Renderer>(static_cast<float>(emscripten_get_device_pixel_ratio()));
  if (!p.renderer->ok()) return "Dear ImGui cannot use this browser's WebGL 2.";
  fetch_settings(folders().settings);
  p.stored = read_settings(folders().settings);
  open(words);
  listen();
  paste_one_line();
  emscripten_request_animation_frame_loop(draw, nullptr);
  return {};
}

}  // namespace
}  // namespace lanescope::viz

// What the page's own script calls (page.html).
extern "C" {

EMSCRIPTEN_KEEPALIVE void lanescope_open(const char* words) { lanescope::viz::open(words); }

EMSCRIPTEN_KEEPALIVE void lanescope_dropped(const char* path) {
  lanescope::viz::page().dropped.emplace_back(path);
}

EMSCRIPTEN_KEEPALIVE void lanescope_ran(const char* path) {
  lanescope_dropped(path);
  lanescope::viz::page().ran = true;
}
}

int main(int argc, char** argv) {
  const std::string problem = lanescope::viz::start(argc > 1 ? argv[1] : "");
  lanescope::viz::say_started(problem);
  return 0;
}
