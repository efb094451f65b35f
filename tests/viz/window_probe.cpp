// SPDX-License-Identifier: MIT
// For window_test.sh: opens the real window on two made-up traces that differ, logs
// its selections to argv[1], and beforehand writes to argv[2] where things are drawn at this size
// ("A 9,5<tab>123,456"), in the comparison and in every view of the first trace; to argv[3] it
// writes a byte a frame. Paths, a line each, that somebody writes to argv[2].drop are dropped into
// it. While there is a file argv[2].slow, frames are.
#include <dlfcn.h>
#include <imgui.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "app/screenshot.hpp"
#include "app/session.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/file.hpp"

namespace {

using namespace lanescope;

trace::Trace made_up() {
  trace::Trace made = viz::synthetic::trace_of({viz::synthetic::kF16});
  for (const trace::Trace& part : {viz::recorded::steps(), viz::recorded::pipeline()})
    made.events.insert(made.events.end(), part.events.begin(), part.events.end());
  made.events.emplace_back(viz::recorded::tile());
  return made;
}

// A[0][0] and A[9][5], and the tile's second element.
trace::Trace with_mistakes(trace::Trace made) {
  bool first = true;
  for (trace::Event& event : made.events) {
    if (auto* fragment = std::get_if<trace::Fragment>(&event); fragment != nullptr && first) {
      fragment->registers[0][0] ^= 1;
      fragment->registers[1][6] ^= 0x10000;
      first = false;
    }
    if (auto* tile = std::get_if<trace::Memory>(&event)) tile->bytes[2] ^= 1;
  }
  return made;
}

std::FILE* frames = nullptr;
std::string dropping;  // a file: what stands in it is dropped into the window, and it is removed
std::string slow;      // while there is such a file a frame takes 0.3 s more

template <class Function>
Function library(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// No pointer of xdotool carries files: the window's own callback is called as GLFW would.
void drop_files(struct GLFWwindow* window) {
  std::ifstream file(dropping);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.empty()) return;
  std::remove(dropping.c_str());
  std::vector<const char*> paths;
  for (const std::string& line : lines) paths.push_back(line.c_str());
  using Drop = void (*)(struct GLFWwindow*, int, const char**);
  static const auto set = library<Drop (*)(struct GLFWwindow*, Drop)>("glfwSetDropCallback");
  const Drop drop = set(window, nullptr);
  set(window, drop);
  drop(window, static_cast<int>(paths.size()), paths.data());
}

}  // namespace

// The library's, and a byte more in the file of frames: the test waits for what the window has
// seen, not for a time that a busy machine may need. A key that is held for long is pressed once
// even so.
extern "C" void glfwSwapBuffers(struct GLFWwindow* window) {
  static const auto swap = library<void (*)(struct GLFWwindow*)>("glfwSwapBuffers");
  swap(window);
  drop_files(window);
  ImGui::GetIO().KeyRepeatDelay = 1e6f;
  std::fputc('.', frames);
  std::fflush(frames);
  if (access(slow.c_str(), F_OK) == 0) usleep(300'000);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  frames = std::fopen(argv[3], "w");
  if (frames == nullptr) return 1;
  dropping = std::string(argv[2]) + ".drop";
  slow = std::string(argv[2]) + ".slow";
  const std::string trace = std::string(argv[2]) + ".lanes";
  const std::string other = std::string(argv[2]) + ".other.lanes";
  const trace::Trace made = made_up();
  if (trace::write_file(trace, made) || trace::write_file(other, with_mistakes(made))) return 1;
  viz::WindowOptions options;
  options.trace = trace;
  options.other = other;
  options.log_selection = argv[1];
  options.settings = std::string(argv[2]) + ".settings";
  options.scale = 1;
  options.width = 1300;
  options.height = 850;

  viz::Workspace workspace;
  if (!viz::begin_session(workspace, options).empty()) return 1;
  viz::Probes probes;
  workspace.probes = &probes;
  std::map<std::string, viz::Box> boxes;
  const auto draw = [&] {
    std::string problem;
    const bool drawn =
        !viz::draw_picture(workspace, options.width, options.height, 1, problem).pixels.empty();
    for (const auto& [name, box] : probes.boxes) boxes[name] = box;
    return drawn;
  };
  if (!draw()) return 1;
  viz::go_to(workspace, viz::Page::trace);
  for (const viz::Shows shows :
       {viz::Shows::pipeline, viz::Shows::steps, viz::Shows::memory, viz::Shows::fragments}) {
    viz::show(workspace, shows);
    if (!draw()) return 1;
  }
  std::FILE* places = std::fopen(argv[2], "w");
  if (places == nullptr) return 1;
  for (const auto& [name, box] : boxes)
    std::fprintf(places, "%s\t%d,%d\n", name.c_str(),
                 static_cast<int>(std::floor(box.left + box.width / 2)),
                 static_cast<int>(std::floor(box.top + box.height / 2)));
  std::fclose(places);
  const std::string problem = viz::run_window(options);
  if (problem.empty()) return 0;
  std::fprintf(stderr, "lanescope: %s\n", problem.c_str());  // as the command does
  return 2;
}
