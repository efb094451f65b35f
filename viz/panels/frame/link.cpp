// SPDX-License-Identifier: MIT
// The command that shows what the window shows: to be pasted into a shell, a note, a slide. It says
// what is looked at and what is selected there, not how large cells are or what they are labelled
// with.
#include <fmt/format.h>

#include "panels/look/shell_word.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_search.hpp"

namespace lanescope::viz {
namespace {

struct Options {
  std::string text = "lanescope view";
  void add(std::string_view word) { text += " " + shell_word(word); }
  void add(std::string_view option, std::string_view value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, shell_word(value));
  }
};

// "128B 9,5", as the search box of a tile takes it.
std::string tile_words(const MemoryState& m) {
  std::string words =
      m.reading == layout::Swizzle::none ? "" : std::string(layout::name(m.reading));
  if (m.row >= 0) words += fmt::format("{}{},{}", words.empty() ? "" : " ", m.row, m.col);
  return words;
}

std::string product_words(const Workspace& ws) {
  if (ws.shows == Shows::memory) {
    const MemoryState& m = ws.memory;
    if (m.beside >= 0) return fmt::format("{},{}", m.current + 1, m.beside + 1);
    return m.current > 0 ? fmt::format("{}", m.current + 1) : "";
  }
  return ws.shows == Shows::fragments && ws.current > 0 ? fmt::format("{}", ws.current + 1) : "";
}

std::string selection_words(const Workspace& ws) {
  if (!has(ws, ws.shows)) return {};
  if (ws.shows == Shows::memory) return tile_words(ws.memory);
  if (ws.shows == Shows::fragments) return selected_words(ws);
  if (ws.shows == Shows::pipeline)
    return ws.pipeline.copy_ticks == kUsualCopyTicks
               ? std::string()
               : fmt::format("copy {}", ws.pipeline.copy_ticks);
  // Words name a warp by its number alone: of several blocks or launches they find the first.
  const std::string words = words_of(ws.steps.list, ws.steps.place);
  const StepPlace there = find_step(ws.steps.list, {}, words);
  const bool same = there.warp == ws.steps.place.warp && there.item == ws.steps.place.item;
  return same ? words : std::string();
}

std::string tile_place(int row, int col) {
  return row < 0 || col < 0 ? std::string() : fmt::format("{},{}", row, col);
}

}  // namespace

std::string link_of(const Workspace& ws) {
  Options link;
  const Multiplication* in = ws.shown();
  switch (ws.page) {
    case Page::trace:
      if (ws.has_trace()) {
        link.add(ws.trace_path);
        if (ws.shows != views_of(ws).front()) link.add("--panel", name_of(ws.shows));
        link.add("--product", product_words(ws));
        link.add("--select", selection_words(ws));
      } else if (in != nullptr) {
        link.add("--atlas", in->instruction->mnemonic);
        link.add("--select", selected_words(ws));
      }
      break;
    case Page::entry: {
      link.add("--atlas", ws.atlas.entry.mnemonic());
      const MapView view = map_view(ws);
      link.add("--select",
               view.mover != nullptr ? words_of(ws.map.pick, view) : selected_words(ws));
      break;
    }
    case Page::atlas:
      link.text += " --atlas";
      if (!ws.atlas.filter.words.empty()) link.add(ws.atlas.filter.words);
      break;
    case Page::swizzle:
      link.add("--swizzle", ws.swizzle.words());
      link.add("--select", tile_place(ws.swizzle.mn, ws.swizzle.k));
      break;
    case Page::descriptor: {
      const DescriptorState& d = ws.descriptor;
      const bool wgmma = d.tcgen05.reading == Reading::wgmma;
      link.add("--descriptor", wgmma ? words_of(d.form) : words_of(d.tcgen05));
      const int from = d.form.step * k_of_step(d.form.tile);
      if (wgmma && d.row >= 0) link.add("--select", tile_place(d.row, d.col + from));
      break;
    }
    case Page::compare:
      if (ws.compare.made.of_maps()) {
        link.add("--atlas", ws.compare.made.paths[0]);
        link.add("--beside", ws.compare.made.paths[1]);
        link.add("--select", selected_words(ws));
        break;
      }
      for (const std::string& path : ws.compare.made.paths) link.add(path);
      break;
  }
  return link.text;
}

void copy_link(Workspace& ws) {
  const std::string link = link_of(ws);
  ImGui::SetClipboardText(link.c_str());
  say(ws, {});
  ws.message = "copied: " + link;
}

}  // namespace lanescope::viz
