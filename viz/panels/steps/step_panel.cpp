// SPDX-License-Identifier: MIT
// One step: what is said of it, what it wrote and read, lane by lane; lanes that it changed stand
// out. How its access to shared memory falls into banks is in access_panel.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/steps/step_reports.hpp"
#include "panels/steps/step_text.hpp"
#include "panels/steps/step_values.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

// The lanes of one register: 8 groups of 4 threads. Those of `bright` stand out, those not of
// `active` step back; probes "NAME lane N".
void lane_grid(Workspace& ws, const Look& look, const trace::Write& write, std::string_view type,
               std::uint32_t bright, std::uint32_t active, const std::string& name) {
  const Theme& t = look.theme;
  CellGrid grid;
  grid.rows = 8;
  grid.cols = 4;
  const float indent = 1.9f * look.em;
  const float width = ImGui::GetContentRegionAvail().x - indent;
  grid.cell_width = std::floor(std::min(width / 4, 8.5f * look.em));
  grid.cell_height = std::floor(1.28f * look.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  grid.at = ImVec2(at.x + indent, at.y);
  ImGui::Dummy(ImVec2(grid.width() + indent, grid.height() + 0.5f * look.em));
  if (!ImGui::IsItemVisible()) return;
  StepsState& s = ws.steps;
  int hit_row = 0, hit_col = 0;
  if (ImGui::IsItemHovered() && grid.find(ImGui::GetIO().MousePos, hit_row, hit_col)) {
    const auto lane = static_cast<std::size_t>(4 * hit_row + hit_col);
    s.next_hover_lane = static_cast<int>(lane);
    const std::string bits = hex(write.lanes[lane], write.bits);
    const std::string value = value_text(type, write.bits, write.lanes[lane]);
    s.hover_words =
        fmt::format("lane {}  {}{}{} = {}{}", lane, write.name, write.watch.empty() ? "" : "  ",
                    write.watch, value, value == bits ? "" : "  " + bits);
    if (ImGui::IsMouseClicked(0)) {
      s.lane = s.next_hover_lane;
      s.lane_words = s.hover_words;
      s.lane_register = write.name;
      s.lane_written = name.starts_with("write");
    }
  }
  std::size_t longest = 1;
  std::array<std::string, 32> words;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    words[lane] = value_text(type, write.bits, write.lanes[lane]);
    longest = std::max(longest, words[lane].size());
  }
  draw_cells(look, grid, cell_font(look, grid, longest), [&](int row, int col) {
    const int lane = 4 * row + col;
    const Shade shade = ((bright >> lane) & 1) != 0   ? Shade::bright
                        : ((active >> lane) & 1) != 0 ? Shade::normal
                                                      : Shade::dim;
    const Rgb fill = lane_colour(lane, t.dark, shade);
    if (ws.probes != nullptr) probe(ws, fmt::format("{} lane {}", name, lane), grid.cell(row, col));
    return CellPaint{fill, shade == Shade::dim ? t.dim : text_on(fill),
                     words[static_cast<std::size_t>(lane)]};
  });
  for (const auto& [lane, ink] : {std::pair{s.lane, t.accent}, std::pair{s.hover_lane, t.outline}})
    if (lane >= 0) frame_cells(look, grid, lane / 4, lane % 4, lane / 4, lane % 4, ink);
  const Font& small = look.fonts.cell[3];
  for (int row = 0; row < 8; ++row) {
    const Box box = grid.cell(row, 0);
    const std::string lane = fmt::format("{}", 4 * row);
    text_at(ImGui::GetWindowDrawList(), small,
            ImVec2(box.left - text_width(small, lane) - 0.4f * look.em,
                   std::round(box.top + (box.height - 1 - small.size) / 2)),
            t.faint, lane);
  }
}

