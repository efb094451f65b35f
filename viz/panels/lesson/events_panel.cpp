// SPDX-License-Identifier: MIT
// The trace beside the picture: who wrote it, and its events, a line each.
#include <fmt/format.h>

#include <string>
#include <variant>

#include "panels/lesson/text_tabs.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

// One line an event; what has a text of its own says it.
struct EventLine {
  std::string kind, words;
  bool error = false;
};

// "mma.m16n8k16.f32.f16.f16.f32": the words that every mma.sync has are left out.
std::string without_constants(std::string mnemonic) {
  for (const std::string_view words : {".sync.aligned", ".row.col"})
    if (const std::size_t at = mnemonic.find(words); at != std::string::npos)
      mnemonic.erase(at, words.size());
  return mnemonic;
}

struct Describe {
  EventLine operator()(const trace::View& e) const { return {"view", e.title}; }
  EventLine operator()(const trace::Launch& e) const {
    return {"launch",
            fmt::format("{} <<<{}x{}x{}, {}x{}x{}>>>", trace::as_written(e.kernel), e.grid[0],
                        e.grid[1], e.grid[2], e.block[0], e.block[1], e.block[2])};
  }
  EventLine operator()(const trace::Fragment& e) const {
    const std::string place = place_text(e.place);
    return {"fragment", fmt::format("{}  {}{}{}", e.name, without_constants(e.instruction),
                                    place.empty() ? "" : ", ", place)};
  }
  EventLine operator()(const trace::Memory& e) const {
    return {"memory", fmt::format("{}  {} {} x {} {}", e.name, e.space, e.rows, e.cols, e.type)};
  }
  EventLine operator()(const trace::Step& e) const {
    return {"step", fmt::format("{}  {}", e.step, trace::plain_ptx(e.ptx))};
  }
  EventLine operator()(const trace::Access& e) const {
    return {"access", fmt::format("{}  {}", e.step, e.instruction)};
  }
  EventLine operator()(const trace::Sync& e) const {
    return {"sync", fmt::format("warp {} step {}  {} {} phase {}", e.place.warp, e.step, e.action,
                                e.object, e.phase)};
  }
  EventLine operator()(const trace::Diagnostic& e) const {
    return {"diagnostic", fmt::format("{}: {}", e.kind, e.message), true};
  }
};

// Fragments and tiles are shown somewhere, and where there are steps what belongs to one.
bool leads_somewhere(const Workspace& ws, const trace::Event& event) {
  if (std::holds_alternative<trace::Fragment>(event)) return has(ws, Shows::fragments);
  if (std::holds_alternative<trace::Memory>(event)) return has(ws, Shows::memory);
  if (std::holds_alternative<trace::View>(event) || std::holds_alternative<trace::Launch>(event))
    return false;
  const auto* said = std::get_if<trace::Diagnostic>(&event);
  return has(ws, Shows::steps) && (said == nullptr || said->ptx_line > 0);
}

void draw_event(Workspace& ws, const Look& look, int at) {
  const trace::Event& event = ws.model.trace.events[static_cast<std::size_t>(at)];
  const EventLine line = std::visit(Describe{}, event);
  const bool leads = leads_somewhere(ws, event);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const Rgb plain = leads ? look.theme.link : look.theme.dim;
  text(look.fonts.mono, line.error ? look.theme.bad : plain, fmt::format("{:<11}", line.kind));
  ImGui::SameLine(0, 0);
  text(look.fonts.mono, line.error ? look.theme.bad : look.theme.text, line.words);
  const ImVec2 to = ImGui::GetItemRectMax();
  probe(ws, fmt::format("event {}", at), {from.x, from.y, to.x - from.x, to.y - from.y});
  if (!leads || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, to)) return;
  ImGui::GetWindowDrawList()->AddRectFilled(from, to, colour(look.theme.link, 0.12f));
  if (ImGui::IsMouseClicked(0)) show_event(ws, at, "");
}

}  // namespace

void draw_trace(Workspace& ws, const Look& look) {
  const trace::Header& h = ws.model.trace.header;
  const float width = ImGui::GetContentRegionAvail().x;
  const auto fact = [&](const char* name, const std::string& words) {
    if (words.empty()) return;
    text(look.fonts.text, look.theme.dim, name);
    ImGui::SameLine(5.5f * look.em);
    text(look.fonts.mono, look.theme.text, words, width - 5.5f * look.em);
  };
  if (!ws.has_trace()) {
    text(look.fonts.text, look.theme.dim,
         "No trace is open: this is the map alone, as the atlas has it.", width);
    return;
  }
  fact("file", ws.trace_path);
  fact("program", h.program);
  fact("device", fmt::format("{} ({})", h.device, h.arch));
  fact("written by", h.producer);
  fact("command", h.command);
  blank(look);
  for (const std::string& remark : ws.model.remarks)
    text(look.fonts.text, look.theme.warn, remark, width);
  const auto& events = ws.model.trace.events;
  text(look.fonts.text, look.theme.dim, fmt::format("{} events", events.size()));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(events.size()));
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
      draw_event(ws, look, at);
    }
}

}  // namespace lanescope::viz
