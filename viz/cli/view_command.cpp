// SPDX-License-Identifier: MIT
// A trace in the window, in the terminal, or as a picture. The window is a room of its own
// (viz/app) and may be missing; the terminal is always there.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/commands.hpp"
#include "cli/project.hpp"
#include "cli/trace_text.hpp"
#include "panels/atlas_list.hpp"
#include "panels/tile_form.hpp"
#include "trace/reader.hpp"
#ifdef LANESCOPE_HAS_WINDOW
#include "app/window.hpp"
#endif

namespace lanescope::cli {
namespace {

int refuse(const std::string& what) {
  fmt::print(stderr, "lanescope: {}\n", what);
  return 2;
}

// https://no-color.org: any text in NO_COLOR means no.
bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

int view_text(const std::string& path, const ViewOptions& options) {
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) return refuse(result.error->message(path));
  make_printable(result.trace);
  const viz::Model model = viz::make_model(std::move(result.trace));
  const TextStyle style{wants_colour(), 100};
  if (options.selection.empty()) {
    const std::string text = trace_text(model, result.unknown_events, style);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  const SelectionText selected = selected_text(model, options.selection);
  if (!selected.problem.empty()) return refuse("--select: " + selected.problem);
  const std::string text = summary_text(model, result.unknown_events) + "\n" + selected.text;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

std::string joined_words(const ViewOptions& options) {
  std::string text;
  for (const std::string& word : options.words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The pages of the atlas in the terminal: what `layout`, `swizzle` and `descriptor` print.
int page_text(const ViewOptions& options) {
  const std::string words = joined_words(options);
  if (options.page == "atlas") {
    LayoutOptions asked;
    asked.words = options.words;
    asked.list = viz::only_entry(words).empty();
    return layout(asked);
  }
  if (options.page == "swizzle") {
    viz::TileForm form;
    if (const std::string why = viz::read_words(words, form); !why.empty()) return refuse(why);
    return swizzle({std::string(layout::name(form.mode)),
                    form.major == layout::Major::K ? "K" : "MN", form.bits, form.rows, form.cols,
                    false});
  }
  viz::DescriptorForm form;
  if (const std::string why = viz::read_words(words, form); !why.empty()) return refuse(why);
  const viz::TileForm& tile = form.tile;
  DescriptorOptions asked;
  asked.decode = fmt::format("{:#018x}", form.bits);
  if (const int code = descriptor(asked); code != 0) return code;
  const viz::Fetch fetch = viz::fetch(form);
  fmt::print("on a tile {} at byte {}, step {} of K: {} of {} elements from wrong bytes\n\n",
             viz::words_of(tile), viz::kTileStart_bytes, form.step, fetch.wrong,
             fetch.elements.size());
  asked.decode.clear();
  asked.tile = fmt::format("{}x{}", tile.rows, tile.cols);
  asked.mode = layout::name(tile.mode);
  asked.major = tile.major == layout::Major::K ? "K" : "MN";
  asked.bits = tile.bits;
  return descriptor(asked);
}

#ifdef LANESCOPE_HAS_WINDOW
int view_window(const std::string& path, const ViewOptions& options) {
  viz::WindowOptions window;
  window.trace = path;
  window.traces_folder = traces_folder();
  window.lessons_folder = project_folder() + "/lessons";
  window.selection = options.selection;
  window.tab = options.tab;
  window.page = options.page;
  window.page_words = joined_words(options);
  window.light = options.light;
  window.scale = options.scale;
  window.width = options.width;
  window.height = options.height;
  window.log_selection = options.log_selection;
  return options.screenshot.empty() ? viz::run_window(window)
                                    : viz::screenshot(window, options.screenshot);
}
#else
int view_window(const std::string&, const ViewOptions&) {
  return refuse(
      "built without the window; install libimgui-dev libglfw3-dev python3-glad libgl-dev "
      "libegl-dev "
      "and build again, or use `lanescope view --text`");
}
#endif

}  // namespace

int view(const ViewOptions& options) {
  if (!options.page.empty()) {
    if (!options.target.empty())
      return refuse(fmt::format("view: either --{} or a trace, not both", options.page));
    return options.text ? page_text(options) : view_window("", options);
  }
  const FoundTrace found = find_trace(options.target);
  if (!found.problem.empty()) return refuse(found.problem);
  if (options.text) return view_text(found.path, options);
  return view_window(found.path, options);
}

}  // namespace lanescope::cli