void one_write(Workspace& ws, const Look& look, std::size_t index) {
  const StepsState& s = ws.steps;
  const trace::Step& step = *item_now(s).step;
  const trace::Write& write = step.writes[index];
  const std::string_view type = value_type(step, index);
  const bool known = before(s.list, warp_now(s), s.place.item, index) != nullptr;
  const int lanes = __builtin_popcount(changed_lanes(s.list, warp_now(s), s.place.item, index));
  text(look.fonts.strong, look.theme.text, write.name);
  if (const std::string its = name_of(step, write); !its.empty()) {
    ImGui::SameLine(0, 0.7f * look.em);
    text(look.fonts.strong, look.theme.accent, its);
    const bool of_product = write.watch.empty() && s.product >= 0;
    if (of_product || names_register(write.watch)) {  // to the fragment that has it
      probe(ws, fmt::format("watch {}", index));
      const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
      if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddLine(ImVec2(low.x, high.y), high, colour(look.theme.accent));
      if (ImGui::IsItemClicked() && of_product) {
        look_at(ws, Shows::fragments);
        search(ws, fmt::format("{}{}", s.lane < 0 ? "" : fmt::format("lane {} ", s.lane), its));
      } else if (ImGui::IsItemClicked()) {
        show_register(ws, step.place, write.watch, s.lane, -1);
      }
    }
  }
  ImGui::SameLine(0, 0.7f * look.em);
  text(look.fonts.text, look.theme.dim,
       fmt::format("{}, {} in {} lane{}",
                   type.empty() ? fmt::format("{} bits", write.bits) : std::string(type),
                   known ? "changed" : "written", lanes, lanes == 1 ? "" : "s"));
  lane_grid(ws, look, write, s.bits ? std::string_view() : type,
            changed_lanes(s.list, warp_now(s), s.place.item, index), step.active,
            fmt::format("write {}", index));
}

// No register: of a wgmma, the way to where its sums arrive.
void draw_nothing(Workspace& ws, const Look& look) {
  StepsState& s = ws.steps;
  const int there = arrives_at(warp_now(s), s.writers, s.place.item);
  text(look.fonts.text, look.theme.dim, writes_nothing(warp_now(s), there),
       ImGui::GetContentRegionAvail().x);
  if (there < 0) return;
  const std::int64_t step = warp_now(s).items[static_cast<std::size_t>(there)].step->step;
  if (button(look, "arrives", fmt::format("step {}", step)))
    choose_step(ws, there), s.reveal = true;
  probe(ws, "arrives");
}

void find_reads(StepsState& s, const Model& model) {
  if (s.reads_warp == s.place.warp && s.reads_item == s.place.item) return;
  s.lane_words.clear();  // they were of another step; its lane stays framed
  s.lane_register.clear();
  if (s.reads_warp != s.place.warp) s.writers = writers_of(warp_now(s));
  s.reads = reads(warp_now(s), s.writers, s.place.item);
  s.sectors = sector_facts(warp_now(s), s.writers, s.place.item);
  s.reads_warp = s.place.warp;
  s.reads_item = s.place.item;
  s.product = product_at(model, *item_now(s).step);
}

// What the instruction was given: one value for all in a line, else the lanes.
void draw_reads(Workspace& ws, const Look& look) {
  const StepsState& s = ws.steps;
  if (s.reads.empty()) return;
  section(look, "reads");
  std::size_t longest = 0;
  for (const Read& read : s.reads) longest = std::max(longest, read.write->name.size());
  for (std::size_t at = 0; at < s.reads.size(); ++at) {
    const Read& read = s.reads[at];
    const std::string_view type = s.bits ? std::string_view() : read.type;
    text(look.fonts.mono, look.theme.dim, fmt::format("{:<{}}", read.write->name, longest + 2));
    ImGui::SameLine(0, 0);
    if (!read.name.empty()) {
      text(look.fonts.mono, look.theme.accent, read.name + "  ");
      ImGui::SameLine(0, 0);
    }
    if (is_uniform(read)) {
      const std::string mbarrier = mbarrier_read(s.list, item_now(s), read);
      text(look.fonts.mono, look.theme.text,
           uniform_text(read, type) + (mbarrier.empty() ? "" : ": " + mbarrier),
           ImGui::GetContentRegionAvail().x);
      probe(ws, fmt::format("read {}", at));
      continue;
    }
    text(look.fonts.text, look.theme.dim,
         type.empty() ? fmt::format("{} bits", read.write->bits) : std::string(type));
    lane_grid(ws, look, *read.write, type, 0, read.lanes, fmt::format("read {}", at));
  }
}

