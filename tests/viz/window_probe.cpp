// SPDX-License-Identifier: MIT
// For window_test.sh: opens the real window on a made-up trace, logs its selections to argv[1], and
// beforehand writes to argv[2] where things are drawn at this size ("A 9,5<tab>123,456"), in every
// view of the trace.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "app/screenshot.hpp"
#include "app/session.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/file.hpp"

int main(int argc, char** argv) {
  using namespace lanescope;
  if (argc != 3) return 2;
  const std::string trace = std::string(argv[2]) + ".lanes";
  trace::Trace made = viz::synthetic::trace_of({viz::synthetic::kF16});
  for (const trace::Trace& other : {viz::recorded::steps(), viz::recorded::pipeline()})
    made.events.insert(made.events.end(), other.events.begin(), other.events.end());
  made.events.emplace_back(viz::recorded::tile());
  if (trace::write_file(trace, made)) return 1;
  viz::WindowOptions options;
  options.trace = trace;
  options.log_selection = argv[1];
  options.scale = 1;
  options.width = 1300;
  options.height = 850;

  viz::Workspace workspace;
  if (!viz::begin_session(workspace, options).empty()) return 1;
  viz::Probes probes;
  workspace.probes = &probes;
  std::map<std::string, viz::Box> boxes;
  for (const viz::Shows shows :
       {viz::Shows::pipeline, viz::Shows::steps, viz::Shows::memory, viz::Shows::fragments}) {
    viz::show(workspace, shows);
    std::string problem;
    if (viz::draw_picture(workspace, options.width, options.height, 1, problem).pixels.empty())
      return 1;
    for (const auto& [name, box] : probes.boxes) boxes[name] = box;
  }
  std::FILE* places = std::fopen(argv[2], "w");
  if (places == nullptr) return 1;
  for (const auto& [name, box] : boxes)
    std::fprintf(places, "%s\t%d,%d\n", name.c_str(),
                 static_cast<int>(std::floor(box.left + box.width / 2)),
                 static_cast<int>(std::floor(box.top + box.height / 2)));
  std::fclose(places);
  return viz::run_window(options);
}
