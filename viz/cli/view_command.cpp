// SPDX-License-Identifier: MIT
// A trace in the window, in the terminal, or as a picture. The window is a room of its own
// (viz/app) and may be missing; the terminal is always there.
#include <fmt/format.h>

#include <algorithm>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/layout_two.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "cli/terminal_view.hpp"
#include "panels/atlas/atlas_list.hpp"
#include "panels/forms/tcgen05_form.hpp"
#include "panels/forms/tile_form.hpp"
#ifdef LANESCOPE_HAS_WINDOW
#include "app/window.hpp"
#endif

namespace lanescope::cli {
namespace {

// The pages of the atlas in the terminal: what `layout`, `swizzle` and `descriptor` print.
int page_text(const ViewOptions& options) {
  const std::string words = joined(options.words);
  if (options.page == "atlas") {
    LayoutOptions asked;
    asked.words = options.words;
    asked.beside = options.beside;
    asked.list = options.beside.empty() && viz::only_entry(words).empty();
    return layout(asked);
  }
  if (options.page == "swizzle") {
    SwizzleOptions asked;
    asked.words = options.words;
    return swizzle(asked);
  }
  viz::DescriptorForm form;
  if (viz::names_reading(words)) {
    form.bits = viz::right_bits(form.tile, form.step);
    viz::Tcgen05Form t;
    if (const std::string why = viz::read_words(words, t, form); !why.empty()) return refuse(why);
    DescriptorOptions asked;
    asked.tcgen05 = t.reading == viz::Reading::tcgen05;
    if (t.reading == viz::Reading::instruction) {
      asked.instruction = fmt::format("{:#010x}", t.instruction);
      asked.kind = layout::kTcgen05Kinds[static_cast<std::size_t>(t.kind)];
    } else {
      asked.decode = fmt::format("{:#018x}", asked.tcgen05 ? t.bits : form.bits);
    }
    return descriptor(asked);
  }
  if (const std::string why = viz::read_words(words, form); !why.empty()) return refuse(why);
  const viz::TileForm& tile = form.tile;
  DescriptorOptions asked;
  asked.tcgen05 = form.wide;  // atoms of 32 bytes are tcgen05's alone
  asked.decode = fmt::format("{:#018x}", form.wide ? viz::tcgen05_bits(form) : form.bits);
  if (const int code = descriptor(asked); code != 0) return code;
  const viz::Fetch fetch = viz::fetch(form);
  print("on a tile {} at byte {}, step {} of K: {} of {} elements from wrong bytes\n\n",
        viz::words_of(tile), viz::kTileStart_bytes, form.step, fetch.wrong, fetch.elements.size());
  asked.decode.clear();
  asked.tile = fmt::format("{}x{}", tile.rows, tile.cols);
  asked.mode = viz::mode_name(tile);
  asked.major = tile.major == layout::Major::K ? "K" : "MN";
  asked.bits = tile.bits;
  return descriptor(asked);
}

#ifdef LANESCOPE_HAS_WINDOW
int view_window(const std::string& path, const std::string& other, const ViewOptions& options) {
  viz::WindowOptions window;
  window.trace = path;
  window.other = other;
  window.traces_folder = traces_folder();
  window.lessons_folder = project_folder() + "/lessons";
  window.selection = options.selection;
  window.tab = options.tab;
  window.panel = options.panel;
  window.product = std::max(0, product_number(options.product));
  window.beside = second_product(options.product);
  window.page = options.page;
  window.page_words = joined(options.words);
  window.page_beside = joined(options.beside);
  window.light = options.light;
  window.scale = options.scale;
  window.width = options.width;
  window.height = options.height;
  window.log_selection = options.log_selection;
  if (has_project()) window.settings = traces_folder() + "/window.txt";
  const std::string problem = options.screenshot.empty()
                                  ? viz::run_window(window)
                                  : viz::screenshot(window, options.screenshot);
  return problem.empty() ? 0 : refuse(problem);
}

// `lanescope view` before anything ran: the window begins with the list of what came with the
// lessons.
bool opens_on_the_list(const ViewOptions& o) {
  return o.target.empty() && o.other.empty() && !o.text && o.selection.empty() && o.panel.empty() &&
         o.product.empty() && o.tab.empty() && find_trace("1").problem.empty();
}
#else
bool opens_on_the_list(const ViewOptions&) { return false; }

int view_window(const std::string&, const std::string&, const ViewOptions&) {
  return refuse(
      "built without the window; install libimgui-dev libglfw3-dev python3-glad libgl-dev "
      "libegl-dev "
      "and build again, or use `lanescope view --text`");
}
#endif

}  // namespace

namespace {

// Both instructions by their whole names, where words mean one each; or why not.
std::string name_both(ViewOptions& options) {
  if (joined(options.words).empty()) return "--beside: beside which? name it with --atlas";
  for (std::vector<std::string>* words : {&options.words, &options.beside}) {
    layout::MapOf side;
    if (std::string why = find_side(joined(*words), "", side); !why.empty()) return why;
    *words = {side.mnemonic()};
  }
  return {};
}

}  // namespace

int view(const ViewOptions& asked) {
  ViewOptions options = asked;
  if (!options.beside.empty() && options.page != "atlas")
    return refuse(
        "--beside: two instructions of the atlas stand beside each other: view --atlas "
        "WORDS --beside WORDS");
  if (!options.beside.empty())
    if (const std::string why = name_both(options); !why.empty()) return refuse(why);
  if (!options.page.empty()) {
    if (!options.target.empty())
      return refuse(fmt::format("view: either --{} or a trace, not both", options.page));
    if (!options.panel.empty() || !options.product.empty() || !options.tab.empty())
      return refuse(
          fmt::format("view --{}: --panel, --product and --tab are for traces", options.page));
    if (options.text && !options.selection.empty())
      return refuse("--select: in the terminal `lanescope layout` is asked, --element 9,5");
    if (!options.html.empty()) return view_page({}, options);
    return options.text ? page_text(options) : view_window("", "", options);
  }
  const FoundTrace found = find_trace(options.target);
  if (!found.problem.empty())
    return opens_on_the_list(options) ? view_window("", "", options) : refuse(found.problem);
  if (options.other.empty()) {
    if (!options.html.empty()) return view_page({found.path}, options);
    return options.text ? view_text(found.path, options) : view_window(found.path, "", options);
  }
  const FoundTrace other = find_trace(options.other);
  if (!other.problem.empty()) return refuse(other.problem);
  if (!options.panel.empty() || !options.product.empty() || !options.tab.empty())
    return refuse("view A B: --panel, --product and --tab are for one trace");
  if (options.text && !options.selection.empty())
    return refuse("view A B --text: all differences are listed; --select is for the window");
  if (!options.html.empty()) return view_page({found.path, other.path}, options);
  return options.text ? diff(found.path, other.path) : view_window(found.path, other.path, options);
}

}  // namespace lanescope::cli