// What is wrong with the instruction, and against which other one; its own line stands above. A
// button leads from one to the other.
void draw_report(Workspace& ws, const Look& look, const StepReport& report, std::size_t number) {
  const float width = ImGui::GetContentRegionAvail().x;
  const trace::Diagnostic& said = *report.said;
  const std::string name = number == 0 ? std::string() : fmt::format(" also {}", number);
  gap(look, 0.2f);
  text(look.fonts.strong, look.theme.bad,
       report.own ? said.kind : "the other access of " + said.kind, width);
  probe(ws, (report.own ? "said" : "against") + name);
  text(look.fonts.text, look.theme.text, said.message, width);
  for (const std::string& detail : said.details)
    if (report.own && !detail.starts_with("PTX line "))
      text(look.fonts.text, look.theme.dim, detail, width);
  StepsState& s = ws.steps;
  const auto leads_to = [&](const char* called, const StepPlace& place, const std::string& words) {
    if (place.item < 0) return;
    if (button(look, (called + name).c_str(),
               shortened(look.fonts.text, words, width - 1.3f * look.em)))
      s.place = place, s.reveal = true;
    probe(ws, called + name);
  };
  leads_to("seen", report.seen, seen_text(s.list, report.seen));
  leads_to("other access", report.other, other_access_text(s.list, report.other));
}

// What the step is, and what is said of it.
void draw_head(Workspace& ws, const Look& look) {
  const StepItem& item = item_now(ws.steps);
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.mono, look.theme.text, trace::plain_ptx(item.step->ptx), width);
  text(look.fonts.text, look.theme.dim, where_text(*item.step), width);
  const std::vector<StepReport> reports = reports_at(ws.steps.list, ws.steps.place);
  for (std::size_t k = 0; k < reports.size(); ++k) draw_report(ws, look, reports[k], k);
}

}  // namespace

void draw_step(Workspace& ws, const Look& look) {
  StepsState& s = ws.steps;
  s.next_hover_lane = -1;
  const bool whole = ImGui::GetScrollMaxY() > 0;
  if (whole) scroll_by(ws.scroll_facts);
  draw_head(ws, look);
  const StepItem& item = item_now(s);  // another one, if the report's button was pressed
  gap(look, 0.3f);
  find_reads(ws.steps, ws.model);
  if (s.product >= 0) {
    if (button(look, "matrices", "its matrices: who holds what")) look_at(ws, Shows::fragments);
    probe(ws, "matrices");
    gap(look, 0.3f);
  }
  if (s.sectors) {
    draw_sectors(ws, look, *s.sectors);
    gap(look, 0.3f);
  }
  if (item.access != nullptr) {
    draw_access(ws, look, *item.access);
    gap(look, 0.3f);
  }
  int bits = ws.steps.bits ? 1 : 0;
  if (!item.step->writes.empty() || !ws.steps.reads.empty()) {
    if (choices(ws, look, "step label", {"value", "bits"}, bits)) ws.steps.bits = bits == 1;
    gap(look, 0.2f);
  }
  // Below the registers, and never below the edge: who clicks sees it.
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float lower = std::min(find_ways(ws, look), 0.45f * room.y);
  const float between = lower > 0 ? ImGui::GetStyle().ItemSpacing.y + 1 : 0;
  const float least = 10 * look.em;  // below long reports the whole panel is scrolled
  begin_child("writes", ImVec2(room.x, std::max(room.y - lower - between, least)), false,
              ImGuiWindowFlags_NoNav);
  if (!whole) scroll_by(ws.scroll_facts);
  if (item.step->writes.empty()) draw_nothing(ws, look);
  for (std::size_t k = 0; k < item.step->writes.size(); ++k) one_write(ws, look, k);
  draw_reads(ws, look);
  ImGui::EndChild();
  if (lower > 0) {
    begin_child("ways", ImVec2(room.x, lower), false, ImGuiWindowFlags_NoNav);
    draw_ways(ws, look);
    ImGui::EndChild();
  }
  s.hover_lane = s.next_hover_lane;
  if (s.hover_lane < 0) s.hover_words.clear();
}

}  // namespace lanescope::viz
